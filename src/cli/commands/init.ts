import { CONFIG_PATH } from '../../core/config/config';
import { starterConfig } from '../../core/config/starterConfig';
import { WorkspaceFile } from '../../node/records/workspaceFile';
import { type CliCommand, type CliContext, CliError, EXIT, type ExitCode, mayChange } from '../context';
import { openWorkFolder, requireReport, type WorkFolder, withWorkspace } from '../workspace';

interface InitOptions {
  readonly yes?: true;
}

/** `context-budget init`: a starter config from what is found in the folder. */
export function addInitCommand(program: CliCommand): void {
  program
    .command('init')
    .summary('create a starter config')
    .description(
      `Shows a starter ${CONFIG_PATH} for the files in the folder, and writes it after you confirm. Never changes an existing one.`,
    )
    .option('--yes', 'write it without asking')
    .addHelpText('after', '\nExample:\n  context-budget init --root ~/work/app\n')
    .does(init);
}

async function init(context: CliContext, own: InitOptions): Promise<ExitCode> {
  const folder = await openWorkFolder(context);
  if ((await folder.files.read(CONFIG_PATH, 0)).kind !== 'missing') throw existing();
  return withWorkspace(context, ({ workspace, snapshot }) => {
    const definitions = workspace.definitions(requireReport(snapshot));
    return write(context, own, folder, starterConfig(definitions));
  });
}

/** Shows the config and writes it if the user wants that. */
async function write(context: CliContext, own: InitOptions, { realRoot }: WorkFolder, text: string): Promise<ExitCode> {
  const { io } = context;
  io.stdout.write(text);
  await io.stdout.flush();
  const says = {
    cannotAsk: `${CONFIG_PATH} was not written: a confirmation needs a terminal. Pass --yes to write it.`,
    nothingDone: 'Nothing was written.',
  };
  if (!(await mayChange(context, own, `Write this to ${CONFIG_PATH}?`, says))) return EXIT.done;
  // What appeared meanwhile stays as it is.
  if (!(await new WorkspaceFile(realRoot, CONFIG_PATH).create(text))) throw existing();
  io.stderr.write(`Written: ${CONFIG_PATH}\n`);
  return EXIT.done;
}

function existing(): CliError {
  return new CliError('failed', `${CONFIG_PATH} already exists and was not changed. Edit it, or move it first.`);
}
