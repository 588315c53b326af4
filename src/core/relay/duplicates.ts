/**
 * Repetitions in a list of a relay log (DESIGN §7): which entries are about one thing, which of them is the newest, and
 * what it replaces. It decides nothing about entries that stand alone.
 */
import { wholeTime } from '../text/dates';
import { isRecord, type JsonRecord, ownValue } from '../text/jsonRecord';
import { leafText } from './exactNumbers';
import { canonicalJson, isBlankValue } from './jsonValue';

/** How many entries a survivor replaces (DESIGN §5.6), and what the first and the last of these say of their time. */
export interface Repeated {
  readonly count: number;
  readonly first?: string | number;
  readonly last?: string | number;
  /**
   * What the survivors of one key were ordered by, where they alone would be ordered otherwise: a key of
   * {@link ORDER_KEYS}, or `list`. So a second compaction finds the same one the newest.
   */
  readonly by?: string;
}

/** An entry that may repeat another. */
export interface Member {
  readonly index: number;
  readonly entry: unknown;
  readonly isAlarm: boolean;
  /** Finished or resolved: it ends what was said before. */
  readonly isEnding: boolean;
  /** Already dropped for what it says itself; it only orders and ends others. */
  readonly isGone: boolean;
  /** Of an earlier compaction. */
  readonly repeated: Repeated | undefined;
}

/** What becomes of the entries of a list, by their index; of others nothing. */
export interface Fates {
  /** Id of the rule that drops it. */
  readonly dropped: ReadonlyMap<number, 'duplicate_key' | 'duplicate_json' | 'settled'>;
  /** What survivors replace. */
  readonly repeated: ReadonlyMap<number, Repeated>;
}

const EVENT_KEYS = ['event_type', 'dedup_key', 'step_id'] as const;
const OWNER_KEYS = ['step_id', 'task_id', 'event_type'] as const;

/** Keys that say when an entry was written. */
const ORDER_KEYS = ['ts', 'time', 'timestamp', 'at', 'seq'] as const;
const VOLATILE_KEYS: ReadonlySet<string> = new Set([...ORDER_KEYS, 'uuid', 'count']);

const hasKey = (entry: JsonRecord, key: string): boolean => !isBlankValue(ownValue(entry, key));

/** True for an entry with all three keys of an event. */
export function hasEventKey(entry: unknown): entry is JsonRecord {
  return isRecord(entry) && EVENT_KEYS.every((key) => hasKey(entry, key));
}

/** The same text for entries about one thing: their event, else all that they say but for times and counts. */
function keyOf(entry: unknown): string {
  if (hasEventKey(entry)) {
    const parts = EVENT_KEYS.map((key) => ownValue(entry, key));
    return `event ${canonicalJson(parts.map((part) => (typeof part === 'string' ? part.trim() : part)))}`;
  }
  if (!isRecord(entry)) return canonicalJson(entry);
  // An `id` of its own tells events apart only where nothing else says what they are about.
  const hasOwner = OWNER_KEYS.some((key) => hasKey(entry, key));
  return canonicalJson(entry, (key) => VOLATILE_KEYS.has(key) || (hasOwner && key === 'id'));
}

/** What a value means as a time: its place on each scale on which it can be ordered, the best one first. */
type Readings = ReadonlyMap<string, number | bigint>;

const NO_READING: Readings = new Map();

/** Milliseconds per unit, by the digits of a count of seconds, ms, µs or ns since 1970 between 2001 and 2286. */
const EPOCH_UNITS_MS: Readonly<Record<number, number>> = { 10: 1000, 13: 1, 16: 1e-3, 19: 1e-6 };

/** Times of day that are further apart may be of two days. */
const MAX_CLOCK_SPREAD_MS = 12 * 3_600_000;

/** Longer texts are no time. UTF-16 code units. */
const MAX_TIME_CHARS = 100;

function readingsOf(value: unknown): Readings {
  if ((typeof value !== 'string' && typeof value !== 'number') || `${value}`.length > MAX_TIME_CHARS) return NO_READING;
  const text = leafText(value).trim();
  if (/^-?\d+(?:\.\d+)?$/.test(text)) {
    const exact = /^-?\d{16,}$/.test(text) ? BigInt(text) : Number(text);
    const digits = text.split('.')[0]?.length ?? 0;
    const unitMs = EPOCH_UNITS_MS[digits];
    const instant = unitMs === undefined ? [] : [['instant', Number(exact) * unitMs] as const];
    return new Map([[`${digits} digits`, exact], ...instant, ['number', exact]]);
  }
  const time = wholeTime(text);
  return time
    ? new Map([[`${time.isDated ? 'instant' : 'clock'}${time.zone && ` ${time.zone}`}`, time.ms]])
    : NO_READING;
}

/** The places of all values on the first scale that they share; undefined where there is none that orders them. */
function momentsOf(values: readonly unknown[]): readonly (number | bigint)[] | undefined {
  const readings = values.map(readingsOf);
  const scale = [...(readings[0]?.keys() ?? [])].find((one) => readings.every((reading) => reading.has(one)));
  if (scale === undefined) return undefined;
  const moments = readings.map((reading) => reading.get(scale) ?? 0);
  if (!scale.startsWith('clock')) return moments;
  const earliest = moments.reduce((least, moment) => (moment < least ? moment : least));
  return moments.some((moment) => Number(moment) - Number(earliest) > MAX_CLOCK_SPREAD_MS) ? undefined : moments;
}

