import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { decodeText } from '../core/text/decode';
import { errorCode } from '../node/errorCode';
import { CliError } from './cliError';
import type { CliIo } from './io';

async function readBytes(io: CliIo, option: string, file: string): Promise<Uint8Array> {
  if (file === '-') return io.readInput();
  try {
    return await readFile(path.resolve(io.cwd, file));
  } catch (cause) {
    const why = errorCode(cause) === 'ENOENT' ? 'there is no such file' : `it could not be read (${errorCode(cause)})`;
    throw new CliError('usage', `${option} ${file}: ${why}.`);
  }
}

/**
 * The text of a file that `option` names, relative to the current folder; `-` is stdin. Throws a usage error for a file
 * that cannot be read or is no text.
 */
export async function readGivenText(io: CliIo, option: string, file: string): Promise<string> {
  const decoded = decodeText(await readBytes(io, option, file));
  if (decoded.kind !== 'text') throw new CliError('usage', `${option} ${file}: it is not a text.`);
  return decoded.text;
}
