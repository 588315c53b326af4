/**
 * Bytes into records: lines of a file, or the requests of one JSON document, with bounded memory whatever the file holds.
 * What a record means is the adapters' business.
 */
import { type LineListener, LineSplitter } from '../text/lineSplitter';
import type {
  AgentName,
  AgentTurn,
  BrokenRecord,
  TranscriptContext,
  TranscriptEnd,
  TranscriptReader,
} from './transcriptAdapter';
import { type RecordPlace, TurnBuilder } from './turnBuilder';

/** A longer record is counted as broken, not kept. Pictures in transcripts are some megabytes. */
export const MAX_RECORD_BYTES = 32 * 1024 * 1024;
const MAX_BROKEN = 100;
const MAX_KINDS = 50;

/** Cuts a stream of bytes into records. */
export interface RecordSplitter {
  push(bytes: Uint8Array, listener: LineListener): void;
  end(listener: LineListener): void;
}

export type RecordVerdict = undefined | { readonly skipped: string } | { readonly broken: string };

/**
 * Reads one record into the builder.
 * @returns `undefined` when it said something, else the kind of a record that was passed over, or what is wrong with it
 */
type RecordParser = (sink: TurnBuilder, text: string, place: RecordPlace) => RecordVerdict;

/** A reader of the lines of a transcript, from where it was read before. */
export function lineReader(agent: AgentName, context: TranscriptContext, parse: RecordParser): TranscriptReader {
  const lines = new LineSplitter(MAX_RECORD_BYTES, context.resume);
  return new RecordReader(lines, new TurnBuilder(agent, context), parse);
}

/** A reader made of a splitter and a parser. */
export class RecordReader implements TranscriptReader {
  readonly #skipped = new Map<string, number>();
  readonly #broken: BrokenRecord[] = [];
  #brokenCount = 0;

  constructor(
    private readonly splitter: RecordSplitter,
    private readonly sink: TurnBuilder,
    private readonly parse: RecordParser,
  ) {}

  push(bytes: Uint8Array): readonly AgentTurn[] {
    this.splitter.push(bytes, this.#read);
    return this.sink.take();
  }

  end(): { readonly turns: readonly AgentTurn[]; readonly end: TranscriptEnd } {
    this.splitter.end(this.#read);
    const { sink } = this;
    const unread = { skipped: this.#skipped, broken: this.#broken, brokenCount: this.#brokenCount };
    const { foreignTurns, isAnswered } = sink;
    return {
      turns: sink.take(),
      end: { open: sink.open(), isAnswered, resume: sink.resume(), ...unread, foreignTurns },
    };
  }

  #skip(kind: string): void {
    const name = /^[\w./-]{1,60}$/.test(kind) ? kind : 'other';
    const key = this.#skipped.has(name) || this.#skipped.size < MAX_KINDS ? name : 'other';
    this.#skipped.set(key, (this.#skipped.get(key) ?? 0) + 1);
  }

  #fail(line: number, why: string): void {
    this.#brokenCount++;
    if (this.#broken.length < MAX_BROKEN) this.#broken.push({ line, why });
  }

  readonly #read: LineListener = (text, place, isUnfinished) => {
    const { sink } = this;
    if (text === undefined) {
      sink.pass(place);
      return this.#fail(place.line, `it has more than ${MAX_RECORD_BYTES / 1024 / 1024} MiB`);
    }
    if (text.trim() === '') return sink.pass(place);
    if (!isUnfinished) sink.pass(place);
    const verdict = this.parse(sink, text.replace(/^\uFEFF/, ''), place);
    // Its line end, when it comes, is no line of its own.
    if (verdict === undefined) return isUnfinished ? sink.pass({ ...place, line: place.line - 1 }) : undefined;
    if ('skipped' in verdict) this.#skip(verdict.skipped);
    // A last line without its end is still being written: it is read the next time.
    else if (!isUnfinished) this.#fail(place.line, verdict.broken);
  };
}
