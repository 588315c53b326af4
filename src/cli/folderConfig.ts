import { CONFIG_PATH, type Config, DEFAULT_CONFIG, parseConfig } from '../core/config/config';
import type { FileSource } from '../core/ports/ports';
import { decodeText } from '../core/text/decode';
import type { CliContext } from './context';
import { EXIT, type ExitCode } from './exitCode';

/** A config larger than this is not one. */
const MAX_CONFIG_BYTES = 1_000_000;

/** The config in force, and the code a command ends with unless it has a reason of its own. */
export interface FolderConfig {
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
  for (const { severity, message } of problems) {
    if (severity === 'error') logger.error(message);
    else logger.warn(message);
  }
  return config ? { config, exitCode: EXIT.done } : { config: DEFAULT_CONFIG, exitCode: EXIT.usage };
}
