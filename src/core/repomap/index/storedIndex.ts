/** What of an index outlives the process: rows of stored segments become files of the index, files become rows. */
import { FILE_OUTCOMES, type FileOutcome } from '../../model/repoMap';
import { parseTraits } from '../facts/languages';
import type { Definition } from '../facts/types';
import type { FileContent } from './fileContent';
import { type IndexedFacts, type IndexedFile, STRING_WEIGHT } from './indexedFile';
import { PackedFile } from './packedFile';
import type { RepoIndex } from './repoIndex';
import { encodeSegment, linesOf, openSegment, type Segment } from './segment';
import {
  type DefinitionColumns,
  DefinitionWriter,
  PackedTexts,
  type Packing,
  packTexts,
  readDefinitions,
  type StoredRange,
} from './storedDefinitions';
import type { NumberedList, Vocabulary } from './vocabulary';
import { doubledTotalOf } from './wordPostings';

/**
 * What the facts of a file depend on. The path itself is no part of it, so that renamed, moved and copied files, another
 * checkout and a branch that comes back are known.
 */
export function factsKey(path: string, contentHash: string): string {
  return `${contentHash}${parseTraits(path)}`;
}

/** Outcomes that depend on the moment, and are worth another try, or on the editor. */
const PASSING: ReadonlySet<FileOutcome> = new Set(['failed', 'deadline', 'unreadable', 'editorSymbols']);

/** Whether facts of that outcome are worth keeping. */
export function isLasting(outcome: FileOutcome): boolean {
  return !PASSING.has(outcome);
}

/** Facts in a segment that no file of the folder has, beside those of so many that have: other branches'. */
const UNUSED_SHARE = 0.5;
const MIN_UNUSED_BYTES = 8 * 1024 * 1024;

/** Of the words of all segments, those that no other one has: with seven of them 0.55, measured. */
const NEW_SHARE = 0.6;

/** Files that were listed without being read have other words in its place. */
const HASH = /^[0-9a-f]{16,}$/u;
const ENCODER = new TextEncoder();
const NOTHING = new Uint8Array();

/** A segment whose words have the numbers of the index. */
interface Loaded {
  readonly segment: Segment;
  readonly columns: DefinitionColumns;
  readonly keys: readonly string[];
  readonly languages: readonly string[];
}

/** A row of a segment: a place, of which nothing is decoded. */
interface Row {
  readonly loaded: Loaded;
  readonly at: number;
}

function part<T extends Uint8Array | Uint32Array>(column: T, ends: Uint32Array, at: number): T {
  return column.subarray(at === 0 ? 0 : ends[at - 1], ends[at]) as T;
}

/** In place: a copy for each of thousands of files takes longer than all else that is done with them. */
function renumber(words: Uint32Array, ids: Uint32Array): void {
  for (let at = 0; at < words.length; at++) words[at] = ids[words[at] as number] as number;
}

/** A segment with its lists in text, and its words. */
interface Opened extends Pick<Loaded, 'segment' | 'keys' | 'languages'> {
  readonly list: NumberedList;
}

/** Undefined for bytes that are no segment, or whose lists do not say something of each row. */
function open(bytes: Uint8Array): Opened | undefined {
  const segment = openSegment(bytes);
  if (!segment) return undefined;
  const [keys, languages] = [linesOf(segment.keys), linesOf(segment.languages)];
  if (keys.length !== segment.rowCount || segment.language.some((each) => each > languages.length)) return undefined;
  const { vocabulary, vocabularyEnds, vocabularyNumbers } = segment;
  return { segment, keys, languages, list: { text: vocabulary, ends: vocabularyEnds, numbers: vocabularyNumbers } };
}

/** The first segment with the others that its process wrote: words have the same numbers there. */
function firstFamily(opened: readonly Opened[]): readonly Opened[] {
  const writerOf = (each: Opened | undefined): string => each?.segment.writer.join() ?? '';
  const first = writerOf(opened[0]);
  return first === '' ? [] : opened.filter((each) => writerOf(each) === first);
}

