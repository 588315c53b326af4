/** Shapes of the repo map: what one file yields (`FileFacts`), what ranking orders, what a payload shows. */
import type { FileOutcome, MapFile, RepoMapView, WordMatch } from '../../model/repoMap';
import type { SymbolKind } from '../../ports/symbolKind';
import type { Phrase } from '../../text/phrase';

/** One definition. Lines are 1-based and inclusive. */
export interface Definition {
  readonly kind: SymbolKind;
  readonly name: string;
  /** The whole signature on one line, white space folded, without the body. */
  readonly signature: string;
  /** First line of the doc comment, without comment marks; empty when there is none. */
  readonly doc: string;
  readonly lineStart: number;
  readonly lineEnd: number;
  /** Index into the same file's `definitions` of the enclosing one, or -1. It may come later in the file. */
  readonly parent: number;
  /** Qualifier of a type that this file does not define: a Go receiver, a Rust `impl` type, the `A` of C++ `A::b`. */
  readonly scope?: string | undefined;
  /** The source keeps it to its file (C's `static`, a declaration of a module without `export`). */
  readonly isLocal?: boolean | undefined;
  /** From a scan of lines (`lineScan.ts`): its lines are guessed. */
  readonly isGuessed?: boolean | undefined;
}

/** Everything the index keeps of one file; a pure function of its path's language and its content. */
export interface FileFacts {
  readonly path: string;
  /** Hash of the content, `core/text/hash.ts`. */
  readonly contentHash: string;
  readonly language: string | undefined;
  readonly outcome: FileOutcome;
  readonly lineCount: number;
  /** The file says itself that it was generated, or is minified. */
  readonly isGenerated?: boolean;
  /** In document order. */
  readonly definitions: readonly Definition[];
  /** Identifiers outside comments and strings with their counts, definitions' own names included; in order of first appearance. */
  readonly references: readonly (readonly [name: string, count: number])[];
  /** Every word by the definition it stands in; absent when nothing was read. */
  readonly words?: FileWords;
}

/** Words of a file and the definitions that hold them, for ranking by a task's words (RANKING §1.1). */
export interface FileWords {
  /** Words that are no references: keywords, those of comments and strings alone. Their numbers go on from those. */
  readonly others: readonly string[];
  /** For each word in that order which definitions hold it and how often, as `wordPostings.ts` packs it. */
  readonly postings: Uint8Array;
}

/** Why a map for a task shows what it shows: phrases with their numbers, the strongest first. */
export interface MapExplanation {
  readonly files: readonly {
    readonly path: string;
    /** Of the file's lines in the map. */
    readonly tokens: number;
    readonly because: readonly Phrase[];
    /** Parallel to the file's symbols in the view. */
    readonly symbols: readonly {
      readonly handle: string;
      readonly qualifiedName: string;
      readonly lineStart: number;
      readonly because: readonly Phrase[];
    }[];
  }[];
}

/**
 * A ranked, already budgeted map as the fit stage sees it: the best `n` of `size` items can be rendered for any
 * `0 ≤ n ≤ size`, and a smaller `n` never renders more tokens.
 */
export interface RankedMap {
  /** Number of items that fit `map_tokens`, best first. */
  readonly size: number;
  readonly filesTotal: number;
  readonly symbolsTotal: number;
  /** Which words of the task are known, where there is one. */
  readonly match?: WordMatch;
  /** The task leads nowhere: the map is by structure alone. */
  readonly isGeneral?: boolean;
  /** It shows what changed, which was asked for like a task. */
  readonly isOfChanges?: boolean;
  /** Text without a blank line and without a line that starts with `/`; each line ends with `\n`. */
  render(itemCount: number): { readonly text: string; readonly view: RepoMapView };
}

/** A page of the files that are not in a map. */
export interface LeftOutRequest {
  /** How many of the best ones to list. */
  readonly limit: number;
  /** Only files whose path, and symbols whose name, has this in it, in any case. */
  readonly matching?: string;
}

/** Files that are not in a map, the next best first. */
export interface LeftOutFiles {
  /** All of them that match. */
  readonly filesTotal: number;
  /** At most `limit`; ranks go on from the map's. Each with its best symbols, the best first. */
  readonly items: readonly MapFile[];
}

/** A ranked map that can say why the first `itemCount` items are there, and which files are not. */
export interface ExplainedMap extends RankedMap {
  explain(itemCount: number): MapExplanation;
  leftOut(itemCount: number, request: LeftOutRequest): LeftOutFiles;
}
