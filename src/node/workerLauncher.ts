import { setFlagsFromString } from 'node:v8';
import { Worker } from 'node:worker_threads';
import type { Logger } from '../core/ports/ports';
import { messageOf } from '../core/text/phrase';
import { WORKER_ROLE } from '../protocol/worker';
import type { WorkerHandle, WorkerLauncher } from '../protocol/workerClient';

/**
 * Heap of one worker's JavaScript; wasm memory is not counted. Four times what 10,000 files need (DESIGN §10), so that
 * only a runaway meets it: the worker then ends instead of the whole process.
 */
const MAX_HEAP_MB = 1600;

/**
 * Garbage is collected more often than by default (48): 30 MB less in each worker. Half of it takes 3 % more of a whole
 * index's time, and as much more takes 13 MB and no less time.
 */
const MAX_YOUNG_MB = 12;

/**
 * V8 collects the first old garbage late, in a parser's worker 30 MB of texts that were parsed, and then when a heap has
 * doubled; at a third more it takes no longer (20 MB less with 11,000 files). Flags of the whole process are the
 * only way to say it. Electron may have frozen its own.
 */
function collectOldGarbageSoon(): void {
  if (process.versions.electron !== undefined) return;
  setFlagsFromString('--initial-old-space-size=6');
  setFlagsFromString('--heap-growing-percent=30');
}

/** Starts workers of `worker_threads` from the worker bundle. */
export class ThreadLauncher implements WorkerLauncher {
  /** `script` is the absolute path of the bundle. */
  constructor(
    private readonly script: string,
    private readonly logger: Logger,
  ) {}

  processorMs(): number {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1000;
  }

  launch(): WorkerHandle {
    collectOldGarbageSoon();
    const worker = new Worker(this.script, {
      name: 'context-budget',
      workerData: { role: WORKER_ROLE },
      // Nothing of the host's: neither its environment nor its debugger's flags.
      env: {},
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB, maxYoungGenerationSizeMb: MAX_YOUNG_MB },
      // Else a stray print of a dependency would end up in our own stdout, which carries the result alone.
      stdout: true,
      stderr: true,
    });
    for (const stream of [worker.stdout, worker.stderr]) {
      stream.on('data', (chunk: Buffer) => this.logger.debug(`worker: ${chunk.toString().trimEnd()}`));
    }
    let reason: string | undefined;
    worker.on('error', (error) => {
      reason = messageOf(error);
    });
    return {
      pipe: {
        post: (message, transfer = []) => worker.postMessage(message, [...transfer]),
        onMessage: (listener) => worker.on('message', listener),
      },
      onExit: (listener) => {
        worker.once('exit', (code) => listener(reason ?? (code === 0 ? undefined : `exit code ${code}`)));
      },
      terminate: () => {
        // `terminate` settles always; there is nothing to learn from it.
        void worker.terminate();
      },
    };
  }
}
