/**
 * Which definitions a task is most likely about (RANKING §1): own words and name, exact identifiers, stack frames and
 * the definitions around give a definition's score; its file's rank is added.
 */

import { nameOf } from '../../text/safePath';
import type { IndexedFile, NumberedFile } from '../index/indexedFile';
import type { RepoIndex } from '../index/repoIndex';
import { type History, NO_HISTORY } from '../project/packages';
import { bestOfLists } from './heap';
import type { TaskQuery } from './query';
import { TaskCorpus } from './taskCorpus';
import { type ExactMatch, exactMatches, namedFiles } from './taskExact';
import { type FileScores, scoreFiles } from './taskFiles';
import { TaskHistory } from './taskHistory';
import { codeShare, collectHits, type HitsBefore, inverseFrequency, type TermHits } from './taskHits';
import { isPathsAlone, spelledPaths } from './taskNames';
import { demote, dropTestScopes, TASK_WEIGHTS, type TaskWeights } from './taskWeights';
import { candidatePaths } from './workingQuery';

/** A definition in the order in which a task wants it. */
interface RankedDefinition {
  /** Position of its file in `corpus.files`. */
  readonly fileAt: number;
  /** Index into the file's definitions. */
  readonly index: number;
  readonly score: number;
}

/** What the ranking found, with what it takes to explain it. */
export interface TaskRanking {
  readonly corpus: TaskCorpus;
  /** Nothing speaks for any definition when there is none. */
  readonly hasMatches: boolean;
  /** Paths that the task spells out, in its order. */
  readonly spelled: readonly string[];
  /** Their files, each with its best definition; -1 where it has none. */
  readonly named: readonly { readonly file: IndexedFile; readonly index: number }[];
  /** Best first; sorts no more than what is asked for. */
  order(): Iterable<RankedDefinition>;
  /** By corpus-wide number: score before the walk, relative to the best; flow of the walk. */
  readonly own: Float64Array;
  readonly walked: Float64Array;
  /** What the words alone give the definition they fit best. */
  readonly bestWords: number;
  readonly exact: ExactMatch;
  readonly files: FileScores;
  readonly hits: readonly TermHits[];
  readonly weights: TaskWeights;
  /** Paths of files whose definitions count and are not known yet: the ranking is not the last word. */
  readonly unparsed: readonly string[];
}

/** Folders of so few files are parsed whole at once, which takes no longer than a blink: all their definitions count. */
export const WHOLE_FILES = 400;
/** Files whose definitions count for a task: so many of the best by words, then those that their definitions bring up. */
const OPENED = [160, 48] as const;

/** A ranking of the last state of the index, and what the next can take over. */
interface KeptRanking {
  readonly revision: number;
  readonly task: string;
  readonly ranking: TaskRanking;
}

/**
 * Ranks the definitions of an index for tasks. Whose definitions count follows from the words of all files alone, so
 * that a map is the same however much of the folder is parsed (DESIGN §1, principle 4).
 */
export class TaskRanker {
  /** Corpora of words alone, or of a small folder, by whether tests are in them. */
  readonly #corpora = new Map<boolean, { readonly revision: number; readonly corpus: TaskCorpus }>();
  #kept: readonly KeptRanking[] = [];
  #history = new TaskHistory(NO_HISTORY);

  constructor(
    private readonly index: RepoIndex,
    private readonly weights: TaskWeights = TASK_WEIGHTS,
  ) {}

  /** Files that commits with such titles touched count more from now on. */
  learn(history: History): void {
    this.#history = new TaskHistory(history);
    this.#kept = [];
  }

  /** Ranks for a task. Deterministic; at most 100 ms for 10,000 files once the corpus is there. */
  rank(query: TaskQuery): TaskRanking {
    const { revision } = this.index;
    const task = JSON.stringify([query, [...query.identifiers], [...query.scopes]]);
    const kept = this.#kept.find((each) => each.revision === revision && each.task === task);
    if (kept) return kept.ranking;
    const ranking = this.#rank(query);
    // The task's, and the same in tests.
    this.#kept = [...this.#kept, { revision, task, ranking }].slice(-2);
    return ranking;
  }

