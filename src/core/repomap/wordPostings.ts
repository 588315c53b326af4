/**
 * Who holds which word: decides to which definition each line belongs, and packs per word the definitions that hold it
 * with their counts in code, comments and strings (RANKING §1.1). Which words there are is `identifiers.ts`; what they
 * are worth is `taskRanking.ts`.
 *
 * Packed, per word: length in bytes of its postings; then per definition, ascending: the difference to the one before
 * (the file's own lines count as definition -1) times 8 plus a form, and counts as the form says. Numbers are LEB128. A
 * posting takes 1.3 bytes on average.
 */
import { FIELD_CODE, FIELD_COMMENT, FIELD_STRING, referencesOf, type WordScan } from './identifiers';
import type { Definition, FileFacts } from './types';

/** Forms 0, 1 and 2: once, in the field of that number; 3, 4 and 5: several times in field `form - 3`; 6: in more than one. */
const FORM_SEVERAL = 3;
const FORM_MIXED = 6;
const FORM_BITS = 3;

/** Owner of lines that belong to no definition. */
export const NO_OWNER = -1;

/**
 * The definition that each line (from 0) belongs to: the innermost around it. A comment right above a definition
 * belongs to it. Linear in lines times nesting.
 */
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

/** Grows as bytes are written. */
class ByteWriter {
  #bytes = new Uint8Array(1024);
  #length = 0;

  number(value: number): void {
    if (this.#length + 5 > this.#bytes.length) this.#grow(5);
    let rest = value;
    for (; rest > 127; rest >>>= 7) this.#bytes[this.#length++] = (rest & 127) | 128;
    this.#bytes[this.#length++] = rest;
  }

  append(other: ByteWriter): void {
    if (this.#length + other.#length > this.#bytes.length) this.#grow(other.#length);
    this.#bytes.set(other.#bytes.subarray(0, other.#length), this.#length);
    this.#length += other.#length;
  }

  get length(): number {
    return this.#length;
  }

  clear(): void {
    this.#length = 0;
  }

  bytes(): Uint8Array {
    return this.#bytes.slice(0, this.#length);
  }

  #grow(by: number): void {
    const bytes = new Uint8Array(Math.max(this.#bytes.length * 2, this.#length + by));
    bytes.set(this.#bytes);
    this.#bytes = bytes;
  }
}

function writePosting(out: ByteWriter, delta: number, counts: readonly [number, number, number]): void {
  const fields = [FIELD_CODE, FIELD_COMMENT, FIELD_STRING].filter((field) => (counts[field] as number) > 0);
  const [field] = fields;
  if (fields.length > 1 || field === undefined) {
    out.number((delta << FORM_BITS) | FORM_MIXED);
    for (const count of counts) out.number(count);
  } else if (counts[field] === 1) out.number((delta << FORM_BITS) | field);
  else {
    out.number((delta << FORM_BITS) | (FORM_SEVERAL + field));
    out.number(counts[field] as number);
  }
}

/** Occurrences of each word, grouped: those of word `w` are `order[starts[w]]` … `order[starts[w + 1] - 1]`, in order. */
function groupByWord(scan: WordScan): { readonly starts: Uint32Array; readonly order: Uint32Array } {
  const starts = new Uint32Array(scan.words.length + 1);
  for (const entry of scan.entries) starts[entry + 1] = (starts[entry + 1] as number) + 1;
  for (let word = 0; word < scan.words.length; word++) {
    starts[word + 1] = (starts[word + 1] as number) + (starts[word] as number);
  }
  const next = starts.slice();
  const order = new Uint32Array(scan.entries.length);
  scan.entries.forEach((entry, at) => {
    const slot = next[entry] as number;
    order[slot] = at;
    next[entry] = slot + 1;
  });
  return { starts, order };
}

/** The references of a scan and, for all its words, which definitions hold them. Linear up to sorting. */
export function packWords(
  scan: WordScan,
  definitions: readonly Definition[],
  lineCount: number,
  ignored?: ReadonlySet<string>,
): Required<Pick<FileFacts, 'references' | 'words'>> {
  const references = referencesOf(scan, ignored);
  const entryOf = new Map(scan.words.map((word, entry) => [word, entry]));
  const known = new Set(references.map(([name]) => name));
  const others = scan.words.filter((word) => !known.has(word)).sort();
  const owners = ownersOfLines(definitions, lineCount, scan.commentLines);
  const { starts, order } = groupByWord(scan);
  const out = new ByteWriter();
  const own = new ByteWriter();
  for (const word of [...references.map(([name]) => name), ...others]) {
    const entry = entryOf.get(word) as number;
    const counts = new Map<number, [number, number, number]>();
    for (let at = starts[entry] as number; at < (starts[entry + 1] as number); at++) {
      const occurrence = order[at] as number;
      const owner = owners[scan.lines[occurrence] as number] ?? NO_OWNER;
      const held = counts.get(owner) ?? [0, 0, 0];
      const field = scan.fields[occurrence] as number;
      held[field] = (held[field] as number) + 1;
      counts.set(owner, held);
    }
    own.clear();
    let before = NO_OWNER;
    for (const [owner, held] of [...counts].sort(([a], [b]) => a - b)) {
      writePosting(own, owner - before, held);
      before = owner;
    }
    out.number(own.length);
    out.append(own);
  }
  return { references, words: { others, postings: out.bytes() } };
}

/** Reads packed postings word by word; one instance is reused for all files of a query. */
export class PostingReader {
  #bytes: Uint8Array = new Uint8Array();
  #at = 0;
  #end = 0;
  /** The definition read last. */
  owner = NO_OWNER;
  code = 0;
  comment = 0;
  string = 0;

  open(postings: Uint8Array): void {
    this.#bytes = postings;
    this.#end = 0;
  }

  /** Goes to the next word; to be called once before its postings. */
  nextWord(): void {
    this.#at = this.#end;
    const length = this.#number();
    this.#end = Math.min(this.#bytes.length, this.#at + length);
    this.owner = NO_OWNER;
  }

  /** Reads the next posting of the word; false when there is none. */
  next(): boolean {
    if (this.#at >= this.#end) return false;
    const head = this.#number();
    this.owner += head >>> FORM_BITS;
    const form = head & ((1 << FORM_BITS) - 1);
    this.code = this.comment = this.string = 0;
    if (form === FORM_MIXED) {
      this.code = this.#number();
      this.comment = this.#number();
      this.string = this.#number();
      return true;
    }
    const count = form < FORM_SEVERAL ? 1 : this.#number();
    const field = form < FORM_SEVERAL ? form : form - FORM_SEVERAL;
    if (field === FIELD_CODE) this.code = count;
    else if (field === FIELD_COMMENT) this.comment = count;
    else this.string = count;
    return true;
  }

  #number(): number {
    let value = 0;
    for (let shift = 0; shift < 32 && this.#at < this.#bytes.length; shift += 7) {
      const byte = this.#bytes[this.#at++] as number;
      value |= (byte & 127) << shift;
      if (byte < 128) break;
    }
    return value >>> 0;
  }
}
