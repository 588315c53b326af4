/** What the engine is asked about the payload: the report, details on demand, and counts. */
import type { DetailRequest, DetailResult } from '../model/detail';
import type { ContextReport, MaskedText, ReportRequest } from '../model/report';
import type { TokenizerName } from '../ports/ports';
import type { CountingWork } from '../tokens/lines';
import { call } from './call';
import type { MapRequest } from './map';
import { ownBuffers } from './parser';

/** Texts to count. */
export interface CountRequest {
  readonly texts: readonly string[];
  readonly tokenizer: TokenizerName;
}

/** What is counted: tokens, or the secrets of texts that have none. */
export type CountsName = TokenizerName | 'secrets';

/** Counts that outlive the process, as `KnownCounts` saves them. */
export interface StoredCounts {
  readonly of: CountsName;
  readonly bytes: Uint8Array;
}

/** What to keep of the counts: those that were not asked for before, or all. */
export interface CountsRequest {
  readonly of: CountsName;
  readonly what: 'new' | 'all';
}

export const REPORT_CALLS = {
  buildReport: call<(request: ReportRequest & Pick<MapRequest, 'changes'>) => ContextReport>({ showsHealth: true }),
  buildDetail: call<(request: DetailRequest) => DetailResult>({ showsHealth: true }),
  /** The texts without secrets, parallel; undefined for one that could not be scanned, which must not be shown then. */
  maskTexts: call<(texts: readonly string[]) => readonly (MaskedText | undefined)[]>(),
  /** Exact counts, parallel to the texts. */
  countTokens: call<(request: CountRequest) => readonly number[]>(),
  /** Counts of earlier processes, those that matter most first; what cannot be read is passed over. */
  loadCounts: call<(packs: readonly StoredCounts[]) => void>({
    movesThere: (packs) => ownBuffers(packs.map(({ bytes }) => bytes)),
  }),
  /** Undefined when nothing was counted since the last time. */
  saveCounts: call<(request: CountsRequest) => Uint8Array | undefined>({
    movesBack: (bytes) => (bytes ? ownBuffers([bytes]) : []),
  }),
  /** What that tokenizer had to do so far. */
  countingWork: call<(tokenizer: TokenizerName) => CountingWork>(),
};
