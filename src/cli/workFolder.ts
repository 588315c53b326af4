import path from 'node:path';
import { CONFIG_PATH, type Config, DEFAULT_CONFIG, parseConfig } from '../core/config/config';
import type { Problem } from '../core/model/problem';
import type { FileSource } from '../core/ports/ports';
import { decodeText } from '../core/text/decode';
import { errorCode } from '../node/errorCode';
import { type NodeFileSource, openFileSource } from '../node/fileSource';
import { TrustError, TrustStore } from '../node/trustStore';
import { userFolders } from '../node/userFolders';
import { CliError } from './cliError';
import { type CliContext, EXIT, type ExitCode } from './context';

/** A config larger than this is not one. */
const MAX_CONFIG_BYTES = 1_000_000;

/** The config in force, and the code a command ends with unless it has a reason of its own. */
interface FolderConfig {
  readonly config: Config;
  /** `usage` when the config could not be used; defaults hold then. */
  readonly exitCode: ExitCode;
}

/** Reads the folder's config and says on stderr what is wrong with it. */
export async function readFolderConfig({ logger }: CliContext, files: FileSource): Promise<FolderConfig> {
  const read = await files.read(CONFIG_PATH, MAX_CONFIG_BYTES);
  if (read.kind === 'missing') return { config: DEFAULT_CONFIG, exitCode: EXIT.done };
  const decoded = read.kind === 'ok' ? decodeText(read.bytes) : undefined;
  if (decoded?.kind !== 'text') {
    logger.error(`${CONFIG_PATH} could not be read; defaults hold.`);
    return { config: DEFAULT_CONFIG, exitCode: EXIT.usage };
  }
  const { config, problems } = parseConfig(decoded.text);
  tellProblems({ logger }, problems);
  return config ? { config, exitCode: EXIT.done } : { config: DEFAULT_CONFIG, exitCode: EXIT.usage };
}

/** Says on stderr what is wrong with the folder. */
export function tellProblems({ logger }: Pick<CliContext, 'logger'>, problems: readonly Problem[]): void {
  for (const { severity, message } of problems) {
    if (severity === 'error') logger.error(message);
    else logger.warn(message);
  }
}

/** Throws a usage error for a `--profile` that is none of `profiles`. */
export function checkProfile({ options }: CliContext, { profiles }: Pick<Config, 'profiles'>): void {
  const names = profiles.map(({ name }) => name);
  if (options.profile === undefined || names.includes(options.profile)) return;
  throw new CliError('usage', `There is no profile "${options.profile}". Profiles: ${names.join(', ')}.`);
}

/** The folder a command works on. */
export interface WorkFolder {
  readonly files: NodeFileSource;
  readonly realRoot: string;
}

/** The folder as it was opened, which may be a link to it. Absolute. */
export function openedRoot({ options, io }: CliContext): string {
  return path.resolve(io.cwd, options.root ?? io.cwd);
}

/** Opens `--root`, or the current folder. Throws a usage error when it is no readable folder. */
export async function openWorkFolder(context: CliContext): Promise<WorkFolder> {
  const root = context.options.root ?? context.io.cwd;
  if (root === '') throw new CliError('usage', '--root is empty: name a folder.');
  try {
    return await openFileSource(openedRoot(context), { mayBlock: true });
  } catch (cause) {
    throw new CliError('usage', `${describe(root, errorCode(cause))} Name a folder with --root.`, { cause });
  }
}

function describe(root: string, code: string | undefined): string {
  switch (code) {
    case 'ENOENT':
      return `There is no folder ${root}.`;
    case 'ENOTDIR':
      return `${root} is a file, not a folder.`;
    case 'EACCES':
    case 'EPERM':
      return `There is no permission to read the folder ${root}.`;
    default:
      return `The folder ${root} cannot be opened (${code ?? 'unknown reason'}).`;
  }
}

/** The user's record of trusted folders. */
export function openTrustStore({ io, logger }: CliContext): TrustStore {
  return new TrustStore(userFolders(io.env).config, logger);
}

/** Whether command sections may run: by `--trust`, or by the user's record; when that cannot be read, they may not. */
export async function isTrusted(context: CliContext, realRoot: string): Promise<boolean> {
  if (context.options.trust) return true;
  try {
    return await openTrustStore(context).isTrusted(realRoot);
  } catch (error) {
    if (!TrustError.is(error)) throw error;
    context.logger.warn(`${error.message}; no command of this folder is run`);
    return false;
  }
}
