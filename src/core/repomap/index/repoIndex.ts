/** The repo map's index: all files' facts, in memory. It decides what is kept and how it is found again. */
import type { FileOutcome, FoundSymbol } from '../../model/repoMap';
import type { PackedFacts } from '../facts/factsCodec';
import { languageOf } from '../facts/languages';
import type { FileContent, UnreadOutcome } from './fileContent';
import { type IndexedFacts, IndexedFile, SYMBOL_PREFIX } from './indexedFile';
import { findLoosely, type Place } from './nameLookup';
import { BYTES_TOGETHER, PackedFile, packTogether } from './packedFile';
import { Vocabulary } from './vocabulary';

const UNTROUBLED: ReadonlySet<FileOutcome> = new Set([
  'parsed',
  'partial',
  'editorSymbols',
  'lineScan',
  'noGrammar',
  'scanned',
]);

const NOTHING = { definitions: [], words: new Uint32Array(), referenceCounts: new Uint32Array(), postings: undefined };

/** Facts by path. Everything it returns is sorted by path, whatever the order of insertion. */
export class RepoIndex {
  readonly #files = new Map<string, IndexedFile>();
  /** All words of all files. */
  readonly vocabulary: Vocabulary;
  #sorted: readonly IndexedFile[] | undefined;
  #revision = 0;
  /** Files that share no columns yet. */
  #unpacked: PackedFile[] = [];
  #unpackedBytes = 0;

  /** @param vocabulary seed and id of it */
  constructor(...vocabulary: ConstructorParameters<typeof Vocabulary>) {
    this.vocabulary = new Vocabulary(...vocabulary);
  }

  /** Increases with every change. */
  get revision(): number {
    return this.#revision;
  }

  /** All files, sorted by path. */
  get files(): readonly IndexedFile[] {
    this.#sorted ??= [...this.#files.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
    return this.#sorted;
  }

  /** The file at exactly that path. */
  fileAt(path: string): IndexedFile | undefined {
    return this.#files.get(path);
  }

  /** Files of these contents, in no order. Linear in the number of files. */
  withContent(contentHashes: ReadonlySet<string>): readonly IndexedFile[] {
    return [...this.#files.values()].filter(({ facts }) => contentHashes.has(facts.contentHash));
  }

  /** Adds a file or replaces the one at the same path. */
  upsert({ packed, definitions, ...facts }: PackedFacts): void {
    const { referenceCounts, postings } = packed;
    const held = { words: this.vocabulary.idsOf(packed), referenceCounts, postings, definitions };
    this.#add(new PackedFile(facts.path, { ...facts, definitionCount: definitions.length }, held));
  }

  /** The same for a file of which nothing is known but why it was not read. */
  list({ path, contentHash }: FileContent, outcome: UnreadOutcome): void {
    const language = languageOf(path);
    this.put({ path, contentHash, language, outcome, lineCount: 0, definitionCount: 0, ...NOTHING });
  }

  /** Puts what is known of a file's content to another path. */
  copy(file: PackedFile, path: string): void {
    this.#add(file.at(path));
  }

  /** The same for facts whose words are numbers of `vocabulary`. */
  put(facts: IndexedFacts): void {
    this.#files.set(facts.path, new IndexedFile(facts, this.vocabulary));
    this.#changed();
  }

  /** Forgets a file; nothing happens when it is not there. */
  remove(path: string): void {
    if (this.#files.delete(path)) this.#changed();
  }

  /**
   * The definitions of `sym:1f3a9c0e`; or, with or without `sym:`, of `path:qualified.name`, where nothing has that name
   * those whose name ends so, else of a name, a place or a line of a map (`nameLookup.ts`). Several when handles collide or
   * a name is defined more than once. Linear in the number of symbols.
   */
  findPlaces(handle: string): readonly Place[] {
    const rest = handle.startsWith(SYMBOL_PREFIX) ? handle.slice(SYMBOL_PREFIX.length) : handle;
    if (rest === handle || !/^[0-9a-f]{8}$/.test(rest)) {
      const inFile = this.#byName(rest);
      return inFile.length > 0 ? inFile : findLoosely(this, rest);
    }
    return this.files.flatMap((file) =>
      file.handles.flatMap((known, index) => (known === handle ? [{ file, index }] : [])),
    );
  }

  /** Files that could not be read as what they are, sorted by path. */
  troubled(): readonly { readonly path: string; readonly outcome: FileOutcome }[] {
    return this.files.filter((file) => !UNTROUBLED.has(file.outcome)).map(({ path, outcome }) => ({ path, outcome }));
  }

  #byName(rest: string): readonly Place[] {
    const whole = this.#named(rest, (known, name) => known === name);
    if (whole.length > 0) return whole;
    // A map lists members below their class by their own names.
    return this.#named(rest, (known, name) => known.endsWith(`.${name}`));
  }

  #named(rest: string, isIt: (known: string, name: string) => boolean): readonly Place[] {
    for (let colon = rest.indexOf(':'); colon >= 0; colon = rest.indexOf(':', colon + 1)) {
      const file = this.#files.get(rest.slice(0, colon));
      if (!file) continue;
      const name = rest.slice(colon + 1).replaceAll('::', '.');
      const found = file.qualifiedNames.flatMap((known, index) => (isIt(known, name) ? [{ file, index }] : []));
      if (found.length > 0) return found;
    }
    return [];
  }

  #add(file: PackedFile): void {
    this.put(file);
    this.#unpacked.push(file);
    this.#unpackedBytes += file.sizeBytes;
    if (this.#unpackedBytes < BYTES_TOGETHER) return;
    packTogether(this.#unpacked.filter((each) => this.#files.get(each.path)?.facts === each));
    this.#unpacked = [];
    this.#unpackedBytes = 0;
  }

  #changed(): void {
    this.#revision++;
    this.#sorted = undefined;
  }
}

/** A definition with what stands right inside of it. */
export function foundSymbol({ file, index }: Place): FoundSymbol | undefined {
  const symbol = file.symbol(index);
  const parts = file.definitions.flatMap(({ parent }, at) => (parent === index ? (file.symbol(at) ?? []) : []));
  return symbol && parts.length > 0 ? { ...symbol, parts } : symbol;
}
