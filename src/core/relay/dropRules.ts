/**
 * What compaction drops from the lists of a relay log, as a table: one row for each field and reason. Nothing else is
 * dropped from a list (but for values that are no JSON). The first row that applies names the reason.
 */

import { isRecord, type JsonRecord, ownValue } from '../text/jsonRecord';
import { asGiven, type Phrase, phrase } from '../text/phrase';
import { canonicalJson, isBlankText, isBlankValue } from './jsonValue';

/** Keys that hold an error's code. */
const CODE_KEYS = /^(?:error|err|status|http|http_?status|exit|api_?error)?[_-]?(?:code|errno)$|^http_?status$/i;
const HINT_KEYS = /^(?:hint|suggestion|remedy)s?$/i;
const RETRY_KEYS = /^(?:is_?)?retr(?:y|i)able$|^(?:should_?)?retry(?:_?after(?:_?ms)?)?$/i;

/** Names of a code in a text. */
const CODE_NAME = String.raw`(?:\b(?:[Ee]rror|[Ee]rr|[Ss]tatus|ERROR|STATUS)[ _-]?(?:[Cc]ode|CODE)|\b[Cc]ode|\bCODE|\b[Ee]rrno|错误码|错误代码|錯誤碼|錯誤代碼|状态码|狀態碼)`;

/** Something that is called a code: `code: 429`, `"error_code": "rate_limit"`, `[Errno 111]`, `错误码：E1002`. */
const CODE_IN_TEXT = new RegExp(
  String.raw`${CODE_NAME}["']?\s{0,20}(?:[:=：是为為]\s{0,20})?(?:["']\w[\w.-]*["']|-?\d+\b|[A-Z]+[A-Z0-9_-]*\d[\w-]*|[A-Z][A-Z_]{2,}\b)`,
);

/** What makes a dump of an API error noise: a text, or a key with a value. */
const DUMP_NOISE = [
  {
    rule: 'traceback',
    words: phrase('a traceback without an error code'),
    text: /\btrace ?back\b|^[ \t]*File "[^"\n]*", line \d+|\bgoroutine \d+ \[|\bthread '[^'\n]*' panicked at\b|回溯|追溯信息/im,
    key: /^(?:trace_?back|tb)$/i,
  },
  {
    rule: 'stack_trace',
    words: phrase('a stack trace without an error code'),
    text: /\b(?:stack|back)[ _-]?trace\b|\bcall stack\b|^[ \t]*at \S.*(?::\d+\)?|\(Native Method\)|\(Unknown Source\)|<anonymous>\)?|\bin \S+:line \d+)[ \t]*$|^[ \t]*from \S+:\d+:in |堆栈|堆棧|堆疊|调用栈|呼叫堆疊/im,
    key: /^(?:stack|stack_?trace|back_?trace|call_?stack)$/i,
  },
  {
    rule: 'html',
    words: phrase('HTML without an error code'),
    text: /<!doctype html|<\/?(?:html|head|body|title|div|span|pre|script|style|table|center|hr|h[1-6]|p|br)\b[^<>]*>/i,
    key: /^(?:html|html_?body|body_?html)$/i,
  },
];

function isSaid(value: unknown): boolean {
  return typeof value === 'string' ? !isBlankText(value) : typeof value === 'number' || typeof value === 'boolean';
}

function isStructuring(key: string, value: unknown): boolean {
  if (RETRY_KEYS.test(key)) return isSaid(value);
  if (HINT_KEYS.test(key)) return typeof value === 'string' && isSaid(value);
  return CODE_KEYS.test(key) && typeof value !== 'boolean' && isSaid(value);
}

/** Whether `value` holds such a text, or such a key with its value. */
function hasPart(
  value: unknown,
  isText: (text: string) => boolean,
  isPair: (key: string, value: unknown) => boolean,
): boolean {
  if (typeof value === 'string') return isText(value);
  if (Array.isArray(value)) return value.some((item) => hasPart(item, isText, isPair));
  if (!isRecord(value)) return false;
  return Object.keys(value).some((key) => {
    const part = ownValue(value, key);
    return isPair(key, part) || hasPart(part, isText, isPair);
  });
}

/**
 * Whether one entry of `api_error_dumps` is noise of that kind: a traceback, a stack trace or HTML, and nowhere an error
 * code. An entry with a code, a hint or a word about retrying is structured and is none, nor is a plain text. For values
 * without a fault.
 */
