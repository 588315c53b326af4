/**
 * Bytes into records: lines of a file, or the requests of one JSON document, with bounded memory whatever the file holds.
 * What a record means is the adapters' business.
 */
import { type LineListener, LineSplitter } from '../text/lineSplitter';
import type { AgentTurn, BrokenRecord, TranscriptContext, TranscriptEnd, TranscriptReader } from './transcriptAdapter';
import type { RecordPlace, TurnBuilder } from './turnBuilder';

/** A longer record is counted as broken, not kept. Pictures in transcripts are some megabytes. */
export const MAX_RECORD_BYTES = 32 * 1024 * 1024;
const MAX_BROKEN = 100;
const MAX_KINDS = 50;

/** Cuts a stream of bytes into records. */
export interface RecordSplitter {
  push(bytes: Uint8Array, listener: LineListener): void;
  end(listener: LineListener): void;
}

/** The lines of a transcript, from where it was read before. */
export function transcriptLines({ resume }: TranscriptContext): RecordSplitter {
  return new LineSplitter(MAX_RECORD_BYTES, resume);
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

  readonly #read: LineListener = (text, place, isUnfinished) => {
    const { sink } = this.#parser;
    if (text === undefined) {
      sink.pass(place);
      this.#tally.fail(place.line, `it has more than ${MAX_RECORD_BYTES / 1024 / 1024} MiB`);
      return;
    }
    if (text.trim() === '') return sink.pass(place);
    if (!isUnfinished) sink.pass(place);
    const verdict = this.#parser.read(text.replace(/^\uFEFF/, ''), place);
    // Its line end, when it comes, is no line of its own.
    if (verdict === undefined) return isUnfinished ? sink.pass({ ...place, line: place.line - 1 }) : undefined;
    if ('skipped' in verdict) this.#tally.skip(verdict.skipped);
    // A last line without its end is still being written: it is read the next time.
    else if (!isUnfinished) this.#tally.fail(place.line, verdict.broken);
  };
}
