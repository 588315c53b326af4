import type { FileOutcome, MapSymbol } from '../../model/repoMap';
import type { SymbolKind } from '../../ports/symbolKind';
import { hashText } from '../../text/hash';
import { familyOf, hasGrammar, languageOf } from '../facts/languages';
import type { Definition, FileFacts } from '../facts/types';
import { classifyPath, type PathClass } from './pathClass';
import { nameIds, type StoredRange } from './storedDefinitions';
import type { Vocabulary } from './vocabulary';
import { PostingReader } from './wordPostings';

/** Prefix of symbol handles. */
export const SYMBOL_PREFIX = 'sym:';

/** Qualified name of each definition: scope or parents, and name, joined by `.`. Parents must not form a loop. */
export function qualifiedNames(definitions: readonly Definition[]): readonly string[] {
  const names: (string | undefined)[] = new Array(definitions.length);
  const nameOf = (index: number): string => {
    const known = names[index];
    if (known !== undefined) return known;
    const definition = definitions[index];
    if (!definition) return '';
    const last = definition.name.replaceAll('::', '.');
    const own = definition.scope === undefined ? last : `${definition.scope}.${last}`;
    const name = definition.parent < 0 ? own : `${nameOf(definition.parent)}.${own}`;
    names[index] = name;
    return name;
  };
  return definitions.map((_, index) => nameOf(index));
}

/**
 * Handles of a file's definitions: `sym:` and 8 hex digits of a hash over path, qualified name, kind and, from the
 * second on, an ordinal: edits elsewhere change none. About one pair in 90,000 symbols collides; a look-up gives both.
 */
export function symbolHandles(
  path: string,
  definitions: readonly Definition[],
  names: readonly string[] = qualifiedNames(definitions),
): readonly string[] {
  const seen = new Map<string, number>();
  return definitions.map((definition, index) => {
    const key = `${path}\0${names[index] ?? definition.name}\0${definition.kind}`;
    const ordinal = (seen.get(key) ?? 0) + 1;
    seen.set(key, ordinal);
    const hash = hashText(ordinal === 1 ? key : `${key}\0${ordinal}`);
    return `${SYMBOL_PREFIX}${hash.slice(0, 8)}`;
  });
}

/** Code that is called. */
export const FUNCTION_KINDS: ReadonlySet<SymbolKind> = new Set(['function', 'method', 'constructor', 'macro']);

/** What may hold one type and do nothing else. */
const NAMESPACES: ReadonlySet<SymbolKind> = new Set(['module', 'namespace']);
/** What a namespace's name can stand before. */
const NAMED_TYPES: ReadonlySet<SymbolKind> = new Set([
  ...NAMESPACES,
  ...(['class', 'struct', 'interface', 'trait', 'enum', 'union'] as const),
]);
/** Between the parts of a qualified name; a point elsewhere. */
const SEPARATORS: Readonly<Record<string, string>> = { ruby: '::', rust: '::', c: '::', php: '\\' };

/** By definition: the one type that a namespace holds and nothing else, or -1. */
function wrappedOnes(definitions: readonly Definition[]): Int32Array {
  const wrapped = new Int32Array(definitions.length).fill(-1);
  const counts = new Uint32Array(definitions.length);
  definitions.forEach(({ parent }, index) => {
    if (parent < 0) return;
    counts[parent] = (counts[parent] as number) + 1;
    wrapped[parent] = index;
  });
  return wrapped.map((child, index) => {
    const { kind, name, signature, scope } = definitions[child] ?? {};
    const isOnly = kind !== undefined && counts[index] === 1 && NAMESPACES.has((definitions[index] as Definition).kind);
    return isOnly && NAMED_TYPES.has(kind) && scope === undefined && name && signature?.includes(name) ? child : -1;
  });
}

function innerOnes(definitions: readonly Definition[]): Uint8Array {
  return Uint8Array.from(definitions, ({ parent }) => {
    let at = parent;
    while (at >= 0 && !FUNCTION_KINDS.has((definitions[at] as Definition).kind)) at = definitions[at]?.parent ?? -1;
    return at < 0 ? 0 : 1;
  });
}

/** RANKING §1.3: words in strings count half as much again. */
export const STRING_WEIGHT = 1.5;

const NO_POSTINGS = new Uint8Array();

/** A file's facts with its words as numbers of the index's vocabulary. Getters may make parts when they are asked for. */
export interface IndexedFacts
  extends Pick<
    FileFacts,
    'path' | 'contentHash' | 'language' | 'outcome' | 'lineCount' | 'isGenerated' | 'definitions'
  > {
  /** Number of `definitions`, known without making them. */
  readonly definitionCount: number;
  /** Vocabulary numbers of the names of `definitions`, where they are known without these. */
  readonly nameWords?: Uint32Array | undefined;
  /** What `definitions` are made of, where they are columns. */
  readonly stored?: StoredRange | undefined;
  /** Vocabulary number of each word of the file, references first, in the order of its postings. */
  readonly words: Uint32Array;
  /** How often each of the first words is mentioned in code, the language's own left out. */
  readonly referenceCounts: Uint32Array;
  /** Definitions that hold each of `words`, packed (`wordPostings.ts`); undefined where that is not known. */
  readonly postings: Uint8Array | undefined;
  /** The file's words, weighted, where they were counted before. */
  readonly wordTotal?: number | undefined;
}

