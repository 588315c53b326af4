/** Heads of skills, subagents and commands, as agents read them. */
import { parseDocument } from 'yaml';
import type { WindowRules } from '../../agents/windowRules';

type ListRules = NonNullable<WindowRules['skills'] | WindowRules['subagents']>;

/** Frontmatter is short; what is longer is a text between two rules. */
const MAX_HEAD = 20_000;

/** The frontmatter of a text, without its rules; empty without one. */
export function headOf(text: string): string {
  return /^---[ \t]*\r?\n([\s\S]*?)\r?\n(?:---|\.\.\.)[ \t]*(?:\r?\n|$)/.exec(text.slice(0, MAX_HEAD))?.[1] ?? '';
}

/** Whether an agent that reads a head by a rule finds no YAML in it. */
export function isWrongYaml(
  head: string,
  { repairs, allowsTwice, allowsTabs }: NonNullable<ListRules['yaml']>,
): boolean {
  const lines = head.split(/\r?\n/).map((line) => {
    const [, key, value = ''] = /^([\w-]+:[ \t]+)(.*)$/.exec(line) ?? [];
    const isQuoted = /^["']/.test(value) || /^[|>][+-]?\d*$/.test(value);
    if (key !== undefined && repairs?.test(value) && !isQuoted) return key + JSON.stringify(value);
    return allowsTabs ? line.replace(/^\t+/, '  ') : line;
  });
  return parseDocument(lines.join('\n'), { uniqueKeys: !allowsTwice, logLevel: 'error' }).errors.length > 0;
}

/** A text of YAML frontmatter: plain, quoted, or a block; lists as they are written. Empty where the key is not there. */
export function headText(head: string, key: string): string {
  const lines = head.split(/\r?\n/);
  const at = lines.findIndex((line) => line.startsWith(`${key}:`));
  if (at < 0) return '';
  const first = (lines[at] ?? '').slice(key.length + 1).trim();
  const rest = lines.slice(at + 1);
  const end = rest.findIndex((line) => line.trim() !== '' && !/^[ \t]/.test(line));
  const more = (end < 0 ? rest : rest.slice(0, end)).map((line) => line.trim());
  if (/^[>|][+-]?\d*$/.test(first)) return more.join(first.startsWith('|') ? '\n' : ' ').trim();
  const value = [first, ...more].join(' ').trim();
  const quoted = /^"((?:[^"\\]|\\.)*)"|^'((?:[^']|'')*)'/.exec(value);
  if (!quoted) return value.replace(/\s#.*$/, '').trim();
  return quoted[1] === undefined ? (quoted[2] ?? '').replaceAll("''", "'") : quoted[1].replace(/\\(["\\])/g, '$1');
}

/** The first line of a text behind its frontmatter, or all of it on one line. */
export function bodyText(text: string, fallback: 'line' | 'text' | undefined): string {
  const body = text.replace(/^---[ \t]*\r?\n[\s\S]*?\r?\n---[ \t]*(?:\r?\n|$)/, '');
  if (fallback === undefined) return '';
  if (fallback === 'text') return body.replace(/\s+/g, ' ').trim();
  return (/\S.*/.exec(body)?.[0] ?? '').replace(/^#+\s*/, '').trim();
}
