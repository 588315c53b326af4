/**
 * The first of two speeds (DESIGN §6): decides, from words alone, which files a map for a task may show and are worth
 * parsing before it is made.
 */
import type { TaskRanking } from './taskRanking';

/** A name of the task that this many files hold, and no more, says which files it is about. */
const RARE_FILES = 24;

/**
 * Paths of scanned files, the best first: those among the best `limit` files, and those that hold a rare identifier of
 * the task.
 */
export function candidatePaths(
  ranking: TaskRanking,
  identifiers: ReadonlySet<string>,
  limit: number,
): readonly string[] {
  const { corpus, files, hits } = ranking;
  const wanted = new Set<number>();
  for (const { query, files: holders } of hits) {
    if (!identifiers.has(query.term) || holders.length > RARE_FILES) continue;
    for (const at of holders) wanted.add(at);
  }
  files.ranks.forEach((rank, at) => {
    if (rank < limit) wanted.add(at);
  });
  return [...wanted]
    .sort((a, b) => (files.ranks[a] as number) - (files.ranks[b] as number))
    .flatMap((at) => {
      const file = corpus.files[at]?.file;
      return file?.outcome === 'scanned' ? [file.path] : [];
    });
}
