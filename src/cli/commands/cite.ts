import { Option } from 'commander';
import { PAYLOAD_MODES, type PayloadMode } from '../../core/model/section';
import { renderCitationTable } from '../../core/print/budgetTable';
import type { Citation } from '../../core/usage/usageRecord';
import { payloadAnswered, recordReply } from '../../core/usage/usageService';
import { type CliCommand, type CliContext, CliError, type ExitCode, printResult } from '../context';
import { readGivenText } from '../givenText';
import { type ReadyWorkspace, requireReport, withWorkspace } from '../workspace';
import { addTranscriptOptions, citeTranscripts } from './citeTranscripts';

interface CiteOptions {
  readonly reply?: string;
  readonly payload?: PayloadMode;
  readonly record?: true;
  readonly transcripts?: readonly string[];
  readonly since?: number;
}

const EXAMPLES = `
Examples:
  context-budget cite --reply answer.md
  pbpaste | context-budget cite --reply - --record --json
  context-budget cite --transcripts claude-code,codex --since 7d --record
`;

async function findCited(
  { workspace, snapshot }: ReadyWorkspace,
  replyText: string,
  payload: PayloadMode | undefined,
): Promise<readonly Citation[]> {
  const mode = payload ?? (await payloadAnswered(workspace.usage, snapshot.profile));
  const [cited = []] = await workspace.findCitations([{ replyText, toolCalls: [] }], mode);
  return cited;
}

async function record({ workspace, snapshot }: ReadyWorkspace, cited: readonly Citation[]): Promise<number> {
  const { usage } = workspace;
  if (!usage) throw new CliError('failed', 'This folder has no usage log, so that nothing was recorded.');
  return recordReply(usage, requireReport(snapshot), cited);
}

async function citeReply(context: CliContext, reply: string, own: CiteOptions): Promise<ExitCode> {
  const replyText = await readGivenText(context.io, reply, `--reply ${reply}`);
  if (replyText.trim() === '') throw new CliError('usage', `--reply ${reply}: it is empty; give a reply.`);
  return withWorkspace(context, async (ready) => {
    const cited = await findCited(ready, replyText, own.payload);
    if (cited.length === 0) context.logger.warn('The reply gives no evidence that a section was used.');
    const cycle = own.record ? await record(ready, cited) : undefined;
    printResult(context, { cited, cycle }, renderCitationTable(cited));
    return ready.exitCode;
  });
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
    .option('--record', 'add the citations to the usage log')
    .addHelpText('after', EXAMPLES)
    .does(async (context, own: CiteOptions) => {
      const { reply, transcripts, since, record: isRecording = false } = own;
      if ((reply === undefined) === (transcripts === undefined))
        throw new CliError('usage', 'Give either --reply or --transcripts.');
      if (transcripts && own.payload)
        throw new CliError('usage', '--payload goes with --reply: turns are compared with the expanded payload.');
      if (reply === undefined)
        return citeTranscripts(context, { transcripts: transcripts ?? [], sinceMs: since, record: isRecording });
      if (since !== undefined) throw new CliError('usage', '--since goes with --transcripts.');
      return citeReply(context, reply, own);
    });
  addTranscriptOptions(cite);
}
