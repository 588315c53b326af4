import { isBlankText, isRecord, type JsonRecord, ownValue } from './jsonValue';

/** What makes a dump of an API error noise. */
export type DumpNoise = 'traceback' | 'stack_trace' | 'html';

/** Keys that hold an error's code. */
const CODE_KEYS = /^(?:error|err|status|http|http_?status|exit|api_?error)?[_-]?(?:code|errno)$|^http_?status$/i;
const HINT_KEYS = /^(?:hint|suggestion|remedy)s?$/i;
const RETRY_KEYS = /^(?:is_?)?retr(?:y|i)able$|^(?:should_?)?retry(?:_?after(?:_?ms)?)?$/i;

const TRACEBACK_KEYS = /^(?:trace_?back|tb)$/i;
const STACK_KEYS = /^(?:stack|stack_?trace|back_?trace|call_?stack)$/i;
const HTML_KEYS = /^(?:html|html_?body|body_?html)$/i;

/** Names of a code in a text. */
const CODE_NAME = String.raw`(?:\b(?:[Ee]rror|[Ee]rr|[Ss]tatus|ERROR|STATUS)[ _-]?(?:[Cc]ode|CODE)|\b[Cc]ode|\bCODE|\b[Ee]rrno|错误码|错误代码|錯誤碼|錯誤代碼|状态码|狀態碼)`;

/** Something that is called a code: `code: 429`, `"error_code": "rate_limit"`, `[Errno 111]`, `错误码：E1002`. */
const CODE_IN_TEXT = new RegExp(
  String.raw`${CODE_NAME}["']?\s{0,20}(?:[:=：是为為]\s{0,20})?(?:["']\w[\w.-]*["']|-?\d+\b|[A-Z]+[A-Z0-9_-]*\d[\w-]*|[A-Z][A-Z_]{2,}\b)`,
);

const TRACEBACK =
  /\btrace ?back\b|^[ \t]*File "[^"\n]*", line \d+|\bgoroutine \d+ \[|\bthread '[^'\n]*' panicked at\b|回溯|追溯信息/im;
const STACK_TRACE =
  /\b(?:stack|back)[ _-]?trace\b|\bcall stack\b|^[ \t]*at \S.*(?::\d+\)?|\(Native Method\)|\(Unknown Source\)|<anonymous>\)?|\bin \S+:line \d+)[ \t]*$|^[ \t]*from \S+:\d+:in |堆栈|堆棧|堆疊|调用栈|呼叫堆疊/im;
const HTML =
  /<!doctype html|<\/?(?:html|head|body|title|div|span|pre|script|style|table|center|hr|h[1-6]|p|br)\b[^<>]*>/i;

interface DumpFacts {
  readonly texts: string[];
  hasKey: DumpNoise | undefined;
  isStructured: boolean;
}

function isSaid(value: unknown): boolean {
  if (typeof value === 'string') return !isBlankText(value);
  return typeof value === 'number' || typeof value === 'boolean';
}

function noiseOfKey(key: string): DumpNoise | undefined {
  if (TRACEBACK_KEYS.test(key)) return 'traceback';
  if (STACK_KEYS.test(key)) return 'stack_trace';
  return HTML_KEYS.test(key) ? 'html' : undefined;
}

function isStructuring(key: string, value: unknown): boolean {
  if (RETRY_KEYS.test(key)) return isSaid(value);
  if (HINT_KEYS.test(key)) return typeof value === 'string' && isSaid(value);
  return CODE_KEYS.test(key) && typeof value !== 'boolean' && isSaid(value);
}

function readRecord(record: JsonRecord, facts: DumpFacts): void {
  for (const key of Object.keys(record)) {
    const value = ownValue(record, key);
    facts.isStructured ||= isStructuring(key, value);
    if (!(value === null || value === '')) facts.hasKey ??= noiseOfKey(key);
    readValue(value, facts);
  }
}

function readValue(value: unknown, facts: DumpFacts): void {
  if (typeof value === 'string') facts.texts.push(value);
  else if (Array.isArray(value)) for (const item of value) readValue(item, facts);
  else if (isRecord(value)) readRecord(value, facts);
}

function noiseOfText(text: string): DumpNoise | undefined {
  if (TRACEBACK.test(text)) return 'traceback';
  if (STACK_TRACE.test(text)) return 'stack_trace';
  return HTML.test(text) ? 'html' : undefined;
}

/**
 * What makes one entry of `api_error_dumps` noise: a traceback, a stack trace or HTML, and nowhere an error code.
 * `undefined` for everything else; an entry with a code, a hint or a word about retrying is structured and stays, so
 * does a plain text. For values without a fault.
 */
export function dumpNoiseOf(entry: unknown): DumpNoise | undefined {
  const facts: DumpFacts = { texts: [], hasKey: undefined, isStructured: false };
  readValue(entry, facts);
  if (facts.isStructured) return undefined;
  const noise = facts.hasKey ?? facts.texts.map(noiseOfText).find((found) => found !== undefined);
  if (noise === undefined || facts.texts.some((text) => CODE_IN_TEXT.test(text))) return undefined;
  return noise;
}
