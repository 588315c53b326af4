import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { decodeText } from '../core/text/decode';
import { errorCode } from '../node/errorCode';
import { type CliContext, CliError } from './context';
import type { CliIo } from './io';
import type { WorkFolder } from './workspace';

/** What a path given on the command line stands for inside of the folder. */
interface GivenPath {
  readonly kind: 'file' | 'folder';
  /** As the workspace knows it. */
  readonly realPath: string;
}

/** A usage error for a path of the command line that is no file of the folder. */
export function noSuchFile(given: string): CliError {
  return new CliError('usage', `${given}: there is no such file in the folder.`);
}

/**
 * Looks a path up as a shell completes it, relative to the current folder, and else relative to the root. Throws a usage
 * error that calls it `label` for what is not there or lies outside.
 */
export async function findGivenPath(
  { io }: CliContext,
  { files, realRoot }: WorkFolder,
  given: string,
  label = given,
): Promise<GivenPath> {
  for (const base of [io.cwd, realRoot]) {
    const relative = path.relative(realRoot, path.resolve(base, given)).split(path.sep).join('/');
    const found = await files.resolveLink(relative);
    if (found.kind === 'file' || found.kind === 'folder') return found;
  }
  throw noSuchFile(label);
}

/** Files of the folder by their real paths, each once. Throws a usage error for what is no file of it. */
export async function findGivenFiles(
  context: CliContext,
  folder: WorkFolder,
  given: readonly string[],
): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  for (const name of given) {
    const { kind, realPath } = await findGivenPath(context, folder, name);
    if (kind !== 'file') throw noSuchFile(name);
    found.add(realPath);
  }
  return found;
}

/** A usage error for a file of the command line that the platform does not give. */
function unreadableFile(label: string, cause: unknown): CliError {
  const why = errorCode(cause) === 'ENOENT' ? 'there is no such file' : `it could not be read (${errorCode(cause)})`;
  return new CliError('usage', `${label}: ${why}.`, { cause });
}

/** The absolute path of a file that `option` names, relative to the current folder. Throws a usage error when it is none. */
export async function givenFile({ io }: CliContext, given: string, option: string): Promise<string> {
  const file = path.resolve(io.cwd, given);
  try {
    if (!(await stat(file)).isDirectory()) return file;
  } catch (cause) {
    throw unreadableFile(`${option} ${given}`, cause);
  }
  throw new CliError('usage', `${option} ${given}: it is a folder. Name a file.`);
}

async function readBytes(io: CliIo, file: string, label: string): Promise<Uint8Array> {
  if (file === '-') return io.readInput();
  try {
    return await readFile(path.resolve(io.cwd, file));
  } catch (cause) {
    throw unreadableFile(label, cause);
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
