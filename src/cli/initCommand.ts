import { mkdir, open, realpath } from 'node:fs/promises';
import path from 'node:path';
import type { Command } from 'commander';
import { CONFIG_PATH, DEFAULT_CONFIG } from '../core/config/config';
import { starterConfig } from '../core/config/starterConfig';
import { resolveSections } from '../core/sections/discover';
import { walkFiles } from '../core/sections/walk';
import { errorCode } from '../node/errorCode';
import { isInside } from '../node/fileSource';
import { CliError } from './cliError';
import type { CliContext } from './context';
import { EXIT, type ExitCode } from './exitCode';
import type { RunCommand } from './runCommand';
import { openWorkFolder, type WorkFolder } from './workFolder';

interface InitOptions {
  readonly yes?: true;
}

/** `context-budget init`: a starter config from what is found in the folder. */
export function addInitCommand(program: Command, run: RunCommand): void {
  program
    .command('init')
    .summary('a starter config from what is found')
    .description(
      `Shows a starter ${CONFIG_PATH} made from what is found, and writes it after a yes. An existing one is never touched.`,
    )
    .option('--yes', 'write it without asking')
    .addHelpText('after', '\nExample:\n  context-budget init --root ~/work/app\n')
    .action((own: InitOptions, command: Command) => run(command, (context) => init(context, own.yes === true)));
}

async function init(context: CliContext, isAgreed: boolean): Promise<ExitCode> {
  const { io, logger, life } = context;
  const folder = await openWorkFolder(context);
  await refuseExisting(folder);
  const { files, links } = await walkFiles(folder.files, {}, life);
  if (life.isCancelled) return EXIT.interrupted;
  const { definitions } = resolveSections(DEFAULT_CONFIG, files, { links, hasEditor: false, hasProcesses: true });
  const text = starterConfig(definitions);
  io.stdout.write(text);
  await io.stdout.flush();
  if (!isAgreed && !io.canAsk) {
    logger.warn(`${CONFIG_PATH} was not written: there is no terminal to ask on. Pass --yes to write it.`);
    return EXIT.done;
  }
  const answer = isAgreed ? 'yes' : await io.ask(`Write this to ${CONFIG_PATH}? [y/N] `);
  if (!/^y(?:es)?$/i.test(answer?.trim() ?? '')) {
    io.stderr.write('Nothing was written.\n');
    return EXIT.done;
  }
  await writeNew(folder, text);
  io.stderr.write(`Written: ${CONFIG_PATH}\n`);
  return EXIT.done;
}

function existing(): CliError {
  return new CliError('failed', `${CONFIG_PATH} exists already; it was not touched. Edit it, or move it away first.`);
}

async function refuseExisting({ files }: WorkFolder): Promise<void> {
  const read = await files.read(CONFIG_PATH, 0);
  if (read.kind !== 'missing') throw existing();
}

/** Writes the config where there is none; a folder that leads out of the root is not written to. */
async function writeNew({ realRoot }: WorkFolder, text: string): Promise<void> {
  const file = path.join(realRoot, ...CONFIG_PATH.split('/'));
  try {
    await mkdir(path.dirname(file), { recursive: true });
    if (!isInside(realRoot, await realpath(path.dirname(file)))) {
      throw new CliError('failed', `${path.posix.dirname(CONFIG_PATH)} leads out of the folder; nothing was written.`);
    }
    // `wx`: whatever appeared meanwhile, a dangling link too, stays as it is.
    const handle = await open(file, 'wx');
    try {
      await handle.writeFile(text);
    } finally {
      await handle.close();
    }
  } catch (cause) {
    if (CliError.is(cause)) throw cause;
    const code = errorCode(cause);
    if (code === 'EEXIST') throw existing();
    throw new CliError('failed', `${CONFIG_PATH} could not be written (${code ?? 'unknown reason'}).`, { cause });
  }
}
