/**
 * Which files a task is about (RANKING §1.4): decides the files' ranks, from all their words, their paths and their best
 * definition.
 */
import type { TaskQuery } from './query';
import type { TaskCorpus } from './taskCorpus';
import { namedFiles } from './taskExact';
import { inverseFrequency, type TermHits } from './taskHits';
import type { TaskWeights } from './taskWeights';

/** By position in `corpus.files`. */
export interface FileScores {
  readonly scores: Float64Array;
  /** 0 for the best. */
  readonly ranks: Uint32Array;
  /** Score of the best definition inside. */
  readonly inside: Float64Array;
  /** Parts of the scores, for explanations. */
  readonly words: Float64Array;
  readonly mostWords: number;
  readonly baseNames: Float64Array;
  readonly named: ReadonlyMap<number, number>;
  readonly frames: ReadonlyMap<number, number>;
}

/** BM25 over whole files: parts and whole words, no stems; the path counts as words of the file. */
function fileWords(corpus: TaskCorpus, hits: readonly TermHits[], weights: TaskWeights): Float64Array {
  const { fileK1: k1, fileB: b } = weights;
  const scores = new Float64Array(corpus.files.length);
  const counts = new Float64Array(corpus.files.length);
  for (const { query, files, fileCounts } of hits) {
    if (query.isStem) continue;
    const inPath = weights.pathTerm > 0 ? (corpus.pathTerms.get(query.term) ?? []) : [];
    files.forEach((file, at) => {
      counts[file] = fileCounts[at] as number;
    });
    const holders = [...files, ...inPath.filter((file) => counts[file] === 0)];
    for (const file of inPath) counts[file] = (counts[file] as number) + weights.pathTerm;
    const worth = query.weight * inverseFrequency(corpus.files.length, holders.length);
    for (const file of holders) {
      const count = counts[file] as number;
      const length = (corpus.fileLengths[file] as number) / corpus.meanFileLength;
      scores[file] = (scores[file] as number) + (worth * count * (k1 + 1)) / (count + k1 * (1 - b + b * length));
      counts[file] = 0;
    }
  }
  return scores;
}

function shareOf(parts: readonly string[], query: ReadonlySet<string>): number {
  return parts.length === 0 ? 0 : parts.filter((part) => query.has(part)).length / parts.length;
}

function bestInside(corpus: TaskCorpus, total: Float64Array): Float64Array {
  return Float64Array.from(corpus.files, ({ file, base }) => {
    let best = 0;
    for (let index = 0; index < file.definitions.length; index++) best = Math.max(best, total[base + index] as number);
    return best;
  });
}

/** Scores and ranks the files. `definitions.total` are the definitions' scores, `best` the largest of them. */
export function scoreFiles(
  corpus: TaskCorpus,
  query: TaskQuery,
  hits: readonly TermHits[],
  definitions: { readonly total: Float64Array; readonly best: number; readonly frames: ReadonlyMap<number, number> },
  weights: TaskWeights,
): FileScores {
  const words = fileWords(corpus, hits, weights);
  const most = words.reduce((best, value) => Math.max(best, value), 0) || 1;
  const said = new Set(query.terms.filter(({ isStem }) => !isStem).map(({ term }) => term));
  const baseNames = Float64Array.from(corpus.baseNames, (parts) => shareOf(parts, said));
  const named = namedFiles(corpus, query, weights);
  const inside = bestInside(corpus, definitions.total);
  const scores = Float64Array.from(corpus.files, ({ file }, at) => {
    const mentioned = Math.max(named.get(at) ?? 0, definitions.frames.get(at) ?? 0);
    const score =
      (words[at] as number) / most +
      weights.baseName * (baseNames[at] as number) +
      mentioned +
      (weights.bestInside * (inside[at] as number)) / definitions.best;
    const isExtra = file.pathClass !== 'source' && file.pathClass !== 'test' && !query.isAboutExtras;
    return isExtra ? score * weights.extras : score;
  });
  const order = Array.from(scores, (_, at) => at).sort(
    (a, b) => (scores[b] as number) - (scores[a] as number) || a - b,
  );
  const ranks = new Uint32Array(scores.length);
  order.forEach((file, rank) => {
    ranks[file] = rank;
  });
  return { scores, ranks, inside, words, mostWords: most, baseNames, named, frames: definitions.frames };
}