/** The moments of all entries by one key; undefined unless each has one, all on the same scale. */
function momentsBy(entries: readonly unknown[], key: string): ReturnType<typeof momentsOf> {
  return momentsOf(entries.map((entry) => (isRecord(entry) ? ownValue(entry, key) : undefined)));
}

/** Entries in the order of time, the newest last: by the first key that all have, else as they stand. */
export function inOrder<T extends { readonly entry: unknown }>(
  members: readonly T[],
  known?: string,
): { readonly sorted: readonly T[]; readonly by: string } {
  const entries = members.map(({ entry }) => entry);
  for (const by of known === undefined ? ORDER_KEYS : ORDER_KEYS.filter((key) => key === known)) {
    const moments = momentsBy(entries, by);
    if (!moments) continue;
    // Sorting is stable: equal moments stay in their order.
    const places = moments.map((moment, at) => ({ moment, at }));
    places.sort((a, b) => Number(a.moment > b.moment) - Number(a.moment < b.moment));
    return { sorted: places.flatMap(({ at }) => members[at] ?? []), by };
  }
  return { sorted: members, by: 'list' };
}

/** What an entry says of its time, as it says it. */
function timeOf(entry: unknown): string | number | undefined {
  if (!isRecord(entry)) return undefined;
  for (const key of ORDER_KEYS) {
    const value = ownValue(entry, key);
    if (typeof value === 'number' || (typeof value === 'string' && value.trim() !== '')) return value;
  }
  return undefined;
}

/** Of two times the earlier or the later one; the first one where they cannot be told. */
function ofTwo(a: string | number | undefined, b: string | number | undefined, sign: 1 | -1) {
  if (a === undefined || b === undefined) return a ?? b;
  const [first, second] = momentsOf([a, b]) ?? [];
  if (first === undefined || second === undefined) return sign < 0 ? a : b;
  return (sign > 0 ? second > first : second < first) ? b : a;
}

function joined(was: Repeated | undefined, { entry, repeated }: Member): Repeated {
  const time = timeOf(entry);
  const first = ofTwo(ofTwo(was?.first, repeated?.first, -1), time, -1);
  const last = ofTwo(ofTwo(was?.last, repeated?.last, 1), time, 1);
  return {
    count: (was?.count ?? 0) + (repeated?.count ?? 0) + 1,
    ...(first === undefined ? {} : { first }),
    ...(last === undefined ? {} : { last }),
  };
}

/**
 * The newest entry of one key survives. What is older than an ending one goes with it; an alarm is replaced only by a
 * newer alarm or a newer ending.
 */
function judgeKey(members: readonly Member[], rule: 'duplicate_key' | 'duplicate_json', fates: MutableFates): void {
  const known = members.find(({ repeated }) => repeated?.by !== undefined)?.repeated?.by;
  const { sorted, by } = inOrder(members, known);
  const ending = sorted.findLastIndex(({ isEnding }) => isEnding);
  const standing = sorted.filter((member, at) => at >= ending && !member.isGone);
  const newest = standing.at(-1);
  const alarm = newest?.isAlarm ? newest : standing.findLast(({ isAlarm }) => isAlarm);
  const replaced = new Map<Member, Repeated>();
  for (const member of sorted) {
    if (member === newest || member === alarm || member.isGone) continue;
    fates.dropped.set(member.index, newest ? rule : 'settled');
    const heir = member.isAlarm && alarm ? alarm : newest;
    if (heir) replaced.set(heir, joined(replaced.get(heir) ?? heir.repeated, member));
  }
  const survivors = [...new Set([newest, alarm])].filter((one) => one !== undefined);
  for (const survivor of survivors) {
    const { by: _by, ...record } = replaced.get(survivor) ?? survivor.repeated ?? { count: 0 };
    const isOdd = survivor === newest && isOrderOdd(members, survivors, by);
    if (record.count > 0 || isOdd) fates.repeated.set(survivor.index, { ...record, ...(isOdd ? { by } : {}) });
  }
}

/** Whether the two survivors of a key, in the order of the list, would be ordered by something else. */
function isOrderOdd(members: readonly Member[], survivors: readonly Member[], by: string): boolean {
  return survivors.length > 1 && inOrder(members.filter((one) => survivors.includes(one))).by !== by;
}

interface MutableFates extends Fates {
  readonly dropped: Map<number, 'duplicate_key' | 'duplicate_json' | 'settled'>;
  readonly repeated: Map<number, Repeated>;
}

/** Finds what of a list repeats. `members` in the list's order; linear but for sorting. */
export function judgeRepetitions(members: readonly Member[]): Fates {
  // Nearly all stand alone: a list is made only for those that do not.
  const alone = new Map<string, Member>();
  const groups = new Map<string, Member[]>();
  for (const member of members) {
    // What is gone ends others of its event; without one there are none.
    if (member.isGone && !hasEventKey(member.entry)) continue;
    const key = keyOf(member.entry);
    const [group, first] = [groups.get(key), alone.get(key)];
    if (group) group.push(member);
    else if (first) groups.set(key, [first, member]);
    else alone.set(key, member);
  }
  const fates: MutableFates = { dropped: new Map(), repeated: new Map() };
  for (const { index, repeated, isGone } of alone.values())
    if (repeated && !isGone) fates.repeated.set(index, repeated);
  for (const [key, group] of groups) {
    for (const { index } of group) fates.repeated.delete(index);
    judgeKey(group, key.startsWith('event ') ? 'duplicate_key' : 'duplicate_json', fates);
  }
  return fates;
}
