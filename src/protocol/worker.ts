/**
 * Messages between a host and its workers. One worker bundle plays two roles: `engine` (stateful: index, tokenizer,
 * pipeline) and `parser` (stateless, restarted whenever tree-sitter's wasm dies). Every request has an id and is
 * always settled; a worker asks for product files by `asset` requests, so that it never touches a file system.
 */
import type {
  ContextEngine,
  DetailRequest,
  DetailResult,
  IndexStats,
  MapRequest,
  MapResult,
  ParseInput,
  ReportRequest,
} from '../core/engine';
import type { TokenizerName } from '../core/ports';
import type { MapSymbol } from '../core/repomap/types';
import type { ContextReport } from '../core/report/contextReport';

/** Method name → parameters and result. */
export interface WorkerApi {
  upsertFiles: { params: { readonly encodedFacts: readonly Uint8Array[] }; result: undefined };
  removeFiles: { params: { readonly paths: readonly string[] }; result: undefined };
  stats: { params: undefined; result: IndexStats };
  buildReport: { params: ReportRequest; result: ContextReport };
  buildMap: { params: MapRequest; result: MapResult };
  buildDetail: { params: DetailRequest; result: DetailResult };
  findSymbols: { params: { readonly handles: readonly string[] }; result: readonly (readonly MapSymbol[])[] };
  listTroubled: { params: undefined; result: Awaited<ReturnType<ContextEngine['listTroubled']>> };
  countTokens: {
    params: { readonly texts: readonly string[]; readonly tokenizer: TokenizerName };
    result: readonly number[];
  };
  parse: { params: { readonly files: readonly ParseInput[] }; result: readonly Uint8Array[] };
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
  | { readonly type: 'result'; readonly id: number; readonly value: unknown }
  /** `fatal` asks the host to replace this worker: its wasm memory cannot be trusted any more. */
  | { readonly type: 'error'; readonly id: number; readonly message: string; readonly fatal: boolean }
  | { readonly type: 'needAsset'; readonly id: number; readonly name: string };

/** The two ends of a channel, as hosts and workers give it. */
export interface MessagePipe<Out, In> {
  post(message: Out, transfer?: readonly ArrayBuffer[]): void;
  onMessage(listener: (message: In) => void): void;
}
