/**
 * Workers of a host that has no path to a worker's script, only its bytes. Starting is immediate for the caller: what is
 * posted before the script is there waits for it.
 */
import { messageOf } from '../core/text/phrase';
import type { HostToWorker, WorkerToHost } from '../protocol/worker';
import type { WorkerHandle, WorkerLauncher } from '../protocol/workerClient';

/** The part of a browser's `Worker` that is used. */
export interface StartedWorker {
  post(message: unknown, transfer: readonly ArrayBuffer[]): void;
  onMessage(listener: (data: unknown) => void): void;
  /** An uncaught error, or the script did not load. */
  onError(listener: (message: string) => void): void;
  terminate(): void;
}

/** Starts workers from a script that is read when the first one is wanted. */
export class ScriptWorkerLauncher implements WorkerLauncher {
  /** @param start throws where workers cannot be started */
  constructor(
    private readonly readScript: () => Promise<string>,
    private readonly start: (script: string) => StartedWorker,
  ) {}

  launch(): WorkerHandle {
    const handle = new PendingWorker();
    this.readScript().then(
      (script) => handle.begin(() => this.start(script)),
      (error: unknown) => handle.fail(messageOf(error)),
    );
    return handle;
  }
}

interface Posted {
  readonly message: HostToWorker;
  readonly transfer: readonly ArrayBuffer[];
}

/** A worker from the call that wanted it on, whether it runs yet or not. */
class PendingWorker implements WorkerHandle {
  readonly #waiting: Posted[] = [];
  #worker: StartedWorker | undefined;
  #isEnded = false;
  #onMessage: (message: WorkerToHost) => void = () => undefined;
  #onExit: (reason: string | undefined) => void = () => undefined;

  readonly pipe: WorkerHandle['pipe'] = {
    post: (message, transfer = []) => {
      if (this.#worker) this.#worker.post(message, transfer);
      else if (!this.#isEnded) this.#waiting.push({ message, transfer });
    },
    onMessage: (listener) => {
      this.#onMessage = listener;
    },
  };

  onExit(listener: (reason: string | undefined) => void): void {
    this.#onExit = listener;
  }

  terminate(): void {
    this.#isEnded = true;
    this.#waiting.length = 0;
    this.#worker?.terminate();
    this.#worker = undefined;
  }

  begin(start: () => StartedWorker): void {
    if (this.#isEnded) return;
    let worker: StartedWorker;
    try {
      worker = start();
    } catch (error) {
      this.fail(messageOf(error));
      return;
    }
    this.#worker = worker;
    // The receiver guards what arrives (`asWorkerMessage`).
    worker.onMessage((data) => this.#onMessage(data as WorkerToHost));
    worker.onError((message) => this.fail(message));
    for (const { message, transfer } of this.#waiting.splice(0)) worker.post(message, transfer);
  }

  fail(reason: string): void {
    if (this.#isEnded) return;
    this.terminate();
    this.#onExit(reason);
  }
}
