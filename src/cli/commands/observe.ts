import type { ObservationTime } from '../../core/model/observation';
import { readTime } from '../../core/observations/ingest/logEvent';
import { commandRef } from '../../core/observations/observation';
import { decodeText } from '../../core/text/decode';
import { formatObservationTime } from '../../core/text/time';
import { SYSTEM_CLOCK } from '../../protocol/clock';
import { type CliCommand, type CliContext, CliError, printResult } from '../context';
import { parseExitCode } from '../options';
import { tellRepairs, withObservations } from '../withObservations';

interface ObserveOptions {
  readonly summary: string;
  readonly taskId?: string;
  readonly actor?: string;
  readonly phase?: string;
  readonly detail?: string;
  readonly file?: readonly string[];
  readonly type?: string;
  readonly command?: string;
  readonly exitCode?: number;
  readonly time?: string;
}

const EXAMPLE = `
Example:
  context-budget observe --summary "Tests pass" --task-id TASK-1 --actor verifier --phase verify
  npm test 2>&1 | context-budget observe --summary "Tests fail" --detail - --file src/server.ts
  context-budget observe --summary "Build fails" --command "npm run build" --exit-code 2 --time 2026-02-03T21:23:00Z
`;

async function readDetail({ io }: CliContext, detail: string | undefined): Promise<string | undefined> {
  if (detail !== '-') return detail;
  const decoded = decodeText(await io.readInput());
  if (decoded.kind !== 'text') throw new CliError('usage', '--detail -: the input is not text.');
  return decoded.text;
}

/** The given time, else this moment. */
function whenOf(time: string | undefined): ObservationTime {
  if (time === undefined) {
    const ts = formatObservationTime(new Date(SYSTEM_CLOCK.now()));
    return { ts, precision: 'second', timeFrom: 'clock' };
  }
  const said = readTime(time);
  if (said.ts !== undefined) return said;
  throw new CliError('usage', `--time: "${time}" is not a time. Write 2026-02-03, 2026-02-03 14:30 or an ISO time.`);
}

/** `context-budget observe`: records one event. */
export function addObserveCommand(program: CliCommand): void {
  program
    .command('observe')
    .summary('record an observation')
    .description(
      'Records one event, now unless --time says otherwise, and prints its id. Several programs can record at once.',
    )
    .requiredOption('--summary <text>', 'what happened, in one line; text after 120 characters is kept as detail')
    .option('--task-id <id>', 'the task it belongs to')
    .option('--actor <name>', 'who did it')
    .option('--phase <name>', 'phase of the work')
    .option('--detail <text>', 'more text; - for stdin')
    .option('--type <name>', 'kind of event (default: command with --command, else event)')
    .option('--command <text>', 'the command that was run')
    .option('--exit-code <number>', 'its exit code', parseExitCode)
    .option('--time <time>', 'when it happened (default: now); a date may have no time')
    .option('--file <path...>', 'related files; with lines as src/a.ts#L10-L40')
    .addHelpText('after', EXAMPLE)
    .does(async (context, own: ObserveOptions) => {
      if (own.summary.trim() === '') throw new CliError('usage', '--summary is empty: describe what happened.');
      const isLoose = own.exitCode !== undefined && (own.command ?? '').trim() === '';
      if (isLoose) throw new CliError('usage', '--exit-code needs --command.');
      const when = whenOf(own.time);
      const detail = await readDetail(context, own.detail);
      return withObservations(context, async (open) => {
        const { summary, taskId, actor, phase, file, command } = own;
        const type = own.type ?? (command === undefined ? undefined : 'command');
        const commands = command === undefined ? [] : [commandRef(command, own.exitCode)];
        const input = { ...when, summary, taskId, actor, phase, type, detail, files: file, commands };
        const { ids, repairs } = await open.service.observe([input]);
        tellRepairs(context, open.path, repairs);
        const [id] = ids;
        printResult(context, { version: 'observe.v1', id }, `${id}\n`);
        return open.exitCode;
      });
    });
}
