/**
 * Messages between a host and its workers. One worker bundle plays three roles: `engine` (stateful: index, tokenizer,
 * pipeline), `parser` (stateless, restarted whenever tree-sitter's wasm dies) and `secrets` (stateless). Every request
 * has an id and is always settled; a worker asks for product files by `asset` requests, so that it never touches a file
 * system.
 */
import { type CallParams, type CallResult, call } from '../core/engine/call';
import { ENGINE_CALLS } from '../core/engine/engine';
import { PARSER_CALLS } from '../core/engine/parser';
import type { SecretScanner } from '../core/secrets/secretScanner';
import { errorClass, type Phrase, phrase } from '../core/text/phrase';
import { isAny, isFlag, isNumber, isText, isTextIfAny, type MessageOf, messageReader } from './messages';

/** Why a call to a worker has no result. */
export type WorkerErrorReason =
  /** The client was disposed, or stopped while the call was under way. */
  | 'stopped'
  /** The worker ended while the call was under way, by itself or because of another call. */
  | 'crashed'
  /** The call took longer than its deadline; its worker was ended. */
  | 'deadline'
  /** The worker answered with an error. */
  | 'failed'
  /** The caller cancelled. Not an error for people. */
  | 'cancelled'
  /** The worker could not be launched, or ended before it said `ready`: no fault of the call. */
  | 'unavailable';

/** What people are told; the method and the worker's own words are for the log. They follow a colon, without a stop. */
const WORDS: Readonly<Record<WorkerErrorReason, Phrase>> = {
  stopped: phrase('it was stopped'),
  crashed: phrase('the worker ended; see the log'),
  deadline: phrase('it took too long'),
  failed: phrase('the worker failed; see the log'),
  cancelled: phrase('cancelled'),
  unavailable: phrase('the worker could not be started; see the log'),
};

/** A call to a worker that was settled without a result; `message` says which call, for the log. */
export class WorkerError extends errorClass<WorkerErrorReason>('WorkerError') {
  /** For people, whatever the call was. */
  get words(): Phrase {
    return WORDS[this.reason];
  }
}

/**
 * A host launches a worker with `workerData: { role: WORKER_ROLE }`: the bundle starts its message loop only then, so
 * that it can also be loaded for its in-process services, in any thread.
 */
export const WORKER_ROLE = 'context-budget-worker';

export const SECRET_CALLS = { scan: call<SecretScanner['scan']>() };

/** The roles of a worker, and what each is asked. */
export const ROLES = { engine: ENGINE_CALLS, parser: PARSER_CALLS, secrets: SECRET_CALLS };
/** All that a worker is asked; no two roles have a name in common. */
export const WORKER_CALLS = { ...ENGINE_CALLS, ...PARSER_CALLS, ...SECRET_CALLS };

export type WorkerMethod = keyof typeof WORKER_CALLS;
export type WorkerParams<M extends WorkerMethod> = CallParams<(typeof WORKER_CALLS)[M]>;
export type WorkerResult<M extends WorkerMethod> = CallResult<(typeof WORKER_CALLS)[M]>;

const isMethod = (value: unknown): value is WorkerMethod => isText(value) && Object.hasOwn(WORKER_CALLS, value);
const isBytes = (value: unknown): value is Uint8Array | undefined => value === undefined || value instanceof Uint8Array;

const HOST_MESSAGES = {
  request: { id: isNumber, method: isMethod, params: isAny },
  cancel: { id: isNumber },
  asset: { id: isNumber, bytes: isBytes, error: isTextIfAny },
};

const WORKER_MESSAGES = {
  /** Sent once, first: a worker that ends before it was never launched properly. */
  ready: {},
  /** `isWorn` asks the host to replace this worker when it is idle: its wasm memory has grown and never shrinks. */
  result: { id: isNumber, value: isAny, isWorn: isFlag },
  /** `fatal` asks the host to replace this worker: its wasm memory cannot be trusted any more. */
  error: { id: isNumber, message: isText, name: isTextIfAny, fatal: isFlag },
  needAsset: { id: isNumber, name: isText },
};

/** Host → worker. */
export type HostToWorker = MessageOf<typeof HOST_MESSAGES>;
/** Worker → host. */
export type WorkerToHost = MessageOf<typeof WORKER_MESSAGES>;

export const asHostMessage = messageReader(HOST_MESSAGES);
export const asWorkerMessage = messageReader(WORKER_MESSAGES);

/** The two ends of a channel, as hosts and workers give it. Messages that arrive before `onMessage` are kept. */
export interface MessagePipe<Out, In> {
  /** Buffers in `transfer` move to the other side and are empty here afterwards. */
  post(message: Out, transfer?: readonly ArrayBuffer[]): void;
  onMessage(listener: (message: In) => void): void;
}

/** What lived through a long call would be collected late: its memory moves to an object that was made just now. */
export function discard(buffers: readonly ArrayBuffer[]): void {
  if (buffers.length > 0) structuredClone(undefined, { transfer: [...buffers] });
}
