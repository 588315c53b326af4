import { Worker } from 'node:worker_threads';
import type { AgentCoverage } from '../../core/agents/agentCoverage';
import type { AgentId } from '../../core/model/agent';
import type { AgentWindow } from '../../core/window/loaded/windowReport';

/** What a thread is to read. Plain data: it crosses. */
export interface WindowJob {
  /** The folder. Absolute. */
  readonly root: string;
  /** The user's home folder. Absolute. */
  readonly home: string;
  /** Whether files of the home folder are read. */
  readonly withHome: boolean;
  /** The folder of all caches, which holds the figures of measured servers. Absolute. */
  readonly caches: string;
  readonly agent: AgentId;
  readonly model: string | undefined;
  readonly coverage: AgentCoverage | undefined;
}

/** Thread → host. */
export type FromWindowThread =
  /** The host has the tokenizer. */
  | { readonly type: 'count'; readonly id: number; readonly texts: readonly string[] }
  /** Undefined for an agent of which nothing is known. */
  | { readonly type: 'done'; readonly window: AgentWindow | undefined }
  | { readonly type: 'failed'; readonly message: string };

/** Host → thread: counts parallel to the texts, or why there are none. */
export type ToWindowThread =
  | { readonly id: number; readonly counts: readonly number[] }
  | { readonly id: number; readonly message: string };

/**
 * Reads what an agent loads in a thread of its own, which ends with the answer: config files may have megabytes.
 * @param script absolute path of the bundle of `windowThread.ts`
 * @param count exact counts of texts, parallel to them
 * @returns undefined for an agent of which nothing is known
 * @throws Error when the thread cannot read the folder, counting fails or the thread is lost
 */
export async function readWindowInThread(
  script: string,
  job: WindowJob,
  count: (texts: readonly string[]) => Promise<readonly number[]>,
): Promise<AgentWindow | undefined> {
  const worker = new Worker(script, { name: 'context-budget window', workerData: job, env: {}, execArgv: [] });
  try {
    return await new Promise((resolve, reject) => {
      const answer = async ({ id, texts }: Extract<FromWindowThread, { type: 'count' }>): Promise<void> => {
        const reply: ToWindowThread = await count(texts).then(
          (counts) => ({ id, counts }),
          (error: unknown) => ({ id, message: String(error) }),
        );
        worker.postMessage(reply);
      };
      worker.on('message', (message: FromWindowThread) => {
        if (message.type === 'count') void answer(message);
        else if (message.type === 'done') resolve(message.window);
        else reject(new Error(message.message));
      });
      worker.once('error', reject);
      worker.once('exit', (code) => reject(new Error(`The thread that reads the window ended with code ${code}`)));
    });
  } finally {
    await worker.terminate();
  }
}