  #rank(query: TaskQuery): TaskRanking {
    const withTests = query.isAboutTests;
    const { files } = this.index;
    const whole = this.#corpus(withTests, files.length <= WHOLE_FILES ? undefined : new Set());
    const history = this.#history.shares(query.titleTerms);
    const rank = (
      corpus: TaskCorpus,
      before: RankedBefore | undefined,
      weights: TaskWeights = this.weights,
    ): TaskRanking => rankForTask(corpus, query, weights, { before, history });
    if (files.length <= WHOLE_FILES) return rank(whole, undefined);
    const identifiers = new Set([...query.identifiers.keys()].map((name) => name.toLowerCase()));
    const opened = new Set<string>();
    let corpus = whole;
    let before: RankedBefore | undefined;
    for (const limit of OPENED) {
      const ranking = rank(corpus, before, { ...this.weights, walk: 0 });
      before ??= ranking;
      for (const path of ranking.spelled) opened.add(path);
      for (const path of candidatePaths(ranking, identifiers, limit)) opened.add(path);
      corpus = new TaskCorpus(this.index, withTests, corpus, opened);
      const unparsed = corpus.all.flatMap(({ path, outcome }) =>
        outcome === 'scanned' && opened.has(path) ? [path] : [],
      );
      // What they define decides what else counts: the caller parses them and asks again.
      if (unparsed.length > 0) return { ...rank(corpus, before), unparsed };
    }
    return rank(corpus, before);
  }

  #corpus(withTests: boolean, opened: ReadonlySet<string> | undefined): TaskCorpus {
    const { revision } = this.index;
    const known = this.#corpora.get(withTests);
    if (known?.revision === revision) return known.corpus;
    const corpus = new TaskCorpus(this.index, withTests, known?.corpus, opened);
    this.#corpora.set(withTests, { revision, corpus });
    return corpus;
  }
}

/** RANKING §1.3: the terms that count for definitions, with `weight · idf`. */
export function strongestTerms(
  hits: readonly TermHits[],
  corpus: TaskCorpus,
  weights: TaskWeights,
): readonly { readonly hit: TermHits; readonly worth: number }[] {
  return hits
    .filter(({ definitions }) => definitions.length > 0)
    .map((hit) => ({
      hit,
      worth: hit.query.weight * codeShare(hit, weights) * inverseFrequency(corpus.likelyDefinitions, hit.holders),
    }))
    .sort((a, b) => b.worth - a.worth || (a.hit.query.term < b.hit.query.term ? -1 : 1))
    .slice(0, weights.maxTerms);
}

/** Saturated count of a term in a definition, 0…`k1 + 1`. */
export function saturated(count: number, length: number, corpus: TaskCorpus, weights: TaskWeights): number {
  const { definitionK1: k1, definitionB: b } = weights;
  return (count * (k1 + 1)) / (count + k1 * (1 - b + (b * length) / corpus.meanDefinitionLength));
}

function bodyScores(corpus: TaskCorpus, hits: readonly TermHits[], weights: TaskWeights): Float64Array {
  const scores = new Float64Array(corpus.definitionCount);
  for (const { hit, worth } of strongestTerms(hits, corpus, weights)) {
    hit.definitions.forEach((definition, at) => {
      const tf = saturated(hit.counts[at] as number, corpus.lengths[definition] as number, corpus, weights);
      scores[definition] = (scores[definition] as number) + worth * tf;
    });
  }
  return scores;
}

function largest(values: Float64Array): number {
  let most = 0;
  for (let at = 0; at < values.length; at++) most = Math.max(most, values[at] as number);
  return most;
}

/** RANKING §1.3, the walk: added in place; returns what it added, relative to the best score. */
function addWalk(corpus: TaskCorpus, scores: Float64Array, weight: number): Float64Array {
  const added = new Float64Array(scores.length);
  const most = largest(scores);
  if (most === 0 || weight === 0) return added;
  const start = new Float64Array(scores.length);
  for (let at = 0; at < start.length; at++) {
    const share = (scores[at] as number) / most;
    start[at] = share * share;
  }
  const flow = corpus.graph.walk(start);
  const strongest = largest(flow);
  if (strongest === 0) return added;
  for (let at = 0; at < flow.length; at++) {
    const value = flow[at] as number;
    if (value <= 0) continue;
    const share = weight * Math.sqrt(value / strongest);
    added[at] = share;
    scores[at] = (scores[at] as number) + most * share;
  }
  return added;
}

/** A file that the task names is shown even where nothing in it matches: its outermost definitions get `floor`. */
function raiseNamed(corpus: TaskCorpus, total: Float64Array, named: Iterable<number>, floor: number): void {
  for (const at of named) {
    const { file, base } = corpus.files[at] as NumberedFile;
    if (file.definitions.some((_, index) => (total[base + index] as number) > 0)) continue;
    file.definitions.forEach(({ parent }, index) => {
      if (parent < 0) total[base + index] = floor;
    });
  }
}

/** The best definition of a file, the first of equals; of one that is not ranked, such as a test, its first; or -1. */
function bestOf(corpus: TaskCorpus, total: Float64Array, file: IndexedFile): number {
  const base = corpus.files[corpus.positionOf(file) ?? -1]?.base;
  const scoreOf = (index: number): number => (base === undefined ? 0 : (total[base + index] as number));
  return file.definitions.reduce((best, _, index) => (best < 0 || scoreOf(index) > scoreOf(best) ? index : best), -1);
}

