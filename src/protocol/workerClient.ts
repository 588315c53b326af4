/**
 * The host's end of one worker: calls with ids that always settle, deadlines, cancellation, lazy start, stop when
 * idle, start again after a crash. It decides when a worker lives, never what it computes.
 */
import type { AnyCall } from '../core/engine/call';
import type { AssetSource, Clock, Disposable } from '../core/ports/ports';
import { messageOf } from '../core/text/phrase';
import {
  asWorkerMessage,
  discard,
  type HostToWorker,
  type MessagePipe,
  WORKER_CALLS,
  WorkerError,
  type WorkerErrorReason,
  type WorkerMethod,
  type WorkerParams,
  type WorkerResult,
  type WorkerToHost,
} from './worker';

/** One running worker, as a host gives it. */
export interface WorkerHandle {
  readonly pipe: MessagePipe<HostToWorker, WorkerToHost>;
  /** Calls `listener` once when the worker has ended, with the reason as text when there is one. */
  onExit(listener: (reason: string | undefined) => void): void;
  /** Ends the worker at once. Nothing may arrive from it afterwards that matters. */
  terminate(): void;
}

/** Starts workers; the one thing about them that differs between hosts. May throw when it cannot. */
export interface WorkerLauncher {
  launch(): WorkerHandle;
  /** Processor time that all workers and this thread have used so far, in milliseconds; absent where the host can't tell. */
  processorMs?(): number;
}

/** What a client needs and how it lives. */
export interface WorkerClientOptions {
  readonly launcher: WorkerLauncher;
  readonly assets: AssetSource;
  readonly clock: Clock;
  /** The worker is ended after this long without a call; default 30,000 ms. */
  readonly idleStopMs?: number;
  /** Asked before stopping a worker that was idle for so long; a worker with state says no. Default: always. */
  readonly mayStopWhenIdle?: () => boolean;
  /** Called when a launched worker ended without being asked to by `dispose` or idleness: its state is gone. */
  readonly onDidCrash?: (reason: string) => void;
}

/** How one call is made. */
interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  /**
   * From posting to answer, time in the worker's queue included; default: none. Where the launcher knows the processor
   * time, it is of that: a call that had to wait for other programs has up to `MAX_STRETCH` times as long by the clock.
   */
  readonly deadlineMs?: number | undefined;
}

const DEFAULT_IDLE_STOP_MS = 30_000;
/** With 24 other processes on two processors a worker did not start and parse its first files within ten seconds. */
const MAX_STRETCH = 6;
/** Between two looks at the processor time. */
const MIN_LOOK_MS = 100;

interface PendingCall {
  readonly method: WorkerMethod;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: WorkerError) => void;
  deadline: Disposable | undefined;
  /** Stops listening to the caller's signal. */
  readonly unwatch: () => void;
}

interface RunningWorker {
  readonly handle: WorkerHandle;
  isReady: boolean;
  isWorn: boolean;
}

/** A lazily started worker and the calls to it. */
export class WorkerClient implements Disposable {
  readonly #watched = new Map<AbortSignal, { readonly ids: Set<number>; cancel: () => void }>();
  readonly #pending = new Map<number, PendingCall>();
  /** Buffers of pending calls that can go once a call is answered. */
  readonly #drops = new Map<number, () => readonly ArrayBuffer[]>();
  #worker: RunningWorker | undefined;
  #idle: Disposable | undefined;
  #nextId = 1;
  #isDisposed = false;
  #failedLaunches = 0;

  constructor(private readonly options: WorkerClientOptions) {}

  /** Launches in a row that failed: threw, or ended before the worker was ready. One under way does not count. */
  get failedLaunches(): number {
    return this.#failedLaunches;
  }

  get isRunning(): boolean {
    return this.#worker !== undefined;
  }