function isDumpNoise(entry: unknown, noise: (typeof DUMP_NOISE)[number]): boolean {
  const isNoisePair = (key: string, value: unknown) => value !== null && value !== '' && noise.key.test(key);
  const isNoise = hasPart(entry, (text) => noise.text.test(text), isNoisePair);
  return isNoise && !hasPart(entry, (text) => CODE_IN_TEXT.test(text), isStructuring);
}

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

/** Whether an entry is dropped. */
type Judge = (entry: unknown) => boolean;

/** One reason to drop an entry of one list. */
export interface DropRule {
  readonly field: RuledField;
  readonly rule: string;
  /** What it drops, in words. */
  readonly words: Phrase;
  /** Begins with a list and judges its entries in order; entries that an earlier row dropped are not asked about. */
  readonly begin: () => Judge;
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

/** Case, blanks around and full-width letters make no difference. */
function foldStatus(status: unknown): string {
  if (typeof status !== 'string') return '';
  // Nearly all are so already, and folding is asked for by each rule.
  return /^[a-z_]*$/.test(status) ? status : status.normalize('NFKC').trim().toLowerCase();
}

function isTrue(value: unknown): boolean {
  return value === true || foldStatus(value) === 'true';
}

/** Drops every entry whose key was there before; entries without a key stay. */
function repeated(keyOf: (entry: unknown) => string | undefined): () => Judge {
  return () => {
    const seen = new Set<string>();
    return (entry) => {
      const key = keyOf(entry);
      const isRepeated = key !== undefined && seen.has(key);
      if (key !== undefined) seen.add(key);
      return isRepeated;
    };
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

/** A rule that judges each entry on its own. */
function always(field: RuledField, rule: string, words: Phrase, judge: Judge): DropRule {
  return { field, rule, words, begin: () => judge };
}

function emptyRule(field: RuledField): DropRule {
  return always(field, 'empty', phrase('says nothing'), isBlankValue);
}

/** Rules of a list of reports or logs, in the order in which they are asked. */
function fieldRules(field: RuledField, own: readonly DropRule[]): readonly DropRule[] {
  const key = phrase('same event_type, dedup_key and step_id as an earlier entry');
  const json = phrase('same JSON as an earlier entry, whatever the order of keys, where one of these three is missing');
  const jsonKey = (entry: unknown): string | undefined => (hasEventKey(entry) ? undefined : canonicalJson(entry));
  return [
    emptyRule(field),
    ...own,
    { field, rule: 'duplicate_key', words: key, begin: repeated(eventKey) },
    { field, rule: 'duplicate_json', words: json, begin: repeated(jsonKey) },
  ];
}

function statusRules(field: RuledField, statuses: readonly (keyof typeof STATUS_WORDS)[]): readonly DropRule[] {
  const named = statuses.map((rule) => {
    const known = new Set<string>(STATUS_WORDS[rule]);
    const words = phrase('status {0}, in any case, blanks around it tolerated', rule);
    return always(field, rule, words, (entry) => isRecord(entry) && known.has(foldStatus(ownValue(entry, 'status'))));
  });
  const flags = ['resolved', 'stale'].map((flag) =>
    always(
      field,
      `${flag}_flag`,
      asGiven(`"${flag}": true`),
      (entry) => isRecord(entry) && isTrue(ownValue(entry, flag)),
    ),
  );
  return fieldRules(field, [...named, ...flags]);
}

function evidenceRules(): readonly DropRule[] {
  const field = 'evidence_paths';
  const named = Object.entries(EVIDENCE_NOISE).map(([rule, name]) =>
    always(field, rule, phrase('a path whose name says {0}', rule), (entry) => {
      const path = evidencePathOf(entry);
      return path !== undefined && name.test(spelledPath(path));
    }),
  );
  const path = (entry: unknown): string => {
    const given = evidencePathOf(entry);
    return given === undefined ? canonicalJson(entry) : evidenceKey(given);
  };
  const words = phrase('the same path as an earlier entry');
  return [emptyRule(field), ...named, { field, rule: 'duplicate_path', words, begin: repeated(path) }];
}

/** All rules, by field. */
export const DROP_RULES: readonly DropRule[] = [
  ...statusRules('execution_logs', ['completed', 'done', 'success', 'accepted', 'resolved', 'stale']),
  ...statusRules('status_reports', ['resolved', 'stale']),
  ...statusRules('failure_noise', ['resolved', 'stale']),
  ...fieldRules(
    'api_error_dumps',
    DUMP_NOISE.map((noise) => always('api_error_dumps', noise.rule, noise.words, (entry) => isDumpNoise(entry, noise))),
  ),
  ...evidenceRules(),
];
