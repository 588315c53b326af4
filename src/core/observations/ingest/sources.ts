import { globMatcher, MAX_GLOB_STEPS } from '../../files/glob';
import { isSkippedName } from '../../files/ignoreRules';
import type { FileSource } from '../../ports/ports';

/** More run logs than this below one folder are data, not a log; the same of folders. */
const MAX_FILES = 20_000;
/** What is listed for all patterns together. */
const MAX_LISTED = 10 * MAX_FILES;

/** What patterns name. */
export interface FoundSources {
  /** In order. */
  readonly paths: readonly string[];
  /** Patterns that were not looked for, or not everywhere: there is too much. */
  readonly cut: readonly string[];
}

interface Listing {
  readonly files: readonly string[];
  readonly isCut: boolean;
}

/** The folder of a glob above its first wildcard. */
function baseOf(pattern: string): string {
  const names = pattern.split('/');
  const wild = names.findIndex((name) => /[*?[\]{}()!+@]/.test(name));
  return (wild < 0 ? names : names.slice(0, wild)).join('/');
}

async function listBelow(files: FileSource, base: string, signal: AbortSignal): Promise<Listing> {
  const found: string[] = [];
  const folders = [base];
  let listed = 0;
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    if (signal.aborted || found.length >= MAX_FILES || listed++ >= MAX_FILES) return { files: found, isCut: true };
    const read = await files.list(folder);
    if (read.kind !== 'ok') continue;
    for (const { name, kind } of read.entries) {
      const path = folder === '' ? name : `${folder}/${name}`;
      if (kind === 'folder' && !isSkippedName(name)) folders.push(path);
      else if (kind === 'file') found.push(path);
    }
  }
  return { files: found, isCut: false };
}

/**
 * The files that `patterns` name. Looks where the patterns point and nowhere else, into ignored folders too: run logs are
 * often kept out of git. Links are not followed. A folder is listed once, and matching has a budget.
 */
export async function listSources(
  files: FileSource,
  patterns: readonly string[],
  signal: AbortSignal,
): Promise<FoundSources> {
  const found = new Set<string>();
  const cut: string[] = [];
  const listings = new Map<string, Listing>();
  const meter = { steps: 0 };
  let listed = 0;
  for (const pattern of new Set(patterns)) {
    const base = baseOf(pattern);
    if (base === pattern) {
      const read = await files.read(pattern, 0);
      if (read.kind === 'ok' || read.kind === 'tooLarge') found.add(pattern);
      continue;
    }
    if (listed >= MAX_LISTED || meter.steps >= MAX_GLOB_STEPS) {
      cut.push(pattern);
      continue;
    }
    const listing = listings.get(base) ?? (await listBelow(files, base, signal));
    if (!listings.has(base)) listed += 1 + listing.files.length;
    listings.set(base, listing);
    const matches = globMatcher(pattern, { meter });
    for (const path of listing.files) if (meter.steps < MAX_GLOB_STEPS && matches(path)) found.add(path);
    if (listing.isCut || meter.steps >= MAX_GLOB_STEPS) cut.push(pattern);
  }
  return { paths: [...found].sort(), cut };
}
