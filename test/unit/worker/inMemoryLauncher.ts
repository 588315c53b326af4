import type { WorkerToHost } from '../../../src/protocol/worker';
import type { WorkerHandle, WorkerLauncher } from '../../../src/protocol/workerClient';
import { type RuntimeOptions, serveWorker } from '../../../src/worker/runtime';

/** One end of a channel that copies messages as real ones do and delivers them in later turns of the event loop. */
class Channel<T> {
  #listener: ((message: T) => void) | undefined;
  #early: T[] = [];
  isClosed = false;

  post(message: T, transfer: readonly ArrayBuffer[] = []): void {
    const copy = structuredClone(message, { transfer: [...transfer] });
    setImmediate(() => {
      if (this.isClosed) return;
      if (this.#listener) this.#listener(copy);
      else this.#early.push(copy);
    });
  }

  listen(listener: (message: T) => void): void {
    this.#listener = listener;
    for (const message of this.#early.splice(0)) listener(message);
  }
}

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Runs the real message loop in this thread, over channels that behave as a worker's port does. */
export class InMemoryLauncher implements WorkerLauncher {
  readonly sentByWorker: WorkerToHost[] = [];
  readonly #createServices: RuntimeOptions['createServices'];

  constructor(createServices: RuntimeOptions['createServices']) {
    this.#createServices = createServices;
  }

  launch(): WorkerHandle {
    const toWorker = new Channel<Parameters<WorkerHandle['pipe']['post']>[0]>();
    const toHost = new Channel<WorkerToHost>();
    serveWorker({
      pipe: {
        post: (message, transfer) => {
          this.sentByWorker.push(message);
          toHost.post(message, transfer);
        },
        onMessage: (listener) => toWorker.listen(listener),
      },
      createServices: this.#createServices,
      yieldToMessages: nextTurn,
    });
    return {
      pipe: {
        post: (message, transfer) => toWorker.post(message, transfer),
        onMessage: (listener) => toHost.listen(listener),
      },
      onExit: () => undefined,
      terminate: () => {
        toWorker.isClosed = true;
        toHost.isClosed = true;
      },
    };
  }
}
