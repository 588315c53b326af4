/**
 * What a task hardly ever asks for: decides how much less docs, examples, tools, and generated or vendored files count,
 * and the unit tests inside of sources. A task that is about them, or that names the file, gets them in full.
 */
import type { IndexedFile } from '../index/indexedFile';
import type { PathClass } from '../index/pathClass';
import type { TaskQuery } from './query';
import { isInTestScope } from './ranking';
import type { TaskCorpus } from './taskCorpus';
import type { TaskWeights } from './taskWeights';

function isExtra(pathClass: PathClass): boolean {
  return pathClass === 'docs' || pathClass === 'example' || pathClass === 'tooling';
}

function isDerived(pathClass: PathClass): boolean {
  return pathClass === 'generated' || pathClass === 'vendored';
}

/** Share of a file's score that its class leaves it. */
export function fileShare({ pathClass }: IndexedFile, query: TaskQuery, weights: TaskWeights): number {
  if (isDerived(pathClass)) return weights.derivedFiles;
  return isExtra(pathClass) && !query.isAboutExtras ? weights.extras : 1;
}

/** Share of what words and names give a definition that the class of its file leaves it. */
export function definitionShare({ pathClass }: IndexedFile, query: TaskQuery, weights: TaskWeights): number {
  if (isDerived(pathClass)) return weights.derivedDefinitions;
  if (query.isAboutExtras || !isExtra(pathClass)) return 1;
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
    const share = named.has(at) ? 1 : definitionShare(file, query, weights);
    if (share === 1) return;
    for (let index = 0; index < file.definitions.length; index++) {
      scores[base + index] = (scores[base + index] as number) * share;
    }
  });
}

/** A task asks for no unit tests inside of source files either, unless it is about tests. */
export function dropTestScopes(corpus: TaskCorpus, scores: Float64Array): void {
  for (const { file, base } of corpus.files) {
    if (!file.definitions.some(({ kind, name }) => kind === 'module' && /^tests?$/u.test(name))) continue;
    file.definitions.forEach((_, index) => {
      if (isInTestScope(file, index)) scores[base + index] = 0;
    });
  }
}
