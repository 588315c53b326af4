/** The facts behind a factor's value, in words: for `budget --explain` and the panel. */
import { formatCount, plural } from '../report/words';
import { MIN_CYCLES } from '../usage/sectionUsage';
import { type CitationFacts, hasEnoughData } from './factors';
import type { TriggerMatch } from './trigger';

/** Words of a match that are named; the others are counted. */
const MAX_WORDS = 4;

/** `cited in 12 of 50 cycles`, or how much history is missing. */
export function whyCitation({ cycles, loaded, citedCycles }: CitationFacts): string {
  if (hasEnoughData(cycles, loaded)) return `cited in ${formatCount(citedCycles)} of ${plural(loaded, 'cycle')}`;
  return `not enough data: ${formatCount(Math.min(cycles, loaded))} of ${MIN_CYCLES} cycles`;
}

/** When it was cited last. */
export function whyRecency(
  facts: CitationFacts,
  lastCitedCycle: number | undefined,
  cyclesSinceCited: number | undefined,
): string {
  if (cyclesSinceCited !== undefined) {
    const age = cyclesSinceCited === 0 ? 'the newest' : `${plural(cyclesSinceCited, 'cycle')} ago`;
    return lastCitedCycle === undefined ? `last cited: ${age}` : `last cited in cycle ${lastCitedCycle}, ${age}`;
  }
  return hasEnoughData(facts.cycles, facts.loaded)
    ? `not cited in the last ${plural(facts.cycles, 'cycle')}`
    : 'not cited yet, not enough data';
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
