/** A job in a thread of its own, which ends with the answer: what may take long does not hold up the host's thread. */
import { parentPort, Worker } from 'node:worker_threads';
import type { Logger } from '../core/ports/ports';
import { messageOf } from '../core/text/phrase';

/** Far more than 500 MB of logs take; with a limit the engine's heap also grows later than without one. */
const MAX_HEAP_MB = 512;
/** What a record leaves behind is freed soon. */
const MAX_YOUNG_MB = 8;

/** Thread → host; `Own` are messages of one kind of job. */
type FromThread<Result, Own> =
  | { readonly type: 'done'; readonly result: Result }
  | { readonly type: 'failed'; readonly message: string }
  | { readonly type: 'log'; readonly level: keyof Logger; readonly message: string }
  | { readonly type: 'own'; readonly own: Own };

/** What a host runs, and how it follows it. */
interface ThreadJob<Job, Own> {
  /** Absolute path of the bundle of the entry. */
  readonly script: string;
  /** For people who debug. */
  readonly name: string;
  /** Plain data: it crosses. */
  readonly job: Job;
  readonly logger?: Logger;
  /** Ends the thread. */
  readonly signal?: AbortSignal;
  /** Gets what the thread says before its answer; `post` answers. */
  readonly onMessage?: (own: Own, post: (message: unknown) => void) => void;
}

/**
 * Runs a job and resolves with its result.
 * @throws Error when the job fails, the thread is lost or `signal` aborts
 */
export async function runInThread<Job, Result, Own = never>({
  script,
  name,
  job,
  logger,
  signal,
  onMessage,
}: ThreadJob<Job, Own>): Promise<Result> {
  signal?.throwIfAborted();
  const worker = new Worker(script, {
    name: `context-budget ${name}`,
    workerData: job,
    env: {},
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB, maxYoungGenerationSizeMb: MAX_YOUNG_MB },
  });
  try {
    return await new Promise<Result>((resolve, reject) => {
      worker.on('message', (message: FromThread<Result, Own>) => {
        if (message.type === 'done') resolve(message.result);
        else if (message.type === 'failed') reject(new Error(message.message));
        else if (message.type === 'log') logger?.[message.level](message.message);
        else onMessage?.(message.own, (answer) => worker.postMessage(answer));
      });
      worker.once('error', reject);
      worker.once('exit', (code) => reject(new Error(`The thread of ${name} ended with code ${code}`)));
      signal?.addEventListener('abort', () => reject(signal.reason));
    });
  } finally {
    await worker.terminate();
  }
}

/** The thread's end. */
export interface JobPort<Own> {
  readonly logger: Logger;
  tell(own: Own): void;
  /** Gets what the host answers. */
  onMessage(listen: (message: unknown) => void): void;
}

/** Runs the work of an entry and sends what it resolves with; does nothing outside a thread. */
export function serveJob<Result, Own = never>(work: (port: JobPort<Own>) => Promise<Result>): void {
  const port = parentPort;
  if (!port) return;
  const post = (message: FromThread<Result, Own>): void => port.postMessage(message);
  const log = (level: keyof Logger) => (message: string) => post({ type: 'log', level, message });
  work({
    logger: { debug: log('debug'), info: log('info'), warn: log('warn'), error: log('error') },
    tell: (own) => post({ type: 'own', own }),
    onMessage: (listen) => void port.on('message', listen),
  }).then(
    (result) => post({ type: 'done', result }),
    (error: unknown) => post({ type: 'failed', message: messageOf(error) }),
  );
}
