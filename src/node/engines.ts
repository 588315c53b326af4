import { createRequire } from 'node:module';
import path from 'node:path';
import type { Logger } from '../core/ports/ports';
import { isRecord } from '../core/text/jsonRecord';
import { SYSTEM_CLOCK } from '../protocol/clock';
import { type CreateInProcess, connectEngines, type Engines } from '../protocol/engines';
import { FileAssetSource } from './assets';
import { ThreadLauncher } from './workerLauncher';

/** What making engines needs of its host. */
interface EngineHost {
  /** The folder that holds `dist/` and `grammars/`. Absolute. */
  readonly productRoot: string;
  readonly logger: Logger;
  /** Threads that parse; the pool's own default when undefined. */
  readonly parserWorkers?: number | undefined;
  /** For a process that does nothing else. */
  readonly engineHere?: boolean | undefined;
}

/** How a host gets its engines; tests give engines that need no bundle. */
export type CreateEngines = (host: EngineHost) => Engines;

/** Loads the worker bundle into this process. Throws when the product is not built. */
function loadInProcess(script: string): CreateInProcess {
  const loaded: unknown = createRequire(script)(script);
  if (!isRecord(loaded) || !loaded.createInProcess) throw new Error('The worker bundle has no in-process entry');
  return loaded.createInProcess as CreateInProcess;
}

/** Engine, unless it is to be here, and parser in worker threads, or in this process after three failed starts in a row. */
export function createWorkerEngines(host: EngineHost): Engines {
  const { productRoot, logger, parserWorkers, engineHere } = host;
  const script = path.join(productRoot, 'dist', 'worker.js');
  return connectEngines({
    launcher: new ThreadLauncher(script, logger),
    assets: new FileAssetSource(productRoot),
    clock: SYSTEM_CLOCK,
    logger,
    loadInProcess: () => loadInProcess(script),
    inProcessWarning: 'Worker threads do not start here; working in this process, which is slower',
    engineHere,
    pool: parserWorkers ? { workers: parserWorkers } : {},
  });
}
