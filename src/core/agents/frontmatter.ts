/**
 * The frontmatter of a rule file, read as agents take it: keys with a text or a list. Not YAML: people write
 * `globs: *.ts,*.tsx`, which a YAML parser refuses and every editor reads.
 */

/** Keys with their values; a single text is a list of one. */
export type Frontmatter = ReadonlyMap<string, readonly string[]>;

/** What stands before the first line that is not frontmatter. */
interface FrontmatterBlock {
  readonly values: Frontmatter;
  /** Where the text goes on after the closing line, in characters; 0 without frontmatter. */
  readonly end: number;
}

/** Frontmatter is short; what is longer is a text between two rules. */
const MAX_CHARS = 20_000;

const NONE: FrontmatterBlock = { values: new Map(), end: 0 };

/** Reads the frontmatter of a text without its byte order mark. Linear, never throws. */
export function readFrontmatter(text: string): FrontmatterBlock {
  const opening = /^---[ \t]*\r?\n/.exec(text);
  if (!opening) return NONE;
  const head = text.slice(0, MAX_CHARS);
  const closing = /^(?:---|\.\.\.)[ \t]*(?:\r?\n|$)/gm;
  closing.lastIndex = opening[0].length;
  const match = closing.exec(head);
  if (!match) return NONE;
  return { values: readValues(head.slice(opening[0].length, match.index)), end: match.index + match[0].length };
}

/** A key at the start of its line, in quotes or without. */
const PAIR = /^(?:([A-Za-z_][\w-]*)|"([^"]*)"|'([^']*)')[ \t]*:(.*)$/;

function readValues(text: string): Frontmatter {
  const given = new Map<string, string[]>();
  let lines: string[] = [];
  for (const line of text.split(/\r?\n/)) {
    const [isPair, plain, double, single, first = ''] = PAIR.exec(line) ?? [];
    if (isPair === undefined) lines.push(line.trim());
    else {
      lines = [first.trim()];
      given.set(plain ?? double ?? single ?? '', lines);
    }
  }
  return new Map([...given].map(([key, value]) => [key, readValue(value)]));
}

/** @param lines what stands behind the key, and the lines up to the next one */
function readValue(lines: readonly string[]): string[] {
  const list = flowList(lines.map(withoutComment).filter((line) => line !== ''));
  if (list !== undefined) return splitList(list).flatMap(readScalar);
  const [first = '', ...others] = lines;
  return [...readScalar(first), ...others.flatMap((line) => readScalar(/^-[ \t]+(.*)$/.exec(line)?.[1]?.trim() ?? ''))];
}

/** What stands in brackets, on one line or several. */
function flowList(lines: readonly string[]): string | undefined {
  const end = lines.findIndex((line) => line.endsWith(']'));
  return end >= 0 && lines[0]?.startsWith('[')
    ? lines
        .slice(0, end + 1)
        .join(' ')
        .slice(1, -1)
    : undefined;
}

function readScalar(value: string): string[] {
  const quoted = /^"([^"]*)"|^'([^']*)'/.exec(value);
  const text = quoted ? (quoted[1] ?? quoted[2] ?? '') : withoutComment(value);
  if (text === '') return [];
  // YAML reads `True` and `TRUE` as it reads `true`.
  return [!quoted && /^(?:true|false)$/i.test(text) ? text.toLowerCase() : text];
}

function withoutComment(value: string): string {
  const comment = value.search(/(?:^|\s)#/);
  return (comment < 0 ? value : value.slice(0, comment)).trim();
}

/** Splits at commas outside quotes and braces: `src/*.{ts,tsx}, docs` are two. */
export function splitList(text: string): readonly string[] {
  const parts: string[] = [];
  let depth = 0;
  let quote = '';
  let start = 0;
  for (let at = 0; at < text.length; at++) {
    const char = text[at] ?? '';
    if (quote !== '') quote = char === quote ? '' : quote;
    else if (char === '"' || char === "'") quote = char;
    else if (char === '{') depth++;
    else if (char === '}') depth = Math.max(0, depth - 1);
    else if (char === ',' && depth === 0) {
      parts.push(text.slice(start, at));
      start = at + 1;
    }
  }
  return [...parts, text.slice(start)].map((part) => part.trim()).filter((part) => part !== '');
}
