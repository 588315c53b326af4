import { formatCount, plural } from '../../report/words';
import { secondsBetween } from './lineTime';
import type { LogFinding } from './usageReport';

/** Unreadable lines that are told one by one; of the others only how many there are. */
const MAX_TOLD = 5;

/** What is wrong with single lines of a log. */
export class LineNotes {
  readonly #unreadable: { readonly line: number; readonly why: string }[] = [];
  #unreadableCount = 0;
  #repeatedCount = 0;
  #firstRepeated = { line: 0, cycle: 0 };
  #backCount = 0;
  #firstBack = { line: 0, seconds: 0 };
  #lastTime = 0;

  addUnreadable(line: number, why: string): void {
    this.#unreadableCount++;
    if (this.#unreadable.length < MAX_TOLD) this.#unreadable.push({ line, why });
  }

  addRepeated(line: number, cycle: number): void {
    if (this.#repeatedCount++ === 0) this.#firstRepeated = { line, cycle };
  }

  /** Watches the clock of the log's writers: `time` is of the next record, as `lineTime.ts` has it. */
  follow(line: number, time: number): void {
    const before = this.#lastTime;
    this.#lastTime = time;
    if (time >= before) return;
    if (this.#backCount++ === 0) this.#firstBack = { line, seconds: secondsBetween(time, before) };
  }

  findings(): readonly LogFinding[] {
    return [...this.#unreadableFindings(), ...this.#repeatedFindings(), ...this.#clockFindings()];
  }

  #unreadableFindings(): readonly LogFinding[] {
    const told = this.#unreadable.map(({ line, why }): LogFinding => {
      const text = `Line ${formatCount(line)} is left out: ${why}`;
      return { kind: 'unreadable', count: 1, line, text };
    });
    const more = this.#unreadableCount - told.length;
    if (more === 0) return told;
    const text = `${plural(more, 'more line is', 'more lines are')} no usage records and left out`;
    return [...told, { kind: 'unreadable', count: more, line: undefined, text }];
  }

  #repeatedFindings(): readonly LogFinding[] {
    const count = this.#repeatedCount;
    if (count === 0) return [];
    const { line, cycle } = this.#firstRepeated;
    const text =
      `${plural(count, 'line gives', 'lines give')} sections of a cycle that has some already, first line ` +
      `${formatCount(line)} of cycle ${formatCount(cycle)}: the first line of a cycle holds, citations of all count`;
    return [{ kind: 'repeated', count, line, text }];
  }

  #clockFindings(): readonly LogFinding[] {
    const count = this.#backCount;
    if (count === 0) return [];
    const { line, seconds } = this.#firstBack;
    const times = count === 1 ? 'once' : `${formatCount(count)} times`;
    const text =
      `The clock went back ${times}, first by ${formatCount(seconds)} s at line ${formatCount(line)}: cycles count ` +
      'by their numbers';
    return [{ kind: 'clock', count, line, text }];
  }
}
