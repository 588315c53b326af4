/** What the engine is asked about the payload: the report, details on demand, and counts. */
import type { DetailRequest, DetailResult } from '../model/detail';
import type { ContextReport, MaskedText, ReportRequest } from '../model/report';
import type { TokenizerName } from '../ports/ports';
import { call } from './call';

/** Texts to count. */
export interface CountRequest {
  readonly texts: readonly string[];
  readonly tokenizer: TokenizerName;
}

export const REPORT_CALLS = {
  buildReport: call<(request: ReportRequest) => ContextReport>({ showsHealth: true }),
  buildDetail: call<(request: DetailRequest) => DetailResult>({ showsHealth: true }),
  /** The texts without secrets, parallel; undefined for one that could not be scanned, which must not be shown then. */
  maskTexts: call<(texts: readonly string[]) => readonly (MaskedText | undefined)[]>(),
  /** Exact counts, parallel to the texts. */
  countTokens: call<(request: CountRequest) => readonly number[]>(),
};
