/**
 * A second, slow reading of DESIGN §7's rules for lists, written from its text alone and sharing no code with
 * `src/core/relay`: what the property tests compare compaction with. It looks at every pair of entries and knows
 * nothing of indexes, records of earlier compactions, or words for people.
 */

type Entry = Readonly<Record<string, unknown>>;

const ALARM_LISTS = ['status_reports', 'execution_logs'];
const ALARMS = ['STALE', 'WARNING', 'LEASE_TAKEOVER'];
const STATUS = ['status', 'state', 'level', 'health', 'event_type'];
/** DESIGN's list, and of what its `…` leaves open the Chinese for `resolved`, since the same page counts it as a flag. */
const FINISHED =
  'completed complete done success succeeded accepted resolved finished passed ok closed merged 完成 已完成 成功 已解决'.split(
    ' ',
  );
const VOLATILE = ['ts', 'time', 'timestamp', 'at', 'seq', 'uuid', 'count'];
const TRIPLE = ['event_type', 'dedup_key', 'step_id'];

const isEntry = (value: unknown): value is Entry =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const word = (value: unknown): string => (typeof value === 'string' ? value.trim().toLowerCase() : '');
const isOn = (value: unknown): boolean => value === true || word(value) === 'true';

export function oracleIsBlank(value: unknown): boolean {
  if (value === null || value === undefined) return true;
  if (typeof value === 'string') return value.trim() === '';
  return typeof value === 'object' && Object.values(value).every(oracleIsBlank);
}

/** Whether the entry raises a health alarm that nobody has resolved. */
export function oracleIsAlarm(list: string, entry: unknown): boolean {
  if (!isEntry(entry) || !ALARM_LISTS.includes(list) || isOn(entry.resolved)) return false;
  return STATUS.some((key) => ALARMS.includes(word(entry[key]).toUpperCase().replaceAll(/[ -]/g, '_')));
}

const saysStale = (list: string, entry: Entry): boolean =>
  isOn(entry.stale) ||
  (list === 'failure_noise' && STATUS.some((key) => ['stale', '已过期'].includes(word(entry[key]))));

/** What is outdated ends nothing. */
function isFinished(list: string, entry: Entry): boolean {
  if (oracleIsAlarm(list, entry)) return false;
  if (isOn(entry.resolved)) return true;
  if (saysStale(list, entry)) return false;
  if (list === 'failure_noise' && STATUS.some((key) => ['resolved', '已解决'].includes(word(entry[key])))) return true;
  return ['status', 'state', 'outcome', 'result'].some((key) => FINISHED.includes(word(entry[key])));
}

/** Dropped for what it says itself. */
function isNoise(list: string, entry: unknown): boolean {
  if (oracleIsBlank(entry)) return true;
  if (!isEntry(entry)) return false;
  if (isOn(entry.resolved)) return true;
  if (oracleIsAlarm(list, entry)) return false;
  if (saysStale(list, entry)) return true;
  if (list === 'execution_logs') return isFinished(list, entry);
  return list === 'failure_noise' && STATUS.some((key) => ['resolved', '已解决'].includes(word(entry[key])));
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isEntry(value)) return value;
  const keys = Object.keys(value).sort();
  return keys.map((key) => [key, sorted(value[key])]);
}

/** What two entries share that are one thing. */
export function oracleKey(entry: unknown): string {
  if (!isEntry(entry)) return JSON.stringify(['plain', entry]);
  if (TRIPLE.every((key) => !oracleIsBlank(entry[key]))) return JSON.stringify(TRIPLE.map((key) => entry[key]));
  const hasOwner = ['step_id', 'task_id', 'event_type'].some((key) => !oracleIsBlank(entry[key]));
  const kept = Object.entries(entry).filter(([key]) => !VOLATILE.includes(key) && !(key === 'id' && hasOwner));
  return JSON.stringify(['json', sorted(Object.fromEntries(kept))]);
}

/** A number for a time or a sequence number that can be ordered. */
function moment(value: unknown): number | undefined {
  if (typeof value === 'number') return value;
  const ms = typeof value === 'string' ? Date.parse(`${value.replace(' ', 'T')}Z`) : Number.NaN;
  return Number.isNaN(ms) ? undefined : ms;
}

/** Positions of one key's entries, the oldest first. */
function inOrder(list: readonly unknown[], positions: readonly number[]): readonly number[] {
  for (const key of ['ts', 'time', 'timestamp', 'at', 'seq']) {
    const at = (position: number) => moment(isEntry(list[position]) ? (list[position] as Entry)[key] : undefined);
    if (positions.every((position) => at(position) !== undefined))
      return [...positions].sort((a, b) => at(a)! - at(b)! || a - b);
  }
  return positions;
}

/** Positions of the entries of a list (not of `evidence_paths` or dumps) that must be left. */
export function oracleKept(list: string, entries: readonly unknown[]): readonly number[] {
  const keys = entries.map(oracleKey);
  return entries.flatMap((entry, position) => {
    if (isNoise(list, entry)) return [];
    // An entry with the flag `stale` neither replaces nor orders others, but for an alarm.
    const family = entries.flatMap((other, at) => {
      const isOut = isNoise(list, other) && !(isEntry(other) && isFinished(list, other));
      return keys[at] === keys[position] && !isOut ? [at] : [];
    });
    const order = inOrder(entries, family);
    const newer = order.slice(order.indexOf(position) + 1);
    const hasNewer = (test: (other: unknown) => boolean) => newer.some((at) => test(entries[at]));
    if (hasNewer((other) => isEntry(other) && isFinished(list, other))) return [];
    if (oracleIsAlarm(list, entry)) return hasNewer((other) => oracleIsAlarm(list, other)) ? [] : [position];
    return newer.length > 0 ? [] : [position];
  });
}

/** An essential as it must be left: trimmed, without blank items; undefined for a missing one. */
export function oracleEssential(places: readonly unknown[], key: string): unknown {
  const trim = (value: unknown): unknown => (typeof value === 'string' ? value.trim() : value);
  for (const place of places) {
    const value = isEntry(place) ? place[key] : undefined;
    if (Array.isArray(value) && value.length === 0) return value;
    if (oracleIsBlank(value)) continue;
    return Array.isArray(value) ? value.filter((item) => !oracleIsBlank(item)).map(trim) : trim(value);
  }
  return undefined;
}
