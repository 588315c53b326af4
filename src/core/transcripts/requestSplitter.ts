import { joinBytes } from '../text/bytes';
import type { LineListener } from '../text/lineSplitter';
import { MAX_RECORD_BYTES, type RecordSplitter } from './recordReader';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const COLON = 0x3a;
const LF = 10;
/** Names and values at the top of the document are read up to here. */
const MAX_TOP_CHARS = 200;

/**
 * The objects of the list `requests` at the top of one JSON document, each as a record, so that an export of any size
 * is read with the memory of its largest request. Scanned here and parsed piece by piece by the engine's own `JSON.parse`:
 * streaming parsers keep no bound on a value and take several times as long.
 */
export class RequestSplitter implements RecordSplitter {
  readonly #decoder = new TextDecoder('utf-8');
  #offset = 0;
  #line = 1;
  #depth = 0;
  #isString = false;
  #isEscaped = false;
  #isInRequests = false;
  /** Characters of the string at the top of the document that is being read, then the last one read. */
  #top = '';
  #key = '';
  #isValue = false;
  /** Of the request that is being read. */
  #parts: Uint8Array[] | undefined;
  #bytes = 0;
  #start = 0;
  #startLine = 1;

  /** @param onTop told the document's own fields that are strings */
  constructor(private readonly onTop: (key: string, value: string) => void) {}

  push(bytes: Uint8Array, listener: LineListener): void {
    let from = 0;
    for (let at = 0; at < bytes.length; at++) {
      const byte = bytes[at];
      if (byte === LF) this.#line++;
      if (this.#isString) this.#inString(byte ?? 0);
      else if (byte === QUOTE) {
        this.#isString = true;
        this.#top = '';
      } else if (byte === OPEN_OBJECT || byte === OPEN_LIST) {
        if (this.#opens(byte, at)) from = at;
      } else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) {
        if (this.#closes()) this.#emit(bytes.subarray(from, at + 1), at + 1, listener);
      } else if (this.#depth === 1) this.#isValue = byte === COLON || (this.#isValue && byte !== 0x2c);
    }
    if (this.#parts) this.#keep(bytes.slice(from));
    this.#offset += bytes.length;
  }

  end(): void {
    // A request that is cut off says nothing reliable; the file may still be written.
    this.#parts = undefined;
  }

  #inString(byte: number): void {
    if (this.#isEscaped) this.#isEscaped = false;
    else if (byte === BACKSLASH) this.#isEscaped = true;
    else if (byte === QUOTE) {
      this.#isString = false;
      if (this.#depth === 1 && this.#isValue) this.onTop(this.#key, this.#top);
      else if (this.#depth === 1) this.#key = this.#top;
      return;
    }
    if (this.#depth === 1 && this.#top.length < MAX_TOP_CHARS) this.#top += String.fromCharCode(byte);
  }

  /** True where a request begins. */
  #opens(byte: number, at: number): boolean {
    const isRequest = this.#depth === 2 && this.#isInRequests && byte === OPEN_OBJECT;
    if (this.#depth === 1) this.#isInRequests = byte === OPEN_LIST && this.#key === 'requests';
    this.#depth++;
    if (!isRequest) return false;
    this.#parts = [];
    this.#bytes = 0;
    this.#start = this.#offset + at;
    this.#startLine = this.#line;
    return true;
  }

  /** True where a request ends. */
  #closes(): boolean {
    this.#depth = Math.max(0, this.#depth - 1);
    if (this.#depth === 1) {
      this.#isInRequests = false;
      this.#isValue = false;
    }
    return this.#depth === 2 && this.#isInRequests && this.#parts !== undefined;
  }

  #keep(part: Uint8Array): void {
    this.#bytes += part.length;
    if (this.#bytes > MAX_RECORD_BYTES) this.#parts = [];
    else this.#parts?.push(part);
  }

  #emit(last: Uint8Array, endAt: number, listener: LineListener): void {
    this.#keep(last);
    const place = { offset: this.#start, endOffset: this.#offset + endAt, line: this.#startLine };
    const text = this.#bytes > MAX_RECORD_BYTES ? undefined : this.#decoder.decode(joinBytes(this.#parts ?? []));
    this.#parts = undefined;
    listener(text, place, false);
  }
}
