import { type Command, Option } from 'commander';
import { renderCitationTable } from '../core/report/citationTable';
import type { PayloadMode } from '../core/report/contextReport';
import { payloadAnswered, recordReply } from '../core/usage/citations/recordReply';
import type { Citation } from '../core/usage/usageRecord';
import { CliError } from './cliError';
import { readGivenText } from './givenText';
import type { RunCommand } from './runCommand';
import { type ReadySession, requireReport, withSession } from './withSession';

interface CiteOptions {
  readonly reply: string;
  readonly payload?: PayloadMode;
  readonly record?: true;
}

const MODES: readonly PayloadMode[] = ['index', 'expanded'];

const EXAMPLES = `
Examples:
  context-budget cite --reply answer.md
  pbpaste | context-budget cite --reply - --record --json
`;

async function findCited(
  { session, snapshot }: ReadySession,
  replyText: string,
  payload: PayloadMode | undefined,
): Promise<readonly Citation[]> {
  const mode = payload ?? (await payloadAnswered(session.usage, snapshot.profile));
  const [cited = []] = await session.findCitations([{ replyText, toolCalls: [] }], mode);
  return cited;
}

async function record({ session, snapshot }: ReadySession, cited: readonly Citation[]): Promise<number> {
  const { usage } = session;
  if (!usage) throw new CliError('failed', 'This folder has no usage log, so that nothing was recorded.');
  return recordReply(usage, requireReport(snapshot), cited);
}

/** `context-budget cite`: which sections a reply gives evidence of having used. */
export function addCiteCommand(program: Command, run: RunCommand): void {
  program
    .command('cite')
    .summary("which sections an agent's reply has used, by evidence")
    .description(
      "Which sections of the payload an agent's reply gives evidence of having used: a handle it asks for, an exact id " +
        'or path, distinctive keywords, a tag such as [ctx:soul]. A name alone is no evidence, nor is quoted text.',
    )
    .requiredOption('--reply <file>', 'the reply; - for stdin')
    .addOption(
      new Option('--payload <kind>', 'what the agent had (default: what was recorded last, else expanded)').choices(
        MODES,
      ),
    )
    .option('--record', 'add the citations to the usage log')
    .addHelpText('after', EXAMPLES)
    .action((own: CiteOptions, command: Command) =>
      run(command, async (context) => {
        const { io, logger, options } = context;
        const replyText = await readGivenText(io, own.reply, `--reply ${own.reply}`);
        if (replyText.trim() === '') throw new CliError('usage', `--reply ${own.reply}: it is empty; give a reply.`);
        return withSession(context, async (ready) => {
          const cited = await findCited(ready, replyText, own.payload);
          if (cited.length === 0) logger.warn('The reply gives no evidence that a section was used.');
          const cycle = own.record ? await record(ready, cited) : undefined;
          const isJson = options.format === 'json';
          io.stdout.write(isJson ? `${JSON.stringify({ cited, cycle }, null, 2)}\n` : renderCitationTable(cited));
          return ready.exitCode;
        });
      }),
    );
}
