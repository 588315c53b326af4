import { InvalidArgumentError, Option } from 'commander';
import { PAYLOAD_MODES, type PayloadMode } from '../../core/model/section';
import { renderCitationTable } from '../../core/print/budgetTable';
import { unknownSections } from '../../core/usage/citations/citablePayload';
import type { CitingTurn } from '../../core/usage/citations/findCitations';
import type { Citation } from '../../core/usage/usageRecord';
import { payloadAnswered, recordReply } from '../../core/usage/usageService';
import { type CliCommand, type CliContext, CliError, type ExitCode, printResult } from '../context';
import { readGivenText } from '../givenText';
import { type ReadyWorkspace, requireReport, withWorkspace } from '../workspace';
import { addTranscriptOptions, citeTranscripts } from './citeTranscripts';

interface CiteOptions {
  readonly reply?: string;
  readonly payload?: PayloadMode;
  readonly query?: string;
  readonly record?: true;
  readonly responseMs?: number;
  readonly observabilityScore?: number;
  readonly transcripts?: readonly string[];
  readonly since?: number;
}

const EXAMPLES = `
Examples:
  context-budget cite --reply answer.md
  pbpaste | context-budget cite --reply - --record --json
  context-budget cite --reply answer.md --query "fix the login" --record --response-ms 41000 --observability-score 4
  context-budget cite --transcripts claude-code,codex --since 7d --record
`;

interface Found {
  readonly cited: readonly Citation[];
  /** Sections of which nothing can be said: the agent had a text that is not known now. */
  readonly unknown: readonly string[];
}

async function findCited(
  { workspace, snapshot }: ReadyWorkspace,
  { replyText, task }: Pick<CitingTurn, 'replyText' | 'task'>,
  payload: PayloadMode | undefined,
): Promise<Found> {
  const { mode, given } = await payloadAnswered(workspace.usage, snapshot.profile, payload);
  const had = (await workspace.payloadGiven(mode, given)) ?? requireReport(snapshot).payloads[mode];
  const [cited = []] = await workspace.findCitations([{ replyText, toolCalls: [], task }], had, given);
  const isCited = new Set(cited.map(({ id }) => id));
  const unknown = unknownSections(had, given);
  return { cited, unknown: unknown.filter((id) => !isCited.has(id)) };
}

async function record(
  { workspace, snapshot }: ReadyWorkspace,
  cited: readonly Citation[],
  { payload, responseMs, observabilityScore }: CiteOptions,
): Promise<number> {
  const { usage } = workspace;
  if (!usage) throw new CliError('failed', 'This folder has no usage log: nothing was recorded.');
  return recordReply(usage, requireReport(snapshot), cited, { payload, responseMs, observabilityScore });
}

async function citeReply(context: CliContext, reply: string, own: CiteOptions): Promise<ExitCode> {
  const replyText = await readGivenText(context.io, reply, `--reply ${reply}`);
  if (replyText.trim() === '') throw new CliError('usage', `--reply ${reply}: the reply is empty.`);
  return withWorkspace(
    context,
    async (ready) => {
      const { cited, unknown } = await findCited(ready, { replyText, task: own.query }, own.payload);
      if (cited.length === 0) context.logger.warn('No evidence in the reply that a section was used.');
      if (unknown.length > 0)
        context.logger.warn(`Not checked, because the text is no longer available: ${unknown.join(', ')}.`);
      const cycle = own.record ? await record(ready, cited, own) : undefined;
      printResult(
        context,
        { version: 'cite.v1', cited, unknown: unknown.length > 0 ? unknown : undefined, cycle },
        renderCitationTable(cited),
      );
      return ready.exitCode;
    },
    { task: own.query },
  );
}

function parseMeasure(value: string): number {
  const number = Number(value);
  if (value.trim() === '' || !Number.isFinite(number) || number < 0)
    throw new InvalidArgumentError('It must be a number of at least 0.');
  return number;
}

/** `context-budget cite`: which sections a reply gives evidence of having used. */
export function addCiteCommand(program: CliCommand): void {
  const cite = program
    .command('cite')
    .summary("find the sections that an agent's reply used")
    .description(
      "Lists the sections of the payload that an agent's reply used. Evidence is a handle it asks for, an exact id or " +
        'path, distinctive keywords, or a tag such as [ctx:soul]. A name alone or quoted text does not count.',
    )
    .option('--reply <file>', 'file with the reply; - for stdin')
    .addOption(
      new Option(
        '--payload <kind>',
        'payload the agent received (default: the last recorded one, else expanded)',
      ).choices(PAYLOAD_MODES),
    )
    .option('--query <text>', 'the task of the payload that the agent got')
    .option('--record', 'add the citations to the usage log')
    .option('--response-ms <ms>', 'with --record: duration of the answer in milliseconds', parseMeasure)
    .option(
      '--observability-score <score>',
      "with --record: the decision's quality in your own unit, such as 0 to 6",
      parseMeasure,
    )
    .addHelpText('after', EXAMPLES)
    .does(async (context, own: CiteOptions) => {
      const { reply, transcripts, since, record: isRecording = false } = own;
      if ((reply === undefined) === (transcripts === undefined))
        throw new CliError('usage', 'Give either --reply or --transcripts.');
      if (transcripts && own.payload)
        throw new CliError(
          'usage',
          '--payload goes with --reply: turns are always compared with the expanded payload.',
        );
      if (transcripts && own.query !== undefined)
        throw new CliError('usage', '--query goes with --reply: a turn has a task of its own.');
      const hasMeasure = own.responseMs !== undefined || own.observabilityScore !== undefined;
      if (hasMeasure && (transcripts || !isRecording))
        throw new CliError('usage', '--response-ms and --observability-score go with --reply and --record.');
      if (reply === undefined)
        return citeTranscripts(context, { transcripts: transcripts ?? [], sinceMs: since, record: isRecording });
      if (since !== undefined) throw new CliError('usage', '--since goes with --transcripts.');
      return citeReply(context, reply, own);
    });
  addTranscriptOptions(cite);
}
