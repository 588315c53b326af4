/** Which files a task is about, by all their words, their paths and their best definitions (RANKING §1.4). */
import { scopeName, type TaskQuery } from './query';
import type { TaskCorpus } from './taskCorpus';
import { codeShare, inverseFrequency, type TermHits } from './taskHits';
import { fileShare, type TaskWeights } from './taskWeights';

/** By position in `corpus.files`. */
export interface FileScores {
  readonly scores: Float64Array;
  /** 0 for the best. */
  readonly ranks: Uint32Array;
  /** Place in the map: the score relative to the best file's, and the best definition's likewise. */
  readonly places: Float64Array;
  /** Score of the best definition inside. */
  readonly inside: Float64Array;
  /** Parts of the scores, for explanations. */
  readonly words: Float64Array;
  readonly mostWords: number;
  readonly baseNames: Float64Array;
  readonly inScope: Float64Array;
  /** Share of what commits with such a title touched. */
  readonly history: Float64Array;
  readonly named: ReadonlyMap<number, number>;
  readonly frames: ReadonlyMap<number, number>;
}

/** Files that hold a term, with how often: words of the same stem count `share`. `counts` is all zero, and so again. */
function occurrences(
  hit: TermHits,
  counts: Float64Array,
  share: number,
): readonly [files: readonly number[], counts: readonly number[]] {
  if (share === 0 || hit.stemFiles.length === 0) return [hit.files, hit.fileCounts];
  hit.files.forEach((file, at) => {
    counts[file] = hit.fileCounts[at] as number;
  });
  const more = hit.stemFiles.filter((file) => counts[file] === 0);
  hit.stemFiles.forEach((file, at) => {
    counts[file] = (counts[file] as number) + share * (hit.stemCounts[at] as number);
  });
  const files = [...hit.files, ...more];
  const found = files.map((file) => counts[file] as number);
  for (const file of files) counts[file] = 0;
  return [files, found];
}

