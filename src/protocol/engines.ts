import type { ContextEngine, FileParser } from '../core/engine/engine';
import type { AssetSource, Clock, Disposable, Logger } from '../core/ports/ports';
import type { SecretScanner } from '../core/secrets/secretScanner';
import { EngineClient } from './engineClient';
import { ParserPool, type ParserPoolOptions } from './parserPool';
import { SecretScannerClient } from './secretScannerClient';
import type { WorkerLauncher } from './workerClient';
import type { WorkerError } from './workerError';

/** An engine and a parser for one folder, and what looks for secrets. Each starts with its first call. Who makes them disposes them. */
export interface Engines extends Disposable {
  readonly engine: ContextEngine;
  readonly parser: FileParser;
  readonly secrets: SecretScanner;
}

/** What the worker bundle gives a host that runs it without a worker. */
export type CreateInProcess = (assets: AssetSource) => Omit<Engines, 'dispose'>;

/** What clients of workers need of their host. */
export interface EngineClientsOptions {
  readonly launcher: WorkerLauncher;
  readonly assets: AssetSource;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Loads the worker bundle into this thread; throws when it cannot. */
  readonly loadInProcess: () => CreateInProcess;
  /** Said once, when that happens. */
  readonly inProcessWarning: string;
  /** The pool's own numbers where they are left out. */
  readonly pool?: Pick<ParserPoolOptions, 'workers' | 'batchDeadlineMs' | 'fileDeadlineMs'>;
}

/** Engine, parser and scanner in workers, or in this thread after three failed starts in a row. */
export function connectEngines(options: EngineClientsOptions): Engines {
  const { launcher, assets, clock, logger, loadInProcess, inProcessWarning, pool } = options;
  let hasWarned = false;
  // Each call makes new ones: a parser whose wasm has died in this thread is replaced like a worker.
  const inProcess = (why?: WorkerError): ReturnType<CreateInProcess> => {
    const create = loadInProcess();
    if (!hasWarned) logger.warn(why ? `${inProcessWarning}: ${why.message}` : inProcessWarning);
    hasWarned = true;
    return create(assets);
  };
  const worker = { launcher, assets, clock };
  const engine = new EngineClient({ ...worker, createFallback: (why) => inProcess(why).engine });
  const parser = new ParserPool({ ...worker, ...pool, createFallback: (why) => inProcess(why).parser });
  const secrets = new SecretScannerClient({ ...worker, createFallback: (why) => inProcess(why).secrets });
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
