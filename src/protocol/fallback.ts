import { type AnyCall, type AnyMethod, methodOf, type Service } from '../core/engine/call';
import { WorkerError, type WorkerMethod } from './worker';
import type { WorkerClient, WorkerClientOptions } from './workerClient';

/** Launches of a worker in a row that may fail before the work is done in process (CONVENTIONS: three). */
const MAX_FAILED_LAUNCHES = 3;

/** What does the work of workers in this process, once none can be launched; made when it is first needed. */
export class Fallback<T> {
  #made: T | undefined;

  /** @param create gets why no worker could be launched; absent in hosts where the work cannot be done in process */
  constructor(private readonly create: ((why?: WorkerError) => T) | undefined) {}

  /**
   * Calls until a worker was there to answer, or `here` once launches of `client` failed three times in a row. Rejects
   * with what the call does, `unavailable` only where nothing can be made.
   */
  async callOr<R>(
    client: Pick<WorkerClient, 'failedLaunches'>,
    call: () => Promise<R>,
    here: (made: T) => Promise<R>,
  ): Promise<R> {
    for (;;) {
      if (this.#made) return here(this.#made);
      try {
        return await call();
      } catch (error) {
        // Nothing was lost yet: a worker that never was ready never held anything.
        if (!WorkerError.is(error, 'unavailable')) throw error;
        if (client.failedLaunches < MAX_FAILED_LAUNCHES) continue;
        if (!this.create) throw error;
        this.#made ??= this.#makeBecause(error);
      }
    }
  }

  #makeBecause(why: WorkerError): T | undefined {
    try {
      return this.create?.(why);
    } catch (cause) {
      const own = cause instanceof Error ? cause.message : String(cause);
      throw new WorkerError('unavailable', `${why.message} Nor can it be done in process: ${own}`, { cause });
    }
  }

  /** Puts another one in the place of one that has died. */
  renew(): void {
    this.#made = this.create?.();
  }
}

/** What the client of a service needs beside a worker. */
export interface ServiceClientOptions<S> extends Omit<WorkerClientOptions, 'mayStopWhenIdle' | 'onDidCrash'> {
  /** Per call; the service's own, far above any measured call, unless given: it exists so that a hang ends. */
  readonly deadlineMs?: number;
  /** Makes the service in this process, after three launches in a row have failed. */
  readonly createFallback?: (why?: WorkerError) => S;
}

/** How the calls of one table reach a worker. */
interface RemoteOptions<S> {
  readonly client: WorkerClient;
  readonly fallback: Fallback<S>;
  /** Per call. */
  readonly deadlineMs: number;
  /** Told of each call before it is sent, and of each that was answered. */
  readonly onDidStart?: (traits: AnyCall) => void;
  readonly onDidAnswer?: (traits: AnyCall) => void;
}

/** The methods of a table by calls to a worker, or to what stands in for it. They reject with a `WorkerError`. */
export function remoteService<T extends object>(table: T, options: RemoteOptions<Service<T>>): Service<T> {
  const { client, fallback, deadlineMs, onDidStart, onDidAnswer } = options;
  const methods = Object.entries<AnyCall>(table as Readonly<Record<string, AnyCall>>).map(([name, traits]) => {
    const method: AnyMethod = async (params, signal) => {
      onDidStart?.(traits);
      const result = await fallback.callOr(
        client,
        () => client.call(name as WorkerMethod, params as never, { signal, deadlineMs }) as Promise<unknown>,
        (made) => methodOf(made, name)(params, signal),
      );
      onDidAnswer?.(traits);
      return result;
    };
    return [name, method] as const;
  });
  return Object.fromEntries(methods) as Service<T>;
}
