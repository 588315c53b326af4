/**
 * What compaction drops from the lists of a relay log, as a table: one row for each field and reason. Nothing else is
 * dropped from a list (but for values that are no JSON). The first row that applies names the reason; repetitions and
 * what a later entry settles are found by `duplicates.ts`, dumps are judged by `errorDumps.ts`.
 */

import { isRecord, type JsonRecord, ownValue } from '../text/jsonRecord';
import { asGiven, type Phrase, phrase } from '../text/phrase';
import { DUMP_NOISE } from './errorDumps';
import { isBlankText, isBlankValue } from './jsonValue';
import {
  FAILED_WORDS,
  FINISHED,
  foldStatus,
  RESOLVED_WORDS,
  type RecoveryState,
  recoveryStateOf,
  STALE_WORDS,
} from './states';

/** What a path's name may say that makes it noise, as people write it: `API-Error-Dumps`, `stackTrace`, `stderr2.log`. */
const EVIDENCE_NOISE: Readonly<Record<string, RegExp>> = {
  api_error_dump: /(?<![a-z])api[ _.-]?error[ _.-]?dumps?(?![a-z])/,
  traceback: /(?<![a-z])trace[ _.-]?backs?(?![a-z])/,
  stacktrace: /(?<![a-z])stack[ _.-]?traces?(?![a-z])/,
  stderr: /(?<![a-z])std[ _.-]?err(?![a-z])/,
  stdout: /(?<![a-z])std[ _.-]?out(?![a-z])/,
};

/** The path of an entry of `evidence_paths`: the entry itself, or its `path`. */
function evidencePathOf(entry: unknown): string | undefined {
  const path = isRecord(entry) ? ownValue(entry, 'path') : entry;
  return typeof path === 'string' ? path : undefined;
}

/** The same for all spellings of one path: `./a//b`, `a\b` and ` a/b ` are one. */
function evidenceKey(path: string): string {
  const [head, ...rest] = path.trim().replaceAll('\\', '/').split('/');
  const names = rest.filter((name) => name !== '' && name !== '.');
  return (head === '.' ? names : [head, ...names]).join('/');
}

/** The path's names in lower case, words parted at inner capitals. */
function spelledPath(path: string): string {
  return path.replace(/([a-z0-9])([A-Z])/g, '$1_$2').toLowerCase();
}

/** One text for all spellings of the path of an entry of `evidence_paths`; undefined for an entry without a path. */
export function evidencePathKey(entry: unknown): string | undefined {
  const path = evidencePathOf(entry);
  return path === undefined ? undefined : evidenceKey(path);
}

/** Lists of a relay log that have rules. */
export const RULED_FIELDS = [
  'execution_logs',
  'status_reports',
  'failure_noise',
  'api_error_dumps',
  'evidence_paths',
] as const;

/** One of these lists. */
export type RuledField = (typeof RULED_FIELDS)[number];

/** One reason to drop an entry of one list. */
export interface DropRule {
  readonly field: RuledField;
  readonly rule: string;
  readonly words: Phrase;
  /** Whether it drops the entry by what the entry says itself; absent for rules that compare entries. */
  readonly drops?: (entry: unknown) => boolean;
}

/** Keys of nothing else than how an entry's subject is. */
export const HEALTH_KEYS = ['status', 'state', 'level', 'health'] as const;
/** Keys that say how an entry's subject is. */
const STATUS_KEYS = [...HEALTH_KEYS, 'event_type'] as const;
/** Keys that say how it ended. */
const OUTCOME_KEYS = ['status', 'state', 'outcome', 'result'] as const;

const says = (entry: unknown, keys: readonly string[], words: ReadonlySet<string>): boolean =>
  isRecord(entry) && keys.some((key) => words.has(foldStatus(ownValue(entry, key))));

const isFlagged = (entry: unknown, flag: string): boolean => {
  const value = isRecord(entry) ? ownValue(entry, flag) : undefined;
  return value === true || foldStatus(value) === 'true';
};

/** The health alarm that an entry raises (DESIGN §7): none for one that is flagged as resolved. */
export function alarmOf(field: string, entry: unknown): RecoveryState | undefined {
  if ((field !== 'status_reports' && field !== 'execution_logs') || !isRecord(entry)) return undefined;
  for (const key of STATUS_KEYS) {
    const alarm = recoveryStateOf(ownValue(entry, key));
    if (alarm) return isFlagged(entry, 'resolved') ? undefined : alarm;
  }
  return undefined;
}

