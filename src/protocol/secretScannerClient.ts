import type { Disposable } from '../core/ports/ports';
import type { SecretMatch, SecretScanner } from '../core/secrets/secretScanner';
import { Fallback } from './fallback';
import { WorkerClient, type WorkerClientOptions } from './workerClient';
import type { WorkerError } from './workerError';

/** What the client needs beside a worker. */
export interface SecretScannerClientOptions extends Omit<WorkerClientOptions, 'mayStopWhenIdle' | 'onDidCrash'> {
  /** Per scan; default 15,000 ms, fifty times what hostile text of 1 MB takes (0.3 s, measured): a hang ends. */
  readonly deadlineMs?: number;
  /** Makes the scanner in this process, after three launches in a row have failed. */
  readonly createFallback?: (why?: WorkerError) => SecretScanner;
}

const DEFAULT_DEADLINE_MS = 15_000;

/**
 * `SecretScanner` in a worker of its own, so that a copy neither waits for the index nor can hang it; it starts with the
 * first scan and ends when idle. Rejects with a `WorkerError`, `deadline` among them.
 */
export class SecretScannerClient implements SecretScanner, Disposable {
  readonly #client: WorkerClient;
  readonly #options: SecretScannerClientOptions;
  readonly #fallback: Fallback<SecretScanner>;

  constructor(options: SecretScannerClientOptions) {
    this.#options = options;
    this.#client = new WorkerClient(options);
    this.#fallback = new Fallback(options.createFallback);
  }

  async scan(texts: readonly string[]): Promise<readonly (readonly SecretMatch[])[]> {
    if (texts.every((text) => text === '')) return texts.map(() => []);
    const deadlineMs = this.#options.deadlineMs ?? DEFAULT_DEADLINE_MS;
    return this.#fallback.callOr(
      this.#client,
      () => this.#client.call('findSecrets', { texts }, { deadlineMs }),
      (scanner) => scanner.scan(texts),
    );
  }

  /** Ends the worker; pending scans reject with reason `stopped`. */
  dispose(): void {
    this.#client.dispose();
  }
}