function classOf({ path, isGenerated }: IndexedFacts): PathClass {
  const byPath = classifyPath(path);
  return isGenerated && byPath !== 'vendored' ? 'generated' : byPath;
}

/** Outcomes of a file that has words alone until it is parsed. */
const DEFERRED: ReadonlySet<FileOutcome> = new Set(['parsed', 'partial', 'failed', 'deadline']);
const NO_DEFINITIONS: readonly Definition[] = [];

/** Facts of a file as a scan of its words gives them, over what is known of it since. */
class WordsAlone implements IndexedFacts {
  readonly outcome = 'scanned';
  readonly definitions = NO_DEFINITIONS;
  readonly definitionCount = 0;

  constructor(private readonly whole: IndexedFacts) {}

  get path(): string {
    return this.whole.path;
  }

  get contentHash(): string {
    return this.whole.contentHash;
  }

  get language(): string | undefined {
    return this.whole.language;
  }

  get lineCount(): number {
    return this.whole.lineCount;
  }

  get isGenerated(): boolean {
    return this.whole.isGenerated === true;
  }

  get words(): Uint32Array {
    return this.whole.words;
  }

  get referenceCounts(): Uint32Array {
    return this.whole.referenceCounts;
  }

  get postings(): Uint8Array | undefined {
    return this.whole.postings;
  }

  get wordTotal(): number | undefined {
    return this.whole.wordTotal;
  }
}

/** What is made of a file when it is first asked for: of most files nothing is. */
interface Made {
  nameWords?: Uint32Array;
  lengths?: Float32Array;
  isInner?: Uint8Array;
  wrapped?: Int32Array;
  handles?: readonly string[];
  equals?: ReadonlyMap<string, readonly number[]>;
  qualifiedNames?: readonly string[];
}

/** One file as the index keeps it: words are numbers of its vocabulary. What few callers ask for is made for the first. */
export class IndexedFile {
  readonly path: string;
  readonly outcome: FileOutcome;
  /** Languages of one family see each other's names. */
  readonly family: string;
  readonly pathClass: PathClass;
  /** True where it is known which definitions hold the words. */
  readonly hasPostings: boolean;
  #definitions: readonly Definition[] | undefined;
  #scanned: IndexedFile | undefined;
  #made: Made | undefined;

  /** @param whole the same file, of which `facts` are a part */
  constructor(
    readonly facts: IndexedFacts,
    private readonly vocabulary: Vocabulary,
    whole?: IndexedFile,
  ) {
    this.path = facts.path;
    this.outcome = facts.outcome;
    this.family = whole?.family ?? familyOf(facts.language);
    this.hasPostings = whole?.hasPostings ?? facts.postings !== undefined;
    this.pathClass = whole?.pathClass ?? classOf(facts);
  }

  get definitions(): readonly Definition[] {
    this.#definitions ??= this.facts.definitions;
    return this.#definitions;
  }

  get words(): Uint32Array {
    return this.facts.words;
  }

  get referenceCounts(): Uint32Array {
    return this.facts.referenceCounts;
  }

  get postings(): Uint8Array {
    return this.facts.postings ?? NO_POSTINGS;
  }

  /** Vocabulary number of each definition's name. */
  get nameWords(): Uint32Array {
    const { vocabulary } = this;
    const { stored, nameWords } = this.facts;
    if (nameWords) return nameWords;
    this.#lazy.nameWords ??= stored
      ? nameIds(stored, (text, start, end) => vocabulary.idOfBytes(text, start, end))
      : Uint32Array.from(this.definitions, ({ name }) => vocabulary.idOf(name));
    return this.#lazy.nameWords;
  }

  /** Words that each definition holds, weighted; the last is what no definition holds. */
  get lengths(): Float32Array {
    this.#lazy.lengths ??= this.#measure();
    return this.#lazy.lengths;
  }

  /** Some definitions are from a scan of lines. */
  get isGuessed(): boolean {
    return this.definitions.some(({ isGuessed }) => isGuessed);
  }

  /** 1 for each definition inside of a function: no other file can mean it by its name. */
  get isInner(): Uint8Array {
    this.#lazy.isInner ??= innerOnes(this.definitions);
    return this.#lazy.isInner;
  }

  /** This file as a scan of its words gives it, whether it was parsed since or not; itself where there is nothing to parse. */
  get scanned(): IndexedFile {
    this.#scanned ??=
      DEFERRED.has(this.outcome) && hasGrammar(languageOf(this.path) ?? '')
        ? new IndexedFile(new WordsAlone(this.facts), this.vocabulary, this)
        : this;
    return this.#scanned;
  }

