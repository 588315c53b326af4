/**
 * The worker's message loop, the same in every host: answers requests one after another, asks the host for assets, and
 * says when its memory cannot be trusted any more. It decides order and errors; engine and parser do the work.
 */
import { type AnyCall, methodOf } from '../core/engine/call';
import type { ContextEngine } from '../core/engine/engine';
import type { FileParser } from '../core/engine/parser';
import { type AssetSource, NEVER_ABORTED } from '../core/ports/ports';
import type { SecretScanner } from '../core/secrets/secretScanner';
import {
  asHostMessage,
  type HostToWorker,
  type MessagePipe,
  ROLES,
  WORKER_CALLS,
  type WorkerMethod,
  type WorkerToHost,
} from '../protocol/worker';
import { isWasmFailure, ParserCrash } from './parser/parserCrash';

/** What a worker serves. */
export interface WorkerServices {
  readonly engine: ContextEngine;
  /** `memoryBytes` is what its WebAssembly holds; it never shrinks. */
  readonly parser: FileParser & { readonly memoryBytes?: number };
  readonly secrets: SecretScanner;
}

/** What the loop needs of its host. */
export interface RuntimeOptions {
  readonly pipe: MessagePipe<WorkerToHost, HostToWorker>;
  /** Makes engine and parser over assets that the host sends. */
  readonly createServices: (assets: AssetSource) => WorkerServices;
  /** Resolves after messages that have arrived meanwhile were delivered, so that a cancel reaches running work. */
  readonly yieldToMessages: () => Promise<void>;
}

/** Far above what ordinary files need (32 MB for 65 MB of Go, measured), below what hurts a machine. */
const WORN_MEMORY_BYTES = 256 * 1024 * 1024;

type HostRequest = Extract<HostToWorker, { type: 'request' }>;
type AssetAnswer = Extract<HostToWorker, { type: 'asset' }>;

/** `AssetSource` by messages. */
class PipeAssets implements AssetSource {
  readonly #waiting = new Map<number, (answer: AssetAnswer) => void>();
  #nextId = 1;

  constructor(private readonly pipe: RuntimeOptions['pipe']) {}

  read(name: string): Promise<Uint8Array> {
    const id = this.#nextId++;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, ({ bytes, error }) => {
        if (bytes) resolve(bytes);
        else reject(new Error(error ?? `The host has no ${name}.`));
      });
      this.pipe.post({ type: 'needAsset', id, name });
    });
  }

  settle(answer: AssetAnswer): void {
    this.#waiting.get(answer.id)?.(answer);
    this.#waiting.delete(answer.id);
  }
}

/** After an abort inside wasm its memory may be inconsistent or stuck at 2 GiB (measured): only a new worker helps. */
function isFatal(error: unknown): boolean {
  return isWasmFailure(error) || ParserCrash.is(error, 'aborted');
}

class WorkerLoop {
  readonly #assets: PipeAssets;
  readonly #services: WorkerServices;
  readonly #asked = new Map<number, AbortController>();
  readonly #queue: HostRequest[] = [];
  #isRunning = false;

  constructor(private readonly options: RuntimeOptions) {
    this.#assets = new PipeAssets(options.pipe);
    this.#services = options.createServices(this.#assets);
  }

  receive(raw: unknown): void {
    const message = asHostMessage(raw);
    switch (message?.type) {
      case 'asset':
        this.#assets.settle(message);
        break;
      case 'cancel':
        this.#asked.get(message.id)?.abort();
        break;
      case 'request':
        this.#asked.set(message.id, new AbortController());
        this.#queue.push(message);
        if (!this.#isRunning) void this.#drain();
        break;
    }
  }

  /** One request at a time, in order: a report sees every file that was sent before it. */
  async #drain(): Promise<void> {
    this.#isRunning = true;
    for (let request = this.#queue.shift(); request; request = this.#queue.shift()) {
      await this.#answer(request, this.#asked.get(request.id)?.signal ?? NEVER_ABORTED);
      this.#asked.delete(request.id);
      await this.options.yieldToMessages();
    }
    this.#isRunning = false;
  }

  async #answer(request: HostRequest, signal: AbortSignal): Promise<void> {
    const { pipe } = this.options;
    const { id, method } = request;
    // The caller has settled a cancelled call already and ignores the answer.
    if (signal.aborted) {
      pipe.post({ type: 'error', id, message: 'cancelled', name: 'AbortError', fatal: false });
      return;
    }
    try {
      const value = await this.#dispatch(method, request.params, signal);
      const isWorn = (this.#services.parser.memoryBytes ?? 0) > WORN_MEMORY_BYTES;
      const { movesBack }: AnyCall = WORKER_CALLS[method];
      pipe.post({ type: 'result', id, value, isWorn }, movesBack?.(value as never));
    } catch (error) {
      const message = error instanceof Error ? error.message || error.name : String(error);
      const name = error instanceof Error ? error.name : 'Error';
      pipe.post({ type: 'error', id, message, name, fatal: isFatal(error) });
    }
  }

  #dispatch(method: WorkerMethod, params: unknown, signal: AbortSignal): Promise<unknown> {
    const roles = Object.keys(ROLES) as (keyof typeof ROLES)[];
    const role = roles.find((one) => Object.hasOwn(ROLES[one], method)) ?? 'engine';
    return methodOf(this.#services[role], method)(params, signal);
  }
}

/** Serves requests of the host until the host ends the worker, and says `ready`. */
export function serveWorker(options: RuntimeOptions): void {
  const loop = new WorkerLoop(options);
  options.pipe.onMessage((message) => loop.receive(message));
  options.pipe.post({ type: 'ready' });
}