function outcomeAt({ loaded: { segment }, at }: Row): FileOutcome {
  return FILE_OUTCOMES[segment.outcome[at] as number] as FileOutcome;
}

/** Facts of a file that lie in a segment. */
class StoredFacts implements IndexedFacts {
  readonly outcome: FileOutcome;
  readonly language: string | undefined;
  #words: Uint32Array | undefined;

  constructor(
    readonly path: string,
    readonly contentHash: string,
    readonly row: Row,
  ) {
    const { segment, languages } = row.loaded;
    this.outcome = outcomeAt(row);
    this.language = languages[(segment.language[row.at] as number) - 1];
  }

  get lineCount(): number {
    return this.#number('lineCount');
  }

  get isGenerated(): boolean {
    return this.#number('isGenerated') === 1;
  }

  get definitionCount(): number {
    const { definitionEnds } = this.row.loaded.segment;
    return (definitionEnds[this.row.at] as number) - (definitionEnds[this.row.at - 1] ?? 0);
  }

  get wordTotal(): number {
    return this.#number('wordTotal') / 2;
  }

  get words(): Uint32Array {
    if (this.#words) return this.#words;
    const { loaded, at } = this.row;
    this.#words = part(loaded.segment.words, loaded.segment.wordEnds, at);
    return this.#words;
  }

  get referenceCounts(): Uint32Array {
    return part(this.row.loaded.segment.references, this.row.loaded.segment.referenceEnds, this.row.at);
  }

  get postings(): Uint8Array | undefined {
    const { segment } = this.row.loaded;
    return this.#number('hasPostings') === 0 ? undefined : part(segment.postings, segment.postingEnds, this.row.at);
  }

  get nameWords(): Uint32Array {
    const { segment } = this.row.loaded;
    return part(segment.names, segment.definitionEnds, this.row.at);
  }

  get stored(): StoredRange {
    const { segment, columns } = this.row.loaded;
    const { definitionEnds } = segment;
    return {
      columns,
      from: definitionEnds[this.row.at - 1] ?? 0,
      to: definitionEnds[this.row.at] as number,
    };
  }

  get definitions(): readonly Definition[] {
    return readDefinitions(this.stored);
  }

  #number(column: 'lineCount' | 'isGenerated' | 'wordTotal' | 'hasPostings'): number {
    return this.row.loaded.segment[column][this.row.at] as number;
  }
}

/** What was saved: keys of the rows, the rows that are words alone, and the segment. */
export interface SavedSegment {
  readonly keys: readonly string[];
  readonly scanned: readonly number[];
  readonly bytes: Uint8Array;
}

/** A file as it is written: whatever it was made of. */
interface Writing {
  readonly key: string;
  readonly file: Pick<IndexedFile, 'facts' | 'nameWords'>;
}

/** The segments that an index was filled from. */
export class StoredIndex {
  readonly #rows = new Map<string, Row>();

  constructor(
    private readonly index: RepoIndex,
    private readonly packing: Packing,
  ) {}

  /** Takes segments in, and their bytes over, the largest first for least work; those that are no use are passed over. */
  load(segments: readonly Uint8Array[]): void {
    const whole = segments.flatMap((bytes) => open(bytes) ?? []);
    const { vocabulary } = this.index;
    const related = vocabulary.size === 0 ? firstFamily(whole) : [];
    const numbered = related.length > 1 ? vocabulary.adoptNumbered(related.map(({ list }) => list)) : undefined;
    const others = whole.filter(({ list }) => !numbered?.has(list));
    for (const each of related) {
      const ids = numbered?.get(each.list);
      if (ids) this.#take(each, ids);
    }
    const expected = vocabulary.size + NEW_SHARE * others.reduce((sum, { list }) => sum + list.ends.length, 0);
    for (const each of others) this.#take(each, vocabulary.adopt(each.list, expected));
  }

