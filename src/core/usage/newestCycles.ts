import { mergeUsage } from './usageHistory';
import type { UsageRecord } from './usageRecord';

/** Gathers records from the newest on until there are enough cycles. */
export class NewestCycles {
  readonly #wanted: number;
  readonly #lines: UsageRecord[] = [];
  /** Cycles whose own line was read; a line that only adds citations tells nothing of how far back that is. */
  readonly #cycles = new Set<number>();
  readonly #doubles = new Set<number>();

  constructor(wanted: number) {
    this.#wanted = wanted;
  }

  /** Cycles that two writers gave: those of logs that were put together by hand or by a merge. */
  get doubles(): readonly number[] {
    return [...this.#doubles].sort((left, right) => left - right);
  }

  get isFull(): boolean {
    return this.#cycles.size >= this.#wanted;
  }

  take(record: UsageRecord): void {
    this.#lines.push(record);
    if (record.sections.length === 0) return;
    if (this.#cycles.has(record.cycle)) this.#doubles.add(record.cycle);
    this.#cycles.add(record.cycle);
  }

  get records(): readonly UsageRecord[] {
    // Citations of cycles further back than was read.
    const oldest = this.isFull ? Math.min(...this.#cycles) : 0;
    const lines = this.#lines.filter(({ cycle }) => cycle >= oldest).reverse();
    return mergeUsage(lines).slice(-this.#wanted);
  }
}
