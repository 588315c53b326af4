import type { Cancel, FileSource } from '../../ports';
import { globMatcher } from '../../sections/glob';
import { isSkippedName } from '../../sections/ignoreRules';

/** More run logs than this are data, not a log. */
const MAX_FILES = 20_000;

/** The folder of a glob above its first wildcard. */
function baseOf(pattern: string): string {
  const names = pattern.split('/');
  const wild = names.findIndex((name) => /[*?[\]{}()!+@]/.test(name));
  return (wild < 0 ? names : names.slice(0, wild)).join('/');
}

async function listBelow(files: FileSource, base: string, cancel: Cancel): Promise<readonly string[]> {
  const found: string[] = [];
  const folders = [base];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    if (cancel.isCancelled || found.length >= MAX_FILES) break;
    const read = await files.list(folder);
    if (read.kind !== 'ok') continue;
    for (const { name, kind } of read.entries) {
      const path = folder === '' ? name : `${folder}/${name}`;
      if (kind === 'folder' && !isSkippedName(name)) folders.push(path);
      else if (kind === 'file') found.push(path);
    }
  }
  return found;
}

/**
 * The files that `patterns` name, in order of their paths. Looks where the patterns point and nowhere else, into ignored
 * folders too: run logs are often kept out of git. Links are not followed.
 */
export async function listSources(
  files: FileSource,
  patterns: readonly string[],
  cancel: Cancel,
): Promise<readonly string[]> {
  const found = new Set<string>();
  for (const pattern of patterns) {
    const base = baseOf(pattern);
    if (base === pattern) {
      const read = await files.read(pattern, 0);
      if (read.kind === 'ok' || read.kind === 'tooLarge') found.add(pattern);
      continue;
    }
    const matches = globMatcher(pattern);
    for (const path of await listBelow(files, base, cancel)) if (matches(path)) found.add(path);
  }
  return [...found].sort();
}
