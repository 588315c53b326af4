import { parentPort, Worker, workerData } from 'node:worker_threads';
import {
  type Disposable,
  type Logger,
  NEVER_ABORTED,
  neverRan,
  type ProcessOutcome,
  type ProcessRequest,
  type ProcessRunner,
} from '../../core/ports/ports';
import { NodeProcessRunner } from './processRunner';

// The entry of the thread that starts child processes for a host whose own thread must stay free: starting one copies
// the page tables of the whole process, which takes 2 ms in a small extension host and tens of them in a large one.
// It decides nothing; `NodeProcessRunner` does the work.

/** Host → thread. */
type ToProcessThread =
  | { readonly type: 'run'; readonly id: number; readonly request: ProcessRequest }
  | { readonly type: 'cancel'; readonly id: number }
  /** Ends every process tree, then the thread. */
  | { readonly type: 'dispose' };

/** Thread → host. */
interface FromProcessThread {
  readonly id: number;
  readonly outcome: ProcessOutcome;
}

const port = parentPort;
if (port) {
  const { cwd, env } = workerData as { readonly cwd: string; readonly env: NodeJS.ProcessEnv };
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

/**
 * `ProcessRunner` in a thread of its own, started with the first process. Where the thread cannot be started or dies,
 * processes run from this thread instead, which costs responsiveness and nothing else.
 */
export class ThreadProcessRunner implements ProcessRunner, Disposable {
  readonly #calls = new Map<
    number,
    { readonly request: ProcessRequest; readonly resolve: (outcome: ProcessOutcome) => void }
  >();
  readonly #own: NodeProcessRunner;
  #worker: Worker | undefined;
  #hasFailed = false;
  #isDisposed = false;
  #lastId = 0;

  /** `script` is the absolute path of this file's bundle, `cwd` the folder that processes run in. */
  constructor(
    private readonly script: string,
    private readonly cwd: string,
    private readonly env: NodeJS.ProcessEnv,
    private readonly logger: Logger,
  ) {
    this.#own = new NodeProcessRunner(cwd, env);
  }

  async run(request: ProcessRequest, signal: AbortSignal = NEVER_ABORTED): Promise<ProcessOutcome> {
    if (this.#isDisposed || this.#hasFailed) return this.#own.run(request, signal);
    if (signal.aborted) return neverRan('cancelled');
    const id = ++this.#lastId;
    const outcome = new Promise<ProcessOutcome>((resolve) => this.#calls.set(id, { resolve, request }));
    this.#post({ type: 'run', id, request });
    const cancel = (): void => this.#post({ type: 'cancel', id });
    signal.addEventListener('abort', cancel);
    try {
      return await outcome;
    } finally {
      signal.removeEventListener('abort', cancel);
    }
  }

  /** Has every process tree ended; later runs are `cancelled`. */
  dispose(): void {
    this.#isDisposed = true;
    this.#own.dispose();
    if (this.#worker) this.#post({ type: 'dispose' });
    for (const { resolve } of this.#calls.values()) resolve(neverRan('cancelled'));
    this.#calls.clear();
  }

  #post(message: ToProcessThread): void {
    this.#worker ??= this.#start();
    this.#worker.postMessage(message);
  }

  #start(): Worker {
    const worker = new Worker(this.script, {
      name: 'context-budget processes',
      workerData: { cwd: this.cwd, env: { ...this.env } },
      env: {},
      execArgv: [],
    });
    worker.on('message', ({ id, outcome }: FromProcessThread) => {
      this.#calls.get(id)?.resolve(outcome);
      this.#calls.delete(id);
    });
    worker.on('error', (error) => this.logger.warn(`The thread that starts processes failed: ${String(error)}`));
    worker.once('exit', () => this.#lose());
    return worker;
  }

  /** Runs the open requests of a lost thread in this one. */
  #lose(): void {
    if (this.#isDisposed) return;
    this.#hasFailed = true;
    const calls = [...this.#calls.values()];
    this.#calls.clear();
    for (const { request, resolve } of calls)
      this.#own.run(request).then(resolve, () => resolve(neverRan('cancelled')));
  }
}
