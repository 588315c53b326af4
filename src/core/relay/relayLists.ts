/**
 * One list of a relay log, compacted: which entries stay, what the survivors of repetitions replace, which health alarms
 * stand. Rules are in `dropRules.ts`, repetitions in `duplicates.ts`.
 */
import { isRecord, type JsonRecord, ownValue } from '../text/jsonRecord';
import { toSentence } from '../text/sentence';
import { type DroppedItem, FAULT_RULES, TELLING_KEYS, toldAsIs } from './dropped';
import {
  alarmOf,
  DROP_RULES,
  type DropRule,
  evidencePathKey,
  isEnding,
  RULED_FIELDS,
  type RuledField,
} from './dropRules';
import { judgeRepetitions, type Member, type Repeated } from './duplicates';
import { withoutNoise } from './errorDumps';
import { canonicalJson, faultOf, firstText, saidInLine } from './jsonValue';
import type { RecoveryState } from './states';

/** A record of what an entry of the output replaces (DESIGN §5.6). */
export interface RepeatedRecord extends Repeated {
  readonly list: RuledField;
  /** Of the entry in the output's list, from 0. */
  readonly index: number;
}

/** A health alarm that stands (DESIGN §5.6). */
export interface RelayAlarm {
  readonly list: RuledField;
  /** Of the entry in the output's list, from 0. */
  readonly index: number;
  readonly status: RecoveryState;
  /** What the entry says, in one line. */
  readonly text: string;
}

/** A list without what was dropped, in its order. */
interface CompactedList {
  readonly kept: readonly unknown[];
  readonly dropped: readonly DroppedItem[];
  readonly repeated: readonly RepeatedRecord[];
  readonly alarms: readonly RelayAlarm[];
}

/** True for a key whose list has rules. */
export function isRuled(key: string): key is RuledField {
  return (RULED_FIELDS as readonly string[]).includes(key);
}

const isTime = (value: unknown): value is string | number | undefined =>
  value === undefined || typeof value === 'string' || typeof value === 'number';

const isCount = (value: unknown): value is number => typeof value === 'number' && Number.isInteger(value) && value >= 0;

/** A record of an earlier compaction; undefined for what is none. */
function recordOf(value: unknown): RepeatedRecord | undefined {
  if (!isRecord(value)) return undefined;
  const [list, index, count, first, last, by] = ['list', 'index', 'count', 'first', 'last', 'by'].map((key) =>
    ownValue(value, key),
  );
  const isPlace = typeof list === 'string' && isRuled(list) && isCount(index);
  if (!isPlace || !isCount(count) || !isTime(first) || !isTime(last)) return undefined;
  return {
    list,
    index,
    count,
    ...(first === undefined ? {} : { first }),
    ...(last === undefined ? {} : { last }),
    ...(typeof by === 'string' ? { by } : {}),
  };
}

/** Records of an earlier compaction, by the list and the place of their entry. */
export function earlierRecords(value: unknown): (field: RuledField, index: number) => Repeated | undefined {
  const records = new Map<string, Repeated>();
  for (const item of Array.isArray(value) ? value : []) {
    const record = faultOf(item) === undefined ? recordOf(item) : undefined;
    if (!record) continue;
    const { list, index, ...repeated } = record;
    records.set(`${list} ${index}`, repeated);
  }
  return (field, index) => records.get(`${field} ${index}`);
}

interface Judged {
  readonly members: readonly Member[];
  readonly dropped: readonly DroppedItem[];
}

/** Each entry by itself. */
function judgeEntries(
  field: RuledField,
  entries: readonly unknown[],
  earlier: (field: RuledField, index: number) => Repeated | undefined,
): Judged {
  const rules = DROP_RULES.filter(
    (rule): rule is DropRule & Required<Pick<DropRule, 'drops'>> => rule.field === field && rule.drops !== undefined,
  );
  const members: Member[] = [];
  const dropped: DroppedItem[] = [];
  entries.forEach((given, index) => {
    const fault = faultOf(given);
    const bare = fault || field !== 'api_error_dumps' ? { entry: given } : withoutNoise(given);
    const noise = 'noise' in bare ? bare.noise : bare.entry === given ? undefined : 'stack_lines';
    const entry = 'noise' in bare ? given : bare.entry;
    const rule = fault ? FAULT_RULES[fault] : (rules.find(({ drops }) => drops(entry))?.rule ?? noise);
    if (rule !== undefined) dropped.push({ field, index, rule, ...toldAsIs(given, fault) });
    const isGone = rule !== undefined && rule !== 'stack_lines';
    const isAlarm = alarmOf(field, entry) !== undefined;
    const ends = !fault && isRecord(entry) && isEnding(field, entry, isAlarm);
    if (isGone && !ends) return;
    members.push({ index, entry, isAlarm, isEnding: ends, isGone, repeated: earlier(field, index) });
  });
  return { members, dropped };
}

/** Paths that stood before. */
function repeatedPaths(members: readonly Member[]): ReadonlyMap<number, string> {
  const seen = new Set<string>();
  const dropped = new Map<number, string>();
  for (const { index, entry } of members) {
    const key = evidencePathKey(entry) ?? canonicalJson(entry);
    if (seen.has(key)) dropped.set(index, 'duplicate_path');
    seen.add(key);
  }
  return dropped;
}

/** An alarm says what it is about; where it does not, all that it has. */
function alarmText(entry: JsonRecord): string {
  return toSentence(firstText(entry, TELLING_KEYS) || saidInLine(entry));
}

function alarmAt(list: RuledField, entry: unknown, index: number): readonly RelayAlarm[] {
  const status = alarmOf(list, entry);
  return status && isRecord(entry) ? [{ list, index, status, text: alarmText(entry) }] : [];
}

/** The alarms of an object that stands where a list should: one entry alone, else entries by name beside other keys. */
export function alarmsIn(list: RuledField, value: unknown): readonly RelayAlarm[] {
  const own = alarmAt(list, value, 0);
  if (own.length > 0 || !isRecord(value)) return own;
  return Object.values(value).flatMap((entry, index) => alarmAt(list, entry, index));
}

/** Compacts one list. Linear but for sorting. */
export function compactList(
  field: RuledField,
  entries: readonly unknown[],
  earlier: (field: RuledField, index: number) => Repeated | undefined,
): CompactedList {
  const judged = judgeEntries(field, entries, earlier);
  const isEvidence = field === 'evidence_paths';
  const fates = isEvidence
    ? { dropped: repeatedPaths(judged.members), repeated: new Map<number, Repeated>() }
    : judgeRepetitions(judged.members);
  const kept: unknown[] = [];
  const dropped = [...judged.dropped];
  const repeated: RepeatedRecord[] = [];
  const alarms: RelayAlarm[] = [];
  for (const { index, entry, isGone, isAlarm } of judged.members) {
    if (isGone) continue;
    const rule = fates.dropped.get(index);
    if (rule !== undefined) {
      dropped.push({ field, index, rule, ...toldAsIs(entry, undefined) });
      continue;
    }
    const record = fates.repeated.get(index);
    if (record) repeated.push({ list: field, index: kept.length, ...record });
    if (isAlarm) alarms.push(...alarmAt(field, entry, kept.length));
    kept.push(entry);
  }
  return { kept, dropped: dropped.sort((a, b) => (a.index ?? 0) - (b.index ?? 0)), repeated, alarms };
}
