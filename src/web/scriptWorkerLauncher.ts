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
    const waiting: { readonly message: HostToWorker; readonly transfer: readonly ArrayBuffer[] }[] = [];
    let worker: StartedWorker | undefined;
    let isEnded = false;
    let tellMessage: (message: WorkerToHost) => void = () => undefined;
    let tellExit: (reason: string | undefined) => void = () => undefined;
    const terminate = (): void => {
      isEnded = true;
      waiting.length = 0;
      worker?.terminate();
    };
    const fail = (reason: string): void => {
      if (isEnded) return;
      terminate();
      tellExit(reason);
    };
    const begin = (script: string): void => {
      if (isEnded) return;
      worker = this.start(script);
      // The receiver guards what arrives (`asWorkerMessage`).
      worker.onMessage((data) => tellMessage(data as WorkerToHost));
      worker.onError(fail);
      for (const { message, transfer } of waiting.splice(0)) worker.post(message, transfer);
    };
    this.readScript()
      .then(begin)
      .catch((error: unknown) => fail(messageOf(error)));
    return {
      pipe: {
        post: (message, transfer = []) => {
          if (isEnded) return;
          if (worker) worker.post(message, transfer);
          else waiting.push({ message, transfer });
        },
        onMessage: (listener) => {
          tellMessage = listener;
        },
      },
      onExit: (listener) => {
        tellExit = listener;
      },
      terminate,
    };
  }
}
