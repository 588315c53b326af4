/**
 * Looks of secrets that the library of the scanner does not know, or knows too narrowly. A look must be rare in code and
 * prose: what it finds is hidden from a reader who needs the text. Every repetition is bounded, and begins where
 * the characters before it cannot be of the same word, so that no input takes more than linear time.
 */
import type { SecretMatch } from './secretScanner';

/** One kind of secret. */
interface SecretLook {
  readonly label: string;
  /** Global; a group named `secret` is what is masked, else the whole match. */
  readonly pattern: RegExp;
  /**
   * Where the next thing is, from `from` on, that every match has within its line; -1 for none. Takes a fraction of the
   * pattern's time, which is then tried in lines that have it alone: no match reaches over a line's end. Absent where one may.
   */
  readonly next?: (text: string, from: number) => number;
  /** Placeholders, variables and ordinary words look alike: this tells them apart. */
  readonly isReal?: (secret: string, match: string) => boolean;
}

const PLACEHOLDER =
  /example|sample|placeholder|changeme|change[-_]me|dummy|redacted|masked|your[-_]?|insert|replace|xxxx|\.\.\.|…|\*\*\*|^<|\$\{|\{\{|^\$|%[A-Z_]+%|12345678|abcdefgh|(.)\1{5}/i;

/** Placeholders, which are filled in later. */
const VARIABLE = /^[<{[(]|[>}\])]$|\$\(|\$[A-Z_]{2}|%[sdv]/;

/** Passwords that only stand for one. */
const NO_PASSWORD =
  /^(?:pass(?:word|wd|wort)?|pwd|secret|postgres|mysql|root|admin|user(?:name)?|guest|test(?:ing)?|token|none|null|true|false)\d{0,3}$/i;

/** Bits a character, from the frequencies of the text itself (Shannon 1948). Random base64 of 20 characters has about 4. */
export function entropyBits(text: string): number {
  const counts = new Map<string, number>();
  for (const char of text) counts.set(char, (counts.get(char) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / text.length) * Math.log2(count / text.length);
  return bits;
}

/** Whether a text only stands for a secret, as in documentation and templates. */
export function isPlaceholder(text: string): boolean {
  return PLACEHOLDER.test(text);
}

function isRandom(text: string, minBits: number): boolean {
  return /\d/.test(text) && /[A-Za-z]/.test(text) && entropyBits(text) >= minBits;
}

function isRealKey(secret: string): boolean {
  return !isPlaceholder(secret) && isRandom(secret, 3);
}

/** Whether a password of a URL is one: no placeholder, no variable, no word that stands for a password. */
export function isRealPassword(secret: string): boolean {
  return secret.length >= 4 && !isPlaceholder(secret) && !NO_PASSWORD.test(secret) && !VARIABLE.test(secret);
}

/** Code that names a value, and text that only describes one: `config.auth.token1`, `/etc/keys/a1`, `sha256-of-file`. */
const CODE_LIKE =
  /^[A-Za-z_$][\w$]*(?:\??\.[A-Za-z_$][\w$]*)+$|^\.{0,2}\/|:\/\/|^[a-z]+(?:[-_.][a-z]+)*\d{0,2}$|^[A-Z]+(?:_[A-Z]+)*\d{0,2}$|\.[a-z]{1,4}$/;

function share(text: string, kind: RegExp): number {
  return (text.match(kind)?.length ?? 0) / text.length;
}

/** Random letters without digits: in names, capitals are rarer than this. */
function isMixedCase(text: string): boolean {
  return share(text, /[A-Z]/g) >= 0.3 && share(text, /[a-z]/g) >= 0.3 && entropyBits(text) >= 3.8;
}

function isAssignedKey(secret: string): boolean {
  if (CODE_LIKE.test(secret) || isPlaceholder(secret)) return false;
  if ((secret.match(/\d/g)?.length ?? 0) < 2) return isMixedCase(secret);
  // Hexadecimal digits have fewer bits: 32 of them 3.6 on average, 3.1 at least.
  return isRandom(secret, /^[\da-f-]+$/i.test(secret) ? 3 : 3.5);
}

/** A password that a person made up: at least three kinds of characters, no code. */
function isAssignedPassword(secret: string): boolean {
  if (CODE_LIKE.test(secret) || !isRealPassword(secret)) return false;
  const kinds = [/[a-z]/, /[A-Z]/, /\d/, /[^A-Za-z0-9]/].filter((kind) => kind.test(secret)).length;
  return kinds >= 3 && /\d/.test(secret) && entropyBits(secret) >= 2.5;
}

/** A value that is assigned to one of `names`, as it stands: up to a blank, quote or bracket. */
function assigned(names: string, length: string): Pick<SecretLook, 'pattern' | 'next'> {
  const name = `(?<![\\w$])["'\`*]{0,3}[\\w.-]{0,60}?(?:${names})["'\`*]{0,3}`;
  const value = `["'\`]?(?<secret>[^\\s"'\`<>{}()[\\],;|]${length})(?=["'\`\\s,;|]|$)`;
  // Looks back from a colon or `=`, which are found in a fraction of the time of a name.
  const core = new RegExp(`[:=](?<=(?:${names})["'\`*]{0,3}[ \\t]{0,8}[:=])`, 'gi');
  return {
    pattern: new RegExp(`${name}[ \\t]{0,8}(?:=>|:=|[:=])[ \\t*]{0,8}${value}`, 'gi'),
    next: (text, from) => {
      core.lastIndex = from;
      return core.test(text) ? core.lastIndex - 1 : -1;
    },
  };
}

/**
 * Where a key with a beginning of its own may begin: not within a word, but behind an escape of JSON or of a URL, whose
 * last character is none of the word, and behind the underscore of Markdown.
 */
const START = String.raw`(?:(?<![A-Za-z0-9-])|(?<=\\[nrtbf])|(?<=%[\dA-Fa-f]{2}))`;

/** Shortest run of letters, digits, `_` and `-` in each of the keys below. */
const KEY_RUN = 20;

/** Letters, digits, `_` and `-`. */
function isKeyUnit(unit: number): boolean {
  if (unit >= 97) return unit <= 122;
  return (unit >= 65 && unit <= 90) || (unit >= 48 && unit <= 57) || unit === 95 || unit === 45;
}

/** Where the next run of that length begins; -1 for none. Looks at one character of prose in five. */
function nextKeyRun(text: string, from: number): number {
  for (let start = from; start + KEY_RUN <= text.length; ) {
    let at = start + KEY_RUN - 1;
    while (at >= start && isKeyUnit(text.charCodeAt(at))) at--;
    if (at < start) return start;
    start = at + 1;
  }
  return -1;
}

/** A key with such a run. */
function key(body: string): Pick<SecretLook, 'pattern' | 'next'> {
  return { pattern: new RegExp(START + body, 'g'), next: nextKeyRun };
}

const SECRET_LOOKS: readonly SecretLook[] = [
  { label: 'Google API key', ...key(String.raw`AIza[\w-]{35}(?![A-Za-z0-9-])`), isReal: isRealKey },
  { label: 'Stripe key', ...key('[rs]k_(?:live|prod)_[A-Za-z0-9]{16,250}'), isReal: isRealKey },
  { label: 'PyPI token', ...key(String.raw`pypi-[\w-]{50,300}`), isReal: isRealKey },
  {
    label: 'Hugging Face token',
    ...key('hf_[A-Za-z0-9]{30,60}(?![A-Za-z0-9-])'),
    isReal: (key) => !isPlaceholder(key),
  },
  {
    label: 'GitHub token',
    ...key(String.raw`(?:gh[pousr]_[A-Za-z0-9]{36,255}|github_pat_\w{50,255})`),
    isReal: isRealKey,
  },
  {
    label: 'AWS access key',
    ...key('(?<![+/])(?:AKIA|ASIA)[A-Z0-9]{16}(?![A-Za-z0-9+/])'),
    isReal: (key) => !isPlaceholder(key),
  },
  {
    label: 'API key',
    ...key(String.raw`sk-[\w-]{20,200}(?![\w-])`),
    isReal: (key) => isRealKey(key) && /[A-Z]|[a-f\d]{32}/.test(key),
  },
  {
    label: 'JSON web token',
    ...key(String.raw`eyJ[\w-]{10,4000}\.eyJ[\w-]{10,8000}\.[\w-]{20,2000}`),
  },
  { label: 'Slack token', ...key(String.raw`(?:xox[abeoprs]|xapp)-[\w-]{20,250}`), isReal: isRealKey },
  {
    label: 'Azure storage key',
    pattern: /\bAccountKey=(?<secret>[A-Za-z0-9+/]{86}==)/g,
    next: (text, from) => text.indexOf('AccountKey=', from),
  },
  {
    label: 'password in a URL',
    pattern: /(?<![\w+.-])[a-z][a-z0-9+.-]{1,20}:\/\/[^\s:/@"'`<>]{0,100}:(?<secret>[^\s/@"'`<>]{4,200})@[\w.[-]/gi,
    next: (text, from) => text.indexOf('://', from),
    isReal: isRealPassword,
  },
  {
    label: 'bearer token',
    pattern:
      /(?<![\w-])(?:authorization|bearer)["']?[:=\s]\s{0,4}["']?(?:bearer\s{1,4}|token\s{1,4})?(?<secret>[\w.~+/-]{24,2000}={0,2})/gi,
    isReal: isAssignedKey,
  },
  {
    label: 'key',
    ...assigned('secret|token|(?:api|access|private|auth|encryption)[_-]?key|credentials?', '{16,200}'),
    isReal: isAssignedKey,
  },
  { label: 'password', ...assigned('password|passwd|passphrase|pwd', '{8,100}'), isReal: isAssignedPassword },
];

/** Where matches of a look may be: lines with what all have, each once. */
function placesOf(text: string, { next }: SecretLook): readonly { readonly start: number; readonly part: string }[] {
  if (!next) return [{ start: 0, part: text }];
  const places: { start: number; part: string }[] = [];
  for (let at = next(text, 0); at >= 0; ) {
    const start = text.lastIndexOf('\n', at) + 1;
    const newline = text.indexOf('\n', at);
    const end = newline < 0 ? text.length : newline;
    places.push({ start, part: text.slice(start, end) });
    at = next(text, end);
  }
  return places;
}

function findIn({ label, pattern, isReal }: SecretLook, text: string, offset: number): readonly SecretMatch[] {
  return [...text.matchAll(pattern)].flatMap((match): readonly SecretMatch[] => {
    const secret = match.groups?.secret ?? match[0];
    if (isReal && !isReal(secret, match[0])) return [];
    // What is masked ends the match, but for the one character behind a URL's password.
    const start = offset + match.index + match[0].lastIndexOf(secret);
    return [{ start, end: start + secret.length, label }];
  });
}

/** What looks like one of `SECRET_LOOKS`; unordered, may overlap. */
export function findSecretLooks(text: string): readonly SecretMatch[] {
  // Most keys have the same places.
  const places = new Map<SecretLook['next'], ReturnType<typeof placesOf>>();
  return SECRET_LOOKS.flatMap((look) => {
    const found = places.get(look.next) ?? placesOf(text, look);
    places.set(look.next, found);
    return found.flatMap(({ start, part }) => findIn(look, part, start));
  });
}
