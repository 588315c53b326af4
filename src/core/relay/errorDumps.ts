/**
 * Dumps of API errors: what of them is noise (a traceback, a stack trace, a page of HTML) and what is a code worth keeping.
 */
import { isRecord, ownValue } from '../text/jsonRecord';
import { phrase } from '../text/phrase';
import { isBlankText } from './jsonValue';

/** Keys that hold an error's code or status. */
const CODE_KEYS = /^(?:error|err|status|http|http_?status|exit|api_?error)?[_-]?(?:code|errno)$|^(?:http_?)?status$/i;
const HINT_KEYS = /^(?:hint|suggestion|remedy|reason)s?$/i;
const RETRY_KEYS = /^(?:is_?)?retr(?:y|i)able$|^(?:should_?)?retry(?:_?(?:after(?:_?ms)?|hint))?$/i;

/** Names of a code in a text. */
const CODE_NAME = String.raw`(?:\b(?:[Ee]rror|[Ee]rr|[Ss]tatus|ERROR|STATUS)[ _-]?(?:[Cc]ode|CODE)|\b[Cc]ode|\bCODE|\b[Ee]rrno|错误码|错误代码|錯誤碼|錯誤代碼|状态码|狀態碼)`;

/** Error names of POSIX and of resolvers, as Node prints them. */
const ERRNO =
  'E(?:2BIG|ACCES|ADDRINUSE|ADDRNOTAVAIL|AGAIN|AI_[A-Z]+|ALREADY|BADF|BUSY|CANCELED|CONNABORTED|CONNREFUSED|CONNRESET|DEADLK|DQUOT|EXIST|FAULT|FBIG|HOSTDOWN|HOSTUNREACH|INTEGRITY|INTR|INVAL|IO|ISCONN|ISDIR|LOOP|MFILE|MLINK|MSGSIZE|NAMETOOLONG|NETDOWN|NETRESET|NETUNREACH|NFILE|NOBUFS|NODATA|NODEV|NOENT|NOEXEC|NOMEM|NOSPC|NOSYS|NOTCONN|NOTDIR|NOTEMPTY|NOTFOUND|NOTSOCK|NOTSUP|OVERFLOW|PERM|PIPE|PROTO|RANGE|RESOLVE|ROFS|SERVFAIL|SOCKETTIMEDOUT|SRCH|TIMEDOUT|TIMEOUT|XDEV)';

