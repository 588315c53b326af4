import { stat } from 'node:fs/promises';
import path from 'node:path';
import { errorCode } from '../node/errorCode';
import { CliError } from './cliError';
import type { CliContext } from './context';

/** The absolute path of a file that `option` names, relative to the current folder. Throws a usage error when it is none. */
export async function givenFile({ io }: CliContext, given: string, option: string): Promise<string> {
  const file = path.resolve(io.cwd, given);
  try {
    if (!(await stat(file)).isDirectory()) return file;
  } catch (cause) {
    const why = errorCode(cause) === 'ENOENT' ? 'there is no such file' : `it could not be read (${errorCode(cause)})`;
    throw new CliError('usage', `${option} ${given}: ${why}.`, { cause });
  }
  throw new CliError('usage', `${option} ${given}: it is a folder. Name a file.`);
}