  /**
   * Calls a method of the worker, starting it if need be.
   * @returns rejects with a `WorkerError`, and with nothing else. A cancelled call rejects with reason `cancelled`
   * at once, whatever the worker is doing.
   */
  call<M extends WorkerMethod>(
    method: M,
    params: WorkerParams<M>,
    options: CallOptions = {},
  ): Promise<WorkerResult<M>> {
    if (this.#isDisposed) return Promise.reject(new WorkerError('stopped', `${method}: the worker was stopped.`));
    if (options.signal?.aborted) return Promise.reject(new WorkerError('cancelled', `${method} was cancelled.`));
    let worker: RunningWorker;
    try {
      worker = this.#ensureWorker();
    } catch (cause) {
      this.#failedLaunches++;
      const message = `${method}: the worker could not be launched: ${messageOf(cause)}`;
      return Promise.reject(new WorkerError('unavailable', message, { cause }));
    }
    return new Promise<WorkerResult<M>>((resolve, reject) => {
      const id = this.#nextId++;
      this.#register(id, method, options, resolve as (value: unknown) => void, reject);
      try {
        const { movesThere, drops }: AnyCall = WORKER_CALLS[method];
        if (drops) this.#drops.set(id, () => drops(params as never));
        worker.handle.pipe.post({ type: 'request', id, method, params }, movesThere?.(params as never));
      } catch (cause) {
        this.#settle(id)?.reject(new WorkerError('failed', `${method}: not sent: ${messageOf(cause)}`, { cause }));
      }
    });
  }

  /** Ends the worker and rejects what is pending with reason `stopped`; the next call starts a new one. */
  stop(): void {
    this.#end('stopped', 'the worker was stopped.');
  }

  /** Ends the worker for good; pending and later calls reject with reason `stopped`. */
  dispose(): void {
    this.#isDisposed = true;
    this.stop();
  }

  #register(
    id: number,
    method: WorkerMethod,
    options: CallOptions,
    resolve: PendingCall['resolve'],
    reject: PendingCall['reject'],
  ): void {
    this.#idle?.dispose();
    this.#idle = undefined;
    const { signal, deadlineMs } = options;
    const unwatch = signal ? this.#watch(signal, id) : (): void => {};
    const call: PendingCall = { method, resolve, reject, deadline: undefined, unwatch };
    this.#pending.set(id, call);
    if (deadlineMs !== undefined) this.#limit(id, call, deadlineMs);
  }

