/**
 * Which definitions hold which word: decides to which definition each line belongs, and packs per word the definitions
 * that hold it with their counts in code, comments and strings (RANKING §1.1).
 *
 * Packed, per word: length in bytes of its postings; then per definition, ascending: the difference to the one before
 * (the file's own lines count as definition -1) times 8 plus a form, and counts as the form says. Numbers are LEB128. A
 * posting takes 1.3 bytes on average.
 */
import {
  codeCountsOf,
  FIELD_CODE,
  FIELD_COMMENT,
  FIELD_STRING,
  fieldOf,
  lineOf,
  type WordScan,
} from '../facts/identifiers';
import type { Definition, FileFacts, FileWords } from '../facts/types';
import { ByteReader, ByteWriter, type GroupedRows, groupRows } from '../facts/varint';

/** Forms 0, 1 and 2: once, in the field of that number; 3, 4 and 5: several times in field `form - 3`; 6: in more than one. */
const FORM_SEVERAL = 3;
const FORM_MIXED = 6;
const FORM_BITS = 3;

/** Owner of lines that belong to no definition. */
export const NO_OWNER = -1;

/** The definition that each line (from 0) belongs to: the innermost around it, or that below its comment. */
export function ownersOfLines(
  definitions: readonly Definition[],
  lineCount: number,
  commentLines: ReadonlySet<number>,
): Int32Array {
  const owners = new Int32Array(lineCount + 1).fill(NO_OWNER);
  const order = definitions.map((_, index) => index);
  const at = (index: number): Definition => definitions[index] as Definition;
  order.sort((a, b) => at(a).lineStart - at(b).lineStart || at(b).lineEnd - at(a).lineEnd || a - b);
  for (const index of order) owners.fill(index, at(index).lineStart - 1, at(index).lineEnd);
  for (const index of order) {
    const first = at(index).lineStart - 1;
    if (owners[first] !== index) continue;
    const around = owners[first - 1];
    for (let line = first - 1; line >= 0 && commentLines.has(line) && owners[line] === around; line--) {
      owners[line] = index;
    }
  }
  return owners;
}

/** Occurrences of one word, by definition and field. */
class Tally {
  /** By owner plus 1, times 3 plus field. */
  readonly #counts: Uint32Array;
  /** Those that have counts: `#size` of them. */
  readonly #owners: Int32Array;
  #size = 0;
  #isSorted = true;

  constructor(definitionCount: number) {
    this.#counts = new Uint32Array((definitionCount + 1) * 3);
    this.#owners = new Int32Array(definitionCount + 1);
  }

  add(owner: number, field: number): void {
    const at = (owner + 1) * 3;
    const counts = this.#counts;
    if (counts[at] === 0 && counts[at + 1] === 0 && counts[at + 2] === 0) {
      if (this.#size > 0 && (this.#owners[this.#size - 1] as number) > owner) this.#isSorted = false;
      this.#owners[this.#size++] = owner;
    }
    counts[at + field] = (counts[at + field] as number) + 1;
  }

  /** Writes what was added, ascending by owner, and forgets it. */
  flush(out: ByteWriter): void {
    if (!this.#isSorted) this.#owners.subarray(0, this.#size).sort();
    let before = NO_OWNER;
    for (let at = 0; at < this.#size; at++) {
      const owner = this.#owners[at] as number;
      this.#write(out, owner - before, (owner + 1) * 3);
      before = owner;
    }
    this.#size = 0;
    this.#isSorted = true;
  }

  #write(out: ByteWriter, delta: number, at: number): void {
    const counts = this.#counts;
    const code = counts[at + FIELD_CODE] as number;
    const comment = counts[at + FIELD_COMMENT] as number;
    const string = counts[at + FIELD_STRING] as number;
    const field = code > 0 ? FIELD_CODE : comment > 0 ? FIELD_COMMENT : FIELD_STRING;
    const total = code + comment + string;
    if (total !== counts[at + field]) {
      out.number((delta << FORM_BITS) | FORM_MIXED);
      out.number(code);
      out.number(comment);
      out.number(string);
    } else if (total === 1) out.number((delta << FORM_BITS) | field);
    else {
      out.number((delta << FORM_BITS) | (FORM_SEVERAL + field));
      out.number(total);
    }
    counts.fill(0, at, at + 3);
  }
}

/** Packs words one after another, each with the definitions that hold it. */
class Packer {
  /** Occurrences by word. */
  readonly #groups: GroupedRows;
  readonly #tally: Tally;
  readonly #out = new ByteWriter();
  readonly #own = new ByteWriter();