  /** @param ids the numbers of its words in the vocabulary */
  #take({ segment, keys, languages }: Opened, ids: Uint32Array | 'as they are'): void {
    if (ids !== 'as they are') for (const numbers of [segment.words, segment.names]) renumber(numbers, ids);
    const columns = { ...segment, texts: new PackedTexts(segment, this.packing) };
    const loaded = { segment, columns, keys, languages };
    for (const [at, key] of keys.entries()) {
      const known = this.#rows.get(key);
      if (!known || outcomeAt(known) === 'scanned') this.#rows.set(key, { loaded, at });
    }
  }

  /** Puts files into the index by what their keys stand for; returns the paths of which nothing usable is stored. */
  adopt(files: readonly FileContent[]): readonly string[] {
    const missing = files.filter(({ path, contentHash }) => {
      const row = this.#rows.get(factsKey(path, contentHash));
      if (row) this.index.put(new StoredFacts(path, contentHash, row));
      return row === undefined;
    });
    return missing.length === 0 ? [] : this.#copy(missing);
  }

  /** The same of files that were parsed since, which the index has at other paths. */
  #copy(files: readonly FileContent[]): readonly string[] {
    const twins = new Map<string, PackedFile>();
    for (const { facts } of this.index.withContent(new Set(files.map(({ contentHash }) => contentHash)))) {
      const key = factsKey(facts.path, facts.contentHash);
      const isBetter = isLasting(facts.outcome) && (twins.get(key)?.outcome ?? 'scanned') === 'scanned';
      if (isBetter && facts instanceof PackedFile) twins.set(key, facts);
    }
    return files.flatMap(({ path, contentHash, wordsDo = false }) => {
      const twin = twins.get(factsKey(path, contentHash));
      if (!twin || (twin.outcome === 'scanned' && !wordsDo)) return [path];
      this.index.copy(twin, path);
      return [];
    });
  }

  /** A segment of the files at `paths`, or of all files and what else is stored; undefined when there is nothing to save. */
  save(paths: readonly string[] | 'all'): SavedSegment | undefined {
    const files = paths === 'all' ? this.index.files : paths.flatMap((path) => this.index.fileAt(path) ?? []);
    const wanted = new Map<string, Writing['file']>();
    for (const file of files) {
      const { facts } = file;
      const key = factsKey(facts.path, facts.contentHash);
      if (HASH.test(facts.contentHash) && isLasting(facts.outcome) && wanted.get(key)?.facts.outcome !== 'parsed')
        wanted.set(key, file);
    }
    if (paths === 'all') this.#addUnused(wanted);
    if (wanted.size === 0) return undefined;
    const writings = [...wanted].map(([key, file]): Writing => ({ key, file }));
    return {
      keys: writings.map(({ key }) => key),
      scanned: writings.flatMap(({ file }, at) => (file.facts.outcome === 'scanned' ? [at] : [])),
      bytes: encodeRows(writings, this.index.vocabulary, this.packing),
    };
  }

  /** Rows of other branches and of files that are gone, as far as there is room. */
  #addUnused(wanted: Map<string, Writing['file']>): void {
    const sizeOf = ({ words, postings }: IndexedFacts): number => words.length * 4 + (postings?.length ?? 0);
    let left = MIN_UNUSED_BYTES;
    for (const { facts } of wanted.values()) left += UNUSED_SHARE * sizeOf(facts);
    for (const [key, row] of this.#rows) {
      const known = wanted.get(key)?.facts;
      const facts = new StoredFacts('', key.slice(0, 16), row);
      // The folder's own file is parsed in a segment already.
      if (known && !(known.outcome === 'scanned' && facts.outcome !== 'scanned')) continue;
      left -= sizeOf(facts);
      if (left < 0) return;
      wanted.set(key, { facts, nameWords: facts.nameWords });
    }
  }
}

/** Twice the weighted words: a whole number, since words in strings count half as much again. */
function doubledTotal({ wordTotal, postings = NOTHING }: IndexedFacts): number {
  return Math.round(wordTotal === undefined ? doubledTotalOf(postings, STRING_WEIGHT) : 2 * wordTotal);
}

