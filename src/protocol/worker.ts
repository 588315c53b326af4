/**
 * Messages between a host and its workers. One worker bundle plays three roles: `engine` (stateful: index, tokenizer,
 * pipeline), `parser` (stateless, restarted whenever tree-sitter's wasm dies) and `secrets` (stateless). Every request has an id and is
 * always settled; a worker asks for product files by `asset` requests, so that it never touches a file system.
 */

import type {
  CandidateRequest,
  CitationRequest,
  ContextEngine,
  MapRequest,
  MapResult,
  ParseInput,
} from '../core/engine/engine';
import type { DetailRequest, DetailResult } from '../core/model/detail';
import type { IndexStats, MapSymbol } from '../core/model/repoMap';
import type { ContextReport, ReportRequest } from '../core/model/report';
import type { BookState, ObservationFeed } from '../core/observations/observationIndex';
import type { ObservationAnswer, ObservationQuestion } from '../core/observations/observationStore';
import type { TokenizerName } from '../core/ports/ports';
import type { RelayFiles, RelaySection } from '../core/relay/relaySection';
import type { WordStanding } from '../core/repomap/ranking/wordUsage';
import type { SecretMatch } from '../core/secrets/secretScanner';
import { isRecord } from '../core/text/jsonRecord';
import type { Citation } from '../core/usage/usageRecord';

/**
 * A host launches a worker with `workerData: { role: WORKER_ROLE }`: the bundle starts its message loop only then, so
 * that it can also be loaded for its in-process services, in any thread.
 */
export const WORKER_ROLE = 'context-budget-worker';

/** Method name → parameters and result. */
export interface WorkerApi {
  upsertFiles: { params: { readonly encodedFacts: readonly Uint8Array[] }; result: undefined };
  removeFiles: { params: { readonly paths: readonly string[] }; result: undefined };
  stats: { params: undefined; result: IndexStats };
  buildReport: { params: ReportRequest; result: ContextReport };
  buildMap: { params: MapRequest; result: MapResult };
  buildDetail: { params: DetailRequest; result: DetailResult };
  findCitations: { params: CitationRequest; result: readonly (readonly Citation[])[] };
  buildRelay: { params: RelayFiles; result: RelaySection };
  findCandidates: { params: CandidateRequest; result: readonly string[] };
  feedObservations: { params: ObservationFeed; result: boolean };
  askObservations: {
    params: { readonly at: BookState; readonly question: ObservationQuestion };
    result: ObservationAnswer;
  };
  findSymbols: { params: { readonly handles: readonly string[] }; result: readonly (readonly MapSymbol[])[] };
  standingOf: { params: { readonly words: readonly string[] }; result: readonly WordStanding[] };
  listTroubled: { params: undefined; result: Awaited<ReturnType<ContextEngine['listTroubled']>> };
  countTokens: {
    params: { readonly texts: readonly string[]; readonly tokenizer: TokenizerName };
    result: readonly number[];
  };
  parse: { params: { readonly files: readonly ParseInput[] }; result: readonly Uint8Array[] };
  findSecrets: { params: { readonly texts: readonly string[] }; result: readonly (readonly SecretMatch[])[] };
}

export type WorkerMethod = keyof WorkerApi;

/** Host → worker. */
export type HostToWorker =
  | { readonly type: 'request'; readonly id: number; readonly method: WorkerMethod; readonly params: unknown }
  | { readonly type: 'cancel'; readonly id: number }
  | {
      readonly type: 'asset';
      readonly id: number;
      readonly bytes: Uint8Array | undefined;
      readonly error: string | undefined;
    };

/** Worker → host. */
export type WorkerToHost =
  /** Sent once, first: a worker that ends before it was never launched properly. */
  | { readonly type: 'ready' }
  /** `isWorn` asks the host to replace this worker when it is idle: its wasm memory has grown and never shrinks. */
  | { readonly type: 'result'; readonly id: number; readonly value: unknown; readonly isWorn: boolean }
  /** `fatal` asks the host to replace this worker: its wasm memory cannot be trusted any more. */
  | { readonly type: 'error'; readonly id: number; readonly message: string; readonly fatal: boolean }
  | { readonly type: 'needAsset'; readonly id: number; readonly name: string };

const WORKER_METHODS: Readonly<Record<WorkerMethod, true>> = {
  upsertFiles: true,
  removeFiles: true,
  stats: true,
  buildReport: true,
  buildMap: true,
  buildDetail: true,
  findCitations: true,
  buildRelay: true,
  findCandidates: true,
  feedObservations: true,
  askObservations: true,
  findSymbols: true,
  standingOf: true,
  listTroubled: true,
  countTokens: true,
  parse: true,
  findSecrets: true,
};

function isMethod(value: unknown): value is WorkerMethod {
  return typeof value === 'string' && Object.hasOwn(WORKER_METHODS, value);
}

/**
 * Guards an inbound message of the host; anything malformed is `undefined`. `params` are not looked into: both ends
 * are built together.
 */
export function asHostMessage(value: unknown): HostToWorker | undefined {
  if (!isRecord(value) || typeof value.id !== 'number') return undefined;
  const { id } = value;
  switch (value.type) {
    case 'request':
      return isMethod(value.method) ? { type: 'request', id, method: value.method, params: value.params } : undefined;
    case 'cancel':
      return { type: 'cancel', id };
    case 'asset': {
      const { bytes, error } = value;
      const isBytes = bytes === undefined || bytes instanceof Uint8Array;
      const isError = error === undefined || typeof error === 'string';
      return isBytes && isError ? { type: 'asset', id, bytes, error } : undefined;
    }
    default:
      return undefined;
  }
}

/** Guards an inbound message of a worker; anything malformed is `undefined`. `value` of a result is not looked into. */
export function asWorkerMessage(value: unknown): WorkerToHost | undefined {
  if (!isRecord(value)) return undefined;
  if (value.type === 'ready') return { type: 'ready' };
  if (typeof value.id !== 'number') return undefined;
  const { id } = value;
  switch (value.type) {
    case 'result':
      return { type: 'result', id, value: value.value, isWorn: value.isWorn === true };
    case 'error':
      return typeof value.message === 'string'
        ? { type: 'error', id, message: value.message, fatal: value.fatal === true }
        : undefined;
    case 'needAsset':
      return typeof value.name === 'string' ? { type: 'needAsset', id, name: value.name } : undefined;
    default:
      return undefined;
  }
}

/** The two ends of a channel, as hosts and workers give it. Messages that arrive before `onMessage` are kept. */
export interface MessagePipe<Out, In> {
  /** Buffers in `transfer` move to the other side and are empty here afterwards. */
  post(message: Out, transfer?: readonly ArrayBuffer[]): void;
  onMessage(listener: (message: In) => void): void;
}
