/**
 * Bytes into records: lines of a file, or the requests of one JSON document, with bounded memory whatever the file holds.
 * What a record means is the adapters' business.
 */
import type { AgentTurn, BrokenRecord, TranscriptContext, TranscriptEnd, TranscriptReader } from './transcriptAdapter';
import type { RecordPlace, TurnBuilder } from './turnBuilder';

/** A longer record is counted as broken, not kept. Pictures in transcripts are some megabytes. */
export const MAX_RECORD_BYTES = 32 * 1024 * 1024;
const MAX_BROKEN = 100;
const MAX_KINDS = 50;

/** One record's bytes; `undefined` when it was too long to keep. */
export type RecordListener = (text: string | undefined, place: RecordPlace, isUnfinished: boolean) => void;

/** Cuts a stream of bytes into records. */
export interface RecordSplitter {
  push(bytes: Uint8Array, listener: RecordListener): void;
  end(listener: RecordListener): void;
}

/** What an adapter does with records. */
export interface RecordParser {
  readonly sink: TurnBuilder;
  /**
   * Reads one record.
   * @returns `undefined` when it said something, else the kind of a record that was passed over, or what is wrong with it
   */
  read(text: string, place: RecordPlace): RecordVerdict;
}

export type RecordVerdict = undefined | { readonly skipped: string } | { readonly broken: string };

/** Counts what was not read. */
class Tally {
  readonly skipped = new Map<string, number>();
  readonly broken: BrokenRecord[] = [];
  brokenCount = 0;

  skip(kind: string): void {
    const name = /^[\w./-]{1,60}$/.test(kind) ? kind : 'other';
    const key = this.skipped.has(name) || this.skipped.size < MAX_KINDS ? name : 'other';
    this.skipped.set(key, (this.skipped.get(key) ?? 0) + 1);
  }

  fail(line: number, why: string): void {
    this.brokenCount++;
    if (this.broken.length < MAX_BROKEN) this.broken.push({ line, why });
  }
}

/** A reader made of a splitter and a parser. */
export class RecordReader implements TranscriptReader {
  readonly #splitter: RecordSplitter;
  readonly #parser: RecordParser;
  readonly #tally = new Tally();

  constructor(splitter: RecordSplitter, parser: RecordParser) {
    this.#splitter = splitter;
    this.#parser = parser;
  }

  push(bytes: Uint8Array): readonly AgentTurn[] {
    this.#splitter.push(bytes, this.#read);
    return this.#parser.sink.take();
  }

  end(): { readonly turns: readonly AgentTurn[]; readonly end: TranscriptEnd } {
    this.#splitter.end(this.#read);
    const { sink } = this.#parser;
    const { skipped, broken, brokenCount } = this.#tally;
    const turns = sink.take();
    const { foreignTurns, isAnswered } = sink;
    const open = sink.open();
    return { turns, end: { open, isAnswered, resume: sink.resume(), skipped, broken, brokenCount, foreignTurns } };
  }

  readonly #read: RecordListener = (text, place, isUnfinished) => {
    const { sink } = this.#parser;
    if (text === undefined) {
      sink.pass(place);
      this.#tally.fail(place.line, `it has more than ${MAX_RECORD_BYTES / 1024 / 1024} MiB`);
      return;
    }
    if (text.trim() === '') return sink.pass(place);
    if (!isUnfinished) sink.pass(place);
    const verdict = this.#parser.read(text, place);
    // Its line end, when it comes, is no line of its own.
    if (verdict === undefined) return isUnfinished ? sink.pass({ ...place, line: place.line - 1 }) : undefined;
    if ('skipped' in verdict) this.#tally.skip(verdict.skipped);
    // A last line without its end is still being written: it is read the next time.
    else if (!isUnfinished) this.#tally.fail(place.line, verdict.broken);
  };
}

const LF = 10;
const CR = 13;

/** Lines, each ended by LF or CRLF; the last one may lack its end. Byte order marks go with the decoding. */
export class LineSplitter implements RecordSplitter {
  readonly #decoder = new TextDecoder('utf-8');
  #parts: Uint8Array[] = [];
  #bytes = 0;
  #start: number;
  #line: number;

  constructor({ resume }: TranscriptContext) {
    this.#start = resume?.offset ?? 0;
    this.#line = resume?.line ?? 0;
  }

  push(bytes: Uint8Array, listener: RecordListener): void {
    let from = 0;
    for (let at = bytes.indexOf(LF); at >= 0; at = bytes.indexOf(LF, from)) {
      this.#add(bytes.subarray(from, at));
      this.#emit(listener, 1);
      from = at + 1;
    }
    // The caller may use its buffer again.
    this.#add(bytes.slice(from));
  }

  end(listener: RecordListener): void {
    if (this.#bytes > 0) this.#emit(listener, 0);
  }

  #add(part: Uint8Array): void {
    this.#bytes += part.length;
    if (this.#bytes > MAX_RECORD_BYTES) this.#parts = [];
    else if (part.length > 0) this.#parts.push(part);
  }

  #emit(listener: RecordListener, endBytes: 0 | 1): void {
    const size = this.#bytes;
    const endOffset = this.#start + size + endBytes;
    const place = { offset: this.#start, endOffset, line: ++this.#line };
    const text = size > MAX_RECORD_BYTES ? undefined : this.#decoder.decode(join(this.#parts));
    this.#parts = [];
    this.#bytes = 0;
    this.#start = endOffset;
    listener(text?.charCodeAt(text.length - 1) === CR ? text.slice(0, -1) : text, place, endBytes === 0);
  }
}

/** One array of several. */
export function join(parts: readonly Uint8Array[]): Uint8Array {
  const [first] = parts;
  if (first !== undefined && parts.length === 1) return first;
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
