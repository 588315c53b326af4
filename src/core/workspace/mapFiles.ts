import type { Config } from '../config/config';
import { globMatcher } from '../files/glob';
import { makeProblem, type Problem } from '../model/problem';
import { phrase } from '../text/phrase';
import type { WorkspaceReader } from './reading/workspaceReader';
import type { WorkspaceState } from './workspaceState';

/** Steps of matching for all globs over all files: a hundred globs over 200,000 files. The thread waits meanwhile. */
const MAX_STEPS = 20_000_000;

/**
 * The files that the config lets into the map (`repo_map.include`, `repo_map.exclude`), in the order given.
 * @param meter counts what matching costs; when it is over `maxSteps`, the files that are left are not let in
 */
export function mapFiles(
  { include, exclude }: Config['repoMap'],
  files: Iterable<string>,
  meter = { steps: 0 },
  maxSteps = MAX_STEPS,
): readonly string[] {
  const included = include.map((glob) => globMatcher(glob, { meter }));
  const excluded = exclude.map((glob) => globMatcher(glob, { meter }));
  const isOneOf = (globs: typeof included, path: string): boolean =>
    globs.some((matches) => meter.steps < maxSteps && matches(path));
  return [...files].filter(
    (path) => (included.length === 0 || isOneOf(included, path)) && !isOneOf(excluded, path) && meter.steps < maxSteps,
  );
}

/** The files of one folder's map, and problems with their globs. */
export class MapFiles {
  #isCut = false;

  constructor(
    private readonly state: Pick<WorkspaceState, 'config'>,
    private readonly reader: Pick<WorkspaceReader, 'files'>,
  ) {}

  /** Of the last listing. */
  get problems(): readonly Problem[] {
    if (!this.#isCut) return [];
    const words = phrase(
      'repo_map.include and repo_map.exclude have too many globs for so many files: some files are left out of the map.',
    );
    return [makeProblem('index', 'warning', words)];
  }

  all(): readonly string[] {
    const meter = { steps: 0 };
    const found = mapFiles(this.state.config.repoMap, this.reader.files, meter);
    this.#isCut = meter.steps >= MAX_STEPS;
    return found;
  }

  /** Those of `paths` that are listed and in the map. */
  among(paths: readonly string[]): readonly string[] {
    const { files } = this.reader;
    return mapFiles(
      this.state.config.repoMap,
      paths.filter((path) => files.has(path)),
    );
  }
}
