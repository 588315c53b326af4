/** Whole numbers from 0 to 2³² - 1 as LEB128: seven bits a byte, the lowest first, the highest bit set on all but the last. */

/** A copy of `values` with room for `length` of them; those beyond are dropped. */
export function grown<T extends Uint8Array | Int32Array | Uint32Array | Float32Array | Float64Array>(
  values: T,
  length: number,
): T {
  const copy = new (values.constructor as new (length: number) => T)(length);
  copy.set(values.subarray(0, length));
  return copy;
}

/** Numbers of items by row: those of row `r` are `order[starts[r]]` … `order[starts[r + 1] - 1]`, ascending. */
export interface GroupedRows {
  readonly starts: Uint32Array;
  readonly order: Uint32Array;
}

/** Groups items by the row that each belongs to. Linear. */
export function groupRows(rowOf: ArrayLike<number>, rowCount: number): GroupedRows {
  const starts = new Uint32Array(rowCount + 1);
  for (let at = 0; at < rowOf.length; at++) {
    const next = (rowOf[at] as number) + 1;
    starts[next] = (starts[next] as number) + 1;
  }
  for (let row = 0; row < rowCount; row++) starts[row + 1] = (starts[row + 1] as number) + (starts[row] as number);
  const next = starts.slice();
  const order = new Uint32Array(rowOf.length);
  for (let at = 0; at < rowOf.length; at++) {
    const row = rowOf[at] as number;
    const slot = next[row] as number;
    order[slot] = at;
    next[row] = slot + 1;
  }
  return { starts, order };
}

const FEW_BYTES = 64;

/** Grows as bytes are written. */
export class ByteWriter {
  #bytes = new Uint8Array(1024);
  #length = 0;

  number(value: number): void {
    if (this.#length + 5 > this.#bytes.length) this.#grow(5);
    let rest = value;
    for (; rest > 127; rest >>>= 7) this.#bytes[this.#length++] = (rest & 127) | 128;
    this.#bytes[this.#length++] = rest;
  }

  append(bytes: Uint8Array): void {
    if (this.#length + bytes.length > this.#bytes.length) this.#grow(bytes.length);
    this.#bytes.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  /** What another one holds. */
  appendFrom(other: ByteWriter): void {
    const length = other.#length;
    if (this.#length + length > this.#bytes.length) this.#grow(length);
    const to = this.#bytes;
    const from = other.#bytes;
    const start = this.#length;
    // Of a few bytes a view takes longer to make than they take to copy.
    if (length <= FEW_BYTES) for (let at = 0; at < length; at++) to[start + at] = from[at] as number;
    else to.set(from.subarray(0, length), start);
    this.#length += length;
  }

  get length(): number {
    return this.#length;
  }

  clear(): void {
    this.#length = 0;
  }

  /** What was written, for keeps. */
  bytes(): Uint8Array {
    return this.#bytes.slice(0, this.#length);
  }

  #grow(by: number): void {
    this.#bytes = grown(this.#bytes, Math.max(this.#bytes.length * 2, this.#length + by));
  }
}

/** Reads numbers one after another; past the end it reads 0 and stays there. */
export class ByteReader {
  #bytes: Uint8Array;
  at = 0;

  constructor(bytes: Uint8Array = new Uint8Array()) {
    this.#bytes = bytes;
  }

  /** Begins with other bytes. */
  open(bytes: Uint8Array): void {
    this.#bytes = bytes;
    this.at = 0;
  }

  get left(): number {
    return this.#bytes.length - this.at;
  }

  number(): number {
    let value = 0;
    for (let shift = 0; shift < 32 && this.at < this.#bytes.length; shift += 7) {
      const byte = this.#bytes[this.at++] as number;
      value |= (byte & 127) << shift;
      if (byte < 128) break;
    }
    return value >>> 0;
  }

  /** Passes over `count` parts, each behind its length. Most lengths are one byte, and most parts are passed over. */
  skipParts(count: number): void {
    const bytes = this.#bytes;
    const size = bytes.length;
    let { at } = this;
    for (let part = 0; part < count && at < size; part++) {
      const length = bytes[at] as number;
      if (length < 128) at += 1 + length;
      else {
        this.at = at;
        const long = this.number();
        at = this.at + long;
      }
    }
    this.at = Math.min(at, size);
  }

  /** The next `count` numbers. */
  numbers(count: number): Uint32Array {
    const values = new Uint32Array(count);
    for (let at = 0; at < count; at++) values[at] = this.number();
    return values;
  }
}
