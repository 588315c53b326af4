/**
 * A folder section as its files tell of themselves: key, title, date, keywords (DESIGN §3.1). `files/fileGroups.ts` reads
 * them; which come first is decided by `score/rankFiles.ts`.
 */

import { readFrontmatter, splitList } from '../../agents/frontmatter';
import { type GroupFile, pathTime } from '../../files/fileGroups';
import type { FolderFile } from '../../model/section';
import { FENCE } from '../../text/markdown';
import { formatCount, plural } from '../../text/numbers';
import { inEnglish } from '../../text/phrase';
import { nameOf } from '../../text/safePath';
import { cleanText, firstLineOf } from '../../text/sentence';

/** How far into a text its first heading is looked for. */
const HEAD_CHARS = 8000;

/** How far into a line a date is looked for: what stands later is no date of the entry. */
const DATE_HEAD_CHARS = 80;

/**
 * A date at the head of a line, behind marks of a list, a heading or a quote and a label: `- 2026-02-03`, `Updated:
 * 2026/2/3`, `"ts": "2026-02-03 21:23"`, `2026年2月3日`.
 */
const LINE_DATE =
  /^[\s>#*+•|[({"_`-]*(?:\d{1,9}[.)]\s+)?(?:[\p{L}_ ]{2,20}["*_`]{0,3}\s?[:：][\s"*_`]*)?(\d{4})(?:([-/.])(\d{1,2})\2(\d{1,2})|年\s?(\d{1,2})月\s?(\d{1,2})日)(?!\d)/u;

/** The newest date that a line of the text begins with. */
function textDate(text: string): string | undefined {
  let newest: string | undefined;
  for (const line of text.split('\n')) {
    const match = LINE_DATE.exec(line.slice(0, DATE_HEAD_CHARS));
    if (!match) continue;
    const [, year = '', , isoMonth, isoDay, month = isoMonth ?? '', day = isoDay ?? ''] = match;
    if (Number(month) < 1 || Number(month) > 12 || Number(day) < 1 || Number(day) > 31) continue;
    const date = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
    if (newest === undefined || date > newest) newest = date;
  }
  return newest;
}

/** The date that a path names. */
function pathDate(path: string): string | undefined {
  const time = pathTime(path);
  return time === '' ? undefined : `${time.slice(0, 4)}-${time.slice(4, 6)}-${time.slice(6, 8)}`;
}

/** The first heading of a Markdown text outside of code, without its marks; empty when there is none. */
function firstHeading(text: string): string {
  let isCode = false;
  for (const line of text.slice(0, HEAD_CHARS).split('\n')) {
    if (FENCE.test(line)) isCode = !isCode;
    // A row begins with the title, and no line of a payload may begin with a slash.
    else if (!isCode && /^ {0,3}#{1,6}\s+\S/.test(line)) return firstLineOf(line).replace(/^[/\s]+/, '');
  }
  return '';
}

function withoutExtension(path: string): string {
  return path.replace(/(?<=[^/])\.[^./]+$/, '');
}

/** What a file says, or why it says nothing. */
function textOf({ body }: GroupFile): string {
  switch (body.kind) {
    case 'text':
      return cleanText(body.text);
    case 'binary':
      return '(left out: not text)\n';
    case 'tooLarge':
      return `(left out: ${plural(body.sizeBytes, 'byte')}, the limit is ${formatCount(body.limitBytes)})\n`;
    case 'missing':
      return '(left out: it is gone)\n';
    case 'unreadable':
      return `(left out: ${inEnglish(body.message)})\n`;
  }
}

/** Keys of files below `root`; where two would be the same, both keep their extension. */
function keysOf(paths: readonly string[], root: string): readonly string[] {
  const below = paths.map((path) => (path.startsWith(root) ? path.slice(root.length) : path));
  const counts = new Map<string, number>();
  for (const path of below) counts.set(withoutExtension(path), (counts.get(withoutExtension(path)) ?? 0) + 1);
  return below.map((path) => (counts.get(withoutExtension(path)) === 1 ? withoutExtension(path) : path));
}

/** What a file's text says it is about; without a heading its title is its name. */
export function describeText(path: string, text: string): Pick<FolderFile, 'title' | 'keywords'> {
  const { values, end } = readFrontmatter(text);
  return {
    title: firstHeading(text.slice(end)) || withoutExtension(nameOf(path)),
    keywords: (values.get('keywords') ?? []).flatMap(splitList),
  };
}

/** Read files as those of a folder section; `root` is the part that all their paths begin with, or some of it. */
export function folderFiles(files: readonly GroupFile[], root: string): readonly FolderFile[] {
  const keys = keysOf(
    files.map(({ path }) => path),
    root,
  );
  return files.map((file, at) => {
    const { path } = file;
    const text = textOf(file);
    const date = pathDate(path) ?? textDate(text);
    return { path, key: keys[at] ?? path, date, text, ...describeText(path, text) };
  });
}
