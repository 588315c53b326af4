import { bytesOf } from '../text/counts';
import { type Phrase, phrase } from '../text/phrase';

/** Cycles that two records claim, the first by its number. */
export function doubledCycles(cycle: number, others: number): Phrase {
  if (others === 0)
    return phrase('cycle {0} is recorded twice: the first record counts, with the citations of both', cycle);
  return phrase(
    others === 1
      ? 'cycle {0} is recorded twice, and {1} more cycle too: the first record counts, with the citations of both'
      : 'cycle {0} is recorded twice, and {1} more cycles too: the first record counts, with the citations of both',
    cycle,
    others,
  );
}

/** Lines that are no records, beside those that were named. */
export function moreBadLines(count: number): Phrase {
  return phrase(count === 1 ? '{0} more line is no record' : '{0} more lines are no records', count);
}

/** Of a log that is too large only the end is read. */
export function notAllRead(read: number, unread: number): Phrase {
  return phrase('the newest {0} were read, {1} before them were not', bytesOf(read), bytesOf(unread));
}
