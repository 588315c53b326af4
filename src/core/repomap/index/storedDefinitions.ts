/** Definitions as columns, of a segment or in memory: numbers beside their texts, so that all are checked without making one. */
import { SYMBOL_KINDS } from '../../ports/symbolKind';
import { encodeTexts, joinBytes } from '../../text/bytes';
import type { Definition } from '../facts/types';

/** Name, signature, doc and scope. */
const TEXTS = 4;
const IS_LOCAL = 1;
const IS_GUESSED = 2;
const HAS_SCOPE = 4;
const KIND_CODES = new Map(SYMBOL_KINDS.map((kind, code) => [kind, code]));
const DECODER = new TextDecoder('utf-8', { ignoreBOM: true });

/** Texts of definitions, one after another in UTF-8. */
interface Texts {
  /** Bytes `start` to before `end`, which are of one file. */
  part(start: number, end: number): Uint8Array;
}

/** One number a definition, but for the texts. Lines from 1, line counts less 1, parents plus 1 within their file. */
export interface DefinitionColumns {
  readonly kinds: Uint8Array;
  readonly lineStarts: Uint32Array;
  readonly lineCounts: Uint32Array;
  readonly parents: Uint32Array;
  readonly flags: Uint8Array;
  /** Where each of a definition's texts ends in `texts`. */
  readonly textEnds: Uint32Array;
  readonly texts: Texts;
}

/** The definitions of one file: those from `from` to before `to`. */
export interface StoredRange {
  readonly columns: DefinitionColumns;
  readonly from: number;
  readonly to: number;
}

/** Columns that grow as definitions are written. */
export class DefinitionWriter {
  readonly kinds: number[] = [];
  readonly lineStarts: number[] = [];
  readonly lineCounts: number[] = [];
  readonly parents: number[] = [];
  readonly flags: number[] = [];
  readonly textEnds: number[] = [];
  readonly texts: Uint8Array[] = [];
  #at = 0;

