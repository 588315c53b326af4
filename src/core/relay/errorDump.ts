import { isRecord, ownValue } from '../text/jsonRecord';
import { isBlankText } from './jsonValue';

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

const NOISE_WORDS: Readonly<Record<DumpNoise, RegExp>> = { traceback: TRACEBACK, stack_trace: STACK_TRACE, html: HTML };

const NOISE_KEYS: Readonly<Record<DumpNoise, RegExp>> = {
  traceback: TRACEBACK_KEYS,
  stack_trace: STACK_KEYS,
  html: HTML_KEYS,
};

function isSaid(value: unknown): boolean {
  if (typeof value === 'string') return !isBlankText(value);
  return typeof value === 'number' || typeof value === 'boolean';
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
export function isDumpNoise(entry: unknown, noise: DumpNoise): boolean {
  const isNoise = hasPart(
    entry,
    (text) => NOISE_WORDS[noise].test(text),
    (key, value) => value !== null && value !== '' && NOISE_KEYS[noise].test(key),
  );
  return isNoise && !hasPart(entry, (text) => CODE_IN_TEXT.test(text), isStructuring);
}
