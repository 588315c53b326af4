import { decode, encode } from '../records/recordBytes';
import type { LogRepair } from '../records/recordLog';
import { Limiter } from '../text/limiter';
import { encodeUsage, haveOrigins, originOf, unrecorded } from './usageCodec';
import { mergeUsage } from './usageHistory';
import type { UsageAppend, UsageLog, UsageRead } from './usageLog';
import type { UsageAddition, UsageDraft, UsageRecord } from './usageRecord';
import { UsageError } from './usageRecord';

/**
 * A usage log that keeps what is recorded in memory while nothing may be written, behind the cycles of another log, which
 * it only reads. Once writing is allowed, what was kept is appended there, and everything goes to it.
 */
export class HeldUsageLog implements UsageLog {
  /** Writers one after another: a number is given once. */
  readonly #turns = new Limiter(1);
  /** Cycles of our own, without gaps between their numbers; citations of them are among their own. */
  #own: readonly UsageRecord[] = [];
  /** Citations of cycles of the other log. */
  #amendments: readonly UsageRecord[] = [];
  /** The highest number that was given or seen; none is given again, so that it never means two things. */
  #last = 0;

  constructor(
    private readonly base: UsageLog,
    private readonly mayWrite: () => boolean,
  ) {}

  append(drafts: readonly UsageDraft[]): Promise<UsageAppend> {
    return this.#turns.run(async () => {
      if (this.mayWrite()) {
        const released = await this.#write();
        const { cycles, repairs } = await this.base.append(drafts);
        return { cycles, repairs: [...released, ...repairs] };
      }
      const wanted = await this.#unrecorded(drafts);
      if (this.#own.length === 0) this.#see((await this.base.readNewest(1)).records);
      const added = wanted.map((draft): UsageRecord => ({ ...draft, cycle: ++this.#last }));
      this.#own = [...this.#own, ...added];
      return { cycles: added.map(({ cycle }) => cycle), repairs: [] };
    });
  }

  amend(cycle: number, addition: UsageAddition): Promise<void> {
    return this.#turns.run(async () => {
      const line: UsageRecord = { cycle, trigger: 'cite', sections: [], ...addition };
      if (this.#own.some((record) => record.cycle === cycle)) this.#own = mergeUsage([...this.#own, line]);
      else if (this.mayWrite()) await this.base.amend(cycle, addition);
      else this.#amendments = [...this.#amendments, line];
    });
  }

  async readNewest(cycles: number): Promise<UsageRead> {
    const { records, problems } = await this.base.readNewest(cycles);
    this.#renumberAfter(records);
    const isRead = new Set(records.map(({ cycle }) => cycle));
    const amendments = this.#amendments.filter(({ cycle }) => isRead.has(cycle));
    const all = mergeUsage([...records, ...amendments, ...this.#own]);
    return { records: cycles > 0 ? all.slice(-cycles) : [], problems };
  }

  async *readAll(): AsyncGenerator<Uint8Array> {
    if (this.#own.length > 0) this.#renumberAfter((await this.base.readNewest(1)).records);
    const kept = [...this.#amendments, ...this.#own];
    yield* this.base.readAll();
    if (kept.length > 0) yield encode(kept.map(({ cycle, ...draft }) => encodeUsage(cycle, draft)).join(''));
  }

  /**
   * Appends what was kept to the other log, if that is allowed now; what could not be written stays and is tried again.
   * @returns whether there was anything, and what had to be repaired there
   */
  release(): Promise<{ readonly hasWritten: boolean; readonly repairs: readonly LogRepair[] }> {
    return this.#turns.run(async () => {
      const hasWritten = this.mayWrite() && this.#own.length + this.#amendments.length > 0;
      return { hasWritten, repairs: hasWritten ? await this.#write() : [] };
    });
  }

  async #write(): Promise<readonly LogRepair[]> {
    let repairs: readonly LogRepair[] = [];
    if (this.#own.length > 0) {
      ({ repairs } = await this.base.append(this.#own.map(({ cycle: _cycle, ...draft }) => draft)));
      this.#own = [];
    }
    for (const line of this.#amendments) {
      await this.base.amend(line.cycle, line).catch((error: unknown) => {
        // The cycle was removed from the log: there is nothing left that could be cited.
        if (!UsageError.is(error, 'invalid')) throw error;
      });
      this.#amendments = this.#amendments.slice(1);
    }
    return repairs;
  }

  /** The drafts of turns that neither log has, each once. */
  async #unrecorded(drafts: readonly UsageDraft[]): Promise<readonly UsageDraft[]> {
    if (!haveOrigins(drafts)) return drafts;
    const seen = new Set(this.#own.flatMap(({ origin }) => origin ?? []));
    for await (const piece of this.base.readAll()) {
      for (const line of decode(piece).split('\n')) seen.add(originOf(line) ?? '');
    }
    return unrecorded(drafts, seen);
  }

  #see(records: readonly UsageRecord[]): number {
    const newest = Math.max(0, ...records.map(({ cycle }) => cycle));
    this.#last = Math.max(this.#last, newest);
    return newest;
  }

  /** Another program may have given the numbers of our cycles in the other log: ours go behind them. */
  #renumberAfter(records: readonly UsageRecord[]): void {
    const newest = this.#see(records);
    const [first] = this.#own;
    if (first && first.cycle <= newest) this.#own = this.#own.map((record) => ({ ...record, cycle: ++this.#last }));
  }
}
