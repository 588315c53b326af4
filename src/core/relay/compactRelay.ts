/**
 * Relay context (DESIGN §7): what a relay window must never lose, out of the log of a long agent session. This folder decides
 * what of a log is an essential and what is noise (`compactRelay`), when a log is due for it (`triggers`), and what a
 * relay must not say (`overreach.ts`). It does not summarise by a model, and it never judges an entry by its age.
 */

import { isRecord, type JsonRecord, ownValue } from '../text/jsonRecord';
import { phrase } from '../text/phrase';
import { countDropped, type DroppedItem, FAULT_RULES, toldAsIs, toldAsKind } from './dropped';
import { DROP_RULES, type DropRule, RULED_FIELDS, type RuledField } from './dropRules';
import { mergeEssentials, readEssentialsOf } from './essentials';
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
import { summarizeRelay } from './relaySummary';

/**
 * A compacted relay log. Its lists are the input's without what was dropped, in the same order; keys that the product
 * does not know are there untouched.
 */
interface RelayOutput {
  /** Only those of the five essentials that were found. */
  readonly relay_context: RelayContext;
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
  /** Default: {@link DROP_RULES}. */
  readonly rules?: readonly DropRule[];
}

/** Keys that compaction writes itself. */
const OWN_KEYS = new Set(['relay_context', 'self_check', 'summary']);

const isRuled = (key: string): key is RuledField => (RULED_FIELDS as readonly string[]).includes(key);

interface FieldRead {
  readonly entry?: readonly [string, unknown];
  readonly dropped: readonly DroppedItem[];
}

function judgeList(field: RuledField, entries: readonly unknown[], rules: readonly DropRule[]): FieldRead {
  const judges = rules.filter((rule) => rule.field === field).map(({ rule, begin }) => ({ rule, drops: begin() }));
  const kept: unknown[] = [];
  const dropped: DroppedItem[] = [];
  entries.forEach((entry, index) => {
    const fault = faultOf(entry);
    const rule = fault ? FAULT_RULES[fault] : judges.find(({ drops }) => drops(entry))?.rule;
    if (rule === undefined) kept.push(entry);
    else dropped.push({ field, index, rule, ...toldAsIs(entry, fault) });
  });
  return { entry: [field, kept], dropped };
}

function readField(field: string, value: unknown, rules: readonly DropRule[]): FieldRead {
  if (isRuled(field) && Array.isArray(value)) return judgeList(field, value, rules);
  const fault = faultOf(value);
  const rule = fault ? FAULT_RULES[fault] : isRuled(field) ? 'wrong_type' : undefined;
  if (rule === undefined) return { entry: [field, value], dropped: [] };
  const said = fault ? toldAsIs(value, fault) : toldAsKind(value);
  return { dropped: [{ field, index: undefined, rule, ...said }] };
}

/** What stood where compaction writes itself, if it was not its own. */
function replaced(input: JsonRecord, own: JsonRecord): readonly DroppedItem[] {
  return ['self_check', 'summary'].flatMap((field): DroppedItem[] => {
    const was = ownValue(input, field);
    const fault = faultOf(was);
    if (was === undefined || (fault === undefined && canonicalJson(was) === canonicalJson(own[field]))) return [];
    return [{ field, index: undefined, rule: 'replaced', ...toldAsIs(was, fault) }];
  });
}

/**
 * Compacts a relay log: keeps the five essentials, drops stale, resolved and repeated entries and unstructured error
 * dumps by {@link DROP_RULES}, passes everything else through. Deterministic; compacting the output again (with the
 * same ledger) gives the same output; the input is not changed, kept values are shared with it. Linear but for the
 * sorting of keys.
 *
 * Throws `RelayError` (`notAnObject`) when `input` is no object. Everything else that is wrong with it is dropped and
 * listed: values of the wrong type, with cycles, or nested more than 200 deep.
 *
 * @example
 * compactRelay({ relay_context: { goal: ' Ship ' }, execution_logs: [{ status: 'Done' }] }).output
 * // { relay_context: { goal: 'Ship' }, execution_logs: [],
 * //   self_check: { complete: false, missing: ['constraints', …] }, summary: 'Goal: Ship\n…' }
 */
export function compactRelay(input: unknown, options: CompactOptions = {}): RelayCompaction {
  if (!isRecord(input)) {
    throw new RelayError('notAnObject', phrase('A relay log must be a JSON object, but is {0}.', kindWords(input)));
  }
  const rules = options.rules ?? DROP_RULES;
  const own = readEssentialsOf(ownValue(input, 'relay_context'), 'relay_context');
  const ledgers = [options.ledger, ownValue(input, 'ledger')].map(readLedger);
  const { context, sources } = mergeEssentials(
    own.context,
    ledgers.map((ledger) => ledger.context),
  );
  const missing = ESSENTIALS.filter((key) => context[key] === undefined);
  const selfCheck: RelaySelfCheck = { complete: missing.length === 0, missing };
  const written = { self_check: selfCheck, summary: summarizeRelay(context, selfCheck) };
  const keys = Object.keys(input).filter((key) => !OWN_KEYS.has(key));
  const fields = keys.map((key) => readField(key, ownValue(input, key), rules));
  const dropped = [own, ...fields, ...ledgers].flatMap((read) => read.dropped).concat(replaced(input, written));
  const kept = fields.flatMap(({ entry }) => (entry ? [entry] : []));
  // From entries, so that a key `__proto__` stays a key.
  const output = Object.fromEntries([['relay_context', context], ...kept, ...Object.entries(written)]) as RelayOutput;
  const isKnown = (key: string, value: unknown): boolean => isRuled(key) || (key === 'ledger' && isRecord(value));
  const passedThrough = kept.flatMap(([key, value]) => (isKnown(key, value) ? [] : [key]));
  return { output, findings: { dropped, counts: countDropped(dropped), passedThrough, sources } };
}