  /** Without `owners` everything belongs to the file itself. */
  constructor(
    private readonly scan: WordScan,
    private readonly owners: Int32Array | undefined,
    definitionCount: number,
  ) {
    this.#groups = groupRows(scan.entries, scan.words.length);
    this.#tally = new Tally(definitionCount);
  }

  add(entry: number): void {
    const { starts, order } = this.#groups;
    for (let at = starts[entry] as number; at < (starts[entry + 1] as number); at++) {
      const place = this.scan.places[order[at] as number] as number;
      this.#tally.add(this.owners?.[lineOf(place)] ?? NO_OWNER, fieldOf(place));
    }
    this.#own.clear();
    this.#tally.flush(this.#own);
    this.#out.number(this.#own.length);
    this.#out.appendFrom(this.#own);
  }

  bytes(): Uint8Array {
    return this.#out.bytes();
  }
}

/** The references of a scan and, for all its words, which definitions hold them. Linear. */
export function packWords(
  scan: WordScan,
  definitions: readonly Definition[],
  lineCount: number,
  ignored?: ReadonlySet<string>,
): Required<Pick<FileFacts, 'references' | 'words'>> {
  const packer = new Packer(scan, ownersOfLines(definitions, lineCount, scan.commentLines), definitions.length);
  const counts = codeCountsOf(scan);
  const references: (readonly [string, number])[] = [];
  const others: number[] = [];
  scan.words.forEach((word, entry) => {
    const count = counts[entry] as number;
    if (count === 0 || ignored?.has(word)) others.push(entry);
    else {
      references.push([word, count]);
      packer.add(entry);
    }
  });
  for (const entry of others) packer.add(entry);
  return {
    references,
    words: { others: others.map((entry) => scan.words[entry] as string), postings: packer.bytes() },
  };
}

/** All words of a scan, held by the file itself: what is known of it before it is parsed. */
export function packUnownedWords(scan: WordScan): FileWords {
  const packer = new Packer(scan, undefined, 0);
  for (let entry = 0; entry < scan.words.length; entry++) packer.add(entry);
  return { others: scan.words, postings: packer.bytes() };
}

/** Reads packed postings word by word; one instance is reused for all files of a query. */
export class PostingReader {
  readonly #reader = new ByteReader();
  #end = 0;
  /** The definition read last. */
  owner = NO_OWNER;
  code = 0;
  comment = 0;
  string = 0;

  open(postings: Uint8Array): void {
    this.#reader.open(postings);
    this.#end = 0;
  }

  /** Goes to the next word, after `skipped` others; to be called once before its postings. */
  nextWord(skipped = 0): void {
    this.#reader.at = this.#end;
    if (skipped > 0) this.#reader.skipParts(skipped);
    const length = this.#reader.number();
    this.#end = this.#reader.at + Math.min(this.#reader.left, length);
    this.owner = NO_OWNER;
  }

  /** Reads the next posting of the word; false when there is none. */
  next(): boolean {
    if (this.#reader.at >= this.#end) return false;
    const head = this.#reader.number();
    this.owner += head >>> FORM_BITS;
    const form = head & ((1 << FORM_BITS) - 1);
    this.code = this.comment = this.string = 0;
    if (form === FORM_MIXED) {
      this.code = this.#reader.number();
      this.comment = this.#reader.number();
      this.string = this.#reader.number();
      return true;
    }
    const count = form < FORM_SEVERAL ? 1 : this.#reader.number();
    const field = form < FORM_SEVERAL ? form : form - FORM_SEVERAL;
    if (field === FIELD_CODE) this.code = count;
    else if (field === FIELD_COMMENT) this.comment = count;
    else this.string = count;
    return true;
  }
}

/** Twice the words of packed postings, those in strings `stringWeight` times, whatever definition holds them. */
export function doubledTotalOf(postings: Uint8Array, stringWeight: number): number {
  const reader = new ByteReader(postings);
  let plain = 0;
  let strings = 0;
  while (reader.left > 0) {
    const length = reader.number();
    const end = reader.at + Math.min(reader.left, length);
    while (reader.at < end) {
      const form = reader.number() & ((1 << FORM_BITS) - 1);
      if (form === FORM_MIXED) {
        plain += reader.number() + reader.number();
        strings += reader.number();
        continue;
      }
      const count = form < FORM_SEVERAL ? 1 : reader.number();
      if (form % FORM_SEVERAL === FIELD_STRING) strings += count;
      else plain += count;
    }
    reader.at = end;
  }
  return 2 * plain + 2 * stringWeight * strings;
}
