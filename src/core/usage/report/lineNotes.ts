import { type Phrase, phrase } from '../../text/phrase';
import type { LogFinding } from './usageReport';

/** Unreadable lines that are told one by one; of the others only how many there are. */
const MAX_TOLD = 5;

/** A file with so many unreadable lines is something else: the rest of it is not read. */
export const MAX_UNREADABLE = 500_000;

/** Seconds from `earlier` to `later`; the clock's own jumps are not known. */
function secondsBetween(earlier: string, later: string): number {
  const momentOf = (time: string): number => Date.parse(`${time.replace(' ', 'T')}Z`);
  return (momentOf(later) - momentOf(earlier)) / 1000;
}

/** What is wrong with single lines of a log. */
export class LineNotes {
  readonly #maxUnreadable: number;
  readonly #unreadable: { readonly line: number; readonly why: Phrase }[] = [];
  #unreadableCount = 0;
  #repeatedCount = 0;
  #firstRepeated = { line: 0, cycle: 0 };
  #backCount = 0;
  #firstBack = { line: 0, seconds: 0 };
  #lastTime = '';

  constructor(maxUnreadable = MAX_UNREADABLE) {
    this.#maxUnreadable = maxUnreadable;
  }

  /** Nothing more is worth reading. */
  get isFull(): boolean {
    return this.#unreadableCount >= this.#maxUnreadable;
  }

  addUnreadable(line: number, why: Phrase): void {
    this.#unreadableCount++;
    if (this.#unreadable.length < MAX_TOLD) this.#unreadable.push({ line, why });
  }

  addRepeated(line: number, cycle: number): void {
    if (this.#repeatedCount++ === 0) this.#firstRepeated = { line, cycle };
  }

  /** Watches the clock of the log's writers: `time` (`YYYY-MM-DD HH:mm:ss`, which orders like a time) is the next record's. */
  follow(line: number, time: string): void {
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
      const words = phrase('Line {0} is left out: {1}', line, why);
      return { kind: 'unreadable', count: 1, line, words };
    });
    const more = this.#unreadableCount - told.length;
    if (more === 0) return told;
    if (this.isFull) {
      const rest = phrase('{0} more lines are no usage records, and what follows them was not read', more);
      return [...told, { kind: 'unreadable', count: more, line: undefined, words: rest }];
    }
    const words = phrase(
      more === 1
        ? '{0} more line is no usage records and left out'
        : '{0} more lines are no usage records and left out',
      more,
    );
    return [...told, { kind: 'unreadable', count: more, line: undefined, words }];
  }

  #repeatedFindings(): readonly LogFinding[] {
    const count = this.#repeatedCount;
    if (count === 0) return [];
    const { line, cycle } = this.#firstRepeated;
    const words = phrase(
      count === 1
        ? '{0} line gives sections of a cycle that has some already, first line {1} of cycle {2}: the first line of a cycle holds, citations of all count'
        : '{0} lines give sections of a cycle that has some already, first line {1} of cycle {2}: the first line of a cycle holds, citations of all count',
      count,
      line,
      cycle,
    );
    return [{ kind: 'repeated', count, line, words }];
  }

  #clockFindings(): readonly LogFinding[] {
    const count = this.#backCount;
    if (count === 0) return [];
    const { line, seconds } = this.#firstBack;
    const times = count === 1 ? phrase('once') : phrase('{0} times', count);
    const words = phrase(
      'The clock went back {0}, first by {1} s at line {2}: cycles count by their numbers',
      times,
      seconds,
      line,
    );
    return [{ kind: 'clock', count, line, words }];
  }
}
