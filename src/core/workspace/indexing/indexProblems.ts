import { makeProblem, type Problem } from '../../model/problem';
import type { FileOutcome } from '../../model/repoMap';
import type { Clock, Disposable } from '../../ports/ports';
import { asGiven, type Phrase, phrase } from '../../text/phrase';
import type { IndexProgress } from '../workspaceState';
import { Emitter } from '../workspaceState';

/** Between two reports of progress inside of one phase. */
const TICK_MS = 250;

/** How far the symbol index is, told at once when the phase changes and else at most four times a second. */
export class IndexStatus implements Disposable {
  readonly didChange = new Emitter<IndexProgress>();
  #current: IndexProgress = { phase: 'listing', done: 0, total: 0 };
  #told: IndexProgress = this.#current;
  #timer: Disposable | undefined;

  constructor(private readonly clock: Clock) {}

  /** As of now, whether it was told or not. */
  get current(): IndexProgress {
    return this.#current;
  }

  set(phase: IndexProgress['phase'], done = 0, total = 0): void {
    this.#current = { phase, done, total };
    if (phase !== this.#told.phase) this.#tell();
    else if (!this.#timer) this.#tell();
  }

  dispose(): void {
    this.#timer?.dispose();
    this.#timer = undefined;
    this.didChange.dispose();
  }

  #tell(): void {
    const { phase, done, total } = this.#current;
    if (phase === this.#told.phase && done === this.#told.done && total === this.#told.total) return;
    this.#told = this.#current;
    this.#timer?.dispose();
    this.#timer = this.clock.schedule(() => {
      this.#timer = undefined;
      this.#tell();
    }, TICK_MS);
    this.didChange.fire(this.#current);
  }
}

/** Files named in one problem; the count is always complete. */
const MAX_NAMED = 3;

interface Troubled {
  readonly path: string;
  readonly outcome: FileOutcome;
}

/** What the map lacks and why, for so many files with these names; in the order in which problems are told. */
const WORDS: Partial<Record<FileOutcome, (count: number, names: Phrase) => Phrase>> = {
  binary: (count, names) =>
    phrase(
      count === 1
        ? "{0} file has a source file's name but is binary, so the repo map has no symbols of it: {1}"
        : "{0} files have a source file's name but are binary, so the repo map has no symbols of them: {1}",
      count,
      names,
    ),
  tooLarge: (count, names) =>
    phrase(
      count === 1
        ? '{0} file is larger than repo_map.max_file_bytes, so the repo map has no symbols of it: {1}'
        : '{0} files are larger than repo_map.max_file_bytes, so the repo map has no symbols of them: {1}',
      count,
      names,
    ),
  deadline: (count, names) =>
    phrase(
      count === 1
        ? '{0} file took too long to parse, so the repo map has no symbols of it: {1}'
        : '{0} files took too long to parse, so the repo map has no symbols of them: {1}',
      count,
      names,
    ),
  failed: (count, names) =>
    phrase(
      count === 1
        ? '{0} file could not be parsed, so the repo map has no symbols of it: {1}'
        : '{0} files could not be parsed, so the repo map has no symbols of them: {1}',
      count,
      names,
    ),
  unreadable: (count, names) =>
    phrase(
      count === 1
        ? '{0} file could not be read, so the repo map has no symbols of it: {1}'
        : '{0} files could not be read, so the repo map has no symbols of them: {1}',
      count,
      names,
    ),
};

/** What the symbol index had to leave out, one problem for each reason, files by path. */
export function indexProblems(troubled: readonly Troubled[]): readonly Problem[] {
  return Object.entries(WORDS).flatMap(([outcome, wordsOf]) => {
    const paths = troubled.filter((file) => file.outcome === outcome).map((file) => file.path);
    if (paths.length === 0) return [];
    paths.sort();
    const rest = paths.length - MAX_NAMED;
    const named = paths.slice(0, MAX_NAMED).join(', ');
    const names = rest > 0 ? phrase('{0} and {1} more', named, rest) : asGiven(named);
    return [makeProblem('index', 'warning', wordsOf(paths.length, names), { path: paths[0] })];
  });
}
