import { Worker } from 'node:worker_threads';
import type { AgentCoverage } from '../../core/agents/agentCoverage';
import type { AgentId } from '../../core/model/agent';
import type { Phrase } from '../../core/text/phrase';
import type { FailedMeasurement, ReadWindow, ShownStart } from '../../core/window/loaded/measuring';

/** Where a thread reads what an agent loads. Plain data: it crosses. */
export interface WindowPlaces {
  /** The folder. Absolute. */
  readonly root: string;
  /** The user's home folder. Absolute. */
  readonly home: string;
  /** Whether files of the home folder are read. */
  readonly withHome: boolean;
  /** The folder of all caches, which holds the figures of measured servers. Absolute. */
  readonly caches: string;
  readonly agent: AgentId;
}

/** What a thread is to read. */
export interface WindowJob extends WindowPlaces {
  readonly model: string | undefined;
  readonly coverage: AgentCoverage | undefined;
  /** Measurements of this session that failed, which nothing else keeps. */
  readonly failed: readonly FailedMeasurement[];
}

/** A server that a thread is to measure. */
export interface MeasureJob extends WindowPlaces {
  readonly productRoot: string;
  /** As the user was shown it: a server that is configured otherwise by now is not started. */
  readonly shown: ShownStart;
}

/** Whose logs a thread looks through for servers that nothing called. */
export type UnusedJob = Pick<WindowPlaces, 'root' | 'home' | 'agent'>;

/** What became of a measurement; `undefined`: its figures are kept. */
export type MeasureEnd = Phrase | undefined;

export type ThreadJob =
  | ({ readonly type: 'read' } & WindowJob)
  | ({ readonly type: 'measure' } & MeasureJob)
  | ({ readonly type: 'unused' } & UnusedJob);

/** Thread → host. */
export type FromWindowThread =
  /** The host has the tokenizer. */
  | { readonly type: 'count'; readonly id: number; readonly texts: readonly string[] }
  /** What was asked for. */
  | { readonly type: 'done'; readonly result: unknown }
  | { readonly type: 'failed'; readonly message: string };

/** Host → thread: counts parallel to the texts, or why there are none; the end of a measurement. */
export type ToWindowThread =
  | { readonly type: 'counts'; readonly id: number; readonly counts: readonly number[] }
  | { readonly type: 'failed'; readonly id: number; readonly message: string }
  | { readonly type: 'cancel' };

/**
 * Reads what an agent loads in a thread of its own, which ends with the answer: config files may have megabytes.
 * @param script absolute path of the bundle of `windowThread.ts`
 * @param env what servers would inherit
 * @param count exact counts of texts, parallel to them
 * @returns undefined for an agent of which nothing is known
 * @throws Error when the thread cannot read the folder, counting fails or the thread is lost
 */
export async function readWindowInThread(
  script: string,
  job: WindowJob,
  env: NodeJS.ProcessEnv,
  count: (texts: readonly string[]) => Promise<readonly number[]>,
): Promise<ReadWindow | undefined> {
  const worker = open(script, { type: 'read', ...job }, env);
  worker.on('message', async (message: FromWindowThread) => {
    if (message.type !== 'count') return;
    const { id, texts } = message;
    const reply: ToWindowThread = await count(texts).then(
      (counts) => ({ type: 'counts', id, counts }),
      (error: unknown) => ({ type: 'failed', id, message: String(error) }),
    );
    worker.postMessage(reply);
  });
  return (await resultOf(worker)) as ReadWindow | undefined;
}

/**
 * Starts or reaches a server in a thread of its own, asks for its tools and keeps what it told. The server's process tree
 * is ended before this settles, also when `signal` fires.
 * @param env as it was given to the thread that told of the server
 * @returns why there is no figure; undefined when there is one
 * @throws Error when the thread is lost
 */
export async function measureInThread(
  script: string,
  job: MeasureJob,
  env: NodeJS.ProcessEnv,
  signal: AbortSignal,
): Promise<MeasureEnd> {
  const worker = open(script, { type: 'measure', ...job }, env);
  const cancel = (): void => worker.postMessage({ type: 'cancel' } satisfies ToWindowThread);
  signal.addEventListener('abort', cancel);
  if (signal.aborted) cancel();
  try {
    return (await resultOf(worker)) as MeasureEnd;
  } finally {
    signal.removeEventListener('abort', cancel);
  }
}

/** Names of servers that enough sessions of the folder had and none called. @throws Error when the thread is lost */
export async function unusedInThread(
  script: string,
  job: UnusedJob,
  env: NodeJS.ProcessEnv,
): Promise<readonly string[]> {
  return (await resultOf(open(script, { type: 'unused', ...job }, env))) as readonly string[];
}

function open(script: string, job: ThreadJob, env: NodeJS.ProcessEnv): Worker {
  return new Worker(script, { name: 'context-budget window', workerData: job, env, execArgv: [] });
}

async function resultOf(worker: Worker): Promise<unknown> {
  try {
    return await new Promise((resolve, reject) => {
      worker.on('message', (message: FromWindowThread) => {
        if (message.type === 'done') resolve(message.result);
        else if (message.type === 'failed') reject(new Error(message.message));
      });
      worker.once('error', reject);
      worker.once('exit', (code) => reject(new Error(`The thread that reads the window ended with code ${code}`)));
    });
  } finally {
    await worker.terminate();
  }
}
