import { type Command, Option } from 'commander';
import { renderCitationTable } from '../core/report/citationTable';
import type { PayloadMode } from '../core/report/contextReport';
import { CliError } from './cliError';
import { readGivenText } from './givenText';
import type { RunCommand } from './runCommand';
import { withSession } from './withSession';

interface CiteOptions {
  readonly reply: string;
  readonly payload: PayloadMode;
}

const MODES: readonly PayloadMode[] = ['index', 'expanded'];

const EXAMPLES = `
Examples:
  context-budget cite --reply answer.md
  pbpaste | context-budget cite --reply - --json
`;

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
    .addOption(new Option('--payload <kind>', 'what the agent had').choices(MODES).default('expanded'))
    .addHelpText('after', EXAMPLES)
    .action((own: CiteOptions, command: Command) =>
      run(command, async (context) => {
        const { io, logger, options } = context;
        const replyText = await readGivenText(io, '--reply', own.reply);
        if (replyText.trim() === '') throw new CliError('usage', `--reply ${own.reply}: it is empty; give a reply.`);
        return withSession(context, async ({ session, exitCode }) => {
          const [cited = []] = await session.findCitations([{ replyText, toolCalls: [] }], own.payload);
          if (cited.length === 0) logger.warn('The reply gives no evidence that a section was used.');
          const isJson = options.format === 'json';
          io.stdout.write(isJson ? `${JSON.stringify({ cited }, null, 2)}\n` : renderCitationTable(cited));
          return exitCode;
        });
      }),
    );
}