/** The words of files in the order of the vocabulary, and what number each gets there by its number in it. */
function usedWords(writings: readonly Writing[], vocabulary: Vocabulary) {
  const numberOf = new Uint32Array(vocabulary.size);
  for (const { file } of writings)
    for (const words of [file.facts.words, file.nameWords]) for (const word of words) numberOf[word] = 1;
  const count = numberOf.reduce((sum, isUsed) => sum + isUsed, 0);
  const vocabularyEnds = new Uint32Array(count);
  const vocabularyNumbers = new Uint32Array(count);
  const all = vocabulary.list();
  const texts: Uint8Array[] = [];
  let bytes = 0;
  let number = 0;
  for (let word = 0; word < numberOf.length; word++) {
    if (numberOf[word] === 0) continue;
    const text = all.text.subarray(word === 0 ? 0 : all.ends[word - 1], all.ends[word]);
    texts.push(text);
    bytes += text.length;
    vocabularyEnds[number] = bytes;
    vocabularyNumbers[number] = word;
    numberOf[word] = number++;
  }
  return { numberOf, vocabulary: texts, vocabularyEnds, vocabularyNumbers, writer: vocabulary.id };
}

function encodeRows(writings: readonly Writing[], vocabulary: Vocabulary, packing: Packing): Uint8Array {
  // Names may be new words.
  const nameCount = writings.reduce((sum, { file }) => sum + file.nameWords.length, 0);
  const { numberOf, ...vocabularyColumns } = usedWords(writings, vocabulary);
  const wordCount = writings.reduce((sum, { file }) => sum + file.facts.words.length, 0);
  const words = new Uint32Array(wordCount);
  const names = new Uint32Array(nameCount);
  const references = new Uint32Array(writings.reduce((sum, { file }) => sum + file.facts.referenceCounts.length, 0));
  const rows = writings.length;
  const column = (): Uint32Array => new Uint32Array(rows);
  const of = {
    ...{ language: column(), outcome: column(), isGenerated: column(), lineCount: column() },
    ...{ wordTotal: column(), wordEnds: column(), referenceEnds: column(), hasPostings: column() },
    ...{ postingEnds: column(), definitionEnds: column() },
  };
  const languages = new Map<string, number>();
  const postings: Uint8Array[] = [];
  const definitions = new DefinitionWriter();
  const at = { word: 0, name: 0, reference: 0, posting: 0 };
  writings.forEach(({ file: { facts, nameWords } }, row) => {
    const { language } = facts;
    if (language !== undefined && !languages.has(language)) languages.set(language, languages.size + 1);
    of.language[row] = language === undefined ? 0 : (languages.get(language) as number);
    of.outcome[row] = FILE_OUTCOMES.indexOf(facts.outcome);
    of.isGenerated[row] = facts.isGenerated ? 1 : 0;
    of.lineCount[row] = facts.lineCount;
    of.wordTotal[row] = doubledTotal(facts);
    for (const word of facts.words) words[at.word++] = numberOf[word] as number;
    of.wordEnds[row] = at.word;
    references.set(facts.referenceCounts, at.reference);
    at.reference += facts.referenceCounts.length;
    of.referenceEnds[row] = at.reference;
    const packed = facts.postings;
    of.hasPostings[row] = packed ? 1 : 0;
    postings.push(packed ?? NOTHING);
    at.posting += packed?.length ?? 0;
    of.postingEnds[row] = at.posting;
    for (const name of nameWords) names[at.name++] = numberOf[name] as number;
    of.definitionEnds[row] = facts.stored ? definitions.copy(facts.stored) : definitions.add(facts.definitions);
  });
  const keys = ENCODER.encode(writings.map(({ key }) => key).join('\n'));
  const texts = { keys: [keys], languages: [ENCODER.encode([...languages.keys()].join('\n'))] };
  const { lineStarts, lineCounts, parents, textEnds } = definitions;
  const codes = { kinds: [Uint8Array.from(definitions.kinds)], flags: [Uint8Array.from(definitions.flags)] };
  return encodeSegment(
    {
      ...{ ...of, ...texts, words, names, references, postings, ...vocabularyColumns },
      ...{ ...codes, lineStarts, lineCounts, parents, textEnds, ...packTexts(definitions.texts, packing) },
    },
    rows,
  );
}
