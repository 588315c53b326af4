import type { IngestResult } from '../../core/observations/observationService';
import { plural } from '../../core/text/numbers';
import { inEnglish } from '../../core/text/phrase';
import { type CliCommand, type CliContext, EXIT, printResult } from '../context';
import { findGivenFiles } from '../givenText';
import { tellRepairs, withObservations } from '../withObservations';

const EXAMPLE = `
Example:
  context-budget ingest
  context-budget ingest PROGRESS.md runs/2026-02-03/task.json
`;

function print(context: CliContext, { files, ids, problems }: IngestResult): void {
  const said = problems.map(({ path: file, line, why }) => ({ path: file, line, message: why }));
  const text = `${plural(ids.length, 'observation')} added from ${plural(files.length, 'file')}\n`;
  printResult(context, { added: ids.length, ids, files, problems: said }, text);
}

/** `context-budget ingest`: observations from run logs. */
export function addIngestCommand(program: CliCommand): void {
  program
    .command('ingest')
    .summary('record observations from run logs')
    .description(
      'Records the new events of run logs: tables with a time column, dated headings and bullets, JSON task files and ' +
        'JSON Lines. Running it twice adds nothing.',
    )
    .argument('[file...]', 'run logs (default: observations.sources of the config)')
    .addHelpText('after', EXAMPLE)
    .does((context, given: readonly string[]) =>
      withObservations(context, async (open) => {
        const named = given.length > 0 ? [...(await findGivenFiles(context, open.folder, given))] : undefined;
        const result = await open.service.ingest(named, context.life.signal);
        tellRepairs(context, open.path, result.repairs);
        for (const { path: file, line, why } of result.problems) context.logger.warn(`${file}:${line}: ${why}`);
        for (const { path: file, why } of result.unreadable)
          context.logger.error(`${file} was not read: ${inEnglish(why)}.`);
        print(context, result);
        return result.unreadable.length > 0 ? EXIT.failed : open.exitCode;
      }),
    );
}
