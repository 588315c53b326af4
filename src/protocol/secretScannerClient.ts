import type { Disposable } from '../core/ports';
import type { SecretMatch, SecretScanner } from '../core/secrets/secretScanner';
import { WorkerClient, type WorkerClientOptions } from './workerClient';
import { WorkerError } from './workerError';

/** What the client needs beside a worker. */
export interface SecretScannerClientOptions extends Omit<WorkerClientOptions, 'mayStopWhenIdle' | 'onDidCrash'> {
  /** Per scan; default 15,000 ms, fifty times what hostile text of 1 MB takes (0.3 s, measured): a hang ends. */
  readonly deadlineMs?: number;
  /** Makes the scanner in this process, after three launches in a row have failed. */
  readonly createFallback?: () => SecretScanner;
}

const DEFAULT_DEADLINE_MS = 15_000;
/** CONVENTIONS: after three failures a worker gives way. */
const MAX_FAILURES = 3;

/**
 * `SecretScanner` in a worker of its own, so that a copy neither waits for the index nor can hang it; it starts with the
 * first scan and ends when idle. Rejects with a `WorkerError`, `deadline` among them.
 */
export class SecretScannerClient implements SecretScanner, Disposable {
  readonly #client: WorkerClient;
  readonly #options: SecretScannerClientOptions;
  #fallback: SecretScanner | undefined;

  constructor(options: SecretScannerClientOptions) {
    this.#options = options;
    this.#client = new WorkerClient(options);
  }

  async scan(texts: readonly string[]): Promise<readonly (readonly SecretMatch[])[]> {
    if (texts.every((text) => text === '')) return texts.map(() => []);
    for (;;) {
      if (this.#fallback) return this.#fallback.scan(texts);
      try {
        const deadlineMs = this.#options.deadlineMs ?? DEFAULT_DEADLINE_MS;
        return await this.#client.call('findSecrets', { texts }, { deadlineMs });
      } catch (error) {
        if (!WorkerError.is(error, 'unavailable')) throw error;
        if (this.#client.failedLaunches < MAX_FAILURES) continue;
        if (!this.#options.createFallback) throw error;
        this.#fallback = this.#options.createFallback();
      }
    }
  }

  /** Ends the worker; pending scans reject with reason `stopped`. */
  dispose(): void {
    this.#client.dispose();
  }
}
