/**
 * Values that their name gives away: `api_key = "…"`, `<password>…</password>`, `--token …`, `- name: DB_PASSWORD` with the
 * value on the next line. Languages write this in many ways, but between name and value stand the same few signs and words;
 * so one grammar serves all: a name with a secret's word, a gap of such signs, a value that looks random.
 */
import { isRandomKey, isRandomPassword } from './secretLooks';
import type { SecretMatch } from './secretScanner';

/** Words that name a secret; the last ones only as words of their own. */
const WORD =
  /pass(?:word|wd|wort|phrase)|pwd|secret|token|credential|identified by|(?:api|access|private|auth|encryption|signing|license|account|admin|master|server|client|app|shared|service|deploy|webhook|hmac|storage|integration|routing|function|subscription|rest|root)[_. -]?key|\bkey\b(?= is )|webhook|bearer|(?:auth|pass|pw|sas)(?![a-z])/gi;
const OWN_WORD = /^(?:auth|pass|pw|sas)$/i;

/** Characters of a name around its word. */
const NAME_UNIT = /[\w.$-]/;
const MAX_NAME = 64;

/** Names of what is no secret, or only says where, which or how long one is. */
const OTHER_NAME =
  /page(?!r)|cursor|continu|csrf|xsrf|public|sync|resume|tokeni[sz]|tokens?_?(?:type|count|limit|budget|len|usage)|max_?tokens|(?:prompt|completion|input|output|design|special|stop|eos|bos|pad|unk|mask|sep|cls|num|total)_?-?tokens?|hash|digest|checksum|integrity|sha\d|fingerprint/i;
const OTHER_END =
  /(?:[_.-]|(?<=[a-z]))(?:id|ids|name|names|ref|path|file|dir|url|uri|endpoint|type|types|kind|count|limit|length|len|size|field|label|placeholder|hint|index|prefix|suffix|pattern|regex|version|arn|class|provider|expir\w*|ttl|algorithm|alg|scope|scopes|status|policy|length|error|address|addr|mint|symbol|contract|message|title|description|manager|store|source|format|header|env|var|mode|enabled|required|rotation|age|at|on|by|count|prompt|input)$/i;

/** A stretch of base64, in which such a word stands by chance. */
const DATA = /^[A-Za-z\d]{30,}$/;

