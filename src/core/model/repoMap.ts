import type { SymbolKind } from '../ports/symbolKind';
import type { Phrase } from '../text/phrase';

/** Why a file has the definitions it has. Nothing is skipped silently. */
export const FILE_OUTCOMES = [
  'parsed',
  /** Parsed, but the tree has syntax errors; definitions outside them are there. */
  'partial',
  /** Without a grammar, but the editor's language extension told its symbols. */
  'editorSymbols',
  /** Too large to parse; its definitions are from a scan of its lines. */
  'lineScan',
  'noGrammar',
  /** Its words are known, its definitions are not yet. */
  'scanned',
  'binary',
  'tooLarge',
  /** Given up at the parse deadline. */
  'deadline',
  /** The parser itself failed on it. */
  'failed',
  'unreadable',
] as const;
export type FileOutcome = (typeof FILE_OUTCOMES)[number];

/** A definition with its place in the workspace and its stable handle. */
export interface MapSymbol {
  /** `sym:` and 8 hex digits; the same while path, qualified name and kind are (DESIGN §6). */
  readonly handle: string;
  readonly path: string;
  readonly kind: SymbolKind;
  readonly name: string;
  /** Parents and name joined by `.`. */
  readonly qualifiedName: string;
  readonly signature: string;
  readonly doc: string;
  readonly lineStart: number;
  readonly lineEnd: number;
}

/** What a definition has to do with a change. */
export type ChangeRole = 'changed' | 'caller' | 'test';

/** Role of something in a map of changes, and why: short phrases, the strongest first. */
export interface ChangeNote {
  readonly role: ChangeRole;
  readonly why: readonly Phrase[];
}

/** A definition in a map; in a map of changes with its role. */
export interface ShownSymbol extends MapSymbol {
  readonly change?: ChangeNote;
}

/** A definition that a handle led to. */
export interface FoundSymbol extends MapSymbol {
  /** Definitions right inside of it, in document order; absent where there are none. */
  readonly parts?: readonly MapSymbol[];
  /** Absent where nothing is known to use it, and no other has its name beside it. */
  readonly uses?: SymbolUses;
}

/** Code that mentions a definition. */
export interface UsePlace {
  readonly path: string;
  /** Of the definition that mentions it, with what is around it; `''` outside of all. */
  readonly name: string;
  /** Its lines: the mention is in one of them. */
  readonly lineStart: number;
  readonly lineEnd: number;
}

/** Definitions that hold most words of a text, the best first. */
export interface TextHolders {
  /** In lower case, with what each is worth; those that no file holds are left out. */
  readonly words: readonly { readonly word: string; readonly weight: number }[];
  readonly holders: readonly (UsePlace & {
    /** What its place is worth of one in the source: tests and docs say less. */
    readonly worth: number;
    /** The type that it belongs to, where that stands elsewhere in its file, as in Go and Rust. */
    readonly type?: { readonly name: string; readonly line: number } | undefined;
  })[];
  /** How many there are. */
  readonly total: number;
}

/** Who uses a definition. */
export interface SymbolUses {
  /** `12 callers in 4 files`; `''` where only tests do. */
  readonly callers: string;
  /** The first of the callers. */
  readonly places: readonly UsePlace[];
  /** `tests: test/a.test.ts`; `''` without any. */
  readonly tests: string;
  /** Tests in the definition's own file. */
  readonly testPlaces: readonly UsePlace[];
  /** First lines of the others in its file that have its name. */
  readonly twins: readonly number[];
  /** Types of its file that it mentions: what a change of its data touches. */
  readonly types: readonly { readonly name: string; readonly line: number }[];
}

/** One file of a rendered map, symbols in document order. */
export interface MapFile {
  readonly path: string;
  /** 1-based rank of the file in the map. */
  readonly rank: number;
  readonly symbols: readonly ShownSymbol[];
  /** Change of its code outside of definitions, or of the whole file. */
  readonly change?: ChangeNote;
}

/** A package or top folder, and what it is for. */
export interface MapPackage {
  /** Its folder; `''` for the opened one. */
  readonly path: string;
  /** One sentence, from its manifest or README. */
  readonly job: string;
}

/** What a payload shows of the map. */
export interface RepoMapView {
  readonly filesTotal: number;
  readonly filesShown: number;
  readonly symbolsTotal: number;
  readonly items: readonly MapFile[];
  /** Those of the shown files, in the map's order; absent where none says what it is for, and in a map for a task. */
  readonly packages?: readonly MapPackage[];
}

/** What of a task's words a folder knows (DESIGN §5.2, `match`). */
export interface WordMatch {
  /** False when no word leads anywhere: a map then shows nothing. */
  readonly isMatch: boolean;
  /** As they were written, in the order of the task; the first ones of a long task. */
  readonly known: readonly string[];
  readonly unknown: readonly string[];
  /** Words of the folder that an unknown one may stand for, the nearest first; of the first unknown words. */
  readonly nearest: Readonly<Record<string, readonly string[]>>;
}

/** Symbols of one name, and how they have it: as their whole name, as its beginning, or somewhere inside. */
export interface NamedSymbols {
  readonly how: 'exact' | 'prefix' | 'inside';
  readonly symbols: readonly MapSymbol[];
}