/** Whether an entry is flagged as resolved or, but for an alarm, as stale. */
export function isTakenBack(field: string, entry: unknown): boolean {
  return isFlagged(entry, 'resolved') || (isFlagged(entry, 'stale') && !alarmOf(field, entry));
}

/** Whether an entry is outdated by its own words: it ends nothing. */
function isOutdated(field: string, entry: unknown): boolean {
  return isFlagged(entry, 'stale') || (field === 'failure_noise' && says(entry, STATUS_KEYS, STALE_WORDS));
}

/** Whether an entry ends what was said before of the same thing: it is finished, or flagged as resolved. */
export function isEnding(field: string, entry: JsonRecord, isAlarm: boolean): boolean {
  if (isFlagged(entry, 'resolved')) return true;
  if (isAlarm || isOutdated(field, entry)) return false;
  if (field === 'failure_noise' && says(entry, STATUS_KEYS, RESOLVED_WORDS)) return true;
  return isFinishedEntry(entry);
}

/** Finished by one of its words, and failed by none: `{ "status": "completed", "outcome": "failed" }` is no success. */
function isFinishedEntry(entry: unknown): boolean {
  return says(entry, OUTCOME_KEYS, FINISHED) && !says(entry, OUTCOME_KEYS, FAILED_WORDS);
}

/** Rules of a list of reports, logs or dumps, in the order in which they are asked. */
function fieldRules(field: RuledField, own: readonly Omit<DropRule, 'field'>[]): readonly DropRule[] {
  const flag = (name: string): Omit<DropRule, 'field'> => ({
    rule: `${name}_flag`,
    words: asGiven(`"${name}": true`),
    drops: (entry) => isFlagged(entry, name) && (name === 'resolved' || !alarmOf(field, entry)),
  });
  const rules: readonly Omit<DropRule, 'field'>[] = [
    { rule: 'empty', words: phrase('has no content'), drops: isBlankValue },
    flag('resolved'),
    flag('stale'),
    ...own,
    { rule: 'settled', words: phrase('a newer entry of the same event is finished or resolved') },
    { rule: 'duplicate_key', words: phrase('a newer entry has the same event_type, dedup_key and step_id') },
    { rule: 'duplicate_json', words: phrase('a newer entry is the same except for times and counts') },
  ];
  return rules.map((rule) => ({ field, ...rule }));
}

function evidenceRules(): readonly DropRule[] {
  const field = 'evidence_paths';
  const isBlankPath = (entry: unknown): boolean => isBlankValue(entry) || isBlankText(evidencePathOf(entry) ?? 'none');
  const named = Object.entries(EVIDENCE_NOISE).map(
    ([rule, name]): DropRule => ({
      field,
      rule,
      words: phrase('a path whose name contains {0}', rule),
      drops: (entry) => name.test(spelledPath(evidencePathOf(entry) ?? '')),
    }),
  );
  return [
    { field, rule: 'empty', words: phrase('has no content'), drops: isBlankPath },
    ...named,
    { field, rule: 'duplicate_path', words: phrase('the same path as an earlier entry') },
  ];
}

/** All rules, by field. */
export const DROP_RULES: readonly DropRule[] = [
  ...fieldRules('execution_logs', [
    {
      rule: 'finished',
      words: phrase('finished by its status, state, outcome or result'),
      drops: (entry) => isFinishedEntry(entry) && !alarmOf('execution_logs', entry),
    },
  ]),
  ...fieldRules('status_reports', []),
  ...fieldRules('failure_noise', [
    {
      rule: 'resolved',
      words: phrase('status {0} (case and blanks do not matter)', 'resolved'),
      drops: (entry) => says(entry, STATUS_KEYS, RESOLVED_WORDS),
    },
    {
      rule: 'stale',
      words: phrase('status {0} (case and blanks do not matter)', 'stale'),
      drops: (entry) => says(entry, STATUS_KEYS, STALE_WORDS),
    },
  ]),
  // These are found by `withoutNoise`.
  ...fieldRules('api_error_dumps', [
    ...DUMP_NOISE.map(({ rule, words }) => ({ rule, words })),
    { rule: 'stack_lines', words: phrase('lines without a code in a dump that has a code') },
  ]),
  ...evidenceRules(),
];
