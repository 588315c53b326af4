/**
 * Relay context (DESIGN §7): what a relay window must never lose, out of the log of a long agent session. This folder decides
 * what of a log is an essential and what is noise (`compactRelay`), when a log is due for it (`triggers`), and what a
 * relay must not say (`overreach.ts`). It does not summarise by a model, and it never judges an entry by its age.
 */

import { isRecord, type JsonRecord, ownValue } from '../text/jsonRecord';
import { phrase } from '../text/phrase';
import { countDropped, type DroppedItem, FAULT_RULES, toldAsIs } from './dropped';
import { RULED_FIELDS } from './dropRules';
import { isEssential, readEssentials } from './essentials';
import { canonicalJson, faultOf, kindWords } from './jsonValue';
import { readLedger } from './ledger';
import {
  ESSENTIALS,
  type EssentialKey,
  type EssentialSource,
  type RelayContext,
  RelayError,
  type RelaySelfCheck,
} from './relayContext';
import { alarmsIn, compactList, earlierRecords, isRuled, type RelayAlarm, type RepeatedRecord } from './relayLists';
import { summarizeRelay } from './relaySummary';
import { foldState } from './states';

/**
 * A compacted relay log. Its lists are the input's without what was dropped, in the same order; keys that the product
 * does not know are there untouched.
 */
export interface RelayOutput {
  /** Only those of the five essentials that were found. */
  readonly relay_context: RelayContext;
  /** What entries of the lists replace, in the order of the lists. */
  readonly repeated: readonly RepeatedRecord[];
  /** Health alarms that stand, in the order of the lists. */
  readonly alarms: readonly RelayAlarm[];
  /** The state of the given ledger, folded, which triggers remember; absent where none was given. */
  readonly ledger_state?: string;
  readonly self_check: RelaySelfCheck;
  /** At most ten lines. */
  readonly summary: string;
  readonly [key: string]: unknown;
}

/** What compaction did, apart from its output, so that compacting the output again changes nothing. */
export interface RelayFindings {
  /** Everything that is in the input and not in the output, in the order of the output's keys. */
  readonly dropped: readonly DroppedItem[];
  /** The same, counted by field and rule. */
  readonly counts: ReturnType<typeof countDropped>;
  /** Top-level keys that passed through untouched, in the input's order; `ledger` is none of them. */
  readonly passedThrough: readonly string[];
  readonly sources: Readonly<Record<EssentialKey, EssentialSource>>;
}

/** A compacted log and what was done. */
export interface RelayCompaction {
  readonly output: RelayOutput;
  readonly findings: RelayFindings;
}

/** What compaction may be given beside the log. */
export interface CompactOptions {
  /** Essentials that the log lacks, and facts; any JSON value. Goes before the `ledger` inside of the log. */
  readonly ledger?: unknown;
}

/** Keys that compaction writes itself. */
const WRITTEN_KEYS = ['repeated', 'alarms', 'ledger_state', 'self_check', 'summary'] as const;
const OWN_KEYS: ReadonlySet<string> = new Set(['relay_context', ...WRITTEN_KEYS]);

interface FieldRead {
  readonly entry?: readonly [string, unknown];
  readonly dropped: readonly DroppedItem[];
  readonly repeated?: readonly RepeatedRecord[];
  readonly alarms?: readonly RelayAlarm[];
}

function readField(field: string, value: unknown, earlier: ReturnType<typeof earlierRecords>): FieldRead {
  if (isRuled(field) && Array.isArray(value)) {
    const { kept, ...found } = compactList(field, value, earlier);
    return { entry: [field, kept], ...found };
  }
  const fault = faultOf(value);
  if (!fault) return { entry: [field, value], dropped: [], alarms: isRuled(field) ? alarmsIn(field, value) : [] };
  return { dropped: [{ field, index: undefined, rule: FAULT_RULES[fault], ...toldAsIs(value, fault) }] };
}

