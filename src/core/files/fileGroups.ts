import type { SectionFailure } from '../model/section';
import type { FileSource } from '../ports/ports';
import { phrase } from '../text/phrase';
import { type FileBody, type FileReader, FOLDER_SHARES } from './fileReader';
import { type GlobIndex, globMatcher } from './glob';
import { isSkippedName } from './ignoreRules';

/** More files than this in one folder section are an archive; those with the newest names are read. */
const MAX_GROUP_FILES = 2000;

/** Files of all folder sections together. */
const MAX_TOTAL_FILES = 20_000;

/** Date and, if it follows, time of day in a file name: `2026-02-03`, `20260203`, `2026-02-03T21-23-34`. */
const NAME_DATE =
  /(?<!\d)(\d{4})[-_.]?(0[1-9]|1[0-2])[-_.]?(0[1-9]|[12]\d|3[01])(?:[T _-]?(\d{2})[-_:.]?(\d{2})(?:[-_:.]?(\d{2}))?)?(?!\d)/g;

/** The date and time that `path` names, sortable as `YYYYMMDDhhmmss`, or `''`. The last one counts: names are more exact than their folders. */
export function pathTime(path: string): string {
  const match = [...path.matchAll(NAME_DATE)].at(-1) ?? [];
  return match
    .slice(1)
    .map((part = '00') => part)
    .join('');
}

/** Newest first: by the date in the path, else by the path; files without a date count as oldest. */
function newestFirst(paths: readonly string[]): string[] {
  const keyed = paths.map((path) => ({ path, key: `${pathTime(path)}\0${path}` }));
  return keyed.sort((a, b) => (a.key > b.key ? -1 : 1)).map(({ path }) => path);
}

/** One file of a group with what reading it gave. */
export interface GroupFile {
  readonly path: string;
  readonly body: FileBody;
}

/** The files that a glob matches, as far as they are read. */
type GroupRead =
  | { readonly kind: 'failed'; readonly failure: SectionFailure }
  | { readonly kind: 'files'; readonly files: readonly GroupFile[]; readonly leftOut: number };

/** Files read before it is known whether more are wanted. */
const READ_AT_ONCE = 16;

/** Reads files in order, whole, until they have `maxChars` together; always the first. */
async function readParts(
  paths: readonly string[],
  maxChars: number,
  read: (path: string) => Promise<FileBody>,
): Promise<readonly GroupFile[]> {
  const parts: GroupFile[] = [];
  let chars = 0;
  for (let start = 0; start < paths.length; start += READ_AT_ONCE) {
    const some = paths.slice(start, start + READ_AT_ONCE);
    const bodies = await Promise.all(some.map(async (path) => ({ path, body: await read(path) })));
    for (const part of bodies) {
      if (part.body.kind === 'text') chars += part.body.text.length;
      if (chars > maxChars && parts.length > 0) return parts;
      parts.push(part);
    }
  }
  return parts;
}

/** The part of a glob before what may mean something, up to its last `/`: what every file it matches lies below. */
export function globRoot(pattern: string): string {
  const special = pattern.search(/[*?[\]{}\\]/);
  const fixed = special < 0 ? pattern : pattern.slice(0, special);
  return fixed.slice(0, fixed.lastIndexOf('/') + 1);
}

/** What one folder section may have. */
interface GroupLimits {
  /** Of one file. */
  readonly maxChars: number;
  /** Folder sections there are: by their number alone, so that nothing depends on timing. */
  readonly folders: number;
}

/** Reads what a glob matches, but for some: of many files those with the newest names. Never rejects. */
export async function readGroup(
  { pattern, except = [] }: { readonly pattern: string; readonly except?: readonly string[] },
  globs: GlobIndex,
  reader: FileReader,
  { maxChars, folders }: GroupLimits,
): Promise<GroupRead> {
  const matching = await globs.filesOf(pattern);
  if (!matching) {
    const message = phrase('there are too many globs for so many files.');
    return { kind: 'failed', failure: { kind: 'unreadable', path: pattern, message } };
  }
  if (matching.length === 0) return { kind: 'failed', failure: { kind: 'missing', path: pattern } };
  const elsewhere = new Set(except);
  const found = matching.filter((path) => !elsewhere.has(path));
  const most = Math.max(1, Math.min(MAX_GROUP_FILES, Math.floor(MAX_TOTAL_FILES / folders)));
  const wanted = newestFirst(found).slice(0, most);
  const files = await readParts(wanted, maxChars * FOLDER_SHARES, (path) => reader.read(path, maxChars));
  return { kind: 'files', files, leftOut: found.length - files.length };
}

/** Entries that are looked at for files that a glob matches although they are ignored. */
const MAX_PROBED = 5000;

/** Whether the disk has files that match, whatever the ignore rules say of them. */
export async function hasFiles(files: FileSource, pattern: string): Promise<boolean> {
  const matches = globMatcher(pattern);
  const segments = pattern.split('/');
  const fixed = segments.slice(0, -1).findIndex((segment) => /[*?[\]{}()!+@|]/.test(segment));
  const level = [segments.slice(0, fixed < 0 ? -1 : fixed).join('/')];
  for (let looked = 0; level.length > 0 && looked < MAX_PROBED; ) {
    const folder = level.shift() ?? '';
    const read = await files.list(folder);
    const entries = read.kind === 'ok' ? read.entries.filter(({ name }) => !isSkippedName(name)) : [];
    looked += entries.length + 1;
    for (const { name, kind } of entries) {
      const path = folder === '' ? name : `${folder}/${name}`;
      if (kind === 'file' && matches(path)) return true;
      if (kind === 'folder') level.push(path);
    }
  }
  return false;
}
