/**
 * Values that their name gives away: `api_key = "…"`, `<password>…</password>`, `--token …`, `- name: DB_PASSWORD` with the
 * value on the next line. Languages write this in many ways, but between name and value stand the same few signs and words;
 * so one grammar serves all: a name with a secret's word, a gap of such signs, a value that looks random.
 */
import { isRandomKey, isRandomPassword, isScrambled } from './secretLooks';
import type { SecretMatch } from './secretScanner';

/** Words that name a secret; the last ones only as words of their own. */
const WORD =
  /pass(?:word|wd|wort|phrase)|(?:store|key|bind|root|sudo)pass|(?:bind|root)pw|requirepass|masterauth|pwd|securestring|secret[_. -]key|secret|token|credential|identified by|(?:api|access|private|auth|encryption|signing|license|account|admin|master|server|client|app|shared|service|deploy|webhook|hmac|storage|integration|routing|function|subscription|rest|root)[_. -]?key|\bkey\b(?= is )|key(?![a-z])|webhook|bearer|(?:auth|pass|psk|pw|sas)(?![a-z])/gi;
const OWN_WORD = /^(?:auth|pass|psk|pw|sas)$/i;

/** What a key is for, where its name says it: services that give keys, frameworks and ciphers. Other keys are no secrets. */
const KEY_OWNERS = new Set(
  `abuseipdb aes ai airtable algolia alchemy amplitude anthropic asana assemblyai auth0 aws azure binance bitbucket censys
  cipher circleci clerk cloudflare cohere coinbase contentful crypto datadog deepgram deepseek digitalocean discord django
  docker elevenlabs etherscan fastly fernet figma firebase flask gemini giphy github gitlab google grafana groq heroku
  hetzner hmac honeycomb huggingface infura intercom ipinfo jira jwt langchain langsmith laravel launchdarkly linear linode
  mailchimp mailgun maps mapbox mistral mixpanel moralis netlify newrelic newsapi notion okta openai opsgenie openrouter
  pagerduty paypal perplexity pinecone plaid postmark qdrant rails replicate resend s3 segment sendgrid sentry shodan
  shopify sparkpost square stripe supabase telegram tmdb together twilio vercel virustotal voyage vultr weather weaviate
  xai`.split(/\s+/),
);
const KEY_OWNER = /([A-Z]?[a-z\d]+|[A-Z\d]+)[_. -]?$/;

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
  /(?:\b[gs]et;|[>|]-|[ \t\r"'`\\[\](){}*|>:=,?!+~]|\n[ \t>|*#/+-]{0,40}|<-|->|<\/?(?:string|value|key|entry|Value|code|td|th)>|<(?:td|th|string|value|code)\b|&(?:'static )?str|(?:Readonly|Final|Secret)<(?:string|String|str)>|N(?=')|(?:for|in|on) [\w-]{1,20}(?= (?:is|was|=)|:)|&quot;|&|\b(?:string|str|String|static|char|text|value|Value|content|is|was|by|BY|get|set|val|default|type|data|nil|or|as|final|sensitive|true|secret|Secret|to|Bearer|bearer|Basic|basic|token|Token|Option|Some|Optional|Just|fromString|from|of|new|ENV|env|env_default|process\.env\.\w{1,60}|os\.(?:getenv|environ\.get)|std|byte|bytes)\b){1,28}/y;

/** An index into tokens, a stretch of base64, a list of names and a pointer: what follows is no value. */
const NO_GAP = /^[[+]$|^[^:=]*,[^:="'`]*$|\*$/;

/** The first characters of a value: in quotes all but blanks and marks, else also no brackets and separators. */
const MAX_HEAD = 400;
const QUOTED = /[^\s"'`\\<>]{8,400}/y;
/** All up to the quote that ends it, by the sign that begins it; within text that is in quotes itself, with the escapes of both. */
const LITERALS: Readonly<Record<string, RegExp>> = {
  '"': /(?:\\[^\s]|[^\s"\\]){8,400}(?=")/y,
  "'": /(?:\\[^\s]|[^\s'\\]){8,400}(?=')/y,
  '`': /(?:\\[^\s]|[^\s`"\\]){8,400}(?=`)/y,
  '\\"': /(?:\\{2,6}["']?|[^\s"\\]){8,400}(?=\\")/y,
};
const UNQUOTED = /[^\s"'`\\<>(){}[\],;|]{8,400}/y;
/** Where a line assigns, commas and the like belong to the value. */
const TO_LINE_END = /[^\s"'`\\<>(){}[\]]{8,400}(?=\r?$)/my;
const ASSIGNING_LINE = /(?:^|\n)[ \t+-]{0,20}(?:export )?$/;
/** The rest of a long one. */
const REST = /[^\s"'`\\<>(){}[\],;|]{0,8000}/y;

/** Names of what people make up, so that it may be less random than a key. */
const PASSWORD = /pass|pwd|psk$|pw$|by$/i;
const SHORT = /pass|pwd|psk$|pw$|by$|token|secret|bearer|api.?key/i;

/** A Secret of Kubernetes, all of whose values are secret, whatever they are called. */
const KUBERNETES_SECRET = /^kind: *Secret\b/m;
const KUBERNETES_VALUE =
  /^[ \t]{1,20}[\w.-]{1,100}: {0,4}["']?(?<secret>[A-Za-z0-9+/]{12,8000}={0,2})["']?[ \t]{0,8}$/gm;

/** Where a value may stand on a later line: behind a sign that says so, or a word for it. */
const NEXT_LINE = /[|>\\+&=]-?[ \t]*\r?\n|\n[\s"'<]*(?:value|Value|default|string|type)\b/;

/** What is no value: a date, an argument, a constant's name, a hash, a sum, the rest of an address or of a path of names, other scripts. */
const NO_VALUE =
  /^npm:|^[a-z]+\d{0,2}(?:\/[a-z]+){1,4}$|^[A-Z]{2,}=(?!=?$)|^[a-z]+:[a-z\d]{1,6}$|^(?:19|20)\d\d-?[01]\d-?[0-3]\d(?![\da-fA-F])|^(?:[a-z]|[a-z]{2,20}\d{0,3}(?:_[a-z]{1,20}\d{0,3}){0,4})=(?!=?$)|\.[a-z]{1,4}:\d+$|^\$(?:argon2|2[aby]\$)|^[\w.-]+(?:\|[\w.-]+)+$|^[A-Za-z][a-z]{1,15}\/[A-Za-z]{2,10}[\d.]{0,4}-[\w.]{1,8}-[\w.-]{1,20}$|^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+(?:=|!?$)|^\d+\*\d|^[@.]|[^\x21-\x7e]|^eyJhbGciOi[^.]*$/;

/** What follows a value in a URL or a connection string. */
const NEXT_FIELD = /[&;][\w.% -]{1,40}=/;

/** The first line of a table of separated values: names alone. */
const HEADER = /[\w .-]{1,60}(?<separator>[,;\t])[\w .-]{1,60}(?:\k<separator>[\w .-]{1,60}){0,49}(?=\r?\n)/y;
/** A field of it, and a value of a row that SQL inserts, with what ends it. */
const FIELDS: Readonly<Record<string, RegExp>> = {
  ',': /("(?:[^"\n]|""){0,8000}"|[^,\n]{0,8000})(?:,|(?=\r?\n|$))/y,
  ';': /("(?:[^"\n]|""){0,8000}"|[^;\n]{0,8000})(?:;|(?=\r?\n|$))/y,
  '\t': /("(?:[^"\n]|""){0,8000}"|[^\t\n]{0,8000})(?:\t|(?=\r?\n|$))/y,
};
const INSERT = /insert\s{1,4}into[^()\n]{1,100}\((?<names>[^()]{1,1000})\)\s{0,40}values\s{0,40}\(/gi;
const INSERTED = /\s{0,40}((?:N?'(?:[^']|''){0,8000}'|"[^"]{0,8000}"|[^,()'"]{0,400}))\s{0,40}[,)]/y;

/** What a shell prints of a variable, on the line below. */
const PRINTED =
  /^[ \t$#>%]{0,8}(?:echo|printenv)[ \t]{1,4}["']?\$?\{?(?<name>\w{3,60})\}?["']?[ \t]{0,8}\r?\n(?=\S{8,400}\r?$)/gm;

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

/** @param assigns whether the line is an assignment, which the value ends */
function valueAt(text: string, at: number, name: string, assigns = false): SecretMatch | undefined {
  const quote = text.charAt(at - 1);
  const isQuoted = /["'`]/.test(quote);
  const literal = LITERALS[text.charAt(at - 2) === '\\' ? `\\${quote}` : quote];
  const head =
    (literal && sticky(literal, text, at)) ||
    (assigns && sticky(TO_LINE_END, text, at)) ||
    sticky(isQuoted ? QUOTED : UNQUOTED, text, at);
  // What the first characters do not give away, the rest is not read for: in a hostile text each name would read it again.
  const isLong = head.length === MAX_HEAD;
  const after = isLong ? '' : text.charAt(at + head.length);
  // A call or an index is code, and so is an argument that is a name; behind a backslash stands an escape.
  if (!isQuoted && (/[([{]/.test(after) || quote === '\\' || (quote === '(' && /^[A-Za-z]+$/.test(head))))
    return undefined;
  const ownEnd = isQuoted ? undefined : NEXT_FIELD.exec(head)?.index;
  const value = head.slice(0, ownEnd).replace(/[.:,;?]+$/, '');
  if (value.length < 8 || NO_VALUE.test(value)) return undefined;
  // Without quotes a short name of code may stand there.
  const isOfUrl = /[?&]/.test(text.charAt(at - name.length - 2));
  const mayBeShort =
    SHORT.test(name) && (isQuoted || isOfUrl || isScrambled(value) || !/^[A-Za-z_]+\d*[A-Za-z_]*$/.test(value));
  const isReal = (value.length >= 16 && isRandomKey(value)) || (mayBeShort && isRandomPassword(value));
  if (!isReal) return undefined;
  const rest = isLong && ownEnd === undefined ? sticky(REST, text, at + head.length).replace(/[.:,;?]+$/, '') : '';
  const end = at + (rest === '' ? value.length : head.length + rest.length);
  return { start: at, end, label: PASSWORD.test(name) ? 'password' : 'key' };
}

/** Whether a short word stands alone: `auth`, `dockerAuth`, `DOCKER_AUTH`, not `oauth`. */
function isOwnWord(text: string, index: number, word: string): boolean {
  const before = text.charAt(index - 1);
  const isCapital = /^[A-Z]/.test(word);
  return !/[A-Za-z]/.test(before) || (isCapital && /[a-z]/.test(before));
}

/** The line of names that `index` is in, unless it begins far before. */
function headerAt(text: string, index: number): { start: number; line: string; separator: string } | undefined {
  const from = Math.max(0, index - 400);
  const newLine = text.slice(from, index).lastIndexOf('\n');
  if (newLine === -1 && from > 0) return undefined;
  const start = from + newLine + 1;
  HEADER.lastIndex = start;
  const match = HEADER.exec(text);
  return match ? { start, line: match[0], separator: match.groups?.separator ?? ',' } : undefined;
}

function isSecretName(name: string): boolean {
  return !DATA.test(name) && !OTHER_NAME.test(name) && !OTHER_END.test(name);
}

/** Whether a word at `index` names a secret: a short one stands alone, a key has an owner. */
function isSecretWord(text: string, index: number, word: string): boolean {
  if (/^key$/i.test(word) && !/^ is /.test(text.slice(index + 3, index + 7))) {
    const owner = KEY_OWNER.exec(text.slice(Math.max(0, index - 24), index))?.[1];
    return owner !== undefined && KEY_OWNERS.has(owner.toLowerCase());
  }
  return !OWN_WORD.test(word) || isOwnWord(text, index, word);
}

/** Whether a name as a whole is that of a secret. */
function namesSecret(name: string): boolean {
  return isSecretName(name) && [...name.matchAll(WORD)].some(({ 0: word, index }) => isSecretWord(name, index, word));
}

/** Secrets of a row of values, one for each name; undefined for a row that is none. Each value is the first group of `field`. */
function rowSecrets(
  text: string,
  start: number,
  field: RegExp,
  names: readonly string[],
): { found: SecretMatch[]; end: number } | undefined {
  const found: SecretMatch[] = [];
  let at = start;
  for (const name of names) {
    field.lastIndex = at;
    const match = field.exec(text);
    if (!match) return undefined;
    const value = match[1] ?? '';
    const valueStart = at + match[0].indexOf(value) + (/^N?["']/.exec(value)?.[0].length ?? 0);
    const secret = namesSecret(name.trim()) ? valueAt(text, valueStart, name.trim()) : undefined;
    if (secret) found.push(secret);
    at += match[0].length;
  }
  return { found, end: at };
}

/** The values below a secret's column; `header` is the first line of a table, which begins at `start`. */
function columnSecrets(
  text: string,
  start: number,
  header: string,
  separator: string,
): { found: SecretMatch[]; end: number } {
  const names = header.split(separator);
  const field = FIELDS[separator] ?? INSERTED;
  const found: SecretMatch[] = [];
  const nextLine = (from: number): number => (text.startsWith('\r', from) ? from + 2 : from + 1);
  let at = nextLine(start + header.length);
  while (at < text.length) {
    const row = rowSecrets(text, at, field, names);
    if (!row || !/^\r?(?:\n|$)/.test(text.slice(row.end, row.end + 2))) break;
    found.push(...row.found);
    at = nextLine(row.end);
  }
  return { found, end: at };
}

/** Values that SQL inserts into a secret's column. */
function insertedSecrets(text: string): readonly SecretMatch[] {
  return [...text.matchAll(INSERT)].flatMap(({ 0: head, index, groups }) => {
    const names = (groups?.names ?? '').split(',');
    return names.some(namesSecret) ? (rowSecrets(text, index + head.length, INSERTED, names)?.found ?? []) : [];
  });
}

/** Values of variables that a shell prints. */
function printedSecrets(text: string): readonly SecretMatch[] {
  return [...text.matchAll(PRINTED)].flatMap(({ 0: line, index, groups }) => {
    const name = groups?.name ?? '';
    return (namesSecret(name) && valueAt(text, index + line.length, name)) || [];
  });
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
    if (index < done || !isSecretWord(text, index, word)) continue;
    const name = nameAt(text, index, index + word.length);
    if (!isSecretName(name.text)) continue;
    const header = index >= tableEnd ? headerAt(text, index) : undefined;
    if (header) {
      const table = columnSecrets(text, header.start, header.line, header.separator);
      found.push(...table.found);
      tableEnd = table.end;
    }
    const gap = sticky(GAP, text, name.end);
    // A part of an address: `arn:aws:secretsmanager:eu-west-1:1:secret:prod/db`.
    if (gap === ':' && text.charAt(name.end - name.text.length - 1) === ':') continue;
    if (NO_GAP.test(gap) || (/^pass$/i.test(name.text) && /^ +$/.test(gap))) continue;
    if (gap === '' || name.text.endsWith('.') || (gap.includes('\n') && !NEXT_LINE.test(gap))) continue;
    const start = name.end - name.text.length;
    const assigns = /^ ?[:=] ?$/.test(gap) && ASSIGNING_LINE.test(text.slice(Math.max(0, start - 30), start));
    const match = valueAt(text, name.end + gap.length, name.text, assigns);
    if (!match) continue;
    found.push(match);
    done = match.end;
  }
  return [...found, ...kubernetesSecrets(text), ...insertedSecrets(text), ...printedSecrets(text)];
}