/** What stood where compaction writes itself, if it was not its own. */
function replaced(input: JsonRecord, written: JsonRecord): readonly DroppedItem[] {
  return WRITTEN_KEYS.flatMap((field): DroppedItem[] => {
    const was = ownValue(input, field);
    const fault = faultOf(was);
    if (was === undefined || (fault === undefined && canonicalJson(was) === canonicalJson(written[field]))) return [];
    // Its own records of another state of the log are no loss.
    if ((field === 'repeated' || field === 'alarms') && isOwnList(was)) return [];
    return [{ field, index: undefined, rule: 'replaced', ...toldAsIs(was, fault) }];
  });
}

function isOwnList(value: unknown): boolean {
  const isOwn = (item: unknown): boolean => isRecord(item) && isRuled(String(ownValue(item, 'list')));
  return Array.isArray(value) && faultOf(value) === undefined && value.every(isOwn);
}

/** The state of the given ledger, else the one that an earlier compaction wrote. */
function ledgerState(input: JsonRecord, ledger: unknown): { readonly ledger_state?: string } {
  const state = readLedger(ledger).state || foldState(ownValue(input, 'ledger_state'));
  return state === '' ? {} : { ledger_state: state };
}

/**
 * Compacts a relay log: keeps the five essentials, drops finished, stale, resolved and repeated entries and unstructured
 * error dumps (`relayLists.ts`), lists health alarms, passes everything else through. Essentials beside the lists move to
 * `relay_context`. Deterministic; compacting the output again (with or without the same ledger) gives the same output;
 * the input is not changed, kept values are shared with it. Linear but for the sorting of keys and times.
 *
 * Throws `RelayError` (`notAnObject`) when `input` is no object. Everything else that is wrong with it is dropped and
 * listed: a `relay_context` that is no object, values with cycles, or nested more than 200 deep.
 *
 * @example
 * compactRelay({ relay_context: { goal: ' Ship ' }, execution_logs: [{ status: 'Done' }] }).output
 * // { relay_context: { goal: 'Ship' }, execution_logs: [], repeated: [], alarms: [],
 * //   self_check: { complete: false, missing: ['constraints', …] }, summary: 'Goal: Ship\n…' }
 */
export function compactRelay(input: unknown, options: CompactOptions = {}): RelayCompaction {
  if (!isRecord(input)) {
    throw new RelayError('notAnObject', phrase('A relay log must be a JSON object, but is {0}.', kindWords(input)));
  }
  const ledgers = [options.ledger, ownValue(input, 'ledger')].map(readLedger);
  const found = readEssentials(
    input,
    '',
    ledgers.map(({ context }) => context),
  );
  const { context, sources } = found;
  const earlier = earlierRecords(ownValue(input, 'repeated'));
  const keys = Object.keys(input).filter((key) => !OWN_KEYS.has(key) && !isEssential(key));
  const fields = keys.map((key) => readField(key, ownValue(input, key), earlier));
  const kept = fields.flatMap(({ entry }) => (entry ? [entry] : []));
  const ofLists = <T extends { readonly list: string }>(items: readonly T[]): readonly T[] =>
    RULED_FIELDS.flatMap((list) => items.filter((item) => item.list === list));
  const alarms = ofLists(fields.flatMap((field) => field.alarms ?? []));
  const records = ofLists(fields.flatMap((field) => field.repeated ?? []));
  const missing = ESSENTIALS.filter((key) => context[key] === undefined);
  const selfCheck: RelaySelfCheck = { complete: missing.length === 0, missing };
  const written = {
    repeated: records,
    alarms,
    ...ledgerState(input, options.ledger),
    self_check: selfCheck,
    summary: summarizeRelay(context, selfCheck, alarms),
  };
  const dropped = [found, ...fields, ...ledgers].flatMap((read) => read.dropped).concat(replaced(input, written));
  // From entries, so that a key `__proto__` stays a key.
  const output = Object.fromEntries([['relay_context', context], ...kept, ...Object.entries(written)]) as RelayOutput;
  const isKnown = (key: string, value: unknown): boolean =>
    (isRuled(key) && Array.isArray(value)) || (key === 'ledger' && isRecord(value));
  const passedThrough = kept.flatMap(([key, value]) => (isKnown(key, value) ? [] : [key]));
  return { output, findings: { dropped, counts: countDropped(dropped), passedThrough, sources } };
}
