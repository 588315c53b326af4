/**
 * A stored part of the index: facts of many files as columns over one buffer, read in place. Opening one checks its shape
 * and makes no object for a file; strings and definitions are decoded when they are asked for. What is in a row says
 * `storedIndex.ts`; that bytes come back as they were written, `CacheStore`.
 */
import { FILE_OUTCOMES } from '../../model/repoMap';
import { hashText } from '../../text/hash';
import { FACTS_VERSION } from '../facts/factsCodec';
import { areDefinitions } from './storedDefinitions';

/** The form of each column: a new field is a line here. `rows`: one number a row; `ends`: one a row, where its part of the column below ends. */
const COLUMNS = {
  /** Keys of the rows, and names of languages, one a line. */
  keys: 'bytes',
  languages: 'bytes',
  /** Number of the language plus 1, 0 for none. */
  language: 'rows',
  outcome: 'rows',
  isGenerated: 'rows',
  lineCount: 'rows',
  /** Of all words, weighted, doubled: a whole number. */
  wordTotal: 'rows',
  wordEnds: 'ends',
  words: 'numbers',
  referenceEnds: 'ends',
  references: 'numbers',
  /** Plus 1; 0 for a file without. */
  hasPostings: 'rows',
  postingEnds: 'ends',
  postings: 'bytes',
  /** In the columns of definitions (`storedDefinitions.ts`). */
  definitionEnds: 'ends',
  kinds: 'bytes',
  /** Numbers of their names. */
  names: 'numbers',
  lineStarts: 'numbers',
  lineCounts: 'numbers',
  parents: 'numbers',
  flags: 'bytes',
  textEnds: 'numbers',
  /** Packed parts, where each ends, and where its text ends among all texts. */
  texts: 'bytes',
  partEnds: 'numbers',
  partTextEnds: 'numbers',
  /** The words that `words` and `names` number. */
  vocabulary: 'bytes',
  vocabularyEnds: 'numbers',
  /** The vocabulary of the process that wrote them, and their numbers in it. */
  writer: 'numbers',
  vocabularyNumbers: 'numbers',
} as const;

export type ColumnName = keyof typeof COLUMNS;
type NumberColumn = { [K in ColumnName]: (typeof COLUMNS)[K] extends 'bytes' ? never : K }[ColumnName];
type ByteColumn = Exclude<ColumnName, NumberColumn>;
type Columns = { readonly [K in NumberColumn]: Uint32Array } & { readonly [K in ByteColumn]: Uint8Array };

const NAMES = Object.keys(COLUMNS) as ColumnName[];
const ENDS_OF = {
  wordEnds: 'words',
  referenceEnds: 'references',
  postingEnds: 'postings',
  definitionEnds: 'kinds',
} as const;
const LAYOUT = 6;
const WORD = 4;
/** Words of the head: version, byte order, rows, then the length of each column. */
const FIXED = 3;
const IS_LITTLE = new Uint8Array(Uint32Array.of(1).buffer)[0] === 1;

/** Of the layout, the facts and the byte order: segments of another one are no use. 16 hex digits. */
export const SEGMENT_VERSION = hashText(`${LAYOUT}/${FACTS_VERSION}/${IS_LITTLE ? 'little' : 'big'}/${NAMES.join()}`);

const VERSION_WORD = Number.parseInt(SEGMENT_VERSION.slice(0, 8), 16);

/** Columns of a segment as it is read. */
export type Segment = Columns & { readonly rowCount: number };

/** Lists that become columns. */
export type SegmentParts = { readonly [K in NumberColumn]: ArrayLike<number> } & {
  readonly [K in ByteColumn]: readonly Uint8Array[];
};

function sizeOf(part: ArrayLike<number> | readonly Uint8Array[], isBytes: boolean): number {
  if (!isBytes) return part.length * WORD;
  return (part as readonly Uint8Array[]).reduce((sum, { length }) => sum + length, 0);
}

function padded(bytes: number): number {
  return Math.ceil(bytes / WORD) * WORD;
}

