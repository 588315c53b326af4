/** What a map leaves out: the next best files of its order. */

import type { LeftOutFiles, LeftOutRequest } from '../facts/types';
import type { IndexedFile } from '../index/indexedFile';
import type { RepoIndex } from '../index/repoIndex';
import type { MapOrder } from '../ranking/mapOrder';

/** Symbols listed of one file. */
const MAX_SYMBOLS = 12;

/** Files that are not `shown`, in the order of their first definitions; then, by path, those without one. */
export function leftOutFiles(
  index: RepoIndex,
  order: MapOrder,
  shown: ReadonlySet<IndexedFile>,
  { limit, matching = '' }: LeftOutRequest,
): LeftOutFiles {
  const isMatch = matcher(matching);
  const candidates = index.files.filter((file) => !shown.has(file) && isMatch(file));
  const wanted = new Set(candidates);
  const found = new Map<IndexedFile, number[]>();
  const taken = new Map<IndexedFile, number>();
  for (const { file, index: at } of order.items((each) => taken.get(each) ?? 0)) {
    taken.set(file, (taken.get(file) ?? 0) + 1);
    if (!wanted.has(file)) continue;
    const symbols = found.get(file);
    if (symbols) symbols.push(at);
    else if (found.size < limit) found.set(file, [at]);
    // One more file than asked for: those before it have had their turn.
    else break;
  }
  for (const file of candidates) {
    if (found.size >= limit) break;
    if (!found.has(file)) found.set(file, []);
  }
  const items = [...found].map(([file, symbols], at) => ({
    path: file.path,
    rank: shown.size + at + 1,
    symbols: symbols.slice(0, MAX_SYMBOLS).flatMap((each) => file.symbol(each) ?? []),
  }));
  return { filesTotal: candidates.length, items };
}

function matcher(matching: string): (file: IndexedFile) => boolean {
  const wanted = matching.trim().toLowerCase();
  if (wanted === '') return () => true;
  return (file) =>
    file.path.toLowerCase().includes(wanted) ||
    file.definitions.some(({ name }) => name.toLowerCase().includes(wanted));
}
