import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { decodeText } from '../core/text/decode';
import { errorCode } from '../node/errorCode';
import { CliError } from './cliError';
import type { CliIo } from './io';

/** Where a command's task comes from; at most one of them. */
export interface TaskOptions {
  readonly query?: string;
  /** A path, relative to the current folder; `-` is stdin. */
  readonly queryFile?: string;
}

async function readBytes(io: CliIo, file: string): Promise<Uint8Array> {
  if (file === '-') return io.readInput();
  try {
    return await readFile(path.resolve(io.cwd, file));
  } catch (cause) {
    const why = errorCode(cause) === 'ENOENT' ? 'there is no such file' : `it could not be read (${errorCode(cause)})`;
    throw new CliError('usage', `--query-file ${file}: ${why}.`);
  }
}

/** The task's text; `undefined` when none is given. Throws a usage error for a file that cannot be read or is no text. */
export async function readTask(io: CliIo, { query, queryFile }: TaskOptions): Promise<string | undefined> {
  if (queryFile === undefined) return query;
  const decoded = decodeText(await readBytes(io, queryFile));
  if (decoded.kind !== 'text') throw new CliError('usage', `--query-file ${queryFile}: it is not a text.`);
  return decoded.text;
}
