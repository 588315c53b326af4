import type { AssetSource, Clock, Logger } from '../core/ports/ports';
import { type CreateInProcess, connectEngines, type Engines } from '../protocol/engines';
import { ScriptWorkerLauncher, type StartedWorker } from './scriptWorkerLauncher';

/** The worker bundle, as `AssetSource` names it. */
const WORKER_ASSET = 'dist/web/worker.js';

/**
 * Much longer than on a machine: within it a grammar comes over the network, on a slow line at 100 KB/s. What a hostile
 * file may take is limited by the parser itself (`worker/parser/parserCrash.ts`). Milliseconds.
 */
const BATCH_DEADLINE_MS = 90_000;
const FILE_DEADLINE_MS = 60_000;

/** What making engines needs of its host. */
interface WebEngineHost {
  readonly assets: AssetSource;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Workers that parse. */
  readonly parserWorkers: number;
  /** Starts a worker from the text of the worker bundle; throws where there are none. */
  readonly startWorker: (script: string) => StartedWorker;
}

/** Evaluates the worker bundle in this thread, as web extension hosts evaluate extensions. Throws when it is not ours. */
function loadInProcess(script: string): CreateInProcess {
  const module: { exports: { createInProcess?: unknown } } = { exports: {} };
  new Function('module', 'exports', script)(module, module.exports);
  if (typeof module.exports.createInProcess !== 'function')
    throw new Error('The worker bundle has no in-process entry');
  return module.exports.createInProcess as CreateInProcess;
}

/** Engine and parser in web workers, or in this thread after three failed starts in a row. */
export function createWebEngines(host: WebEngineHost): Engines {
  const { assets, clock, logger, parserWorkers } = host;
  let script: string | undefined;
  const readScript = async (): Promise<string> => {
    script ??= new TextDecoder().decode(await assets.read(WORKER_ASSET));
    return script;
  };
  return connectEngines({
    launcher: new ScriptWorkerLauncher(readScript, host.startWorker),
    assets,
    clock,
    logger,
    loadInProcess: () => {
      if (script === undefined) throw new Error(`${WORKER_ASSET} could not be read`);
      return loadInProcess(script);
    },
    inProcessWarning: 'Workers do not start here; working in the extension host, which is slower',
    pool: { workers: parserWorkers, batchDeadlineMs: BATCH_DEADLINE_MS, fileDeadlineMs: FILE_DEADLINE_MS },
  });
}
