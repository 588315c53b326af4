/**
 * Secrets whose name stands elsewhere: above them in a table, before them in the columns of an insert or in a command, below
 * them in a pair that begins with its value.
 */
import { isRandomKey } from './secretLooks';
import { namesSecret } from './secretNames';
import type { SecretMatch } from './secretScanner';
import { fieldSecret, valueAt } from './secretValues';

/** A Secret of Kubernetes, all of whose values are secret, whatever they are called. */
const KUBERNETES_SECRET = /^kind: *Secret\b/m;
const KUBERNETES_VALUE =
  /^[ \t]{1,20}[\w.-]{1,100}: {0,4}["']?(?<secret>[A-Za-z0-9+/]{12,8000}={0,2})["']?[ \t]{0,8}$/gm;

/** The first line of a table of separated values: names alone. */
const HEADER =
  /[\w .\u3040-\u9fff-]{1,60}(?<separator>[,;\t])[\w .\u3040-\u9fff-]{1,60}(?:\k<separator>[\w .\u3040-\u9fff-]{1,60}){0,49}(?=\r?\n)/y;
/** A field of it, of a row of Markdown, and of a row that SQL inserts, with what ends it. */
const FIELDS: Readonly<Record<string, RegExp>> = {
  ',': /("(?:[^"\n]|""){0,8000}"|[^,\n]{0,8000})(?:,|(?=\r?\n|$))/y,
  ';': /("(?:[^"\n]|""){0,8000}"|[^;\n]{0,8000})(?:;|(?=\r?\n|$))/y,
  '\t': /("(?:[^"\n]|""){0,8000}"|[^\t\n]{0,8000})(?:\t|(?=\r?\n|$))/y,
};
const MARKDOWN_FIELD = /[ \t]{0,40}([^\s|][^|\n]{0,400}[^\s|]|[^\s|]?)[ \t]{0,40}\|/y;
const INSERTED = /\s{0,40}((?:N?'(?:[^']|''){0,2000}'|"[^"]{0,2000}"|[^,()'"]{0,400}))\s{0,40}[,)]/y;

const MARKDOWN_HEADER = /^[ \t]{0,8}\|(?<names>(?:[^|\n]{1,60}\|){2,12})[ \t]*\r?\n[ \t]{0,8}\|[-:| \t]{3,200}\r?\n/gm;
const MARKDOWN_ROW = /[ \t]{0,8}\|/y;
const INSERT = /insert\s{1,4}into[^()\n]{1,100}\((?<names>[^()]{1,1000})\)\s{0,40}values\s{0,40}\(/gi;

/** A command of a shell whose output is one word. */
const PRINTED = /^[ \t]{0,8}[\w.@:~/-]{0,60}[$#>❯%][ \t]{1,4}(?<command>[^\n]{1,200})\n(?=\S{8,400}\r?$)/gm;

/** A pair of name and value that begins with the value. */
const VALUE_FIRST =
  /\bvalue["']?:[ \t]{0,4}["']?(?<value>[^\s"']{8,400})["']?(?:,[ \t]{0,4}|,?[ \t]{0,4}\r?\n[ \t]{1,40})["']?(?:name|key)["']?:[ \t]{0,4}["']?(?<name>[\w.-]{3,60})/g;

/** The line of names that `index` is in, unless it begins far before. */
export function headerAt(text: string, index: number): { start: number; line: string; separator: string } | undefined {
  const from = Math.max(0, index - 400);
  const newLine = text.slice(from, index).lastIndexOf('\n');
  if (newLine === -1 && from > 0) return undefined;
  const start = from + newLine + 1;
  HEADER.lastIndex = start;
  const match = HEADER.exec(text);
  return match ? { start, line: match[0], separator: match.groups?.separator ?? ',' } : undefined;
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
    const valueStart = at + match[0].indexOf(value) + (/^N?["'`]/.exec(value)?.[0].length ?? 0);
    const valueEnd = at + match[0].indexOf(value) + value.length - (/["'`]$/.test(value) ? 1 : 0);
    const secret = namesSecret(name.trim()) ? fieldSecret(text, valueStart, valueEnd, name.trim()) : undefined;
    if (secret) found.push(secret);
    at += match[0].length;
  }
  return { found, end: at };
}

/** The values below a secret's column; `header` is the first line of a table, which begins at `start`. */
export function columnSecrets(
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

/** The values below a secret's column of a table of Markdown. */
function markdownSecrets(text: string): readonly SecretMatch[] {
  return [...text.matchAll(MARKDOWN_HEADER)].flatMap(({ 0: head, index, groups }) => {
    const names = (groups?.names ?? '').split('|').slice(0, -1);
    if (!names.some(namesSecret)) return [];
    const found: SecretMatch[] = [];
    for (let at = index + head.length; at < text.length; ) {
      MARKDOWN_ROW.lastIndex = at;
      const begin = MARKDOWN_ROW.exec(text);
      const row = begin ? rowSecrets(text, at + begin[0].length, MARKDOWN_FIELD, names) : undefined;
      if (!row) break;
      found.push(...row.found);
      const newline = text.indexOf('\n', row.end);
      if (newline < 0) break;
      at = newline + 1;
    }
    return found;
  });
}

/** Values of variables that a command prints. */
function printedSecrets(text: string): readonly SecretMatch[] {
  return [...text.matchAll(PRINTED)].flatMap(({ 0: line, index, groups }) => {
    const name = groups?.command?.match(/\w{3,60}/g)?.find(namesSecret);
    return (name !== undefined && valueAt(text, index + line.length, name, true)) || [];
  });
}

function pairSecrets(text: string): readonly SecretMatch[] {
  return [...text.matchAll(VALUE_FIRST)].flatMap(({ 0: pair, index, groups: { name = '', value = '' } = {} }) => {
    const start = index + pair.indexOf(value, 6);
    return (namesSecret(name) && fieldSecret(text, start, start + value.length, name)) || [];
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

/** All secrets whose name stands elsewhere, but for those below a column that a word names (`columnSecrets`). */
export function findPlacedSecrets(text: string): readonly SecretMatch[] {
  return [kubernetesSecrets, insertedSecrets, markdownSecrets, printedSecrets, pairSecrets].flatMap((find) =>
    find(text),
  );
}
