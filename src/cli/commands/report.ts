import { createReadStream } from 'node:fs';
import { renderUsageReport } from '../../core/print/renderUsageReport';
import { inEnglish } from '../../core/text/phrase';
import { aggregateUsage } from '../../core/usage/report/usageAggregator';
import type { UsageReport } from '../../core/usage/report/usageReport';
import { UsageLogFile } from '../../node/records/fileLogs';
import { type CliCommand, type CliContext, EXIT, type ExitCode } from '../context';
import { givenFile } from '../givenText';
import { tableFormat } from '../options';
import { openWorkFolder, readFolderConfig } from '../workspace';

interface ReportCommandOptions {
  readonly log?: string;
}

const EXAMPLE = `
Example:
  context-budget report --root ~/work/app
  context-budget report --log usage.jsonl --json > report.json
`;

/** The report of the folder's usage log, or of the file `log`; the code to end with unless there is another reason. */
export async function reportOf(context: CliContext, log: string | undefined): Promise<[UsageReport, ExitCode]> {
  const { signal } = context.life;
  const given = log === undefined ? undefined : await givenFile(context, log, '--log');
  const { files, realRoot } = await openWorkFolder(context);
  const { config, exitCode } = await readFolderConfig(context, files);
  const pieces =
    given === undefined ? new UsageLogFile({ realRoot, path: config.usageLog }).readAll() : createReadStream(given);
  const report = await aggregateUsage(pieces, { thresholds: config.scoring.roiThresholds, signal });
  return [report, exitCode];
}

/** `context-budget report`: what the whole usage log says. */
export function addReportCommand(program: CliCommand): void {
  program
    .command('report')
    .summary('show which sections pay off, over the whole usage log')
    .description(
      'Shows the return of each section over the whole usage log (citations per 1,000 characters loaded), the classes ' +
        'WASTE, LOW and MED+ with what to do about them, and the scoring modes against their targets.',
    )
    .option('--log <file>', "file of usage records (default: the folder's own log, including older files)")
    .addHelpText('after', EXAMPLE)
    .does(async (context, own: ReportCommandOptions) => {
      const format = tableFormat(context.options);
      const [report, exitCode] = await reportOf(context, own.log);
      if (context.life.signal.aborted) return EXIT.interrupted;
      context.io.stdout.write(renderUsageReport(report, format));
      // The other formats have them in the result.
      if (format === 'json')
        for (const { words } of report.findings) context.logger.warn(`usage log: ${inEnglish(words)}`);
      return exitCode;
    });
}
