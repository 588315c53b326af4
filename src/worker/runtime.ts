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
  discard,
  type HostToWorker,
  type MessagePipe,
  ROLES,
  WORKER_CALLS,
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
const ROLE_NAMES = Object.keys(ROLES) as (keyof typeof ROLES)[];

type AssetAnswer = Extract<HostToWorker, { type: 'asset' }>;

/** After an abort inside wasm its memory may be inconsistent or stuck at 2 GiB (measured): only a new worker helps. */
function isFatal(error: unknown): boolean {
  return isWasmFailure(error) || ParserCrash.is(error, 'aborted');
}

/** Serves requests of the host until the host ends the worker, and says `ready`. */
export function serveWorker({ pipe, createServices, yieldToMessages }: RuntimeOptions): void {
  const assets = new Map<number, (answer: AssetAnswer) => void>();
  let lastAsset = 0;
  const read = (name: string): Promise<Uint8Array> => {
    const id = ++lastAsset;
    return new Promise((resolve, reject) => {
      assets.set(id, ({ bytes, error }) => {
        if (bytes) resolve(bytes);
        else reject(new Error(error ?? `The host has no ${name}.`));
      });
      pipe.post({ type: 'needAsset', id, name });
    });
  };
  const services = createServices({ read });
  const asked = new Map<number, AbortController>();
  const queue: HostRequest[] = [];
  let isRunning = false;

  const answer = async ({ id, method, params }: HostRequest, signal: AbortSignal): Promise<void> => {
    // The caller has settled a cancelled call already and ignores the answer.
    if (signal.aborted) {
      pipe.post({ type: 'error', id, message: 'cancelled', name: 'AbortError', fatal: false });
      return;
    }
    try {
      const role = ROLE_NAMES.find((one) => Object.hasOwn(ROLES[one], method)) ?? 'engine';
      const value = await methodOf(services[role], method)(params, signal);
      const isWorn = (services.parser.memoryBytes ?? 0) > WORN_MEMORY_BYTES;
      const { movesBack, movesThere, isKept }: AnyCall = WORKER_CALLS[method];
      if (!isKept) discard(movesThere?.(params as never) ?? []);
      pipe.post({ type: 'result', id, value, isWorn }, movesBack?.(value as never));
    } catch (error) {
      const message = error instanceof Error ? error.message || error.name : String(error);
      const name = error instanceof Error ? error.name : 'Error';
      pipe.post({ type: 'error', id, message, name, fatal: isFatal(error) });
    }
  };
  /** One request at a time, in order: a report sees every file that was sent before it. */
  const drain = async (): Promise<void> => {
    isRunning = true;
    for (let request = queue.shift(); request; request = queue.shift()) {
      await answer(request, asked.get(request.id)?.signal ?? NEVER_ABORTED);
      asked.delete(request.id);
      await yieldToMessages();
    }
    isRunning = false;
  };

  pipe.onMessage((raw) => {
    const message = asHostMessage(raw);
    if (message?.type === 'asset') {
      assets.get(message.id)?.(message);
      assets.delete(message.id);
    } else if (message?.type === 'cancel') asked.get(message.id)?.abort();
    else if (message) {
      asked.set(message.id, new AbortController());
      queue.push(message);
      if (!isRunning) void drain();
    }
  });
  pipe.post({ type: 'ready' });
}
