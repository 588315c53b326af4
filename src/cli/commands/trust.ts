import { Option } from 'commander';
import { type CliCommand, type CliContext, EXIT, type ExitCode, printResult } from '../context';
import { commandLines, openedRoot, openTrustStore, openWorkFolder } from '../workspace';

interface TrustOptions {
  readonly remove?: true;
  readonly list?: true;
}

/** `context-budget trust`: lets the commands of a folder run from now on. */
export function addTrustCommand(program: CliCommand): void {
  program
    .command('trust')
    .summary("allow this folder's own commands to run")
    .description(
      'Records the folder in your own configuration, outside the folder. The command sections of its config (perception ' +
        "plug-ins) then run. Read them first: they are programs of the folder's author.",
    )
    .option('--remove', 'stop trusting the folder')
    .addOption(new Option('--list', 'print the trusted folders').conflicts('remove'))
    .addHelpText('after', '\nExample:\n  context-budget trust --root ~/work/app\n')
    .does(trust);
}

async function trust(context: CliContext, own: TrustOptions): Promise<ExitCode> {
  const store = openTrustStore(context);
  if (own.list) {
    const trusted = await store.list();
    printResult(context, { version: 'trust_list.v1', trusted }, trusted.map((folder) => `${folder}\n`).join(''));
    return EXIT.done;
  }
  if (own.remove) {
    // Not opened: a folder that is gone can be forgotten too.
    const folder = openedRoot(context);
    const wasRecorded = await store.remove(folder);
    const words = wasRecorded ? 'No longer trusted' : 'Was not trusted';
    printResult(context, { version: 'trust.v1', folder, removed: wasRecorded }, `${words}: ${folder}\n`);
    return EXIT.done;
  }
  const { realRoot } = await openWorkFolder(context);
  const { folder, isNew } = await store.add(realRoot, await commandLines(realRoot));
  const words = isNew ? 'Trusted' : 'Already trusted';
  printResult(context, { version: 'trust.v1', folder, added: isNew }, `${words}: ${folder}\n`);
  return EXIT.done;
}
