import { decodeText } from '../../core/text/decode';
import { formatObservationTime } from '../../core/text/time';
import { SYSTEM_CLOCK } from '../../protocol/clock';
import { type CliCommand, type CliContext, CliError, printResult } from '../context';
import { tellRepairs, withObservations } from '../withObservations';

interface ObserveOptions {
  readonly summary: string;
  readonly taskId?: string;
  readonly actor?: string;
  readonly phase?: string;
  readonly detail?: string;
  readonly file?: readonly string[];
}

const EXAMPLE = `
Example:
  context-budget observe --summary "Tests pass" --task-id TASK-1 --actor verifier --phase verify
  npm test 2>&1 | context-budget observe --summary "Tests fail" --detail - --file src/server.ts
`;

async function readDetail({ io }: CliContext, detail: string | undefined): Promise<string | undefined> {
  if (detail !== '-') return detail;
  const decoded = decodeText(await io.readInput());
  if (decoded.kind !== 'text') throw new CliError('usage', '--detail -: what came in is not a text.');
  return decoded.text;
}

/** `context-budget observe`: records one event. */
export function addObserveCommand(program: CliCommand): void {
  program
    .command('observe')
    .summary('record an observation')
    .description('Records one event with the current time and prints its id. Several programs can record at once.')
    .requiredOption('--summary <text>', 'what happened, in one line; text after 120 characters is kept as detail')
    .option('--task-id <id>', 'the task it belongs to')
    .option('--actor <name>', 'who did it')
    .option('--phase <name>', 'phase of the work')
    .option('--detail <text>', 'more text; - for stdin')
    .option('--file <path...>', 'related files; with lines as src/a.ts#L10-L40')
    .addHelpText('after', EXAMPLE)
    .does(async (context, own: ObserveOptions) => {
      if (own.summary.trim() === '') throw new CliError('usage', '--summary is empty: say what happened.');
      const detail = await readDetail(context, own.detail);
      return withObservations(context, async (open) => {
        const { summary, taskId, actor, phase, file } = own;
        const ts = formatObservationTime(new Date(SYSTEM_CLOCK.now()));
        const input = { ts, summary, taskId, actor, phase, detail, files: file };
        const { ids, repairs } = await open.service.observe([input]);
        tellRepairs(context, open.path, repairs);
        const [id] = ids;
        printResult(context, { id }, `${id}\n`);
        return open.exitCode;
      });
    });
}
