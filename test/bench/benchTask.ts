/** A task of the ranking benches: a text, and what the real fix of it changed. */
import { readFileSync } from 'node:fs';

export interface BenchTask {
  readonly id: string;
  readonly repo: string;
  readonly commit: string;
  readonly language: string;
  readonly query: string;
  readonly gold_files: readonly string[];
  readonly gold_symbols: readonly { readonly path: string; readonly name: string; readonly line?: number }[];
}

/** Tasks of several files whose id or repository holds `only`, those of one repository together. */
export function readTasks(files: readonly string[], only: string): readonly BenchTask[] {
  return files
    .flatMap((file): readonly BenchTask[] => JSON.parse(readFileSync(file, 'utf8')))
    .filter(({ id, repo }) => id.includes(only) || repo.includes(only))
    .sort((a, b) => (a.repo < b.repo ? -1 : a.repo > b.repo ? 1 : 0));
}
