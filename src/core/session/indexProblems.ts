import type { FileOutcome } from '../repomap/types';
import type { Problem } from '../report/contextReport';
import { formatCount, plural } from '../report/words';

/** Files named in one problem; the count is always complete. */
const MAX_NAMED = 3;

/** Why a file has no symbols in the map, after "N files"; outcomes without an entry are no problem. */
const WORDS: Readonly<Partial<Record<FileOutcome, (count: number) => string>>> = {
  binary: (count) => `${count === 1 ? 'has' : 'have'} a source file's name but ${count === 1 ? 'is' : 'are'} binary`,
  tooLarge: (count) => `${count === 1 ? 'is' : 'are'} larger than repo_map.max_file_bytes`,
  deadline: () => 'took too long to parse',
  failed: () => 'could not be parsed',
  unreadable: () => 'could not be read',
};

/** What the symbol index had to leave out, one problem for each reason, files by path. */
export function indexProblems(
  troubled: readonly { readonly path: string; readonly outcome: FileOutcome }[],
): readonly Problem[] {
  return Object.entries(WORDS).flatMap(([outcome, words]) => {
    const paths = troubled.filter((file) => file.outcome === outcome).map((file) => file.path);
    if (paths.length === 0) return [];
    paths.sort();
    const rest = paths.length - MAX_NAMED;
    const names = `${paths.slice(0, MAX_NAMED).join(', ')}${rest > 0 ? ` and ${formatCount(rest)} more` : ''}`;
    const message = `${plural(paths.length, 'file')} ${words(paths.length)}, so the repo map has no symbols of ${paths.length === 1 ? 'it' : 'them'}: ${names}`;
    return [{ kind: 'index', severity: 'warning', message, path: paths[0], line: undefined }];
  });
}