/** BM25 over whole files: parts and whole words, words of the same stem; the path counts as words of the file. */
function fileWords(corpus: TaskCorpus, hits: readonly TermHits[], weights: TaskWeights): Float64Array {
  const { fileK1: k1, fileB: b } = weights;
  const scores = new Float64Array(corpus.files.length);
  const counts = new Float64Array(corpus.files.length);
  for (const hit of hits) {
    const { query } = hit;
    if (query.isStem && weights.fileStems === 0) continue;
    const [files, fileCounts] = occurrences(hit, counts, weights.fileStems);
    const inPath = weights.pathTerm > 0 && !query.isStem ? corpus.pathTerms.get(query.term) : [];
    files.forEach((file, at) => {
      counts[file] = fileCounts[at] as number;
    });
    const holders = [...files, ...inPath.filter((file) => counts[file] === 0)];
    for (const file of inPath) counts[file] = (counts[file] as number) + weights.pathTerm;
    const worth = query.weight * codeShare(hit, weights) * inverseFrequency(corpus.files.length, holders.length);
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

/** By file, the share of its name that the task says. */
function baseNameShares(corpus: TaskCorpus, said: ReadonlySet<string>): Float64Array {
  const shares = new Float64Array(corpus.files.length);
  for (const term of said) {
    for (const at of corpus.pathTerms.get(term))
      if (shares[at] === 0) shares[at] = shareOf(corpus.pathTerms.nameParts(at), said);
  }
  return shares;
}

/** What a folder around the scope of a title counts. */
const OUTER_SHARE = 0.5;

/** Files in a folder or of a name that the title speaks of: 1 where that says much, 0 where all files are there. */
function inScopes(corpus: TaskCorpus, { scopes, outerScopes }: TaskQuery): Float64Array {
  const found = new Float64Array(corpus.files.length);
  const shares = [
    ...[...scopes].map((scope) => [scope, 1] as const),
    ...[...outerScopes].map((scope) => [scope, OUTER_SHARE] as const),
  ];
  for (const [scope, share] of shares) {
    const longest = scope.split('-').reduce((a, b) => (b.length > a.length ? b : a));
    const files = corpus.pathTerms.get(longest).filter((at) =>
      corpus.files[at]?.file.path
        .replace(/\.\w+$/u, '')
        .split('/')
        .some((segment) => scopeName(segment) === scope),
    );
    const worth = share * (1 - files.length / corpus.files.length);
    for (const at of files) found[at] = Math.max(found[at] as number, worth);
  }
  return found;
}

/** Per file its best definition's score, and the three best, weighed: one lucky definition is not a file that fits. */
function scoresInside(
  corpus: TaskCorpus,
  total: Float64Array,
  decay: number,
): { readonly inside: Float64Array; readonly several: Float64Array } {
  const inside = new Float64Array(corpus.files.length);
  const several = new Float64Array(corpus.files.length);
  corpus.files.forEach(({ base }, at) => {
    const end = corpus.files[at + 1]?.base ?? corpus.definitionCount;
    if (base === end) return;
    let first = 0;
    let second = 0;
    let third = 0;
    for (let index = base; index < end; index++) {
      const score = total[index] as number;
      if (score <= third) continue;
      third = score > second ? second : score;
      second = score > first ? first : Math.max(second, score);
      first = Math.max(first, score);
    }
    inside[at] = first;
    several[at] = first + decay * second + decay * decay * third;
  });
  return { inside, several };
}

/** The rank of each score, 0 for the highest; of equal ones the first is before. Without a comparison by ours for each pair. */
function ranked(scores: Float64Array): { readonly ranks: Uint32Array; readonly highest: number | undefined } {
  const sorted = scores.slice().sort().reverse();
  /** The next free rank of each score. */
  const free = new Map<number, number>();
  for (let rank = sorted.length - 1; rank >= 0; rank--) free.set(sorted[rank] as number, rank);
  const ranks = Uint32Array.from(scores, (score) => {
    const rank = free.get(score) as number;
    free.set(score, rank + 1);
    return rank;
  });
  return { ranks, highest: sorted[0] };
}

/** What speaks for files. */
interface FileEvidence extends Pick<FileScores, 'named' | 'frames'> {
  readonly query: TaskQuery;
  readonly hits: readonly TermHits[];
  /** Scores of the definitions, and the largest of them. */
  readonly total: Float64Array;
  readonly best: number;
  /** By path. */
  readonly history: ReadonlyMap<string, number>;
}

/**
 * Scores and ranks the files.
 * @param before for the same task and files before some were opened: what words and paths say is the same
 */
export function scoreFiles(
  corpus: TaskCorpus,
  evidence: FileEvidence,
  weights: TaskWeights,
  before?: FileScores,
): FileScores {
  const { query, hits, named, frames } = evidence;
  const words = before?.words ?? fileWords(corpus, hits, weights);
  const most = words.reduce((best, value) => Math.max(best, value), 0) || 1;
  const said = new Set(query.terms.filter(({ isStem }) => !isStem).map(({ term }) => term));
  const baseNames = before?.baseNames ?? baseNameShares(corpus, said);
  const { inside, several } = scoresInside(corpus, evidence.total, weights.severalDecay);
  const mostSeveral = several.reduce((a, b) => Math.max(a, b), 0) || 1;
  const inScope = before?.inScope ?? inScopes(corpus, query);
  const history = before?.history ?? new Float64Array(corpus.files.length);
  if (!before && evidence.history.size > 0)
    corpus.files.forEach(({ file }, at) => {
      history[at] = evidence.history.get(file.path) ?? 0;
    });
  const scores = new Float64Array(corpus.files.length);
  corpus.files.forEach(({ file }, at) => {
    const mentioned = Math.max(named.get(at) ?? 0, frames.get(at) ?? 0);
    const score =
      (words[at] as number) / most +
      weights.baseName * (baseNames[at] as number) +
      mentioned +
      weights.scope * (inScope[at] as number) +
      weights.history * (history[at] as number) +
      (weights.bestInside * (several[at] as number)) / mostSeveral;
    scores[at] = named.has(at) ? score : score * fileShare(file, query, weights);
  });
  const { ranks, highest } = ranked(scores);
  const places = scores.map(
    (score, at) => score / (highest || 1) + (weights.bestPlace * (inside[at] as number)) / evidence.best,
  );
  return { scores, ranks, places, inside, words, mostWords: most, baseNames, inScope, history, named, frames };
}
