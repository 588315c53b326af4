/** What a screen reader is told when the state changes, and how often. The rest of the panel is read, not spoken. */
import type { ReportSection } from '../src/core/model/report';
import type { PanelPayload, PanelSnapshot } from '../src/protocol/panel';
import { agentSentence } from './agents';
import { isAlert, matchesFilter, WARN_MARK } from './model';
import { relaySentence } from './relay';
import { isSameFolder, type PanelState } from './state';
import { WORDS } from './words';

function budgetSentence(payload: PanelPayload): string {
  const { status, tokens, budgetTokens, chars, hardCapChars } = payload.budget;
  if (status === 'OK') return WORDS.live.ok;
  if (status === 'WARN') return WORDS.live.warn(WARN_MARK);
  const by =
    tokens > budgetTokens
      ? WORDS.messages.needTokens(tokens - budgetTokens)
      : WORDS.messages.needCharacters(chars - hardCapChars);
  return WORDS.live.over(by);
}

function sectionSentence(before: ReportSection, after: ReportSection): string | undefined {
  if (before.isExcluded !== after.isExcluded) return WORDS.live.excluded(after.title, after.isExcluded);
  if (before.isPinned !== after.isPinned) return WORDS.live.pinned(after.title, after.isPinned);
  return !isAlert(before) && isAlert(after) ? WORDS.live.alert(after.title, after.reason) : undefined;
}

function onDemandSentences(before: PanelSnapshot, after: PanelSnapshot): readonly string[] {
  const titles = new Map(after.payload?.sections.map(({ id, title }) => [id, title]));
  return [...titles].flatMap(([id, title]) => {
    const is = after.onDemand.includes(id);
    return before.onDemand.includes(id) === is ? [] : [WORDS.live.onDemand(title, is)];
  });
}

function payloadSentences(before: PanelPayload, after: PanelPayload): readonly string[] {
  const known = new Map(before.sections.map((section) => [section.id, section]));
  const sentences = after.sections.flatMap((section) => {
    const old = known.get(section.id);
    const sentence = old && !old.isPending && !section.isPending ? sectionSentence(old, section) : undefined;
    return sentence === undefined ? [] : [sentence];
  });
  const isComparable = before.mode === after.mode && before.budget.isExact && after.budget.isExact;
  if (isComparable && before.budget.status !== after.budget.status) sentences.push(budgetSentence(after));
  return sentences;
}

function filterSentence(state: PanelState): string {
  const sections = state.snapshot?.payload?.sections ?? [];
  const shown = sections.filter((section) => matchesFilter(section, state.ui.filterText, state.ui.show));
  return WORDS.live.shown(shown.length, sections.length);
}

/**
 * The one sentence worth speaking about a change of state: its last and most important, if there is any. Another folder is
 * no change of the one before.
 */
export function sentenceFor(before: PanelState, after: PanelState): string | undefined {
  if (!isSameFolder(before.snapshot, after.snapshot)) return undefined;
  const sentences: string[] = [];
  const isFilterChanged = before.ui.filterText !== after.ui.filterText || before.ui.show !== after.ui.show;
  if (isFilterChanged && after.snapshot?.payload) sentences.push(filterSentence(after));
  if (!before.isCopyPending && after.isCopyPending) sentences.push(WORDS.live.counting);
  const relay = before.snapshot && after.snapshot && relaySentence(before.snapshot.relay, after.snapshot.relay);
  if (relay !== undefined) sentences.push(relay);
  const cut = agentSentence(before.snapshot?.agents, after.snapshot?.agents);
  if (cut !== undefined) sentences.push(cut);
  const [old, now] = [before.snapshot?.payload, after.snapshot?.payload];
  if (old && now && before.snapshot && after.snapshot) {
    sentences.push(...onDemandSentences(before.snapshot, after.snapshot));
  }
  if (old && now && old !== now) sentences.push(...payloadSentences(old, now));
  return sentences.at(-1);
}

/** Least time between two sentences, in milliseconds (PANEL §5). */
export const LIVE_INTERVAL_MS = 5000;

/** The timer functions of the page, as the announcer needs them. */
interface AnnouncerTimers {
  readonly now: () => number;
  readonly schedule: (callback: () => void, delayMs: number) => void;
}

/** Speaks at once when it was silent long enough, else the newest sentence when the interval is over. */
export function createAnnouncer(
  speak: (sentence: string) => void,
  timers: AnnouncerTimers,
): (sentence: string) => void {
  let nextAt = Number.NEGATIVE_INFINITY;
  let waiting: string | undefined;
  const say = (sentence: string): void => {
    nextAt = timers.now() + LIVE_INTERVAL_MS;
    speak(sentence);
  };
  return (sentence) => {
    const delayMs = nextAt - timers.now();
    if (delayMs <= 0 && waiting === undefined) {
      say(sentence);
      return;
    }
    const isScheduled = waiting !== undefined;
    waiting = sentence;
    if (isScheduled) return;
    timers.schedule(() => {
      const latest = waiting;
      waiting = undefined;
      if (latest !== undefined) say(latest);
    }, delayMs);
  };
}
