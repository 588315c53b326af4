/** The facts behind a factor's value, in words: for `budget --explain` and the panel. */

import { MIN_CYCLES } from '../../model/usage';
import { charactersOf, cyclesOf } from '../../text/counts';
import { type Phrase, phrase } from '../../text/phrase';
import type { CitationFacts } from './evidence';
import { hasEnoughData } from './factors';
import type { TriggerMatch } from './trigger';

/** Words of a match that are named; the others are counted. */
const MAX_WORDS = 4;

/** `cited in 12 of 50 cycles`, or how much history is missing. `loaded`: cycles that had it, with or without citations. */
export function whyCitation(facts: CitationFacts, loaded: number): Phrase {
  if (hasEnoughData(facts)) {
    const { citedCycles, loaded: counted } = facts;
    // Cycles without any citation do not count, which must be said where there are some.
    return counted < loaded
      ? phrase('cited in {0} of {1} that cited anything', citedCycles, cyclesOf(counted))
      : phrase('cited in {0} of {1}', citedCycles, cyclesOf(counted));
  }
  const have = Math.min(facts.othersCited, MIN_CYCLES);
  return loaded > 0
    ? phrase('not enough data: {0} of {1} that cited anything else', have, cyclesOf(MIN_CYCLES))
    : phrase('not enough data: {0} of {1}', have, cyclesOf(MIN_CYCLES));
}

/** When it was cited last; `cycles`: in the window. */
export function whyRecency(
  cycles: number,
  lastCitedCycle: number | undefined,
  cyclesSinceCited: number | undefined,
): Phrase {
  if (cyclesSinceCited === undefined)
    return cycles > 0 ? phrase('not cited in the last {0}', cyclesOf(cycles)) : phrase('no history yet');
  const age = cyclesSinceCited === 0 ? phrase('the newest') : phrase('{0} ago', cyclesOf(cyclesSinceCited));
  return lastCitedCycle === undefined
    ? phrase('last cited: {0}', age)
    : phrase('last cited in cycle {0}, {1}', String(lastCitedCycle), age);
}

/** What of the task was found. `said`: somebody said something that sections were matched against. */
export function whyTrigger(said: boolean, match: TriggerMatch | undefined): Phrase {
  if (!match) return said ? phrase('what was said is in no section') : phrase('no task, nothing to match');
  const { words } = match;
  if (words.length === 0) return phrase('nothing of what was said');
  const named = words.slice(0, MAX_WORDS).join(', ');
  const rest = words.length - MAX_WORDS;
  if (rest <= 0) return phrase('matches {0}', named);
  return phrase(rest === 1 ? 'matches {0} and {1} other word' : 'matches {0} and {1} other words', named, rest);
}

/** What it costs. */
export function whySize(chars: number | undefined): Phrase {
  return chars === undefined ? phrase('made to a budget of its own') : charactersOf(chars);
}
