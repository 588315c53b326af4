import { readGivenText } from './givenText';
import type { CliIo } from './io';

/** Where a command's task comes from; at most one of them. */
export interface TaskOptions {
  readonly query?: string;
  /** A path, relative to the current folder; `-` is stdin. */
  readonly queryFile?: string;
}

/** The task's text; `undefined` when none is given. Throws a usage error for a file that cannot be read or is no text. */
export async function readTask(io: CliIo, { query, queryFile }: TaskOptions): Promise<string | undefined> {
  return queryFile === undefined ? query : readGivenText(io, queryFile, `--query-file ${queryFile}`);
}
