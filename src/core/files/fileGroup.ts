import { filesOf } from '../text/counts';
import { formatCount, plural } from '../text/numbers';
import { inEnglish, type Phrase, phrase } from '../text/phrase';
import type { FileBody } from './fileReader';

/** More files than this in one section are an archive; the newest ones are read. */
export const MAX_GROUP_FILES = 200;

/** Date and, if it follows, time of day in a file name: `2026-02-03`, `20260203`, `2026-02-03T21-23-34`. */
const NAME_DATE =
  /(?<!\d)(\d{4})[-_.]?(0[1-9]|1[0-2])[-_.]?(0[1-9]|[12]\d|3[01])(?:[T _-]?(\d{2})[-_:.]?(\d{2})(?:[-_:.]?(\d{2}))?)?(?!\d)/;

/** The date that `path` names, sortable, or `''`. The last one counts: names are more exact than their folders. */
function dateOf(path: string): string {
  const match = [...path.matchAll(new RegExp(NAME_DATE, 'g'))].at(-1);
  return match
    ? match
        .slice(1)
        .map((part = '00') => part)
        .join('')
    : '';
}

/** Oldest first: by the date in the path, else by the path; files without a date count as oldest. */
export function orderByAge(paths: readonly string[]): string[] {
  return paths
    .map((path) => ({ path, date: dateOf(path) }))
    .sort((a, b) => (a.date < b.date ? -1 : a.date > b.date ? 1 : a.path < b.path ? -1 : 1))
    .map(({ path }) => path);
}

/** One file of a group with what reading it gave. */
export interface GroupPart {
  readonly path: string;
  readonly body: FileBody;
}

/** Files read before it is known whether more are wanted. */
const READ_AT_ONCE = 16;

/** Reads files from the newest on, until they have more than `maxChars` together; in the order of `paths`. */
export async function newestParts(
  paths: readonly string[],
  maxChars: number,
  read: (path: string) => Promise<FileBody>,
): Promise<readonly GroupPart[]> {
  const parts: GroupPart[] = [];
  let chars = 0;
  for (let end = paths.length; end > 0 && chars <= maxChars; end -= READ_AT_ONCE) {
    const some = paths.slice(Math.max(0, end - READ_AT_ONCE), end);
    const bodies = await Promise.all(some.map(async (path) => ({ path, body: await read(path) })));
    parts.unshift(...bodies);
    for (const { body } of bodies) if (body.kind === 'text') chars += body.text.length;
  }
  return parts;
}

/** The text of a `files` section, newest file last, and the row's note. */
export interface GroupText {
  readonly text: string;
  /** The line that each file in `text` starts with, in its order: headings of the files' own are no entries. */
  readonly heads: readonly string[];
  readonly note: Phrase;
}

/**
 * Joins files, each under a Markdown heading with its path, so that the files are the list's entries. Of more than
 * `maxChars` the newest files are kept, whole; a file that is not text leaves a line that says so.
 */
export function joinGroup(parts: readonly GroupPart[], total: number, maxChars: number): GroupText {
  const blocks: string[] = [];
  const heads: string[] = [];
  let chars = 0;
  for (const part of parts.toReversed()) {
    const head = `# ${part.path.replace(/\p{Cc}+/gu, ' ')}`;
    const block = `${head}\n${contentOf(part.body)}`;
    chars += block.length;
    if (chars > maxChars && blocks.length > 0) break;
    blocks.push(block);
    heads.push(head);
  }
  const note = blocks.length < total ? phrase('newest {0} of {1} files', blocks.length, total) : filesOf(total);
  return { text: blocks.toReversed().join('\n'), heads: heads.toReversed(), note };
}

function contentOf(body: FileBody): string {
  switch (body.kind) {
    case 'text':
      return body.text.endsWith('\n') ? body.text : `${body.text}\n`;
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
