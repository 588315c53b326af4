/** The facts behind a factor's value, in words: for `budget --explain` and the panel. */
import { formatCount, plural } from '../report/words';
import { MIN_CYCLES } from '../usage/sectionUsage';
import type { CitationFacts } from './evidence';
import { hasEnoughData } from './factors';
import type { TriggerMatch } from './trigger';

/** Words of a match that are named; the others are counted. */
const MAX_WORDS = 4;

/** `cited in 12 of 50 cycles`, or how much history is missing. `loaded`: cycles that had it, with or without citations. */
export function whyCitation(facts: CitationFacts, loaded: number): string {
  // Cycles without any citation do not count, which must be said where there are some.
  const kind = facts.loaded < loaded ? ' that cited anything' : '';
  if (hasEnoughData(facts))
    return `cited in ${formatCount(facts.citedCycles)} of ${plural(facts.loaded, 'cycle')}${kind}`;
  const have = formatCount(Math.min(facts.othersCited, MIN_CYCLES));
  return `not enough data: ${have} of ${MIN_CYCLES} cycles${loaded > 0 ? ' that cited anything else' : ''}`;
}

/** When it was cited last; `cycles`: in the window. */
export function whyRecency(
  cycles: number,
  lastCitedCycle: number | undefined,
  cyclesSinceCited: number | undefined,
): string {
  if (cyclesSinceCited !== undefined) {
    const age = cyclesSinceCited === 0 ? 'the newest' : `${plural(cyclesSinceCited, 'cycle')} ago`;
    return lastCitedCycle === undefined ? `last cited: ${age}` : `last cited in cycle ${lastCitedCycle}, ${age}`;
  }
  return cycles > 0 ? `not cited in the last ${plural(cycles, 'cycle')}` : 'no history yet';
}

/** What of the task was found. `said`: somebody said something that sections were matched against. */
export function whyTrigger(said: boolean, match: TriggerMatch | undefined): string {
  if (!match) return said ? 'what was said is in no section' : 'no task, nothing to match';
  const { words } = match;
  if (words.length === 0) return 'nothing of what was said';
  const rest = words.length - MAX_WORDS;
  return `matches ${words.slice(0, MAX_WORDS).join(', ')}${rest > 0 ? ` and ${plural(rest, 'other word')}` : ''}`;
}

/** What it costs. */
export function whySize(chars: number | undefined): string {
  return chars === undefined ? 'made to a budget of its own' : plural(chars, 'character');
}
