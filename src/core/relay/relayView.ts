/**
 * What a person sees of a relay log: its essentials, what compaction drops of it and why, whether that is due. Small
 * whatever the log's size, so that it may leave the worker that holds the log.
 */

import { RELAY_DEFAULTS } from '../config/profile';
import type { Phrase } from '../text/phrase';
import { toSentence } from '../text/sentence';
import { estimateTokens } from '../tokens/lines';
import type { RelayCompaction, RelayFindings } from './compactRelay';
import { type DroppedItem, dropWords, groupDropped } from './dropped';
import { saidItems } from './jsonValue';
import { ESSENTIALS, type EssentialKey, type EssentialSource, type RelayContext } from './relayContext';
import { alarmLine, type Recovery, recoveryOf } from './relaySummary';
import {
  checkTriggers,
  DEFAULT_REPEATS,
  INITIAL_TRIGGER_STATE,
  type RelayTrigger,
  type TriggerSettings,
  type TriggerState,
} from './triggers';

/** One essential, to be read. */
export interface EssentialView {
  readonly key: EssentialKey;
  /** A text alone, or the items of a list; none: the list is empty, or the essential is missing. */
  readonly texts: readonly string[];
  /** Characters of it that are not in `texts`: a panel shows at most 20,000. */
  readonly charsLeftOut: number;
  readonly source: EssentialSource;
}

/** An entry that compaction drops. */
export type DroppedEntry = Omit<DroppedItem, 'field' | 'rule'>;

/** What one rule drops of one field. */
export interface DroppedGroup {
  readonly field: string;
  readonly rule: string;
  /** What the rule drops, in words. */
  readonly words: Phrase;
  readonly count: number;
  /** The first {@link MAX_ENTRIES_SHOWN}. */
  readonly entries: readonly DroppedEntry[];
}

/** What triggers are told beside the log: what was seen before, and limits. Plain data. */
export interface RelayLook {
  readonly state: TriggerState;
  readonly settings: TriggerSettings;
}

/** A relay log as it is now. Plain data of at most some hundred kilobytes. */
export interface RelayView {
  /** All five, in their order. */
  readonly essentials: readonly EssentialView[];
  /** Health alarms that stand, a line each; the newest {@link MAX_ALARMS_SHOWN}, the newest first. */
  readonly alarms: readonly string[];
  /** Alarms that are not among them. */
  readonly alarmsLeft: number;
  /** At most ten lines, as `compactRelay` writes them. */
  readonly summary: string;
  readonly dropped: readonly DroppedGroup[];
  /** Keys that the product does not know and keeps; the first 50. */
  readonly passedThrough: readonly string[];
  /** Estimated tokens of the log as it is. */
  readonly tokens: number;
  readonly maxTokens: number;
  readonly recovery: Recovery | undefined;
  /** Triggers that fired at this look. */
  readonly fired: readonly RelayTrigger[];
  /** What the next look is told. */
  readonly triggerState: TriggerState;
  /** What is wrong with the ledger, in words. */
  readonly problem: Phrase | undefined;
}

/** What a view is made of. */
interface RelayViewInput {
  readonly compaction: RelayCompaction;
  readonly log: unknown;
  /** The log's text; undefined where there is only a ledger. */
  readonly text: string | undefined;
  readonly ledger: unknown;
  readonly problem: Phrase | undefined;
  readonly look: RelayLook | undefined;
}

/** Entries of a rule that are shown; the others are counted. */
export const MAX_ENTRIES_SHOWN = 20;

/** Rules with entries: there are 20-odd, and one for each unknown key of a hostile log. */
const MAX_GROUPS = 50;

const MAX_PASSED = 50;

/** A hostile log has thousands. */
const MAX_ALARMS_SHOWN = 10;

/** Of a key that is shown. UTF-16 code units. */
const MAX_KEY_CHARS = 60;

/** Of a place, such as `relay_context.` and a key. UTF-16 code units. */
const MAX_FIELD_CHARS = 120;

/** Of one essential. UTF-16 code units. */
const MAX_ESSENTIAL_CHARS = 20_000;

function essentialView(key: EssentialKey, context: RelayContext, source: EssentialSource): EssentialView {
  const value = context[key];
  const all = value === undefined ? [] : saidItems(value);
  const texts: string[] = [];
  let room = MAX_ESSENTIAL_CHARS;
  let charsLeftOut = 0;
  for (const text of all) {
    // No character is cut apart.
    const shown = text.length <= room ? text : text.slice(0, Math.max(0, room)).replace(/[\ud800-\udbff]$/, '');
    if (shown !== '') texts.push(shown);
    charsLeftOut += text.length - shown.length;
    room -= text.length;
  }
  return { key, texts, charsLeftOut, source };
}

function groupsOf({ dropped }: RelayFindings): readonly DroppedGroup[] {
  return groupDropped(dropped)
    .slice(0, MAX_GROUPS)
    .map(({ field, rule, items }) => ({
      field: toSentence(field, MAX_FIELD_CHARS),
      rule,
      words: dropWords(field, rule),
      count: items.length,
      entries: items.slice(0, MAX_ENTRIES_SHOWN).map(({ field: _field, rule: _rule, ...entry }) => entry),
    }));
}

const FIRST_LOOK: RelayLook = {
  state: INITIAL_TRIGGER_STATE,
  settings: { maxTokens: RELAY_DEFAULTS.maxTokens, repeats: DEFAULT_REPEATS },
};

/** The view of a compacted log. Linear in the log; `look` is a first one with the default limits when it is absent. */
export function relayView({ compaction, log, text, ledger, problem, look = FIRST_LOOK }: RelayViewInput): RelayView {
  const { output, findings } = compaction;
  const tokens = text === undefined ? 0 : estimateTokens(text);
  const check = checkTriggers(look.state, { log, compacted: output, ledger, count: () => tokens }, look.settings);
  return {
    essentials: ESSENTIALS.map((key) => essentialView(key, output.relay_context, findings.sources[key])),
    alarms: output.alarms.slice(-MAX_ALARMS_SHOWN).reverse().map(alarmLine),
    alarmsLeft: Math.max(0, output.alarms.length - MAX_ALARMS_SHOWN),
    summary: output.summary,
    dropped: groupsOf(findings),
    passedThrough: findings.passedThrough.slice(0, MAX_PASSED).map((key) => toSentence(key, MAX_KEY_CHARS)),
    tokens,
    maxTokens: look.settings.maxTokens,
    recovery: recoveryOf(output, ledger),
    fired: check.fired,
    triggerState: check.state,
    problem,
  };
}
