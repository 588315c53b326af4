import { lstat, readFile, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { walkFiles } from '../core/files/walk';
import type { FileSource } from '../core/ports/ports';
import { decodeText } from '../core/text/decode';
import type { Workspace } from '../core/workspace/workspace';
import { codeOrUnknown, errorCode } from '../node/errorCode';
import { HOST } from '../node/platform';
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
function noSuchFile(given: string): CliError {
  return new CliError('usage', `${given}: the file does not exist in the folder.`);
}

/** Looks a path up as a shell completes it, relative to the current folder, and else relative to the root. */
async function lookUp(
  { io }: CliContext,
  { files, realRoot }: WorkFolder,
  given: string,
): Promise<GivenPath | undefined> {
  // A path that was copied on Windows; a name with a backslash in it goes first.
  for (const spelling of new Set([given, given.replaceAll('\\', '/')]))
    for (const base of [io.cwd, realRoot]) {
      const relative = HOST.portable(path.relative(realRoot, path.resolve(base, spelling)));
      const found = await files.resolveLink(relative);
      if (found.kind === 'file' || found.kind === 'folder') return found;
    }
  return undefined;
}

/** What a path stands for. Throws a usage error that calls it `label` for what is not there or lies outside. */
export async function findGivenPath(
  context: CliContext,
  folder: WorkFolder,
  given: string,
  label: string,
): Promise<GivenPath> {
  const found = await lookUp(context, folder, given);
  if (!found) throw noSuchFile(label);
  return found;
}

/** Why a path of the command line is no file of the folder, as a usage error. */
async function notInFolder({ io }: CliContext, { realRoot }: WorkFolder, given: string): Promise<CliError> {
  for (const place of [path.resolve(io.cwd, given), path.resolve(realRoot, given)]) {
    const entry = await lstat(place).catch(() => undefined);
    if (entry) return new CliError('usage', `${given}: ${await whatItIs(place, realRoot)}.`);
  }
  return noSuchFile(given);
}

/** What is at a place where there is no file or folder inside of the root. */
async function whatItIs(place: string, realRoot: string): Promise<string> {
  try {
    const found = await stat(place);
    if (!found.isFile() && !found.isDirectory()) return 'this is not a regular file';
    const real = await realpath(path.dirname(place));
    return HOST.isInside(realRoot, real) ? 'this link leads out of the folder' : 'this is outside the folder';
  } catch (cause) {
    const code = errorCode(cause);
    if (code === 'ENOENT') return 'what this link leads to does not exist';
    return code === 'ELOOP' ? 'its links form a loop' : `it could not be read (${codeOrUnknown(cause)})`;
  }
}

/** Files of the folder by their real paths, each once. Throws a usage error for what is no file of it. */
export async function findGivenFiles(
  context: CliContext,
  folder: WorkFolder,
  given: readonly string[],
): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  for (const name of given) {
    const file = await lookUp(context, folder, name);
    if (!file) throw await notInFolder(context, folder, name);
    if (file.kind !== 'file') throw new CliError('usage', `${name}: this is a folder, not a file.`);
    found.add(file.realPath);
  }
  return found;
}

/** What one `--focus` names. */
export interface Focus {
  readonly name: string;
  /** As the workspace knows them; of a folder below the root itself with a `/`, then the files in it. */
  readonly paths: readonly string[];
  /** A single file may be one that the workspace does not open. */
  readonly isFile: boolean;
}

/**
 * What is in focus. A path is relative to the current folder, as completion in a shell gives it, or to the root; a folder
 * stands for the files below it. Throws a usage error for what is not there.
 */
export async function findFocus(
  context: CliContext,
  folder: WorkFolder,
  given: readonly string[],
): Promise<readonly Focus[]> {
  const found: Focus[] = [];
  for (const name of given) {
    const { kind, realPath } = await findGivenPath(context, folder, name, `--focus ${name}`);
    const isFile = kind === 'file';
    const below = isFile ? [] : await filesBelow(folder.files, realPath, context.life.signal);
    const paths = isFile ? [realPath] : realPath === '' ? below : [`${realPath}/`, ...below];
    found.push({ name, paths, isFile });
  }
  return found;
}

async function filesBelow(files: FileSource, folder: string, signal: AbortSignal): Promise<readonly string[]> {
  const walked = await walkFiles(files, {}, signal);
  return folder === '' ? walked.files : walked.files.filter((file) => file.startsWith(`${folder}/`));
}

/** The paths in focus. Throws the same usage error for a file that the workspace does not open. */
export async function openableFocus(workspace: Workspace, focus: readonly Focus[]): Promise<readonly string[]> {
  for (const { name, paths, isFile } of focus) {
    for (const path of isFile ? paths : [])
      if (!(await workspace.isOpenable(path))) throw noSuchFile(`--focus ${name}`);
  }
  return [...new Set(focus.flatMap(({ paths }) => paths))];
}

/** A usage error for a file of the command line that the platform does not give. */
function unreadableFile(label: string, cause: unknown): CliError {
  const why = errorCode(cause) === 'ENOENT' ? 'the file does not exist' : `it could not be read (${errorCode(cause)})`;
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
  throw new CliError('usage', `${option} ${given}: this is a folder, not a file.`);
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
  if (decoded.kind !== 'text') throw new CliError('usage', `${label}: not a text file.`);
  return decoded.text;
}