/** The same task ranked over the same files before some were opened. */
type RankedBefore = HitsBefore & Pick<TaskRanking, 'files' | 'spelled'>;

/** What is known besides the corpus: see `collectHits` and `scoreFiles`; by path, `TaskHistory.shares`. */
interface KnownBefore {
  readonly before?: RankedBefore | undefined;
  readonly history?: ReadonlyMap<string, number> | undefined;
}

/** A text that spells out more files is a log or a diff: they rank higher, but no row is kept for each. */
const MAX_KEPT = 8;

/** Spelled-out files that a map has in any case. In prose these are sources with definitions, of a title tests too. */
function keptFiles(corpus: TaskCorpus, { prose }: TaskQuery, spelled: readonly string[]): readonly IndexedFile[] {
  if (spelled.length > MAX_KEPT) return [];
  const files = spelled.flatMap((path) => corpus.fileAt(path) ?? []);
  if (isPathsAlone(prose, spelled)) return files;
  return files.filter(({ path, pathClass, definitions }) => {
    const isInTitle = prose[0]?.includes(nameOf(path)) ?? false;
    return definitions.length > 0 && (pathClass === 'source' || (isInTitle && pathClass !== 'docs'));
  });
}

/** Ranks the definitions of a corpus for a task. Definitions that nothing speaks for are left out. */
export function rankForTask(
  corpus: TaskCorpus,
  query: TaskQuery,
  weights: TaskWeights = TASK_WEIGHTS,
  { before, history = new Map() }: KnownBefore = {},
): TaskRanking {
  const hits = collectHits(corpus, query.terms, weights, before);
  const exact = exactMatches(corpus, query, hits, weights);
  const spelled = before?.spelled ?? spelledPaths(query.prose, corpus.all);
  const named = new Map(namedFiles(corpus, query, spelled, weights));
  // They rank by what they hold; what they are (docs, examples, generated) does not count against them.
  for (const at of exact.qualifiedFiles) named.set(at, named.get(at) ?? 0);
  const own = bodyScores(corpus, hits, weights);
  demote(corpus, query, own, named, weights);
  const most = largest(own) || 1;
  demote(corpus, query, exact.identifiers, named, weights);
  for (let at = 0; at < own.length; at++) {
    const strength = Math.min(weights.maxIdentifierStrength, exact.identifiers[at] as number);
    own[at] =
      (own[at] as number) / most + weights.identifiers * strength + weights.frames * (exact.frames[at] as number);
  }
  if (!query.isAboutTests) dropTestScopes(corpus, own);
  const total = own.slice();
  const walked = addWalk(corpus, total, weights.walk);
  const best = largest(total) || 1;
  raiseNamed(corpus, total, named.keys(), best * weights.namedFloor);
  const evidence = { query, hits, total, best, named, frames: exact.fileFrames, history };
  const files = scoreFiles(corpus, evidence, weights, before?.files);
  const kept = keptFiles(corpus, query, spelled).map((file) => ({ file, index: bestOf(corpus, total, file) }));
  return {
    corpus,
    hasMatches: largest(total) > 0 || kept.length > 0,
    spelled,
    named: kept,
    order: () => fuse(corpus, total, best, files, weights),
    own,
    walked,
    bestWords: most,
    exact,
    files,
    hits,
    weights,
    unparsed: [],
  };
}

/** RANKING §1.5: a definition's score and its file's rank, less for each better one in the same file. */
function fuse(
  corpus: TaskCorpus,
  total: Float64Array,
  best: number,
  files: FileScores,
  weights: TaskWeights,
): Iterable<RankedDefinition> {
  const ofFile = (fileAt: number): number => weights.rank / (1 + (files.ranks[fileAt] as number) / weights.rankHalving);
  const starts: { readonly at: number; readonly score: number }[] = [];
  files.inside.forEach((inside, at) => {
    if (inside > 0) starts.push({ at, score: inside / best + ofFile(at) });
  });
  const listOf = (fileAt: number): readonly RankedDefinition[] => {
    const { file, base } = corpus.files[fileAt] as NumberedFile;
    const found: number[] = [];
    for (let index = 0; index < file.facts.definitionCount; index++) {
      if ((total[base + index] as number) > 0) found.push(index);
    }
    const scoreOf = (index: number): number => (total[base + index] as number) / best + ofFile(fileAt);
    found.sort((a, b) => scoreOf(b) - scoreOf(a) || a - b);
    return found.map((index, at) => ({
      fileAt,
      index,
      score: scoreOf(index) - weights.diminishing * Math.log(1 + at),
    }));
  };
  return bestOfLists(starts, listOf, ({ score }) => score);
}
