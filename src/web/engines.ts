import type { ContextEngine, FileParser } from '../core/engine';
import type { AssetSource, Clock, Disposable, Logger } from '../core/ports';
import type { SecretScanner } from '../core/secrets/secretScanner';
import { EngineClient } from '../protocol/engineClient';
import { ParserPool } from '../protocol/parserPool';
import { SecretScannerClient } from '../protocol/secretScannerClient';
import { ScriptWorkerLauncher, type StartedWorker } from './scriptWorkerLauncher';

/** The worker bundle, as `AssetSource` names it. */
const WORKER_ASSET = 'dist/web/worker.js';

/**
 * Much longer than on a machine: within it a grammar comes over the network, on a slow line at 100 KB/s. What a hostile
 * file may take is limited by the parser itself (`worker/parser/parseDeadline.ts`). Milliseconds.
 */
const BATCH_DEADLINE_MS = 90_000;
const FILE_DEADLINE_MS = 60_000;

/** An engine and a parser for one folder, and what looks for secrets. Each starts with its first call. Who makes them disposes them. */
export interface Engines extends Disposable {
  readonly engine: ContextEngine;
  readonly parser: FileParser;
  readonly secrets: SecretScanner;
}

/** What making engines needs of its host. */
export interface WebEngineHost {
  readonly assets: AssetSource;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Workers that parse. */
  readonly parserWorkers: number;
  /** Starts a worker from the text of the worker bundle; throws where there are none. */
  readonly startWorker: (script: string) => StartedWorker;
}

type InProcess = (assets: AssetSource) => Omit<Engines, 'dispose'>;

/** Evaluates the worker bundle in this thread, as web extension hosts evaluate extensions. Throws when it is not ours. */
function loadInProcess(script: string): InProcess {
  const module: { exports: { createInProcess?: unknown } } = { exports: {} };
  new Function('module', 'exports', script)(module, module.exports);
  if (typeof module.exports.createInProcess !== 'function')
    throw new Error('The worker bundle has no in-process entry');
  return module.exports.createInProcess as InProcess;
}

/** Engine and parser in web workers, or in this thread after three failed starts in a row. */
export function createWebEngines(host: WebEngineHost): Engines {
  const { assets, clock, logger, parserWorkers } = host;
  let script: string | undefined;
  const readScript = async (): Promise<string> => {
    script ??= new TextDecoder().decode(await assets.read(WORKER_ASSET));
    return script;
  };
  // Each call makes a new pair: a parser whose wasm has died in this thread is replaced like a worker.
  let hasWarned = false;
  const inProcess = (): ReturnType<InProcess> => {
    if (script === undefined) throw new Error(`${WORKER_ASSET} could not be read; the log says why`);
    if (!hasWarned) logger.warn('Workers do not start here; working in the extension host, which is slower');
    hasWarned = true;
    return loadInProcess(script)(assets);
  };
  const launcher = new ScriptWorkerLauncher(readScript, host.startWorker);
  const engine = new EngineClient({ launcher, assets, clock, createFallback: () => inProcess().engine });
  const parser = new ParserPool({
    launcher,
    assets,
    clock,
    workers: parserWorkers,
    batchDeadlineMs: BATCH_DEADLINE_MS,
    fileDeadlineMs: FILE_DEADLINE_MS,
    createFallback: () => inProcess().parser,
  });
  const secrets = new SecretScannerClient({ launcher, assets, clock, createFallback: () => inProcess().secrets });
  return {
    engine,
    parser,
    secrets,
    dispose: () => {
      secrets.dispose();
      engine.dispose();
      parser.dispose();
    },
  };
}
