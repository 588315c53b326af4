import type { CollectedSection, SectionFailure } from '../model/section';
import { filesOf } from '../text/counts';
import { formatCount, plural } from '../text/numbers';
import { inEnglish, phrase } from '../text/phrase';
import type { FileBody, FileReader } from './fileReader';
import type { GlobIndex } from './glob';

type Read = Pick<CollectedSection, 'body' | 'path' | 'note'>;

/** More files than this in one section are an archive; the newest ones are read. */
const MAX_GROUP_FILES = 200;

/** Date and, if it follows, time of day in a file name: `2026-02-03`, `20260203`, `2026-02-03T21-23-34`. */
const NAME_DATE =
  /(?<!\d)(\d{4})[-_.]?(0[1-9]|1[0-2])[-_.]?(0[1-9]|[12]\d|3[01])(?:[T _-]?(\d{2})[-_:.]?(\d{2})(?:[-_:.]?(\d{2}))?)?(?!\d)/g;

/** The date that `path` names, sortable, or `''`. The last one counts: names are more exact than their folders. */
function dateOf(path: string): string {
  const match = [...path.matchAll(NAME_DATE)].at(-1) ?? [];
  return match
    .slice(1)
    .map((part = '00') => part)
    .join('');
}

/** Oldest first: by the date in the path, else by the path; files without a date count as oldest. */
function orderByAge(paths: readonly string[]): string[] {
  const keyed = paths.map((path) => ({ path, key: `${dateOf(path)}\0${path}` }));
  return keyed.sort((a, b) => (a.key < b.key ? -1 : 1)).map(({ path }) => path);
}

/** One file of a group with what reading it gave. */
interface GroupPart {
  readonly path: string;
  readonly body: FileBody;
}

/** Files read before it is known whether more are wanted. */
const READ_AT_ONCE = 16;

/** Reads files from the newest on, until they have more than `maxChars` together; in the order of `paths`. */
async function newestParts(
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

/** Joins files, each below its path as a heading; beyond `maxChars` only the newest, whole. Those without text say why. */
function joinGroup(parts: readonly GroupPart[], total: number, maxChars: number): Pick<Read, 'body' | 'note'> {
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
  return { body: { kind: 'text', text: blocks.toReversed().join('\n'), heads: heads.toReversed() }, note };
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

/** The `files` sections of one collection: those that ask for the same files share one text. */
export class FileGroups {
  readonly #read = new Map<string, Promise<Read>>();

  /** @param maxChars of one section */
  constructor(
    private readonly globs: GlobIndex,
    private readonly reader: FileReader,
    private readonly maxChars: number,
  ) {}

  /** The same object whenever the same is asked for: a worker then gets its text once. Never rejects. */
  read(pattern: string, keepRecent: number | undefined): Promise<Read> {
    const key = `${keepRecent ?? ''} ${pattern}`;
    const known = this.#read.get(key);
    if (known) return known;
    const reading = this.#readNow(pattern, keepRecent);
    this.#read.set(key, reading);
    return reading;
  }

  async #readNow(pattern: string, keepRecent: number | undefined): Promise<Read> {
    const failed = (failure: SectionFailure): Read => ({
      body: { kind: 'failed', failure },
      path: undefined,
      note: undefined,
    });
    const found = await this.globs.filesOf(pattern);
    if (!found) {
      const message = phrase('there are more globs than can be matched with so many files.');
      return failed({ kind: 'unreadable', path: pattern, message });
    }
    const matched = orderByAge(found);
    if (matched.length === 0) return failed({ kind: 'missing', path: pattern });
    const wanted = matched.slice(-Math.min(keepRecent ?? MAX_GROUP_FILES, MAX_GROUP_FILES));
    const parts = await newestParts(wanted, this.maxChars, (path) => this.reader.read(path, this.maxChars));
    return { path: matched.length === 1 ? matched[0] : undefined, ...joinGroup(parts, matched.length, this.maxChars) };
  }
}