  /** True if both define the same names, whatever the text around: so after most saves. */
  definesTheSameAs(other: IndexedFile): boolean {
    if (this === other) return true;
    return (
      this.path === other.path &&
      this.family === other.family &&
      this.pathClass === other.pathClass &&
      this.hasPostings === other.hasPostings &&
      this.facts.definitionCount === other.facts.definitionCount &&
      this.definitions.every(({ kind, isLocal }, at) => {
        const twin = other.definitions[at];
        const isAlike = kind === twin?.kind && isLocal === twin.isLocal && this.isInner[at] === other.isInner[at];
        return isAlike && this.nameWords[at] === other.nameWords[at];
      })
    );
  }

  /** The handle of each definition, computed once. */
  get handles(): readonly string[] {
    this.#lazy.handles ??= symbolHandles(this.path, this.definitions, this.qualifiedNames);
    return this.#lazy.handles;
  }

  get qualifiedNames(): readonly string[] {
    this.#lazy.qualifiedNames ??= qualifiedNames(this.definitions);
    return this.#lazy.qualifiedNames;
  }

  /** The definition whose row stands for this one: the type that a namespace holds and nothing else, else itself. */
  rowOf(index: number): number {
    this.#lazy.wrapped ??= wrappedOnes(this.definitions);
    const { wrapped } = this.#lazy;
    for (let at = index; ; at = wrapped[at] as number) if ((wrapped[at] ?? -1) < 0) return at;
  }

  /** The innermost definition around one that has a row of its own, or -1. */
  rowParent(index: number): number {
    let at = this.definitions[index]?.parent ?? -1;
    while (at >= 0 && this.rowOf(at) !== at) at = this.definitions[at]?.parent ?? -1;
    return at;
  }

  /** A name or signature with the namespaces before the name that have no row: `class RuboCop::Cop::Base`. */
  qualifiedIn(index: number, text: string): string {
    const names: string[] = [];
    for (let at = this.definitions[index]?.parent ?? -1; at >= 0; at = this.definitions[at]?.parent ?? -1) {
      if (this.rowOf(at) === at) break;
      names.unshift((this.definitions[at] as Definition).name);
    }
    const { name = '' } = this.definitions[index] ?? {};
    const separator = SEPARATORS[this.family] ?? '.';
    return names.length === 0 ? text : text.replace(name, () => [...names, name].join(separator));
  }

  /** Says the same of two definitions that read the same at the same place: `#ifdef` branches, implementations. */
  signatureKey(index: number): string {
    const { parent, scope = '', signature } = this.definitions[index] as Definition;
    return `${parent}\0${scope}\0${signature}`;
  }

  /** First lines of the other definitions that read the same at the same place, which a map does not list again. */
  equalLines(index: number): readonly number[] {
    this.#lazy.equals ??= equalsOf(this);
    const own = this.definitions[index]?.lineStart;
    return (this.#lazy.equals.get(this.signatureKey(index)) ?? []).filter((line) => line !== own);
  }

  get #lazy(): Made {
    this.#made ??= {};
    return this.#made;
  }

  #measure(): Float32Array {
    const { definitionCount: count, wordTotal } = this.facts;
    if (count === 0 && wordTotal !== undefined) return Float32Array.of(wordTotal);
    const lengths = new Float32Array(count + 1);
    const reader = new PostingReader();
    reader.open(this.postings);
    for (let word = 0; this.hasPostings && word < this.words.length; word++) {
      reader.nextWord();
      while (reader.next()) {
        const at = reader.owner < 0 || reader.owner > count ? count : reader.owner;
        lengths[at] = (lengths[at] as number) + reader.code + reader.comment + STRING_WEIGHT * reader.string;
      }
    }
    return lengths;
  }

  /** All definitions with their places and handles, in document order. */
  get symbols(): readonly MapSymbol[] {
    return this.definitions.flatMap((_, index) => this.symbol(index) ?? []);
  }

  /** The definition at `index` with its place and handle. */
  symbol(index: number): MapSymbol | undefined {
    const definition = this.definitions[index];
    const handle = this.handles[index];
    const qualifiedName = this.qualifiedNames[index];
    if (!definition || handle === undefined || qualifiedName === undefined) return undefined;
    const { kind, name, signature, doc, lineStart, lineEnd } = definition;
    return { handle, path: this.path, kind, name, qualifiedName, signature, doc, lineStart, lineEnd };
  }
}

/** Lines by signature, where more than one definition has it. */
function equalsOf(file: IndexedFile): ReadonlyMap<string, readonly number[]> {
  const lines = new Map<string, number[]>();
  file.definitions.forEach(({ lineStart }, index) => {
    const key = file.signatureKey(index);
    const known = lines.get(key);
    if (known) known.push(lineStart);
    else lines.set(key, [lineStart]);
  });
  return new Map([...lines].filter(([, all]) => all.length > 1));
}

/** A file among others with the number of its first definition, where all of theirs are numbered through. */
export interface NumberedFile {
  readonly file: IndexedFile;
  readonly base: number;
}

/** Whether the same files define the same names: what one of them mentions can then be looked at alone. */
export function isSameDefinitions(files: readonly IndexedFile[], before: readonly IndexedFile[]): boolean {
  return files.length === before.length && files.every((file, at) => file.definesTheSameAs(before[at] as IndexedFile));
}