  /** Adds a file's definitions; returns how many there are now. */
  add(definitions: readonly Definition[]): number {
    for (const { kind, lineStart, lineEnd, parent, scope, isLocal, isGuessed } of definitions) {
      this.kinds.push(KIND_CODES.get(kind) as number);
      this.lineStarts.push(lineStart);
      this.lineCounts.push(lineEnd - lineStart);
      this.parents.push(parent + 1);
      const flags = (isLocal ? IS_LOCAL : 0) | (isGuessed ? IS_GUESSED : 0);
      this.flags.push(scope === undefined ? flags : flags | HAS_SCOPE);
    }
    const texts = definitions.flatMap(({ name, signature, doc, scope = '' }) => [name, signature, doc, scope]);
    const { bytes, lengths } = encodeTexts(texts);
    for (const length of lengths) {
      this.#at += length;
      this.textEnds.push(this.#at);
    }
    this.texts.push(bytes);
    return this.kinds.length;
  }

  /** The same for definitions of a segment, none of which is made. */
  copy({ columns, from, to }: StoredRange): number {
    for (const name of ['kinds', 'lineStarts', 'lineCounts', 'parents', 'flags'] as const)
      for (let at = from; at < to; at++) this[name].push(columns[name][at] as number);
    const start = columns.textEnds[from * TEXTS - 1] ?? 0;
    for (let at = from * TEXTS; at < to * TEXTS; at++)
      this.textEnds.push(this.#at + (columns.textEnds[at] as number) - start);
    const bytes = columns.texts.part(start, columns.textEnds[to * TEXTS - 1] ?? 0);
    this.#at += bytes.length;
    this.texts.push(bytes);
    return this.kinds.length;
  }

  /** What was written, in as little memory as it takes. */
  columns(): DefinitionColumns {
    const texts = joinBytes(this.texts);
    return {
      kinds: Uint8Array.from(this.kinds),
      lineStarts: Uint32Array.from(this.lineStarts),
      lineCounts: Uint32Array.from(this.lineCounts),
      parents: Uint32Array.from(this.parents),
      flags: Uint8Array.from(this.flags),
      textEnds: Uint32Array.from(this.textEnds),
      texts: { part: (start, end) => texts.subarray(start, end) },
    };
  }
}

/** A definition in its columns; its texts are made when they are asked for, and but for the name again each time. */
class StoredDefinition implements Definition {
  readonly #columns: DefinitionColumns;
  readonly #at: number;
  #name: string | undefined;

  constructor(columns: DefinitionColumns, at: number) {
    this.#columns = columns;
    this.#at = at;
  }

  get kind(): Definition['kind'] {
    return SYMBOL_KINDS[this.#columns.kinds[this.#at] as number] as Definition['kind'];
  }

  get name(): string {
    this.#name ??= this.#text(0);
    return this.#name;
  }

  get signature(): string {
    return this.#text(1);
  }

  get doc(): string {
    return this.#text(2);
  }

  get lineStart(): number {
    return this.#columns.lineStarts[this.#at] as number;
  }

  get lineEnd(): number {
    return this.lineStart + (this.#columns.lineCounts[this.#at] as number);
  }

  get parent(): number {
    return (this.#columns.parents[this.#at] as number) - 1;
  }

  get scope(): string | undefined {
    return this.#has(HAS_SCOPE) ? this.#text(3) : undefined;
  }

  get isLocal(): boolean | undefined {
    return this.#has(IS_LOCAL) || undefined;
  }

  get isGuessed(): boolean | undefined {
    return this.#has(IS_GUESSED) || undefined;
  }

  #has(flag: number): boolean {
    return ((this.#columns.flags[this.#at] as number) & flag) !== 0;
  }

  #text(field: number): string {
    const { textEnds, texts } = this.#columns;
    const at = this.#at * TEXTS + field;
    const start = textEnds[at - 1] ?? 0;
    const end = textEnds[at] as number;
    return start === end ? '' : DECODER.decode(texts.part(start, end));
  }
}

/** Makes bytes small and whole again, at once. */
export interface Packing {
  pack(bytes: Uint8Array): Uint8Array;
  /** @throws for what `pack` did not give, and for more than `size` bytes */
  unpack(bytes: Uint8Array, size: number): Uint8Array;
}

/** A part holds about so many bytes: what is asked for is unpacked with little else. */
const PART_BYTES = 16 * 1024;
/** Unpacked at once: more than the files that one task opens have. */
const MAX_UNPACKED_BYTES = 8 * 1024 * 1024;

/** Packed texts as they are stored: each part, where it ends, and where its text ends among all texts. */
interface PackedParts {
  readonly texts: Uint8Array;
  readonly partEnds: Uint32Array;
  readonly partTextEnds: Uint32Array;
}

/** Packs texts, each of one file, which is not divided. */
export function packTexts(files: readonly Uint8Array[], packing: Packing) {
  const texts: Uint8Array[] = [];
  const partEnds: number[] = [];
  const partTextEnds: number[] = [];
  let part: Uint8Array[] = [];
  let partBytes = 0;
  const close = (): void => {
    const packed = packing.pack(joinBytes(part));
    texts.push(packed);
    partEnds.push((partEnds.at(-1) ?? 0) + packed.length);
    partTextEnds.push((partTextEnds.at(-1) ?? 0) + partBytes);
    part = [];
    partBytes = 0;
  };
  for (const file of files) {
    part.push(file);
    partBytes += file.length;
    if (partBytes >= PART_BYTES) close();
  }
  if (partBytes > 0) close();
  return { texts, partEnds, partTextEnds };
}

/** A part, and where its text lies among all texts. */
interface UnpackedPart {
  readonly start: number;
  readonly end: number;
  readonly text: Uint8Array;
}

/** Texts of a segment, unpacked part by part: most of them are never asked for. */
export class PackedTexts implements Texts {
  readonly #unpacked = new Map<number, Uint8Array>();
  #unpackedBytes = 0;
  /** The part that was asked for last. */
  #last: UnpackedPart = { start: 0, end: 0, text: new Uint8Array() };

  constructor(
    private readonly parts: PackedParts,
    private readonly packing: Packing,
  ) {}

  part(start: number, end: number): Uint8Array {
    if (start < this.#last.start || end > this.#last.end) this.#last = this.#holding(start);
    return this.#last.text.subarray(start - this.#last.start, end - this.#last.start);
  }

  #holding(place: number): UnpackedPart {
    const ends = this.parts.partTextEnds;
    let low = 0;
    let high = ends.length - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((ends[middle] as number) > place) high = middle;
      else low = middle + 1;
    }
    const start = ends[low - 1] ?? 0;
    const end = ends[low] ?? 0;
    return { start, end, text: this.#unpacked.get(low) ?? this.#unpack(low, end - start) };
  }

  #unpack(part: number, size: number): Uint8Array {
    const { texts, partEnds } = this.parts;
    const packed = texts.subarray(partEnds[part - 1] ?? 0, partEnds[part]);
    const text = unpacked(packed, size, this.packing);
    if (this.#unpackedBytes > MAX_UNPACKED_BYTES) {
      this.#unpacked.clear();
      this.#unpackedBytes = 0;
    }
    this.#unpacked.set(part, text);
    this.#unpackedBytes += size;
    return text;
  }
}

/** A segment's sum says that it is as it was written: only one that somebody made by hand has another text, or none. */
function unpacked(packed: Uint8Array, size: number, packing: Packing): Uint8Array {
  try {
    return packing.unpack(packed, size);
  } catch {
    return new Uint8Array();
  }
}

/** The definitions of one file, which were checked. */
export function readDefinitions({ columns, from, to }: StoredRange): readonly Definition[] {
  return Array.from({ length: to - from }, (_, index) => new StoredDefinition(columns, from + index));
}

/** Numbers of the names of one file's definitions, by their bytes: none of them is made. */
export function nameIds(
  { columns, from, to }: StoredRange,
  idOf: (text: Uint8Array, start: number, end: number) => number,
): Uint32Array {
  const ids = new Uint32Array(to - from);
  const { textEnds, texts } = columns;
  const first = textEnds[from * TEXTS - 1] ?? 0;
  const bytes = texts.part(first, textEnds[to * TEXTS - 1] ?? 0);
  // What somebody made by hand may have fewer.
  const placeOf = (end: number | undefined): number => Math.min((end ?? first) - first, bytes.length);
  for (let at = from; at < to; at++)
    ids[at - from] = idOf(bytes, placeOf(textEnds[at * TEXTS - 1]), placeOf(textEnds[at * TEXTS]));
  return ids;
}

/** Whether columns that lie within their bounds can be read. @param ends of each file's definitions, ascending */
export function areDefinitions(columns: Omit<DefinitionColumns, 'texts'>, ends: Uint32Array): boolean {
  const { kinds, lineStarts, lineCounts, parents, flags, textEnds } = columns;
  const count = kinds.length;
  if ([lineStarts, lineCounts, parents, flags].some(({ length }) => length !== count)) return false;
  if (textEnds.length !== count * TEXTS) return false;
  // Without a function for each: some hundred thousand.
  for (let at = 0; at < count; at++) if ((kinds[at] as number) >= SYMBOL_KINDS.length) return false;
  let from = 0;
  for (const to of ends) {
    if (!areParents(parents, from, to)) return false;
    from = to;
  }
  return true;
}

/** Parents are definitions of the file and form no loop, or naming and rendering would not end. */
function areParents(parents: Uint32Array, from: number, to: number): boolean {
  for (let index = from; index < to; index++) {
    const parent = parents[index] as number;
    if (parent > to - from) return false;
    // Every loop has a definition that is not after its parent.
    if (from + parent - 1 < index) continue;
    let left = to - from;
    for (let at = parent; at > 0; at = parents[from + at - 1] as number) if (left-- === 0) return false;
  }
  return true;
}