/** One buffer of its own with all columns. */
export function encodeSegment(parts: SegmentParts, rowCount: number): Uint8Array {
  const sizes = NAMES.map((name) => sizeOf(parts[name], COLUMNS[name] === 'bytes'));
  const head = [VERSION_WORD, 1, rowCount, ...sizes];
  const bytes = new Uint8Array(sizes.reduce((sum, size) => sum + padded(size), head.length * WORD));
  new Uint32Array(bytes.buffer, 0, head.length).set(head);
  let at = head.length * WORD;
  for (const [index, name] of NAMES.entries()) {
    const size = sizes[index] as number;
    if (COLUMNS[name] !== 'bytes') new Uint32Array(bytes.buffer, at, size / WORD).set(parts[name] as ArrayLike<number>);
    else {
      let next = at;
      for (const part of parts[name] as readonly Uint8Array[]) {
        bytes.set(part, next);
        next += part.length;
      }
    }
    at += padded(size);
  }
  return bytes;
}

function isAscending(ends: Uint32Array, last: number): boolean {
  let before = 0;
  // Without an iterator: a million numbers, once in a process.
  for (let at = 0; at < ends.length; at++) {
    const end = ends[at] as number;
    if (end < before) return false;
    before = end;
  }
  return before === last;
}

export function areBelow(numbers: Uint32Array, limit: number): boolean {
  for (let at = 0; at < numbers.length; at++) if ((numbers[at] as number) >= limit) return false;
  return true;
}

/** The columns in place; undefined for bytes of another version or shape. @param bytes at the start of its buffer */
export function openSegment(bytes: Uint8Array): Segment | undefined {
  const headBytes = (FIXED + NAMES.length) * WORD;
  if (bytes.byteOffset % WORD !== 0 || bytes.length < headBytes || bytes.length % WORD !== 0) return undefined;
  const head = new Uint32Array(bytes.buffer, bytes.byteOffset, FIXED + NAMES.length);
  const [version, order, rowCount = 0] = head;
  if (version !== VERSION_WORD || order !== 1) return undefined;
  const found: Partial<Record<ColumnName, Uint8Array | Uint32Array>> = {};
  let at = headBytes;
  for (const [index, name] of NAMES.entries()) {
    const size = head[FIXED + index] as number;
    if (at + padded(size) > bytes.length) return undefined;
    const place = bytes.byteOffset + at;
    if (COLUMNS[name] === 'bytes') found[name] = new Uint8Array(bytes.buffer, place, size);
    else if (size % WORD !== 0) return undefined;
    else found[name] = new Uint32Array(bytes.buffer, place, size / WORD);
    at += padded(size);
  }
  const segment = { ...(found as unknown as Columns), rowCount };
  return at === bytes.length && isWhole(segment) ? segment : undefined;
}

/** Every part lies inside of its column, every number of a word is one, and definitions can be read. */
function isWhole(segment: Segment): boolean {
  const isPerRow = (name: ColumnName): boolean => COLUMNS[name] === 'rows' || COLUMNS[name] === 'ends';
  if (NAMES.some((name) => isPerRow(name) && segment[name].length !== segment.rowCount)) return false;
  const ends = Object.entries(ENDS_OF) as [keyof typeof ENDS_OF, ColumnName][];
  if (!ends.every(([end, column]) => isAscending(segment[end], segment[column].length))) return false;
  const { vocabulary, vocabularyEnds, words, names, textEnds, texts, partEnds, partTextEnds } = segment;
  if (!isAscending(vocabularyEnds, vocabulary.length) || !isAscending(partEnds, texts.length)) return false;
  const textBytes = partTextEnds.at(-1) ?? 0;
  if (partTextEnds.length !== partEnds.length || !isAscending(partTextEnds, textBytes)) return false;
  if (!isAscending(textEnds, textBytes)) return false;
  return (
    areBelow(words, vocabularyEnds.length) &&
    areBelow(names, vocabularyEnds.length) &&
    segment.vocabularyNumbers.length === vocabularyEnds.length &&
    names.length === segment.kinds.length &&
    areBelow(segment.outcome, FILE_OUTCOMES.length) &&
    areDefinitions(segment, segment.definitionEnds)
  );
}

/** Lines of a column of text; empty for an empty column. */
export function linesOf(bytes: Uint8Array): readonly string[] {
  return bytes.length === 0 ? [] : new TextDecoder().decode(bytes).split('\n');
}
