import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { decodeText } from '../core/text/decode';
import { errorCode } from '../node/errorCode';
import { CliError } from './cliError';
import type { CliIo } from './io';

async function readBytes(io: CliIo, file: string, label: string): Promise<Uint8Array> {
  if (file === '-') return io.readInput();
  try {
    return await readFile(path.resolve(io.cwd, file));
  } catch (cause) {
    const why = errorCode(cause) === 'ENOENT' ? 'there is no such file' : `it could not be read (${errorCode(cause)})`;
    throw new CliError('usage', `${label}: ${why}.`);
  }
}

/**
 * The text of a file named on the command line, relative to the current folder; `-` is stdin. `label` names it in
 * messages. Throws a usage error for a file that cannot be read or is no text.
 */
export async function readGivenText(io: CliIo, file: string, label: string): Promise<string> {
  const decoded = decodeText(await readBytes(io, file, label));
  if (decoded.kind !== 'text') throw new CliError('usage', `${label}: it is not a text.`);
  return decoded.text;
}