/** What counts as a code in a text, in the order in which people write them most. */
const CODES_IN_TEXT: readonly RegExp[] = [
  // `code: 429`, `"error_code": "rate_limit"`, `[Errno 111]`, `错误码：E1002`.
  new RegExp(
    String.raw`${CODE_NAME}["']?\s{0,20}(?:[:=：是为為]\s{0,20})?(?:["']\w[\w.-]*["']|-?\d+\b|[A-Z][A-Z0-9_-]{0,80}\d[\w-]*|[A-Z][A-Z_]{2,}\b)`,
  ),
  // `E_TIMEOUT`, `ERR_MODULE_NOT_FOUND`, `E1001`, `ECONNREFUSED`, `SQLSTATE 42P01`.
  new RegExp(String.raw`\b(?:(?:E|ERR|ERROR)_[A-Z0-9][A-Z0-9_]*|E\d{2,6}|${ERRNO}|SQLSTATE\W{1,3}\w{5})\b`),
  // `HTTP Error 503`, `HTTP/1.1 503`, `HTTPError: 503`, `{"status": 502}`, `503 Server Error`.
  /\bHTTP(?:\/\d(?:\.\d)?)?[ _-]?(?:[Ee]rror|[Ss]tatus(?:[ _-]?[Cc]ode)?|ERROR|STATUS)?["']?[ :=]{1,3}[1-5]\d\d\b|\b[Ss]tatus["']?[ \t]{0,3}[:=]?[ \t]{0,3}[1-5]\d\d\b|\b[45]\d\d (?:Client Error|Server Error|Bad Request|Unauthorized|Payment Required|Forbidden|Not Found|Conflict|Too Many Requests|Internal Server Error|Bad Gateway|Service Unavailable|Gateway Time-?out)\b/,
  // `hint: log in again`, `reason: quota`, `Retry-After: 30`, `retry in 5 s`.
  /(?:^|[\s,;{("'])(?:[Hh]int|[Rr]eason|[Rr]etry[- _]?[Aa]fter|提示|原因|建议|建議)["']?\s?[:=：]\s?\S|\b[Rr]etry (?:in|after) \d/m,
];

/** What makes a dump of an API error noise: a text, or a key with a value. */
export const DUMP_NOISE = [
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
] as const;

type Noise = (typeof DUMP_NOISE)[number];

/** A page given as text, up to its end: nothing in it is a code. */
const PAGE = /<(?:!doctype html|html|head|body)\b[\s\S]*?(?:<\/html\s*>|$)/gi;

/** A frame of a stack, in one line. */
const FRAME =
  /^\s*(?:at (?!.*: )\S.*|File "[^"]*", line \d+.*|from \S+:\d+:in .*|\.\.\. \d+ more|\S+\.go:\d+(?: \+0x[\da-f]+)?)$|^\s+\d{1,3}: .*$/i;
const PYTHON_FRAME = /^[ \t]*File "[^"]*", line \d+/;

/** Lines of a dump that say a code or a hint, outside of pages and stacks. */
function codeLines(text: string): readonly string[] {
  // A line end stands for a page: without one, what was beside it could become another page.
  const lines = text.replace(PAGE, '\n').split(/\r\n|[\n\r\u2028\u2029]/);
  return lines.filter((line, at) => {
    // The line of source under a Python frame, indented as it is there.
    const isSource = /^[ \t]/.test(line) && PYTHON_FRAME.test(lines[at - 1] ?? '');
    return !isSource && !FRAME.test(line) && CODES_IN_TEXT.some((code) => code.test(line));
  });
}

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

function isNoise(entry: unknown, { text, key }: Noise): boolean {
  return hasPart(
    entry,
    (given) => text.test(given),
    (name, value) => value !== null && value !== '' && key.test(name),
  );
}

const isNoisyText = (text: string): boolean => DUMP_NOISE.some((noise) => noise.text.test(text));

/** The value with its noisy texts down to their lines with a code, itself where nothing goes; undefined without a code. */
function shortened(value: unknown): unknown {
  if (typeof value === 'string') {
    if (!isNoisyText(value)) return value;
    const lines = codeLines(value);
    return lines.length === 0 ? undefined : lines.map((line) => line.trim()).join('\n');
  }
  if (!Array.isArray(value) && !isRecord(value)) return value;
  const pairs = Object.entries(value).map(([key, part]) => ({ key, part, left: shortened(part) }));
  if (pairs.every(({ part, left }) => left === part)) return value;
  const kept = pairs.filter(({ left }) => left !== undefined);
  return Array.isArray(value)
    ? kept.map(({ left }) => left)
    : Object.fromEntries(kept.map(({ key, left }) => [key, left]));
}

/**
 * An entry of `api_error_dumps` without noise, or the kind of noise that all of it is. A structured entry (an object with
 * a code, status, hint, reason or word about retrying) and one without noise stay exactly as they came; else noisy texts
 * come down to the lines that say a code. A page of HTML goes whole. For values without a fault.
 */
export function withoutNoise(entry: unknown): { readonly entry: unknown } | { readonly noise: Noise['rule'] } {
  const noise = DUMP_NOISE.find((one) => isNoise(entry, one));
  if (!noise || hasPart(entry, () => false, isStructuring)) return { entry };
  return hasPart(
    entry,
    (text) => codeLines(text).length > 0,
    () => false,
  )
    ? { entry: shortened(entry) }
    : { noise: noise.rule };
}
