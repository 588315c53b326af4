import { stat } from 'node:fs/promises';
import path from 'node:path';
import type { Command } from 'commander';
import { aggregateUsage } from '../core/usage/report/aggregateUsage';
import { renderUsageReport } from '../core/usage/report/renderUsageReport';
import type { UsageReport } from '../core/usage/report/usageReport';
import { errorCode } from '../node/errorCode';
import { filePieces } from '../node/filePieces';
import { UsageLogFile } from '../node/usageLogFile';
import { CliError } from './cliError';
import type { CliContext } from './context';
import { EXIT, type ExitCode } from './exitCode';
import { readFolderConfig } from './folderConfig';
import type { RunCommand } from './runCommand';
import { openWorkFolder } from './workFolder';

interface ReportCommandOptions {
  readonly log?: string;
}

const EXAMPLE = `
Example:
  context-budget report --root ~/work/app
  context-budget report --log usage.jsonl --json > report.json
`;

/** The file that `--log` names, relative to the current folder. Throws a usage error when it is none. */
export async function givenLog({ io }: CliContext, given: string): Promise<string> {
  const file = path.resolve(io.cwd, given);
  try {
    if ((await stat(file)).isDirectory())
      throw new CliError('usage', `${given} is a folder. Name a file of usage records (JSON Lines).`);
  } catch (cause) {
    if (CliError.is(cause)) throw cause;
    const why = errorCode(cause) === 'ENOENT' ? 'There is no file' : 'There is no access to';
    throw new CliError('usage', `${why} ${given}. Name a file of usage records (JSON Lines) with --log.`, { cause });
  }
  return file;
}

async function reportOf(context: CliContext, log: string | undefined): Promise<[UsageReport, ExitCode]> {
  const cancel = context.life;
  const given = log === undefined ? undefined : await givenLog(context, log);
  const { files, realRoot } = await openWorkFolder(context);
  const { config, exitCode } = await readFolderConfig(context, files);
  const pieces =
    given === undefined ? new UsageLogFile({ realRoot, path: config.usageLog }).readAll() : filePieces(given);
  const report = await aggregateUsage(pieces, { thresholds: config.scoring.roiThresholds, cancel });
  return [report, exitCode];
}

/** `context-budget report`: what the whole usage log says. */
export function addReportCommand(program: Command, run: RunCommand): void {
  program
    .command('report')
    .summary('which sections pay and which are waste, over the whole usage log')
    .description(
      'Return of each section over the whole usage log (citations per 1,000 characters loaded), the classes WASTE, LOW ' +
        'and MED+ with what to do about them, and the scoring modes side by side against their targets.',
    )
    .option('--log <file>', "a file of usage records (default: the folder's own log, older files included)")
    .addHelpText('after', EXAMPLE)
    .action((own: ReportCommandOptions, command: Command) =>
      run(command, async (context) => {
        const { format } = context.options;
        const [report, exitCode] = await reportOf(context, own.log);
        if (context.life.isCancelled) return EXIT.interrupted;
        context.io.stdout.write(renderUsageReport(report, format));
        // The other forms have them in the result.
        if (format === 'json') for (const { text } of report.findings) context.logger.warn(`usage log: ${text}`);
        return exitCode;
      }),
    );
}
