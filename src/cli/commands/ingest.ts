import type { IngestedFile, IngestResult } from '../../core/observations/observationService';
import { formatCount, plural } from '../../core/text/numbers';
import { inEnglish } from '../../core/text/phrase';
import { type CliCommand, type CliContext, EXIT, printResult } from '../context';
import { findGivenFiles } from '../givenText';
import { tellRepairs, withObservations } from '../withObservations';

const EXAMPLE = `
Example:
  context-budget ingest
  context-budget ingest PROGRESS.md runs/2026-02-03/task.json
`;

/** Version name of the JSON (DESIGN §5.6). */
const INGEST_VERSION = 'ingest.v1';

function fileLine({ path, entries, added, lines, unread, firstUnread }: IngestedFile): string {
  const found = `${path}: ${formatCount(entries)} ${entries === 1 ? 'entry' : 'entries'}, ${formatCount(added)} new`;
  const read = `${formatCount(lines - unread)} of ${plural(lines, 'line')} understood`;
  const first = firstUnread ? `; first not understood: ${firstUnread.line}: ${firstUnread.text}` : '';
  return `${found}; ${read}${first}\n`;
}

function print(context: CliContext, { files, ids, problems }: IngestResult): void {
  const said = problems.map(({ path: file, line, why }) => ({ path: file, line, message: why }));
  const total = `${plural(ids.length, 'observation')} added from ${plural(files.length, 'file')}\n`;
  const shown = files.map(({ firstUnread, ...file }) => ({ ...file, first_unread: firstUnread ?? null }));
  const json = { version: INGEST_VERSION, added: ids.length, ids, files: shown, problems: said } as const;
  printResult(context, json, `${files.map(fileLine).join('')}${total}`);
}

/** `context-budget ingest`: observations from run logs. */
export function addIngestCommand(program: CliCommand): void {
  program
    .command('ingest')
    .summary('record observations from run logs')
    .description(
      'Records the new events of run logs: entries under dates, lists and tables of them, check boxes, JSON and JSON ' +
        'Lines. An entry without a date gets the date of its line in Git (with trust) or of the file, marked ~. ' +
        'Prints what each file holds and the first line that was not understood. Running it twice adds nothing.',
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
