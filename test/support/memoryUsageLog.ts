import { encodeUsage } from '../../src/core/usage/usageCodec';
import { mergeUsage } from '../../src/core/usage/usageHistory';
import type { UsageAppend, UsageLog, UsageProblem, UsageRead } from '../../src/core/usage/usageLog';
import type { UsageAddition, UsageDraft, UsageRecord } from '../../src/core/usage/usageRecord';

/** A usage log in memory, with what a test wants it to say. */
export class MemoryUsageLog implements UsageLog {
  readonly lines: UsageRecord[] = [];
  problems: readonly UsageProblem[] = [];
  /** Rejects every reading with it. */
  failure: Error | undefined;
  reads = 0;
  /** Awaited before each reading. */
  gate: Promise<void> = Promise.resolve();

  async append(drafts: readonly UsageDraft[]): Promise<UsageAppend> {
    const known = new Set(this.lines.map(({ origin }) => origin));
    const cycles = drafts
      .filter(({ origin }) => origin === undefined || !known.has(origin))
      .map((draft) => {
        const cycle = Math.max(0, ...this.lines.map((line) => line.cycle)) + 1;
        this.lines.push({ cycle, ...draft });
        return cycle;
      });
    return { cycles, repairs: [] };
  }

  async amend(cycle: number, addition: UsageAddition): Promise<void> {
    this.lines.push({ cycle, trigger: 'cite', sections: [], ...addition });
  }

  async readNewest(cycles: number): Promise<UsageRead> {
    this.reads++;
    await this.gate;
    if (this.failure) throw this.failure;
    return { records: mergeUsage(this.lines).slice(-cycles), problems: this.problems };
  }

  async *readAll(): AsyncGenerator<Uint8Array> {
    for (const { cycle, ...draft } of this.lines) yield new TextEncoder().encode(encodeUsage(cycle, draft));
  }
}
