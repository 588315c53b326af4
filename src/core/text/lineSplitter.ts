/** Cuts a stream of bytes into lines with bounded memory, whatever the stream holds. */
import { joinBytes } from './bytes';

const LF = 10;
const CR = 13;

/** Where a line, or another record, stands in its file. */
export interface LinePlace {
  /** Bytes before it, and before what follows it. */
  readonly offset: number;
  readonly endOffset: number;
  /** 1-based. */
  readonly line: number;
}

/** Takes one line without its end; `undefined` for one that is too long to keep. */
export type LineListener = (text: string | undefined, place: LinePlace, isUnfinished: boolean) => void;

/** Lines, each ended by LF or CRLF; the last one may lack its end. A byte order mark stays in its line. */
export class LineSplitter {
  readonly #decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  /** The beginning of a line whose end is not there yet; empty once it is too long. */
  #parts: Uint8Array[] = [];
  #bytes = 0;
  #start: number;
  #line: number;

  /** @param start bytes and lines before what is pushed first */
  constructor(
    private readonly maxBytes: number,
    start: { readonly offset: number; readonly line: number } = { offset: 0, line: 0 },
  ) {
    this.#start = start.offset;
    this.#line = start.line;
  }

  /** Takes the next bytes, cut anywhere; they are not kept. */
  push(bytes: Uint8Array, listener: LineListener): void {
    let from = 0;
    for (let at = bytes.indexOf(LF); at >= 0; at = bytes.indexOf(LF, from)) {
      this.#add(bytes.subarray(from, at));
      this.#emit(listener, 1);
      from = at + 1;
    }
    // The caller may use its buffer again. `slice` of a Node buffer is no copy.
    this.#add(new Uint8Array(bytes.subarray(from)));
  }

  /** Gives a last line without its end. */
  end(listener: LineListener): void {
    if (this.#bytes > 0) this.#emit(listener, 0);
  }

  #add(part: Uint8Array): void {
    this.#bytes += part.length;
    if (this.#bytes > this.maxBytes) this.#parts = [];
    else if (part.length > 0) this.#parts.push(part);
  }

  #emit(listener: LineListener, endBytes: 0 | 1): void {
    const size = this.#bytes;
    const endOffset = this.#start + size + endBytes;
    const place = { offset: this.#start, endOffset, line: ++this.#line };
    const text = size > this.maxBytes ? undefined : this.#decoder.decode(joinBytes(this.#parts));
    this.#parts = [];
    this.#bytes = 0;
    this.#start = endOffset;
    listener(text?.charCodeAt(text.length - 1) === CR ? text.slice(0, -1) : text, place, endBytes === 0);
  }
}
