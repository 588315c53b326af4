import type { LeftOutCounts, LeftOutSections } from '../model/report';
import type { Escape } from '../text/elements';
import { NOTES_ELEMENT, sectionHandle } from '../text/elements';
import { formatCount, listNames, plural } from '../text/numbers';
import { renderElement } from './element';

/** What the closing notes of a payload may have to say. */
interface NoteFacts {
  readonly isIndexOnly: boolean;
  /** There are observations, whose ids are handles. */
  readonly hasObservations?: boolean;
  /** Something is not shown in full. */
  readonly isPartial: boolean;
  /** Ids of alarms and of other sections that were taken away, in payload order. */
  readonly alarms?: readonly string[];
  readonly dropped: readonly string[];
  /** Command sections that were not run, by reason. */
  readonly notRun: readonly { readonly id: string; readonly reason: string }[];
  /** What the agent has without the payload, and where it cuts it. */
  readonly loadedByAgent?: readonly LoadedFacts[];
  readonly over: OverFacts | undefined;
  /** What the budget leaves out. */
  readonly leftOut?: LeftOutSections;
  /** Context files that were found and are no section. */
  readonly uncollected?: LeftOutCounts | undefined;
  /** Words of a task that nothing here matches. */
  readonly unmatched?: readonly string[] | undefined;
}

/** A section that the profile's agent loads by itself. */
interface LoadedFacts {
  readonly title: string;
  readonly agent: string;
  readonly cutLine: number | undefined;
}

/** `P0` and `P1` alone exceed a cap. */
export interface OverFacts {
  readonly unit: 'tokens' | 'characters';
  readonly used: number;
  readonly cap: number;
  /** Sections that cannot be cut, largest first. */
  readonly largest: readonly { readonly title: string; readonly used: number }[];
}

/** Notes are a payload's overhead: longer lists end with `3 more`. */
const MAX_NAMES = 5;

/** Handles an agent can ask for, by example. */
const HANDLE_FORMS = 'section:id, sym:…, file:path#L10-L40';

/** Who reads this knows nothing of the product: it says which tool answers, and what to do without one. */
function askNote({ isIndexOnly, hasObservations }: NoteFacts): string {
  const forms = hasObservations ? `12, ${HANDLE_FORMS}` : HANDLE_FORMS;
  return `${isIndexOnly ? 'index-only; ' : ''}detail by handle (tool context_detail, else the file itself): ${forms}`;
}

function notRunNotes(notRun: NoteFacts['notRun']): readonly string[] {
  const reasons = [...new Set(notRun.map(({ reason }) => reason))];
  return reasons.map((reason) => {
    const ids = notRun.filter((each) => each.reason === reason).map(({ id }) => id);
    return `not run (${reason}): ${listNames(ids, MAX_NAMES)}`;
  });
}

function loadedNotes(loaded: readonly LoadedFacts[]): readonly string[] {
  const [first] = loaded;
  if (!first) return [];
  const names = loaded.map(({ title, cutLine }) =>
    cutLine === undefined ? title : `${title} (cut at line ${formatCount(cutLine)})`,
  );
  const what = loaded.length === 1 ? 'it' : 'them';
  return [`left out, because ${first.agent} loads ${what} itself: ${listNames(names, MAX_NAMES)}`];
}

function leftOutNotes({ sections, tokens }: LeftOutSections): readonly string[] {
  if (sections === 0) return [];
  return [`${plural(sections, 'section')} left out (${plural(tokens, 'token')}): ask by handle`];
}

function uncollectedNotes({ foreign, ignored }: LeftOutCounts): readonly string[] {
  const why = [
    ...(foreign > 0 ? [`${formatCount(foreign)} in folders of other people's code or test inputs`] : []),
    ...(ignored > 0 ? [`${formatCount(ignored)} ignored by Git`] : []),
  ];
  return why.length === 0 ? [] : [`${plural(foreign + ignored, 'context file')} left out: ${why.join(', ')}`];
}

function overNote({ unit, used, cap, largest }: OverFacts): string {
  const names = largest.map(({ title, used: size }) => `${title} ${formatCount(size)}`);
  return (
    `over budget: P0 and P1 alone need ${formatCount(used)} of ${formatCount(cap)} ${unit}; ` +
    `shrink first: ${listNames(names, MAX_NAMES)}`
  );
}

function unmatchedNotes(words: readonly string[]): readonly string[] {
  return words.length === 0
    ? []
    : [`nothing here matches the task (${listNames(words, MAX_NAMES)}): the map is a general one`];
}

/** Counts the alarms that had no room. */
function alarmNotes(ids: readonly string[]): readonly string[] {
  if (ids.length === 0) return [];
  return [`${plural(ids.length, 'more alarm')}: ${listNames(ids.map(sectionHandle), MAX_NAMES)}`];
}

/** The notes of a payload, most useful first; empty when there is nothing to say. */
export function buildNotes(facts: NoteFacts): readonly string[] {
  const { isPartial, alarms = [], dropped, notRun, loadedByAgent = [], over, uncollected, unmatched = [] } = facts;
  return [
    ...(over ? [overNote(over)] : []),
    ...alarmNotes(alarms),
    ...unmatchedNotes(unmatched),
    ...(isPartial ? [askNote(facts)] : []),
    ...(facts.leftOut ? leftOutNotes(facts.leftOut) : []),
    ...(dropped.length > 0 ? [`dropped to fit: ${listNames(dropped.map(sectionHandle), MAX_NAMES)}`] : []),
    ...notRunNotes(notRun),
    ...loadedNotes(loadedByAgent),
    ...(uncollected ? uncollectedNotes(uncollected) : []),
  ];
}

/** The closing element of the text form; nothing when there are no notes. */
export function renderNotes(notes: readonly string[], escapeTags: Escape): string {
  if (notes.length === 0) return '';
  return renderElement(NOTES_ELEMENT, notes.map((note) => escapeTags(note)).join('\n'));
}
