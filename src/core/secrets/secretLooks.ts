/**
 * Looks of secrets that the library of the scanner does not know, or knows too narrowly. A look must be rare in code and
 * prose: what it finds is hidden from a reader who needs the text. Every repetition is bounded, and begins where
 * the characters before it cannot be of the same word, so that no input takes more than linear time.
 */
import type { SecretMatch } from './secretScanner';

/** One kind of secret. */
interface SecretLook {
  readonly label: string | ((match: RegExpMatchArray) => string);
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
  /example|sample|placeholder|changeme|change[-_]me|dummy|(?<![A-Za-z0-9])fake(?![a-z0-9])|dXNlcm5hbWU6cGFzc3dvcmQ|redacted|masked|your[-_]?|insert|replace|xxxx|\.\.\.|…|\*\*\*|^<|\$\{|\{\{|^\$|^%[A-Z_]{3,}%$|12345678|abcdefgh|([^A])\1{5}|A{9}/i;

/** Placeholders, which are filled in later. */
const VARIABLE = /^[<{[(]|^#\{|[>}\])]$|\$\(|\$[A-Z_]{3}|(?<![A-Za-z\d])%[sdv](?![A-Za-z\d])/;

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
  /^[A-Za-z_$][\w$]*(?:\??\.[A-Za-z_$][\w$]*)+$|^\.{0,2}\/|:\/\/|^[a-z]+(?:[-_.][a-z]+)*[-_.]?\d{0,4}$|^[A-Z]+(?:_[A-Z]+)*\d{0,2}$|^[A-Z]{0,2}[a-z]{3,}\d(?:[A-Z][a-z]{3,})+$|^[a-z]{0,20}(?:[A-Z][a-z]+){3,}V?\d{1,3}$|^[A-Z][a-z\d]{0,20}(?:-[A-Z][a-z]+\d?)+$|\.[a-z]{1,4}$/;

function share(text: string, kind: RegExp): number {
  return (text.match(kind)?.length ?? 0) / text.length;
}

/** Random letters without digits: in names, capitals are rarer than this. */
function isMixedCase(text: string): boolean {
  return (
    (text.match(/[a-z][A-Z]/g)?.length ?? 0) >= 3 &&
    share(text, /[A-Z]/g) >= 0.3 &&
    share(text, /[a-z]/g) >= 0.3 &&
    entropyBits(text) >= 3.8
  );
}

/** Whether letters change their case, or to digits and back, as often as in no name, and make no word. */
export function isScrambled(text: string): boolean {
  const changes = text.match(/[a-z](?=[A-Z\d])|[A-Z](?=\d)|\d(?=[A-Za-z])/g)?.length ?? 0;
  return changes >= 4 && changes >= text.length / 5 && !/[a-z]{5}/.test(text);
}

/** Names are words: they have no digits amid letters twice, and no random capitals. */
function isCodeLike(secret: string): boolean {
  // A token with which machines join a cluster of Kubernetes.
  if (/^[a-z\d]{6}\.[a-z\d]{16}$/.test(secret) && /\d[a-z.]+\d/.test(secret)) return false;
  if (
    !CODE_LIKE.test(secret) ||
    (isScrambled(secret) && !secret.includes('/')) ||
    (secret.endsWith('=') && !secret.includes('://'))
  )
    return false;
  return (
    secret.includes('/') ||
    !/\d/.test(secret) ||
    !(isMixedCase(secret) || /[A-Za-z]\d+[A-Za-z]+\d+[A-Za-z]/.test(secret))
  );
}

/** Whether the value of a key or token is random, as real ones are. */
export function isRandomKey(secret: string): boolean {
  if (isCodeLike(secret) || isPlaceholder(secret)) return false;
  if ((secret.match(/\d/g)?.length ?? 0) < 2) return isMixedCase(secret);
  // Hexadecimal digits have fewer bits: 32 of them 3.6 on average, 3.1 at least.
  return isRandom(secret, /^[\da-f-]+$/i.test(secret) ? 3 : 3.5);
}

/** Words with a number behind them, at least four: `orbit-cobalt-lantern-falcon-81`. */
const PASSPHRASE = /^(?:[A-Za-z]{3,12}[-_. ]){3,10}[A-Za-z]{0,12}\d{1,4}$/;

/** What names consist of between their signs: words, with a number behind them, and numbers with a unit. */
const NAME_PART = /^(?:[A-Z]{0,5}[a-z]*(?:[A-Z][a-z]+){0,4}[A-Z]{0,5}\d{0,5}|\d{1,5}[a-z]{0,5})$/;

/**
 * Whether a text is put together from names, as those of ciphers and stores: `AES-256-GCM/HKDF-SHA512`, `app:auth-v2.State1`.
 * Words with dashes alone may be a passphrase.
 */
export function isMadeOfNames(text: string): boolean {
  // Not one pattern for all parts: that would try each way to read each part with each way to read the others.
  const parts = text.split(/[-_.:/#@]/);
  if (parts.length < 3 || !/[.:/#@]/.test(text) || PASSPHRASE.test(text)) return false;
  if (!parts.every((part) => NAME_PART.test(part))) return false;
  return (text.match(/[A-Z]?[a-z]{3,}|[A-Z]{3,}/g)?.join('').length ?? 0) >= text.length / 4;
}

/** Whether a password is one that a person or a generator made up: a phrase, or several kinds of characters; no code. */
export function isRandomPassword(secret: string): boolean {
  if (PASSPHRASE.test(secret)) return true;
  if (isCodeLike(secret) || !isRealPassword(secret)) return false;
  const kinds = [/[a-z]/, /[A-Z]/, /\d/, /[^\w.-]/].filter((kind) => kind.test(secret)).length;
  return kinds >= 3 && /\d/.test(secret) && entropyBits(secret) >= 2.5;
}

/**
 * A password that Google makes for one program: 16 letters, often in fours. Words have vowels between their consonants and
 * few rare letters; of 16 random letters 94 in 100 have five consonants in a row, two of `jqxz`, or `q` without `u`.
 */
export function isAppPassword(secret: string): boolean {
  const letters = secret.replaceAll(' ', '');
  const isMade = /[^aeiouy]{5}|[jqxz].*[jqxz]|q(?!u)/.test(letters);
  return /^[a-z]{4}(?: ?[a-z]{4}){3}$/.test(secret) && isMade && !isPlaceholder(letters) && entropyBits(letters) >= 2.5;
}

/**
 * Where a key with a beginning of its own may begin: not within a word, but behind an escape of JSON or of a URL, whose
 * last character is none of the word, behind the underscore of Markdown, and behind the dashes of a removed line.
 */
const START = String.raw`(?<=(?:^|[^A-Za-z0-9-]|\\[nrtbf]|%[\dA-Fa-f]{2})-{0,2})`;

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

/** Keys with a beginning of their own: what to call them, and their form. */
const PREFIXED: readonly (readonly [string, string])[] = [
  ['Firebase key', String.raw`AAAA[\w-]{7}:APA91b[\w-]{80,200}`],
  ['Heroku key', String.raw`HRKU-[\w-]{30,100}`],
  ['Pulumi token', 'pul-[0-9a-f]{40}'],
  ['RubyGems key', 'rubygems_[0-9a-f]{48}'],
  ['Turnstile secret', String.raw`0x4AAAAAAA[\w-]{25}`],
  ['Vault token', String.raw`hv[sbr]\.[\w-]{24,300}|(?<![.)\]])s\.(?=[A-Za-z]*\d[A-Za-z]*\d)[A-Za-z0-9]{24}`],
  ['Stripe secret', 'whsec_[A-Za-z0-9+/=]{24,100}'],
  ['Stripe key', '[sr]k_test_[A-Za-z0-9]{16,250}'],
  ['Dropbox token', String.raw`sl\.(?:u\.)?[\w-]{40,1500}`],
  ['Shopify token', 'shp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}'],
  ['age key', 'AGE-SECRET-KEY-1[0-9A-Z]{40,60}'],
  ['Atlassian token', String.raw`AT(?:ATT|CTT)3[\w=-]{60,400}`],
  [
    'New Relic key',
    'NRAK-[A-Z0-9]{27}|NRJS-[0-9a-f]{19}|[0-9a-f]{36}NRAL|(?:NRII|NRIQ|NRRA|NRSP)-[A-Za-z0-9_-]{20,60}',
  ],
  ['Terraform token', String.raw`[A-Za-z0-9]{14}\.atlasv1\.[\w=-]{40,100}`],
  ['Sentry token', String.raw`sntrys_[\w+/=-]{40,600}|sntryu_[0-9a-f]{64}`],
  ['Notion token', 'secret_[A-Za-z0-9]{43}|ntn_[A-Za-z0-9]{40,60}'],
  ['Supabase key', 'sbp_[0-9a-f]{40}|sb_secret_[A-Za-z0-9_-]{20,60}'],
  ['PlanetScale key', String.raw`pscale_(?:tkn|pw|oauth)_[\w=.-]{30,80}`],
  ['Doppler token', String.raw`dp\.(?:pt|st|ct|sa|scim|audit)\.(?:[\w-]{1,30}\.)?[A-Za-z0-9]{40,50}`],
  ['Square token', String.raw`EAAA[\w-]{56,64}|sq0(?:atp|csp)-[\w-]{22,50}`],
  ['Asana token', '[0-9]/[0-9]{14,20}/[0-9]{14,20}:[0-9a-f]{32}'],
  ['Grafana token', 'glc_[A-Za-z0-9+/=]{32,400}|glsa_[A-Za-z0-9]{32}_[0-9a-f]{8}'],
  ['DigitalOcean token', 'do[opr]_v1_[0-9a-f]{64}'],
  ['Databricks token', 'dapi[0-9a-f]{32}(?:-[0-9])?|dose[0-9a-f]{32}'],
  ['Linear key', 'lin_(?:api|oauth)_[A-Za-z0-9]{32,64}'],
  ['Figma token', String.raw`figd_[\w-]{38,44}`],
  ['GitLab token', String.raw`gl(?:pat|ptt|dt|rt|cbt|oas|ft|imt|agent|soat)-[\w-]{20,64}`],
  ['Twilio key', 'SK[0-9a-f]{32}'],
  ['Mailgun key', 'key-[0-9a-f]{32}'],
  ['Mailchimp key', '[0-9a-f]{32}-us[0-9]{1,2}'],
  ['Groq key', 'gsk_[A-Za-z0-9]{48,56}'],
  ['xAI key', 'xai-[A-Za-z0-9]{70,90}'],
  ['Replicate token', 'r8_[A-Za-z0-9]{37}'],
  ['Mapbox token', String.raw`sk\.eyJ[\w-]{40,200}\.[\w-]{20,40}`],
  ['Airtable token', String.raw`pat[A-Za-z0-9]{14}\.[0-9a-f]{64}`],
  ['Braintree token', String.raw`access_token\$(?:production|sandbox)\$[0-9a-z]{16}\$[0-9a-f]{32}`],
  ['Discord token', String.raw`[MNO][\w-]{23,27}\.[\w-]{6}\.[\w-]{27,45}`],
  ['Google secret', String.raw`GOCSPX-[\w-]{28}`],
  ['Google token', String.raw`ya29\.[\w-]{40,400}`],
  [
    'private key',
    String.raw`LS0tLS1CRUdJTiB(?:QUklWQVRF|SU0EgUFJJVkFURS|FQyBQUklWQVRF|PUEVOU1NIIFBSSVZBVEUg|FTkNSWVBURUQgUFJJVkFURS)[\w+/]{20,8000}={0,2}`,
  ],
  ['npm token', 'npm_[A-Za-z0-9]{36}'],
  ['SendGrid key', String.raw`SG\.[\w-]{22}\.[\w-]{43}`],
  ['moltbook claim', 'moltbook_(?:claim|sk)_[A-Za-z0-9_-]{12,80}'],
];

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
    isReal: isRandomKey,
  },
  {
    // By prefix, from the providers' own documents and the rules of gitleaks. One pattern, since most lines have none.
    label: ({ groups = {} }) => PREFIXED.find((_, at) => groups[`k${at}`] !== undefined)?.[0] ?? 'key',
    ...key(`(?:${PREFIXED.map(([, body], at) => `(?<k${at}>${body})`).join('|')})(?![A-Za-z0-9])`),
    isReal: (key) => !isPlaceholder(key),
  },
  {
    label: 'webhook',
    pattern: /discord(?:app)?\.com\/api\/webhooks\/\d{15,22}\/(?<secret>[\w-]{40,100})/g,
    next: (text, from) => text.indexOf('/webhooks/', from),
  },
  {
    label: 'signature of a URL',
    pattern: /[?&;]sig=(?<secret>[\w%+/=-]{30,120})/g,
    next: (text, from) => text.indexOf('sig=', from),
  },
  {
    label: 'key in a URL',
    pattern: /:\/\/(?<secret>[\da-f]{32}(?::[\da-f]{32})?)@/g,
    next: (text, from) => text.indexOf('://', from),
  },
  {
    label: 'basic auth',
    pattern: /(?<![\w-])Basic\s{1,4}(?<secret>[A-Za-z0-9+/]{12,400}={0,2})/gi,
    isReal: (secret) =>
      !isPlaceholder(secret) &&
      (/=$/.test(secret) || /\d/.test(secret)) &&
      /[A-Z]/.test(secret) &&
      /[a-z]/.test(secret),
  },
  {
    label: 'AWS session token',
    pattern: /(?<![A-Za-z0-9])(?:IQoJb3JpZ2lu|F[wQ]oGZXIvYXdz)[\w+/%]{40,4000}={0,2}/g,
  },
  {
    label: 'Telegram token',
    pattern: /(?:(?<![\w:])|(?<=\bbot))\d{8,10}:(?<secret>A[\w-]{34})(?![\w-])/g,
    next: nextKeyRun,
  },
  {
    label: 'password',
    pattern:
      /(?:(?<![\w-])(?:-u|--user)[ =]?["']?[\w.@-]{1,60}:|\b(?:login|mysql\w*|sshpass|psql|redis-cli|ldap\w+)\b[^\n]{0,120} -[paw][ =]?["']?|^user \S{1,60} on [^\n]{0,60}?>|auth-pass[ \t]{1,4}[\w.-]{1,60}[ \t]{1,4}|\blogin\b[^\n]{0,30} \/ |^[^:\s]{1,100}:(?:\d{2,5}|\*):[^:\s]{1,60}:[^:\s]{1,60}:)(?<secret>[^\s"'\u0080-\uffff]{8,200})/gm,
    isReal: (secret) => !secret.includes(':') && (isRandomPassword(secret) || isRandomKey(secret)),
  },
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
    return [{ start, end: start + secret.length, label: typeof label === 'string' ? label : label(match) }];
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
