/**
 * What compaction drops from the lists of a relay log, as a table: one row for each field and reason. Nothing else is
 * dropped from a list (but for values that are no JSON). The first row that applies names the reason.
 */

import { isRecord, type JsonRecord, ownValue } from '../text/jsonRecord';
import { asGiven, type Phrase, phrase } from '../text/phrase';
import { isDumpNoise } from './errorDump';
import { EVIDENCE_NOISE, evidenceKey, evidencePathOf, isEvidenceNoise } from './evidencePath';
import { canonicalJson, isBlankValue, jsonPrint } from './jsonValue';

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
  /** What it drops, in words. */
  readonly words: Phrase;
  /** Begins with a list and judges its entries in order; entries that an earlier row dropped are not asked about. */
  readonly begin: () => (entry: unknown) => boolean;
}

/** Words for a status; Chinese ones mean the same. Folded as {@link foldStatus} does. */
const STATUS_WORDS = {
  completed: ['completed', '已完成', '完成'],
  done: ['done'],
  success: ['success', '成功', '已成功'],
  accepted: ['accepted', '已接受', '已采纳', '已接納', '已採納'],
  resolved: ['resolved', '已解决', '已解決'],
  stale: ['stale', '过期', '已过期', '過期', '已過期', '陈旧', '陳舊'],
} as const;

type StatusRule = keyof typeof STATUS_WORDS;

/** Case, blanks around and full-width letters make no difference. */
function foldStatus(status: unknown): string {
  if (typeof status !== 'string') return '';
  // Nearly all are so already, and folding is asked for by each rule.
  return /^[a-z_]*$/.test(status) ? status : status.normalize('NFKC').trim().toLowerCase();
}

function isTrue(value: unknown): boolean {
  return value === true || foldStatus(value) === 'true';
}

function hasStatus(rule: StatusRule): (entry: unknown) => boolean {
  const words = new Set<string>(STATUS_WORDS[rule]);
  return (entry) => isRecord(entry) && words.has(foldStatus(ownValue(entry, 'status')));
}

function hasFlag(flag: 'stale' | 'resolved'): (entry: unknown) => boolean {
  return (entry) => isRecord(entry) && isTrue(ownValue(entry, flag));
}

const always = (judge: (entry: unknown) => boolean) => () => judge;

/** Drops every entry whose key was there before; entries without a key stay. */
function repeated(keyOf: (entry: unknown) => string | undefined): () => (entry: unknown) => boolean {
  return () => {
    const seen = new Set<string>();
    return (entry) => {
      const key = keyOf(entry);
      if (key === undefined) return false;
      if (seen.has(key)) return true;
      seen.add(key);
      return false;
    };
  };
}

/** Drops every entry that is the same JSON as one before it. Writes out only entries that may be. */
function repeatedJson(): (entry: unknown) => boolean {
  const firsts = new Map<number, unknown>();
  const seen = new Set<string>();
  return (entry) => {
    if (hasEventKey(entry)) return false;
    const print = jsonPrint(entry);
    if (!firsts.has(print)) {
      firsts.set(print, entry);
      return false;
    }
    seen.add(canonicalJson(firsts.get(print)));
    const json = canonicalJson(entry);
    if (seen.has(json)) return true;
    seen.add(json);
    return false;
  };
}

const EVENT_KEYS = ['event_type', 'dedup_key', 'step_id'] as const;

function hasEventKey(entry: unknown): entry is JsonRecord {
  return isRecord(entry) && EVENT_KEYS.every((key) => !isBlankValue(ownValue(entry, key)));
}

/** `undefined` unless the entry has all three. */
function eventKey(entry: unknown): string | undefined {
  if (!hasEventKey(entry)) return undefined;
  const parts = EVENT_KEYS.map((key) => ownValue(entry, key));
  return canonicalJson(parts.map((part) => (typeof part === 'string' ? part.trim() : part)));
}

function statusRules(field: RuledField, statuses: readonly StatusRule[]): DropRule[] {
  const words = (status: string) => phrase('status {0}, in any case, blanks around it tolerated', status);
  const named = statuses.map((rule) => ({ field, rule, words: words(rule), begin: always(hasStatus(rule)) }));
  const flags = (['resolved', 'stale'] as const).map((flag) => ({
    field,
    rule: `${flag}_flag`,
    words: asGiven(`"${flag}": true`),
    begin: always(hasFlag(flag)),
  }));
  return [...named, ...flags];
}

function emptyRule(field: RuledField): DropRule {
  return { field, rule: 'empty', words: phrase('says nothing'), begin: always(isBlankValue) };
}

function duplicateRules(field: RuledField): DropRule[] {
  const key = phrase('same event_type, dedup_key and step_id as an earlier entry');
  const json = phrase('same JSON as an earlier entry, whatever the order of keys, where one of these three is missing');
  return [
    { field, rule: 'duplicate_key', words: key, begin: repeated(eventKey) },
    { field, rule: 'duplicate_json', words: json, begin: repeatedJson },
  ];
}

function dumpRules(): DropRule[] {
  const field: RuledField = 'api_error_dumps';
  const words = {
    traceback: phrase('a traceback without an error code'),
    stack_trace: phrase('a stack trace without an error code'),
    html: phrase('HTML without an error code'),
  } as const;
  return (['traceback', 'stack_trace', 'html'] as const).map((rule) => ({
    field,
    rule,
    words: words[rule],
    begin: always((entry) => isDumpNoise(entry, rule)),
  }));
}

function evidenceRules(): DropRule[] {
  const field: RuledField = 'evidence_paths';
  const named = EVIDENCE_NOISE.map((rule) => ({
    field,
    rule,
    words: phrase('a path whose name says {0}', rule),
    begin: always((entry) => {
      const path = evidencePathOf(entry);
      return path !== undefined && isEvidenceNoise(path, rule);
    }),
  }));
  const path = (entry: unknown): string => {
    const given = evidencePathOf(entry);
    return given === undefined ? canonicalJson(entry) : evidenceKey(given);
  };
  const words = phrase('the same path as an earlier entry');
  return [...named, { field, rule: 'duplicate_path', words, begin: repeated(path) }];
}

/** All rules, by field. */
export const DROP_RULES: readonly DropRule[] = [
  emptyRule('execution_logs'),
  ...statusRules('execution_logs', ['completed', 'done', 'success', 'accepted', 'resolved', 'stale']),
  ...duplicateRules('execution_logs'),
  emptyRule('status_reports'),
  ...statusRules('status_reports', ['resolved', 'stale']),
  ...duplicateRules('status_reports'),
  emptyRule('failure_noise'),
  ...statusRules('failure_noise', ['resolved', 'stale']),
  ...duplicateRules('failure_noise'),
  emptyRule('api_error_dumps'),
  ...dumpRules(),
  ...duplicateRules('api_error_dumps'),
  emptyRule('evidence_paths'),
  ...evidenceRules(),
];
