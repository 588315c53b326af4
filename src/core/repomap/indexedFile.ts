import { qualifiedNames, symbolHandles } from './handles';
import { familyOf } from './languages';
import { classifyPath, type PathClass } from './pathClass';
import type { Definition, FileFacts, FileOutcome, MapSymbol } from './types';
import { PostingReader } from './wordPostings';

/** Hands out the numbers that files keep instead of names. */
export interface NameKeeper {
  /** A name of one family of languages, held until it is released. */
  retain(name: string): number;
  /** A word, whatever the language. */
  wordOf(word: string): number;
}

/** RANKING §1.3: words in strings count half as much again. */
export const STRING_WEIGHT = 1.5;

const NO_POSTINGS = new Uint8Array();

/** One file as the index keeps it: names are ids of its pool. */
export class IndexedFile {
  readonly path: string;
  readonly outcome: FileOutcome;
  readonly definitions: readonly Definition[];
  /** Pool id of each definition's name. */
  readonly definedNames: Uint32Array;
  /** Pool ids of the names mentioned, definitions' own included, and how often each is. */
  readonly referencedNames: Uint32Array;
  readonly referenceCounts: Uint32Array;
  readonly pathClass: PathClass;
  /** Vocabulary number of each word of the file, in the order of its postings. */
  readonly words: Uint32Array;
  /** Who holds each of `words`, packed (`wordPostings.ts`). */
  readonly postings: Uint8Array;
  /** Vocabulary number of each definition's name. */
  readonly nameWords: Uint32Array;
  /** Words that each definition holds, weighted; the last is what no definition holds. */
  readonly lengths: Float32Array;
  #handles: readonly string[] | undefined;
  #qualifiedNames: readonly string[] | undefined;

  constructor(facts: FileFacts, names: NameKeeper) {
    const family = familyOf(facts.language);
    const idOf = (name: string) => names.retain(`${family}\0${name}`);
    this.path = facts.path;
    this.outcome = facts.outcome;
    this.definitions = facts.definitions;
    this.definedNames = Uint32Array.from(facts.definitions, (definition) => idOf(definition.name));
    this.referencedNames = Uint32Array.from(facts.references, ([name]) => idOf(name));
    this.referenceCounts = Uint32Array.from(facts.references, ([, count]) => count);
    this.words = facts.words
      ? Uint32Array.from([...facts.references.map(([name]) => name), ...facts.words.others], (word) =>
          names.wordOf(word),
        )
      : new Uint32Array();
    this.postings = facts.words?.postings ?? NO_POSTINGS;
    this.nameWords = Uint32Array.from(facts.definitions, ({ name }) => names.wordOf(name));
    this.lengths = this.#measure();
    const byPath = classifyPath(facts.path);
    this.pathClass = facts.isGenerated && byPath !== 'vendored' ? 'generated' : byPath;
  }

  /** The handle of each definition, computed once. */
  get handles(): readonly string[] {
    this.#handles ??= symbolHandles(this.path, this.definitions, this.qualifiedNames);
    return this.#handles;
  }

  get qualifiedNames(): readonly string[] {
    this.#qualifiedNames ??= qualifiedNames(this.definitions);
    return this.#qualifiedNames;
  }

  #measure(): Float32Array {
    const count = this.definitions.length;
    const lengths = new Float32Array(count + 1);
    const reader = new PostingReader();
    reader.open(this.postings);
    for (let word = 0; word < this.words.length; word++) {
      reader.nextWord();
      while (reader.next()) {
        const at = reader.owner < 0 ? count : reader.owner;
        if (at <= count)
          lengths[at] = (lengths[at] as number) + reader.code + reader.comment + STRING_WEIGHT * reader.string;
      }
    }
    return lengths;
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
