/**
 * The engine: the stateful heart that lives in a worker. It holds the symbol index and the tokenizer, and runs the
 * pure pipeline (route → score → fit → render) over what the host collected. `src/worker/engine.ts` implements it;
 * `src/protocol/workerClient.ts` implements it over messages; hosts see only this interface.
 */

import type { DetailRequest, DetailResult } from '../model/detail';
import type { FileOutcome, IndexStats, MapSymbol, RepoMapView } from '../model/repoMap';
import type { ContextReport, PayloadReport, ReportRequest } from '../model/report';
import type { ObservationEngine } from '../observations/observationStore';
import type { Cancel, Disposable, EditorSymbol, TokenizerName } from '../ports/ports';
import type { RelayFiles, RelaySection } from '../relay/relaySection';
import type { LeftOutFiles, LeftOutRequest, MapExplanation } from '../repomap/facts/types';
import type { WordStanding } from '../repomap/ranking/wordUsage';
import type { CitingTurn } from '../usage/citations/findCitations';
import type { Citation } from '../usage/usageRecord';

/** A repo map on its own. */
export interface MapRequest {
  readonly tokenizer: TokenizerName;
  readonly budgetTokens: number;
  readonly focusPaths: readonly string[];
  /** What the work is about: an issue, a message, a prompt. Absent or blank: ranked by structure. */
  readonly query?: string;
  /** Say for each shown file and symbol why it is there. */
  readonly withReasons?: boolean;
  /** List files that did not fit. */
  readonly leftOut?: LeftOutRequest;
}

export interface MapResult {
  /** Never over `budgetTokens`; may be empty. */
  readonly text: string;
  readonly tokens: number;
  readonly budgetTokens: number;
  /** The cap in characters, where that and not `budgetTokens` ends the map. */
  readonly maxChars?: number;
  readonly view: RepoMapView;
  /** When asked for. */
  readonly explanation?: MapExplanation;
  /** When asked for. */
  readonly leftOut?: LeftOutFiles;
}

/** Which files that are only scanned must be parsed before a map for a task is made. */
export interface CandidateRequest {
  readonly query: string;
  readonly focusPaths: readonly string[];
  /** Files that are looked at, parsed ones included. */
  readonly files: number;
}

/** Turns of an agent, and the payload that it had. */
export interface CitationRequest {
  readonly payload: PayloadReport;
  readonly turns: readonly CitingTurn[];
}

/** The engine has lost its index. */
export interface EngineRestart {
  /** Why, for the log. */
  readonly reason: string;
  /**
   * True when the host should fill the index again. False from the third loss in a row without a report, map or detail
   * between, so that an input that kills the engine cannot keep it dying: the index then stays empty.
   */
  readonly shouldRefill: boolean;
}

export interface ContextEngine extends ObservationEngine {
  /** Present where the engine can lose its index (a worker that died); the session then fills it again. */
  onDidRestart?(listener: (restart: EngineRestart) => void): Disposable;
  /** Adds or replaces files. Each item is one `FileFacts` as `encodeFacts` made it. */
  upsertFiles(encodedFacts: readonly Uint8Array[]): Promise<void>;
  removeFiles(paths: readonly string[]): Promise<void>;
  stats(): Promise<IndexStats>;
  buildReport(request: ReportRequest, cancel?: Cancel): Promise<ContextReport>;
  buildMap(request: MapRequest, cancel?: Cancel): Promise<MapResult>;
  buildDetail(request: DetailRequest, cancel?: Cancel): Promise<DetailResult>;
  /** What of the payload each turn gives evidence of having used; parallel to the turns. */
  findCitations(request: CitationRequest): Promise<readonly (readonly Citation[])[]>;
  /** Compacts the relay log: tens of megabytes take longer than a host may be held up. */
  buildRelay(files: RelayFiles): Promise<RelaySection>;
  /** Paths of files whose words fit the task and whose definitions are not known, the best first. */
  findCandidates(request: CandidateRequest): Promise<readonly string[]>;
  /** All symbols with that handle, or that `path:qualifiedName`; empty when there is none. */
  findSymbols(handles: readonly string[]): Promise<readonly (readonly MapSymbol[])[]>;
  /** What the code has to do with each word; parallel to the words. */
  standingOf(words: readonly string[]): Promise<readonly WordStanding[]>;
  /** Paths of files whose outcome is not `parsed`, `partial`, `editorSymbols` or `noGrammar`, for the report's problems. */
  listTroubled(): Promise<readonly { readonly path: string; readonly outcome: FileOutcome }[]>;
  countTokens(texts: readonly string[], tokenizer: TokenizerName): Promise<readonly number[]>;
}

/** A file to parse. */
export interface ParseInput {
  readonly path: string;
  readonly contentHash: string;
  readonly bytes: Uint8Array;
  /** `words`: scan only; the outcome is then `scanned` where parsing would give more. `definitions` when absent. */
  readonly depth?: 'words' | 'definitions';
  /** What the editor says of a file without a grammar: its facts are made of these. */
  readonly symbols?: readonly EditorSymbol[];
}

/** Turns files into encoded facts, in worker(s) of its own. Never rejects for a bad file: its facts say so. */
export interface FileParser {
  parse(files: readonly ParseInput[], cancel?: Cancel): Promise<readonly Uint8Array[]>;
  /** Gives back the memory that a long run has taken, where nothing is under way; the next parse starts anew. */
  release?(): void;
}
