/**
 * Values of secret names: where one ends, by the signs around it, and whether it is random enough to be a secret.
 */
import { isAppPassword, isMadeOfNames, isPlaceholder, isRandomKey, isRandomPassword, isScrambled } from './secretLooks';
import type { SecretMatch } from './secretScanner';

/** Most characters of a value that are looked at: what they do not give away, the rest does not. */
const MAX_HEAD = 400;

/**
 * All up to the sign that ends it, by the one that begins it; within text that is in quotes itself, with the escapes of both.
 * Keys and passwords are ASCII, so other characters end a value: Chinese text goes on without a blank.
 */
const LITERALS: Readonly<Record<string, RegExp>> = {
  '"': /(?:\\[!-~]|[^\s"\\\u0080-\uffff]){8,400}(?=")/y,
  "'": /(?:\\[!-~]|[^\s'\\\u0080-\uffff]){8,400}(?=')/y,
  '`': /(?:\\[!-~]|[^\s`"\\\u0080-\uffff]){8,400}(?=`)/y,
  '>': /[^\s<>"'`\u0080-\uffff]{8,400}(?=<\/)/y,
  '[': /[^\s<>\]\u0080-\uffff]{8,400}(?=\]\]>)/y,
  ';': /(?:[^\s"';\\&\u0080-\uffff]|&(?!(?:amp|quot|apos|lt|gt|#\d{2,5}|#x[\da-fA-F]{2,4});)){8,400}(?=[&;"'])/y,
  '\\"': /(?:\\{2,6}["']?|[^\s"\\\u0080-\uffff]){8,400}(?=\\")/y,
};
/** Where that sign is missing: in quotes all but blanks and marks, else also no brackets and separators. */
const QUOTED = /[^\s"'`\\<>\u0080-\uffff]{8,400}/y;
const UNQUOTED = /[^\s"'`\\<>(){}[\],;|\u0080-\uffff]{8,400}/y;
/** Where a line assigns, all of it, unless it is a call or a list. */
const TO_LINE_END =
  /(?![^\s()]*\([^\s()]*\)|[\w.$&*]*[([{].*[)\]};]\r?$)[^\s"'`\\<>\u0080-\uffff]{8,400}(?<![,;([{])(?=\r?$|[\u0080-\uffff])/my;
/** The rest of a long one. */
const REST = /[^\s"'`\\<>(){}[\],;|\u0080-\uffff]{0,8000}/y;

/** The next part of a text that is written in several literals, one a line. */
const NEXT_PART =
  /["'`][ \t]{0,8}(?:[+&]|\.{1,2}|<<)?[ \t]{0,8}\\?\r?\n[ \t]{0,60}(?:[+&]|\.{1,2}|<<)?[ \t]{0,8}["'`](?<part>[^\s"'`\\]{1,400})(?=["'`])/y;
const MAX_PARTS = 20;

/** Names of what people make up, so that it may be less random than a key. */
const PASSWORD = /pass|pwd|psk$|pw$|by$|密[码碼]|口令|パスワード|비밀번호|пароль|contraseña|senha/i;
/** Words without a number, where the name says that they are a phrase. */
const PHRASE_NAME = /passphrase|password/i;
const PHRASE = /^(?:[a-z]{3,12}-){3,10}[a-z]{3,12}$/;
/** Names of other values that may be short. */
const SHORT = /auth$|authtok$|token|secret|bearer|api.?key/i;

/** What is no value: a date, an account of a host, an argument, a constant's name, a hash, a sum, the rest of an address or of a path of names, other scripts. */
const NO_VALUE =
  /^npm:|^LS0tLS1CRUdJTiBDRVJU|^HTTP\/\d|^[\d.]+\\|^[a-z]+\d{0,2}(?:\/[a-z]+){1,4}$|^[A-Z]{2,}=(?!=?$)|^[a-z]+:[a-z\d]{1,6}$|^(?:centos|debian|deploy|ec2-user|git|pi|root|ubuntu)@(?:\d{1,3}\.){3}\d{1,3}$|^(?:19|20)\d\d-?[01]\d-?[0-3]\d(?![\da-fA-F])|^[a-z]{2,20}\d{0,3}(?:_[a-z]{1,20}\d{0,3}){0,4}=(?!=?$)|\.[a-z]{1,4}:\d+$|^\$(?:argon2|2[aby]\$)|^[\w.-]+(?:\|[\w.-]+)+$|^[A-Za-z][a-z]{1,15}\/[A-Za-z]{2,10}[\d.]{0,4}-[\w.]{1,8}-[\w.-]{1,20}$|^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+(?:=|!?$)|^\d+\*\d|^[@.]|[^\x21-\x7e]|^eyJhbGciOi[^.]*$/;

/** The same of a key: a version, a public address, a host's, a path of composed names. People make passwords of such. */
const NO_KEY =
  /^[\^~<>=v]{0,3}\d{1,4}\.\d{1,5}\.\d[\w.+-]*$|^0x[\dA-Fa-f]{40}$|^[\w.-]+@(?:\d{1,3}\.){3}\d{1,3}$|^[a-z]+(?:\d{1,2}[a-z]{0,9})?(?:\/[a-z]+(?:-[a-z]+){0,4}){1,4}$/;

/** An argument of one letter, where nothing quotes it. */
const ARGUMENT = /^[a-z]=(?!=?$)/;

/** Sixteen letters in fours. */
const IN_FOURS = /[a-z]{4}(?: [a-z]{4}){3}(?![\w-]| [a-z])/y;

/** What ends a sentence, or bold text. */
const TRAILING = /(?:[.:,;?]|\*\*)+$/;

/** What follows a value in a URL, a connection string or HTML. */
const NEXT_FIELD = /[&;][\w.% -]{1,40}=|&(?:amp|quot|apos|lt|gt|#\d{2,5}|#x[\da-fA-F]{2,4})$/;

/** What a sticky pattern finds at a place; empty for nothing. */
export function textAt(pattern: RegExp, text: string, at: number): string {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? '';
}

/** Whether a value of that name is a secret: random, or of a name that lets it be short, made up. */
function isSecretValue(value: string, name: string, mayBeShort: boolean): boolean {
  if (value.length < 8 || NO_VALUE.test(value)) return false;
  if (PHRASE_NAME.test(name) && PHRASE.test(value) && !isPlaceholder(value)) return true;
  const isPassword = PASSWORD.test(name);
  if (isPassword && isAppPassword(value)) return true;
  if (!isPassword && (NO_KEY.test(value) || isMadeOfNames(value))) return false;
  return (
    (value.length >= 16 && isRandomKey(value)) ||
    (mayBeShort && (isPassword || SHORT.test(name)) && isRandomPassword(value))
  );
}

function labelOf(name: string): string {
  return PASSWORD.test(name) ? 'password' : 'key';
}

/** A value whose bounds are known: a field of a table. */
export function fieldSecret(text: string, start: number, end: number, name: string): SecretMatch | undefined {
  return isSecretValue(text.slice(start, end), name, true) ? { start, end, label: labelOf(name) } : undefined;
}

/** The parts of a text in literals of its own that follow the one that ends at `end`, joined. */
function laterParts(text: string, end: number): { readonly joined: string; readonly end: number } {
  let [joined, at] = ['', end];
  for (let count = 0; count < MAX_PARTS; count++) {
    NEXT_PART.lastIndex = at;
    const match = NEXT_PART.exec(text);
    if (!match) break;
    joined += match.groups?.part ?? '';
    at += match[0].length;
  }
  return { joined, end: at };
}

/** A text in quotes, whole: with the parts that are added to it on later lines. */
function literalSecret(text: string, at: number, head: string, name: string): SecretMatch | undefined {
  const parts = laterParts(text, at + head.length);
  const value = head + parts.joined;
  if (parts.joined === '') return undefined;
  return isSecretValue(value, name, true) ? { start: at, end: parts.end, label: labelOf(name) } : undefined;
}

/** The first part of a text that goes on: it may be short. */
const FIRST_PART = /[^\s"'`\\]{0,400}(?=["'`])/y;

/**
 * The value at a place, if it is a secret.
 * @param assigns whether the line is an assignment, which the value ends
 */
export function valueAt(text: string, at: number, name: string, assigns: boolean): SecretMatch | undefined {
  const fours = textAt(IN_FOURS, text, at);
  if (PASSWORD.test(name) && isAppPassword(fours)) return { start: at, end: at + fours.length, label: labelOf(name) };
  const before = text.charAt(at - 1);
  const isQuoted = /["'`]/.test(before);
  if (isQuoted) {
    const joined = literalSecret(text, at, textAt(FIRST_PART, text, at), name);
    if (joined) return joined;
  }
  const isField = before === '=' && text.charAt(at - name.length - 2) === ';';
  const literal = LITERALS[isField ? ';' : text.charAt(at - 2) === '\\' ? `\\${before}` : before];
  const whole = literal ? textAt(literal, text, at) : '';
  const isWhole = isQuoted || whole !== '';
  const head = whole || (assigns && textAt(TO_LINE_END, text, at)) || textAt(isQuoted ? QUOTED : UNQUOTED, text, at);
  const isLong = head.length === MAX_HEAD;
  const after = isLong ? '' : text.charAt(at + head.length);
  // A call or an index is code, and so is an argument that is a name; behind a backslash stands an escape.
  if (!isWhole && (/[([{]/.test(after) || before === '\\' || (before === '(' && /^[A-Za-z]+$/.test(head))))
    return undefined;
  const ownEnd = isWhole ? undefined : NEXT_FIELD.exec(head)?.index;
  const value = head.slice(0, ownEnd).replace(TRAILING, '');
  if (!isWhole && ARGUMENT.test(value)) return undefined;
  // Without quotes a short name of code may stand there.
  const isOfUrl = /[?&]/.test(text.charAt(at - name.length - 2));
  const mayBeShort =
    isWhole ||
    isOfUrl ||
    ((assigns || name.startsWith('-')) && isScrambled(value)) ||
    !/^[A-Za-z_]+\d*[A-Za-z_]*$|^[\da-z]{1,4}[A-Z][A-Za-z]{1,5}$/.test(value);
  if (!isSecretValue(value, name, mayBeShort)) return undefined;
  const rest = isLong && ownEnd === undefined ? textAt(REST, text, at + head.length).replace(TRAILING, '') : '';
  const end = at + (rest === '' ? value.length : head.length + rest.length);
  return { start: at, end, label: labelOf(name) };
}
