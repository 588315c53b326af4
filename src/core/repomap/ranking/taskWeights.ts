/** What a task hardly asks for counts less: docs, examples, tools, generated and vendored files, tests in sources. */

import { isInTestScope } from '../index/importance';
import type { IndexedFile } from '../index/indexedFile';
import type { PathClass } from '../index/pathClass';
import type { TaskQuery } from './query';
import type { TaskCorpus } from './taskCorpus';

const EXTRA: ReadonlySet<PathClass> = new Set(['docs', 'example', 'tooling']);
const DERIVED: ReadonlySet<PathClass> = new Set(['generated', 'vendored']);

/** Share of a file's score that its class leaves it. */
export function fileShare({ pathClass }: IndexedFile, query: TaskQuery, weights: TaskWeights): number {
  if (DERIVED.has(pathClass)) return weights.derivedFiles;
  return EXTRA.has(pathClass) && !query.isAboutExtras ? weights.extras : 1;
}

/** Share of what words and names give a definition that the class of its file leaves it. */
function definitionShare({ pathClass }: IndexedFile, query: TaskQuery, weights: TaskWeights): number {
  if (DERIVED.has(pathClass)) return weights.derivedDefinitions;
  if (query.isAboutExtras || !EXTRA.has(pathClass)) return 1;
  return pathClass === 'docs' ? weights.docsDefinitions : weights.extraDefinitions;
}

/** Lowers the definitions' scores in place. `named` are the positions of files that the task names. */
export function demote(
  corpus: TaskCorpus,
  query: TaskQuery,
  scores: Float64Array | Float32Array,
  named: ReadonlyMap<number, number>,
  weights: TaskWeights,
): void {
  corpus.files.forEach(({ file, base }, at) => {
    if (file.facts.definitionCount === 0) return;
    const share = named.has(at) ? 1 : definitionShare(file, query, weights);
    if (share === 1) return;
    for (let index = 0; index < file.facts.definitionCount; index++) {
      scores[base + index] = (scores[base + index] as number) * share;
    }
  });
}

/** A task asks for no unit tests inside of source files either, unless it is about tests. */
export function dropTestScopes(corpus: TaskCorpus, scores: Float64Array): void {
  const names = ['test', 'tests'].map((name) => corpus.index.vocabulary.find(name));
  for (const { file, base } of corpus.files) {
    if (file.facts.definitionCount === 0) continue;
    const isTests = (at: number): boolean => names.includes(file.nameWords[at]);
    if (!file.definitions.some(({ kind }, at) => kind === 'module' && isTests(at))) continue;
    file.definitions.forEach((_, index) => {
      if (isInTestScope(file, index)) scores[base + index] = 0;
    });
  }
}

/**
 * Constants of the task-conditioned ranking. Values and their ablation: RANKING §1.2–1.5 ("FULL"), `definitionB` and `rankHalving` later;
 * test/bench/RANKING.md repeats it with this code. All are exposed, so that the bench can take each signal away.
 */
export const TASK_WEIGHTS = {
  /** BM25 over definitions. */
  definitionK1: 1.5,
  definitionB: 0.35,
  /** Added to a term's frequency when it is part of the definition's name, of its class's name. */
  nameBoost: 4,
  ownerBoost: 2,
  /** Terms that count for definitions, best `weight · idf` first. */
  maxTerms: 120,
  /** What a term loses that stands in comments alone. */
  prose: 0.6,
  /** Share of what matches only as a stem. */
  stems: 1,
  /** Exact identifiers of the task, and how many strengths of them count. */
  identifiers: 0.4,
  maxIdentifierStrength: 2,
  /** `A.b` where the definition is `b` in `A`, in strengths. */
  dotted: 0.5,
  /** A type that lists a name which no definition has, in strengths. */
  members: 1,
  /** A qualified name whose other parts are around the definition, in strengths. */
  qualified: 0.5,
  /** Innermost stack frame; each frame further out counts `frameDecay` of the one before. */
  frames: 0.5,
  frameDecay: 0.85,
  /** The walk over mentions, relative to the best definition. */
  walk: 0.2,
  /** BM25 over files. */
  fileK1: 1.2,
  fileB: 0.9,
  /** Share of what matches only as a stem, in whole files. */
  fileStems: 0.7,
  /** Added to a term's frequency when the path holds it. */
  pathTerm: 5,
  /** The share of the base name's parts that the task mentions. */
  baseName: 0.5,
  /** A path of the task that is this file's; a bare file name. */
  path: 1,
  fileName: 0.7,
  /** The same without the extension: with a folder, a name before the title's colon. */
  stemPath: 0.7,
  stem: 0.3,
  /** What a named file's definitions get where nothing else speaks for one, relative to the best definition. */
  namedFloor: 0.02,
  /** A folder, package or file name that the title speaks of. */
  scope: 0.4,
  /** What the second best definition inside counts, the third its square; files of several fit better than of one. */
  severalDecay: 0.8,
  /** What commits with such titles touched. */
  history: 0.8,
  /** The definitions inside, relative to the file where they fit best. */
  bestInside: 0.75,
  /** What docs, examples and tools keep of a file's score, and their definitions of theirs. */
  extras: 0.5,
  docsDefinitions: 0.1,
  extraDefinitions: 0.5,
  /** The same for generated and vendored files. */
  derivedFiles: 0.3,
  derivedDefinitions: 0.3,
  /** What the best definition counts beside the file's score where the files of a map are put in order. */
  bestPlace: 0.5,
  /** The file's rank `r`: `rank / (1 + r / rankHalving)`. */
  rank: 0.5,
  rankHalving: 8,
  /** The `i`-th definition of a file gives up `diminishing · ln(1 + i)`. */
  diminishing: 0.05,
};

export type TaskWeights = Readonly<typeof TASK_WEIGHTS>;
