import { createRequire } from 'node:module';
import path from 'node:path';
import type { ContextEngine, FileParser } from '../core/engine';
import type { AssetSource, Clock, Disposable, Logger } from '../core/ports';
import type { SecretScanner } from '../core/secrets/secretScanner';
import { EngineClient } from '../protocol/engineClient';
import { ParserPool } from '../protocol/parserPool';
import { SecretScannerClient } from '../protocol/secretScannerClient';
import { ThreadLauncher } from './workerLauncher';

/** An engine and a parser for one folder, and what looks for secrets. Each starts with its first call. Who makes them disposes them. */
export interface Engines extends Disposable {
  readonly engine: ContextEngine;
  readonly parser: FileParser;
  readonly secrets: SecretScanner;
}

/** What makes engines need of their host. */
export interface EngineHost {
  /** The folder that holds `dist/` and `grammars/`. Absolute. */
  readonly productRoot: string;
  readonly assets: AssetSource;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Threads that parse; the pool's own default when undefined. */
  readonly parserWorkers?: number | undefined;
}

/** How a host gets its engines; tests give engines that need no bundle. */
export type CreateEngines = (host: EngineHost) => Engines;

type InProcess = (assets: AssetSource) => Omit<Engines, 'dispose'>;

/** Loads the worker bundle into this process. Throws when the product is not built. */
function loadInProcess(script: string): InProcess {
  const loaded: unknown = createRequire(script)(script);
  if (typeof loaded !== 'object' || loaded === null || !('createInProcess' in loaded)) {
    throw new Error('The worker bundle has no in-process entry');
  }
  return loaded.createInProcess as InProcess;
}

/** Engine and parser in worker threads, or in this process after three failed starts in a row. */
export function createWorkerEngines(host: EngineHost): Engines {
  const { productRoot, assets, clock, logger, parserWorkers } = host;
  const script = path.join(productRoot, 'dist', 'worker.js');
  const launcher = new ThreadLauncher(script, logger);
  // Each call makes a new pair: a parser whose wasm has died in this process is replaced like a worker.
  let hasWarned = false;
  const inProcess = (): ReturnType<InProcess> => {
    if (!hasWarned) logger.warn('Worker threads do not start here; working in this process, which is slower');
    hasWarned = true;
    return loadInProcess(script)(assets);
  };
  const engine = new EngineClient({ launcher, assets, clock, createFallback: () => inProcess().engine });
  const parser = new ParserPool({
    launcher,
    assets,
    clock,
    createFallback: () => inProcess().parser,
    ...(parserWorkers ? { workers: parserWorkers } : {}),
  });
  const secrets = new SecretScannerClient({ launcher, assets, clock, createFallback: () => inProcess().secrets });
  return {
    engine,
    parser,
    secrets,
    dispose: () => {
      engine.dispose();
      parser.dispose();
      secrets.dispose();
    },
  };
}
