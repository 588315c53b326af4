import { decode, encode } from '../records/recordBytes';
import type { LogCursor, LogRead, LogRepair } from '../records/recordLog';
import { countedNumber, numberReader } from '../records/recordLog';
import { Limiter } from '../text/limiter';
import type { ObservationDraft } from './observation';
import { encodeObservation } from './observationCodec';
import type { LogAppend, ObservationLog } from './observationLog';
import { OBSERVATION_RECORDS } from './observationRecords';

/** Lines that a reader gets at once. Bytes. */
const CHUNK_BYTES = 1 << 20;

/** Where a reader stands: in the other log, and behind that among the lines that are kept. */
interface HeldCursor extends LogCursor {
  readonly base: LogCursor;
  readonly own: number;
  /** Of the numbering: what was read under another one counts no more. */
  readonly generation: number;
}

/**
 * An observation log that keeps what is recorded in memory while nothing may be written, behind the lines of another log,
 * which it only reads. Once writing is allowed, what was kept is appended there, and everything goes to it.
 */
export class HeldObservationLog implements ObservationLog {
  /** One after another: a number is given once. */
  readonly #turns = new Limiter(1);
  readonly #numberOf = numberReader(OBSERVATION_RECORDS.format);
  #own: readonly ObservationDraft[] = [];
  /** Id of the first of them; the others follow without a gap. */
  #first = 1;
  #generation = 0;
  /** The highest id that was given or seen; none is given again, so that it never means two things. */
  #last = 0;
  /** How far the other log was searched for ids, and the highest one there. */
  #searched: { readonly cursor: LogCursor | undefined; readonly maxId: number } = { cursor: undefined, maxId: 0 };

  constructor(
    private readonly base: ObservationLog,
    private readonly mayWrite: () => boolean,
  ) {}

  append(drafts: readonly ObservationDraft[], onlyAt?: LogCursor): Promise<LogAppend> {
    return this.#turns.run(() => (this.mayWrite() ? this.#appendToBase(drafts, onlyAt) : this.#keep(drafts, onlyAt)));
  }

  follow(cursor: LogCursor | undefined): Promise<LogRead> {
    return this.#turns.run(() => this.#follow(cursor));
  }

  /**
   * Appends what was kept to the other log, if that is allowed now; what could not be written stays and is tried again.
   * @returns whether there was anything, and what had to be repaired there
   */
  release(): Promise<{ readonly hasWritten: boolean; readonly repairs: readonly LogRepair[] }> {
    return this.#turns.run(async () => {
      const hasWritten = this.mayWrite() && this.#own.length > 0;
      return { hasWritten, repairs: hasWritten ? await this.#write() : [] };
    });
  }

  async #write(): Promise<readonly LogRepair[]> {
    if (this.#own.length === 0) return [];
    const outcome = await this.base.append(this.#own);
    this.#own = [];
    this.#generation++;
    return outcome.kind === 'appended' ? outcome.repairs : [];
  }

  async #appendToBase(drafts: readonly ObservationDraft[], onlyAt: LogCursor | undefined): Promise<LogAppend> {
    const released = await this.#write();
    const at = this.#placeOf(onlyAt);
    if (onlyAt && !at) return { kind: 'moved' };
    const outcome = await this.base.append(drafts, at?.base);
    return outcome.kind === 'moved' ? outcome : { ...outcome, repairs: [...released, ...outcome.repairs] };
  }

  async #keep(drafts: readonly ObservationDraft[], onlyAt: LogCursor | undefined): Promise<LogAppend> {
    await this.#search();
    if (onlyAt && !(await this.#isAtEnd(onlyAt))) return { kind: 'moved' };
    if (this.#own.length === 0) this.#first = this.#last + 1;
    this.#own = [...this.#own, ...drafts];
    const ids = drafts.map(() => ++this.#last);
    return { kind: 'appended', ids, repairs: [] };
  }

  async #isAtEnd(cursor: LogCursor): Promise<boolean> {
    const at = this.#placeOf(cursor);
    if (!at || at.own !== this.#own.length) return false;
    const { isReset, bytes, hasMore } = await this.base.follow(at.base);
    return !isReset && bytes.length === 0 && !hasMore;
  }

  async #follow(cursor: LogCursor | undefined): Promise<LogRead> {
    const at = this.#placeOf(cursor);
    const read = await this.base.follow(at?.base);
    const isNews = read.isReset || read.bytes.length > 0 || read.hasMore;
    // Lines of the other log come before ours, so who has some of ours reads all of it again.
    if (isNews && at && at.own > 0) return this.#follow(undefined);
    if (isNews)
      return { ...read, cursor: this.#cursorAt(read.cursor, 0), hasMore: read.hasMore || this.#own.length > 0 };
    if (await this.#renumber()) return this.#follow(undefined);
    const start = at?.own ?? 0;
    const lines = this.#linesFrom(start);
    const own = start + lines.length;
    const bytes = encode(lines.join(''));
    return { ...read, bytes, cursor: this.#cursorAt(read.cursor, own), hasMore: own < this.#own.length };
  }

  /** At least one line where there is one, else about a chunk. */
  #linesFrom(start: number): readonly string[] {
    const lines: string[] = [];
    let size = 0;
    for (const draft of this.#own.slice(start)) {
      if (size >= CHUNK_BYTES) break;
      const line = encodeObservation(this.#first + start + lines.length, draft);
      lines.push(line);
      size += line.length;
    }
    return lines;
  }

  /** Another program may have given our ids in the other log: ours go behind them. True when they did. */
  async #renumber(): Promise<boolean> {
    if (this.#own.length === 0) return false;
    await this.#search();
    if (this.#first > this.#searched.maxId) return false;
    this.#first = this.#last + 1;
    this.#last += this.#own.length;
    this.#generation++;
    return true;
  }

  /** Looks for ids in what the other log has got since the last look. */
  async #search(): Promise<void> {
    for (;;) {
      const { cursor, maxId } = this.#searched;
      const read = await this.base.follow(cursor);
      let max = read.isReset ? 0 : maxId;
      for (const line of decode(read.bytes).split('\n')) max = Math.max(max, countedNumber(this.#numberOf(line) ?? 0));
      this.#searched = { cursor: read.cursor, maxId: max };
      this.#last = Math.max(this.#last, max);
      if (!read.hasMore) return;
    }
  }

  #cursorAt(base: LogCursor, own: number): HeldCursor {
    return { ...base, base, own, generation: this.#generation };
  }

  /** Undefined for a cursor whose numbering is not that of now. */
  #placeOf(cursor: LogCursor | undefined): HeldCursor | undefined {
    const at = cursor as HeldCursor | undefined;
    return at?.generation === this.#generation ? at : undefined;
  }
}
