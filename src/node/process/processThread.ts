/**
 * The entry of the thread that starts child processes for a host whose own thread must stay free: starting one copies
 * the page tables of the whole process, which takes 2 ms in a small extension host and tens of them in a large one.
 * It decides nothing; `NodeProcessRunner` does the work.
 */
import { parentPort, workerData } from 'node:worker_threads';
import type { ProcessOutcome, ProcessRequest } from '../../core/ports/ports';
import { NodeProcessRunner } from './processRunner';

/** What the thread is started with. */
export interface ProcessThreadData {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
}

/** Host → thread. */
export type ToProcessThread =
  | { readonly type: 'run'; readonly id: number; readonly request: ProcessRequest }
  | { readonly type: 'cancel'; readonly id: number }
  /** Ends every process tree, then the thread. */
  | { readonly type: 'dispose' };

/** Thread → host. */
export interface FromProcessThread {
  readonly id: number;
  readonly outcome: ProcessOutcome;
}

const port = parentPort;
if (port) {
  const { cwd, env } = workerData as ProcessThreadData;
  const runner = new NodeProcessRunner(cwd, env);
  const running = new Map<number, AbortController>();
  port.on('message', async (message: ToProcessThread) => {
    if (message.type === 'dispose') {
      runner.dispose();
      port.close();
      return;
    }
    if (message.type === 'cancel') {
      running.get(message.id)?.abort();
      return;
    }
    const run = new AbortController();
    running.set(message.id, run);
    const outcome = await runner.run(message.request, run.signal);
    running.delete(message.id);
    port.postMessage({ id: message.id, outcome } satisfies FromProcessThread);
  });
}