/** What may stand between a name and its value: signs, type annotations, and words that introduce a value. */
const GAP =
  /(?:\b[gs]et;|[>|]-|[ \t\r"'`\\[\](){}*|>:=,?!+~]|\n[ \t>|*#/+-]{0,40}|<-|->|<\/?(?:string|value|key|entry|Value|code|td|th)>|<(?:td|th|string|value|code)\b|&(?:'static )?str|&quot;|&|\b(?:string|str|String|static|char|text|value|Value|content|is|was|by|BY|get|set|val|default|type|data|nil|or|as|final|sensitive|true|secret|Secret|to|Bearer|bearer|Basic|basic|token|Token|Option|Some|Optional|Just|fromString|from|of|new|ENV|env|env_default|process\.env\.\w{1,60}|os\.(?:getenv|environ\.get)|std|byte|bytes)\b){1,28}/y;

/** The first characters of a value: in quotes all but blanks and marks, else also no brackets and separators. */
const QUOTED = /[^\s"'`\\<>]{8,400}/y;
const UNQUOTED = /[^\s"'`\\<>(){}[\],;|]{8,400}/y;
/** The rest of a long one. */
const REST = /[^\s"'`\\<>(){}[\],;|]{0,8000}/y;

/** Names of what people make up, so that it may be less random than a key. */
const PASSWORD = /pass|pwd|pw$|by$/i;
const SHORT = /pass|pwd|pw$|by$|token|secret|bearer|api.?key/i;

/** A Secret of Kubernetes, all of whose values are secret, whatever they are called. */
const KUBERNETES_SECRET = /^kind: *Secret\b/m;
const KUBERNETES_VALUE =
  /^[ \t]{1,20}[\w.-]{1,100}: {0,4}["']?(?<secret>[A-Za-z0-9+/]{12,8000}={0,2})["']?[ \t]{0,8}$/gm;

/** Where a value may stand on a later line: behind a sign that says so, or a word for it. */
const NEXT_LINE = /[|>\\]-?[ \t]*\r?\n|\n[\s"'<]*(?:value|Value|default|string|type)\b/;

/** What is no value: a date, an argument, a constant's name, a hash, a sum, the rest of an address or of a path of names, other scripts. */
const NO_VALUE =
  /^[A-Z]+=(?!=?$)|^[a-z]+:[a-z\d]{1,6}$|^(?:19|20)\d\d-?[01]\d-?[0-3]\d(?![\da-fA-F])|^[a-z_]\w{0,30}=(?!=?$)|\.[a-z]{1,4}:\d+$|^\$(?:argon2|2[aby]\$)|\w\|[A-Za-z]|^[A-Za-z][a-z]{1,15}\/[A-Za-z]{2,10}[\d.]{0,4}-[\w.]{1,8}-[\w.-]{1,20}$|^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+(?:=|!?$)|^\d+\*|^[@.]|[^\x21-\x7e]|^eyJhbGciOi[^.]*$/;

/** What follows a value in a URL or a connection string. */
const NEXT_FIELD = /[&;][\w.% -]{1,40}=/;

/** The first line of a comma-separated table: names alone. */
const HEADER = /[\w .-]{1,60}(?:,[\w .-]{1,60}){1,50}(?=\r?\n)/y;

interface Name {
  readonly text: string;
  readonly end: number;
}

function nameAt(text: string, start: number, wordEnd: number): Name {
  let from = start;
  while (from > 0 && start - from < MAX_NAME && NAME_UNIT.test(text.charAt(from - 1))) from--;
  let end = wordEnd;
  while (end < text.length && end - wordEnd < MAX_NAME && NAME_UNIT.test(text.charAt(end))) end++;
  return { text: text.slice(from, end), end };
}

function sticky(pattern: RegExp, text: string, at: number): string {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? '';
}

function valueAt(text: string, at: number, name: string): SecretMatch | undefined {
  const isQuoted = /["'`]/.test(text.charAt(at - 1));
  const head = sticky(isQuoted ? QUOTED : UNQUOTED, text, at);
  const whole = head + (head.length === 400 ? sticky(REST, text, at + head.length) : '');
  const after = text.charAt(at + whole.length);
  // A call or an index is code.
  if (!isQuoted && /[([{]/.test(after)) return undefined;
  const value = whole.slice(0, isQuoted ? undefined : NEXT_FIELD.exec(head)?.index).replace(/[.:,;?]+$/, '');
  if (value.length < 8 || NO_VALUE.test(value)) return undefined;
  // Without quotes a short name of code may stand there.
  const isOfUrl = /[?&]/.test(text.charAt(at - name.length - 2));
  const mayBeShort = SHORT.test(name) && (isQuoted || isOfUrl || !/^[A-Za-z_]+\d*[A-Za-z_]*$/.test(value));
  const isReal = (value.length >= 16 && isRandomKey(value)) || (mayBeShort && isRandomPassword(value));
  if (!isReal) return undefined;
  return { start: at, end: at + value.length, label: PASSWORD.test(name) ? 'password' : 'key' };
}

/** Whether a short word stands alone: `auth`, `dockerAuth`, `DOCKER_AUTH`, not `oauth`. */
function isOwnWord(text: string, index: number, word: string): boolean {
  const before = text.charAt(index - 1);
  const isCapital = /^[A-Z]/.test(word);
  return !/[A-Za-z]/.test(before) || (isCapital && /[a-z]/.test(before));
}

/** The line of names that `index` is in, unless it begins far before. */
function headerAt(text: string, index: number): { start: number; line: string } | undefined {
  const from = Math.max(0, index - 400);
  const newLine = text.slice(from, index).lastIndexOf('\n');
  if (newLine === -1 && from > 0) return undefined;
  const start = from + newLine + 1;
  const line = sticky(HEADER, text, start);
  return line === '' ? undefined : { start, line };
}

function isSecretName(name: string): boolean {
  return !DATA.test(name) && !OTHER_NAME.test(name) && !OTHER_END.test(name);
}

/** The values below a secret's column; `header` is the first line of a comma-separated table, which begins at `start`. */
function columnSecrets(text: string, start: number, header: string): { found: SecretMatch[]; end: number } {
  const names = header.split(',');
  const found: SecretMatch[] = [];
  let at = start + header.length + 1;
  while (at < text.length) {
    const lineEnd = text.indexOf('\n', at);
    const line = text.slice(at, lineEnd === -1 ? text.length : lineEnd);
    const fields = line.split(',');
    if (fields.length !== names.length) break;
    let from = at;
    for (const [column, field] of fields.entries()) {
      const name = names[column]?.trim() ?? '';
      const isSecret = name.search(WORD) !== -1 && isSecretName(name);
      const match = isSecret ? valueAt(text, from + (field.startsWith('"') ? 1 : 0), name) : undefined;
      if (match) found.push(match);
      from += field.length + 1;
    }
    at += line.length + 1;
  }
  return { found, end: at };
}

function kubernetesSecrets(text: string): readonly SecretMatch[] {
  if (!KUBERNETES_SECRET.test(text)) return [];
  return [...text.matchAll(KUBERNETES_VALUE)].flatMap((match): readonly SecretMatch[] => {
    const secret = match.groups?.secret ?? '';
    const start = match.index + match[0].lastIndexOf(secret);
    return secret.endsWith('=') || isRandomKey(secret) ? [{ start, end: start + secret.length, label: 'key' }] : [];
  });
}

/** Values of names that say that they are secret; may overlap. Linear: each name looks at 500 characters at most. */
export function findNamedSecrets(text: string): readonly SecretMatch[] {
  const found: SecretMatch[] = [];
  let done = 0;
  let tableEnd = 0;
  for (const { 0: word, index } of text.matchAll(WORD)) {
    if (index < done || (OWN_WORD.test(word) && !isOwnWord(text, index, word))) continue;
    const name = nameAt(text, index, index + word.length);
    if (!isSecretName(name.text)) continue;
    const header = index >= tableEnd ? headerAt(text, index) : undefined;
    if (header) {
      const table = columnSecrets(text, header.start, header.line);
      found.push(...table.found);
      tableEnd = table.end;
    }
    const gap = sticky(GAP, text, name.end);
    // A part of an address: `arn:aws:secretsmanager:eu-west-1:1:secret:prod/db`.
    if (gap === ':' && text.charAt(name.end - name.text.length - 1) === ':') continue;
    if (gap === '' || name.text.endsWith('.') || (gap.includes('\n') && !NEXT_LINE.test(gap))) continue;
    const match = valueAt(text, name.end + gap.length, name.text);
    if (!match) continue;
    found.push(match);
    done = match.end;
  }
  return [...found, ...kubernetesSecrets(text)];
}
