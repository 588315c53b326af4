import type { AssetSource, Clock, Disposable } from '../../src/core/ports/ports';
import type { HostToWorker, WorkerMethod, WorkerToHost } from '../../src/protocol/worker';
import type { WorkerHandle, WorkerLauncher } from '../../src/protocol/workerClient';

/** Lets everything that waits for promises only run to its end. */
export const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** A clock that moves when told to. */
export class FakeClock implements Clock {
  #now = 0;
  #timers: { readonly at: number; readonly callback: () => void }[] = [];

  now(): number {
    return this.#now;
  }

  get timers(): number {
    return this.#timers.length;
  }

  schedule(callback: () => void, delayMs: number): Disposable {
    const timer = { at: this.#now + delayMs, callback };
    this.#timers.push(timer);
    return {
      dispose: () => {
        this.#timers = this.#timers.filter((other) => other !== timer);
      },
    };
  }

  advance(ms: number): void {
    const until = this.#now + ms;
    for (;;) {
      const [next] = this.#timers.filter((timer) => timer.at <= until).sort((a, b) => a.at - b.at);
      if (!next) break;
      this.#timers = this.#timers.filter((timer) => timer !== next);
      this.#now = next.at;
      next.callback();
    }
    this.#now = until;
  }
}

/** The host's view of a worker that does what a test says. */
export class FakeWorker implements WorkerHandle {
  readonly posted: HostToWorker[] = [];
  readonly transfers: (readonly ArrayBuffer[])[] = [];
  isTerminated = false;
  onRequest: ((request: { id: number; method: WorkerMethod; params: unknown }) => void) | undefined;
  #listener: (message: WorkerToHost) => void = () => undefined;
  #exitListener: (reason: string | undefined) => void = () => undefined;

  readonly pipe = {
    post: (message: HostToWorker, transfer: readonly ArrayBuffer[] = []): void => {
      if (this.isTerminated) throw new Error('posted to a terminated worker');
      const copy = structuredClone(message, { transfer: [...transfer] });
      this.posted.push(copy);
      this.transfers.push(transfer);
      if (copy.type === 'request') queueMicrotask(() => !this.isTerminated && this.onRequest?.(copy));
    },
    onMessage: (listener: (message: WorkerToHost) => void): void => {
      this.#listener = listener;
    },
  };

  onExit(listener: (reason: string | undefined) => void): void {
    this.#exitListener = listener;
  }

  /** As a real worker does, also tells that it ended when it was told to. */
  terminate(): void {
    this.isTerminated = true;
    queueMicrotask(() => this.#exitListener(undefined));
  }

  emit(message: unknown): void {
    this.#listener(message as WorkerToHost);
  }

  exit(reason?: string): void {
    this.isTerminated = true;
    this.#exitListener(reason);
  }

  requests(): Extract<HostToWorker, { type: 'request' }>[] {
    return this.posted.filter((message) => message.type === 'request');
  }
}

/** Launches fake workers that say `ready` at once unless told otherwise. */
export class FakeLauncher implements WorkerLauncher {
  readonly workers: FakeWorker[] = [];
  /** Prepares the n-th worker. */
  script: (worker: FakeWorker, n: number) => void = (worker) => queueMicrotask(() => worker.emit({ type: 'ready' }));
  launchError: Error | undefined;
  processorMs?: () => number;

  launch(): WorkerHandle {
    if (this.launchError) throw this.launchError;
    const worker = new FakeWorker();
    this.workers.push(worker);
    this.script(worker, this.workers.length);
    return worker;
  }

  get last(): FakeWorker {
    return this.workers.at(-1)!;
  }
}

/** Product files in memory. */
export function fakeAssets(files: Readonly<Record<string, Uint8Array>> = {}): AssetSource {
  return {
    read: (name) => {
      const bytes = files[name];
      return bytes ? Promise.resolve(bytes) : Promise.reject(new Error(`no ${name}`));
    },
  };
}
