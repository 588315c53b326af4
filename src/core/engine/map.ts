/** What the engine is asked about the code of a folder: its index of symbols, and maps made of it. */
import type { FileOutcome, FoundSymbol, NamedSymbols, RepoMapView, TextHolders, WordMatch } from '../model/repoMap';
import type { SecretFinding } from '../model/report';
import type { TokenizerName } from '../ports/ports';
import type { LeftOutFiles, LeftOutRequest, MapExplanation } from '../repomap/facts/types';
import type { SavedSegment } from '../repomap/index/storedIndex';
import type { Project } from '../repomap/project/packages';
import type { ChangeSet } from '../repomap/ranking/changedOrder';
import type { Phrase } from '../text/phrase';
import { call } from './call';
import { ownBuffers } from './parser';

/** A repo map on its own. */
export interface MapRequest {
  readonly tokenizer: TokenizerName;
  readonly budgetTokens: number;
  readonly focusPaths: readonly string[];
  /** End a map for a task where relevance does, see `leastShareFor`; without it the budget alone does. */
  readonly leastShare?: number;
  /** What the work is about: an issue, a message, a prompt. Absent or blank: ranked by structure. */
  readonly query?: string;
  /** Show the map by structure where nothing matches the query: it is the work's, and not what was asked for. */
  readonly orGeneral?: boolean;
  /** Show what changed, with its callers and tests, in place of what `query` and `focusPaths` say. */
  readonly changes?: ChangeSet;
  /** Say for each shown file and symbol why it is there. */
  readonly withReasons?: boolean;
  /** List files that did not fit. */
  readonly leftOut?: LeftOutRequest;
  /** Show texts as they are, secrets included. */
  readonly isUnmasked?: boolean;
}

export interface MapResult {
  /** Never over `budgetTokens`; may be empty. */
  readonly text: string;
  readonly tokens: number;
  readonly budgetTokens: number;
  /** The cap in characters, where that and not `budgetTokens` ends the map. */
  readonly maxChars?: number;
  readonly view: RepoMapView;
  /** Which words of the query are known, where there is a query. `text` says so, and is no map, when nothing matches. */
  readonly match?: WordMatch;
  /** What was masked in it. */
  readonly secrets: readonly SecretFinding[];
  /** Of a map of changes: against what, how many files differ, and what is not known of them. */
  readonly since?: {
    readonly base: string;
    readonly commit: string;
    readonly files: number;
    readonly note: Phrase | undefined;
  };
  /** When asked for. */
  readonly explanation?: MapExplanation;
  /** When asked for. */
  readonly leftOut?: LeftOutFiles;
}

/** A task whose map is made next. */
export interface CandidateRequest {
  readonly query: string;
}

export const MAP_CALLS = {
  /** Adds or replaces files. Each item is one `FileFacts` as `encodeFacts` made it, and may be empty afterwards. */
  upsertFiles: call<(encodedFacts: readonly Uint8Array[]) => void>({ isKept: true, drops: ownBuffers }),
  /** Takes stored segments of the index in, the largest first; what cannot be read is passed over. */
  loadIndex: call<(segments: readonly Uint8Array[]) => void>({ isKept: true, movesThere: ownBuffers }),
  /** Adds or replaces files by what segments hold of their content; `files` are as `joinContents` writes them. Paths of which they hold nothing come back. */
  adoptFiles: call<(files: string) => readonly string[]>({ isKept: true }),
  /** A segment of some files, or of all and of what else was loaded; undefined when there is nothing to keep. */
  saveIndex: call<(request: { readonly paths: readonly string[] | 'all' }) => SavedSegment | undefined>({
    movesBack: (saved) => (saved?.bytes ? ownBuffers([saved.bytes]) : []),
  }),
  /** What the folder says of itself besides its code; nothing before the first call. */
  setProject: call<(project: Project) => void>({ isKept: true }),
  removeFiles: call<(paths: readonly string[]) => void>(),
  buildMap: call<(request: MapRequest) => MapResult>({ showsHealth: true }),
  /** Does what of a map can be done before its files are there; nothing depends on it but time. */
  expectTask: call<(request: CandidateRequest) => void>(),
  /** Paths of files whose definitions count for the task and are not known; when they are, others may be. */
  findCandidates: call<(request: CandidateRequest) => readonly string[]>(),
  /** All symbols of each handle, in any form that a row shows or people write, with who uses it; empty where there is none. */
  findSymbols: call<(handles: readonly string[]) => readonly (readonly FoundSymbol[])[]>(),
  /** The symbols of a name, at most 100, unmasked. */
  findNames: call<(name: string) => NamedSymbols>(),
  /** The definitions that hold the words of a text, unmasked. */
  findHolders: call<(text: string) => TextHolders>(),
  /** Paths of files whose outcome is not `parsed`, `partial`, `editorSymbols` or `noGrammar`, for the report's problems. */
  listTroubled: call<() => readonly { readonly path: string; readonly outcome: FileOutcome }[]>(),
};