  /** One listener for all calls of a signal: Node takes more than ten of one kind for a leak, and says so. */
  #watch(signal: AbortSignal, id: number): () => void {
    const known = this.#watched.get(signal);
    const watched = known ?? { ids: new Set<number>(), cancel: () => {} };
    watched.ids.add(id);
    if (!known) {
      watched.cancel = (): void => {
        for (const each of [...watched.ids]) this.#cancel(each);
      };
      this.#watched.set(signal, watched);
      signal.addEventListener('abort', watched.cancel);
    }
    return () => {
      watched.ids.delete(id);
      if (watched.ids.size > 0) return;
      this.#watched.delete(signal);
      signal.removeEventListener('abort', watched.cancel);
    };
  }

  #ensureWorker(): RunningWorker {
    if (this.#worker) return this.#worker;
    const worker: RunningWorker = { handle: this.options.launcher.launch(), isReady: false, isWorn: false };
    this.#worker = worker;
    worker.handle.onExit((reason) => {
      if (this.#worker === worker) this.#crash(`the worker ended${reason ? `: ${reason}` : ''}.`);
    });
    worker.handle.pipe.onMessage((raw) => {
      const message = asWorkerMessage(raw);
      if (message && this.#worker === worker) this.#receive(worker, message);
    });
    return worker;
  }

  #receive(worker: RunningWorker, message: WorkerToHost): void {
    switch (message.type) {
      case 'ready':
        worker.isReady = true;
        this.#failedLaunches = 0;
        break;
      case 'result':
        worker.isWorn ||= message.isWorn === true;
        discard(this.#drops.get(message.id)?.() ?? []);
        this.#settle(message.id)?.resolve(message.value);
        break;
      case 'error': {
        const call = this.#settle(message.id);
        // Its class stays behind in the worker; callers tell errors apart by name.
        const cause = Object.assign(new Error(message.message), { name: message.name ?? 'Error' });
        call?.reject(new WorkerError('failed', `${call.method}: ${message.message}`, { cause }));
        if (message.fatal) this.#crash(`the worker had to be ended: ${message.message}`);
        break;
      }
      case 'needAsset':
        void this.#sendAsset(worker, message.id, message.name);
        break;
    }
  }

  async #sendAsset(worker: RunningWorker, id: number, name: string): Promise<void> {
    let answer: Extract<HostToWorker, { type: 'asset' }>;
    try {
      answer = { type: 'asset', id, bytes: await this.options.assets.read(name), error: undefined };
    } catch (cause) {
      answer = { type: 'asset', id, bytes: undefined, error: messageOf(cause) };
    }
    if (this.#worker === worker) worker.handle.pipe.post(answer);
  }

  /** Takes a call off the list; `undefined` when it was settled before. */
  #settle(id: number): PendingCall | undefined {
    this.#drops.delete(id);
    const call = this.#pending.get(id);
    if (!call) return undefined;
    this.#pending.delete(id);
    call.deadline?.dispose();
    call.unwatch();
    if (this.#pending.size === 0) this.#becomeIdle();
    return call;
  }

  #becomeIdle(): void {
    this.#idle?.dispose();
    this.#idle = undefined;
    if (!this.#worker || this.#isDisposed) return;
    if (this.#worker.isWorn) {
      this.stop();
      return;
    }
    this.#idle = this.options.clock.schedule(() => {
      this.#idle = undefined;
      if (this.#pending.size === 0 && (this.options.mayStopWhenIdle?.() ?? true)) this.stop();
    }, this.options.idleStopMs ?? DEFAULT_IDLE_STOP_MS);
  }

  /** A worker that does not answer cannot be asked to stop: it is ended, and whatever else it was doing with it. */
  #limit(id: number, call: PendingCall, deadlineMs: number): void {
    const { clock, launcher } = this.options;
    const [startMs, startSpentMs = 0] = [clock.now(), launcher.processorMs?.()];
    const look = (): void => {
      const spentMs = (launcher.processorMs?.() ?? Number.POSITIVE_INFINITY) - startSpentMs;
      const isLast = spentMs >= deadlineMs || clock.now() - startMs >= MAX_STRETCH * deadlineMs;
      if (isLast) this.#passDeadline(id, deadlineMs);
      else call.deadline = clock.schedule(look, Math.max(MIN_LOOK_MS, deadlineMs - spentMs));
    };
    call.deadline = clock.schedule(look, deadlineMs);
  }

  #passDeadline(id: number, deadlineMs: number): void {
    const call = this.#settle(id);
    if (!call) return;
    call.reject(new WorkerError('deadline', `${call.method} took longer than ${deadlineMs} ms.`));
    this.#crash(`the worker was ended because ${call.method} passed its deadline.`);
  }

  #cancel(id: number): void {
    const call = this.#settle(id);
    if (!call) return;
    this.#worker?.handle.pipe.post({ type: 'cancel', id });
    call.reject(new WorkerError('cancelled', `${call.method} was cancelled.`));
  }

  #crash(message: string): void {
    const wasReady = this.#worker?.isReady ?? false;
    if (!wasReady) this.#failedLaunches++;
    this.#end(wasReady ? 'crashed' : 'unavailable', message);
    if (wasReady) this.options.onDidCrash?.(message);
  }

  #end(reason: WorkerErrorReason, message: string): void {
    const worker = this.#worker;
    this.#worker = undefined;
    worker?.handle.terminate();
    for (const [id, call] of [...this.#pending]) {
      this.#settle(id);
      call.reject(new WorkerError(reason, `${call.method}: ${message}`));
    }
    this.#becomeIdle();
  }
}
