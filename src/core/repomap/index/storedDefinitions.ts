/** Definitions as columns, of a segment or in memory: numbers beside their texts, so that all are checked without making one. */
import { SYMBOL_KINDS } from '../../ports/symbolKind';
import { joinBytes } from '../../text/bytes';
import type { Definition } from '../facts/types';

/** Name, signature, doc and scope. */
const TEXTS = 4;
const IS_LOCAL = 1;
const IS_GUESSED = 2;
const HAS_SCOPE = 4;
const KIND_CODES = new Map(SYMBOL_KINDS.map((kind, code) => [kind, code]));
const ENCODER = new TextEncoder();
const DECODER = new TextDecoder('utf-8', { ignoreBOM: true });

/** One number a definition, but for the texts. Lines from 1, line counts less 1, parents plus 1 within their file. */
export interface DefinitionColumns {
  readonly kinds: Uint32Array;
  readonly lineStarts: Uint32Array;
  readonly lineCounts: Uint32Array;
  readonly parents: Uint32Array;
  readonly flags: Uint32Array;
  /** Where each of a definition's texts ends in `texts`. */
  readonly textEnds: Uint32Array;
  readonly texts: Uint8Array;
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
    const joined = texts.join('');
    const bytes = ENCODER.encode(joined);
    const isAscii = bytes.length === joined.length;
    for (const text of texts) {
      this.#at += isAscii ? text.length : ENCODER.encode(text).length;
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
    const bytes = columns.texts.subarray(start, columns.textEnds[to * TEXTS - 1] ?? 0);
    this.#at += bytes.length;
    this.texts.push(bytes);
    return this.kinds.length;
  }

  /** What was written, in as little memory as it takes. */
  columns(): DefinitionColumns {
    return {
      kinds: Uint32Array.from(this.kinds),
      lineStarts: Uint32Array.from(this.lineStarts),
      lineCounts: Uint32Array.from(this.lineCounts),
      parents: Uint32Array.from(this.parents),
      flags: Uint32Array.from(this.flags),
      textEnds: Uint32Array.from(this.textEnds),
      texts: joinBytes(this.texts),
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
    return start === end ? '' : DECODER.decode(texts.subarray(start, end));
  }
}

/** The definitions of one file, which were checked. */
export function readDefinitions({ columns, from, to }: StoredRange): readonly Definition[] {
  return Array.from({ length: to - from }, (_, index) => new StoredDefinition(columns, from + index));
}

/** Whether columns that lie within their bounds can be read. @param ends of each file's definitions, ascending */
export function areDefinitions(columns: DefinitionColumns, ends: Uint32Array): boolean {
  const { kinds, lineStarts, lineCounts, parents, flags, textEnds } = columns;
  const count = kinds.length;
  if ([lineStarts, lineCounts, parents, flags].some(({ length }) => length !== count)) return false;
  if (textEnds.length !== count * TEXTS || kinds.some((kind) => kind >= SYMBOL_KINDS.length)) return false;
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
