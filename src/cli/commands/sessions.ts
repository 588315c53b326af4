import path from 'node:path';
import { Option } from 'commander';
import { renderSession, renderSessions } from '../../core/print/sessionTable';
import { Masking } from '../../core/secrets/masking';
import { SESSION_AGENTS, type SessionAgent } from '../../core/transcripts/sessions/sessionLog';
import { maskedFindings } from '../../core/window/sessions/maskSession';
import { sessionJson, sessionProblemText, sessionsJson } from '../../core/window/sessions/sessionJson';
import type { AgentSession } from '../../core/window/sessions/sessions';
import { readFolderSessions } from '../../node/transcripts/sessions/folderSessions';
import type { ReadSessions } from '../../node/transcripts/sessions/readSessions';
import { SYSTEM_CLOCK } from '../../protocol/clock';
import { CLI_TOKENIZER, type CliCommand, type CliContext, CliError, EXIT, type ExitCode } from '../context';
import { jsonText } from '../io';
import { openEngines } from '../masking';
import { tableFormat } from '../options';
import { openedRoot, openGivenFolder, openWorkFolder } from '../workspace';
import { parseAge } from './citeTranscripts';

interface FromOptions {
  readonly from?: string;
}

interface SessionsOptions extends FromOptions {
  readonly agent?: SessionAgent;
  /** Milliseconds. */
  readonly since?: number;
}

const WHERE = "Reads the agents' own logs of this folder, and keeps none of their text.";

/** Declares `--from DIR`. */
export function fromOption(): Option {
  return new Option(
    '--from <dir>',
    "read the agents' folders (.claude, .codex, …) below this folder, not the home folder",
  );
}

/** The sessions of the folder, as far as they can be read. Throws a usage error when `--from` is no readable folder. */
export async function sessionsOf(
  context: CliContext,
  { from }: FromOptions,
  agents: readonly SessionAgent[],
): Promise<ReadSessions> {
  const { io, life, logger, product } = context;
  const { realRoot } = await openWorkFolder(context);
  if (from !== undefined) await openGivenFolder(context, from, '--from');
  return readFolderSessions({
    realRoot,
    opened: openedRoot(context),
    agents,
    env: io.env,
    from: from === undefined ? undefined : path.resolve(io.cwd, from),
    shownFrom: from,
    signal: life.signal,
    databases: path.join(product.root, 'dist', 'databases.js'),
    engine: openEngines(context).engine,
    tokenizer: CLI_TOKENIZER,
    logger,
  });
}

/** Says on stderr what could not be read, which JSON has too. */
function tellUnread({ logger }: CliContext, { problems }: ReadSessions): ExitCode {
  for (const problem of problems) logger.warn(sessionProblemText(problem));
  return problems.length === 0 ? EXIT.done : EXIT.unmeasured;
}

/** The session of an id, or of the beginning of one, with or without its agent. */
function findSession(sessions: readonly AgentSession[], given: string): AgentSession {
  const exact = sessions.find(({ id }) => id === given);
  const matches = sessions.filter(({ id }) => id.startsWith(given) || id.slice(id.indexOf(':') + 1).startsWith(given));
  const [first, ...others] = exact ? [exact] : matches;
  if (!first)
    throw new CliError('usage', `No session "${given}" in this folder. "context-budget sessions" lists them.`);
  if (others.length > 0)
    throw new CliError('usage', `"${given}" fits ${matches.length} sessions: give more of the id.`);
  return first;
}

/** `context-budget sessions` and `session ID`: where the tokens of agents' sessions went. */
export function addSessionCommands(program: CliCommand): void {
  program
    .command('sessions')
    .summary("list agents' sessions of this folder with what they read")
    .description(`Lists the sessions of coding agents in this folder, newest first. ${WHERE}`)
    .addOption(new Option('--agent <agent>', 'only sessions of this agent').choices(SESSION_AGENTS))
    .addOption(
      new Option('--since <age>', 'only sessions that were used in this time, such as 7d or 12h').argParser(parseAge),
    )
    .addOption(fromOption())
    .addHelpText('after', '\nExample:\n  context-budget sessions --since 7d\n')
    .does(async (context, own: SessionsOptions) => {
      const result = await sessionsOf(context, own, own.agent ? [own.agent] : SESSION_AGENTS);
      if (context.life.signal.aborted) return EXIT.interrupted;
      const since = own.since === undefined ? Number.NEGATIVE_INFINITY : SYSTEM_CLOCK.now() - own.since;
      const sessions = result.sessions.filter(({ ended = Number.POSITIVE_INFINITY }) => ended >= since);
      const format = tableFormat(context.options);
      const others = own.agent === undefined ? result.withoutFigures : [];
      const text =
        format === 'json'
          ? jsonText(sessionsJson(sessions, result.problems, others))
          : renderSessions(sessions, format, others);
      context.io.stdout.write(text);
      return tellUnread(context, result);
    });
  program
    .command('session')
    .summary("show where one session's tokens went")
    .description(
      `Shows what filled the window of one session, request by request: parts that add up to the provider's own figures, ` +
        `and findings with the tokens that they cost. ${WHERE}`,
    )
    .argument('<id>', 'the session, or the beginning of its id')
    .addOption(fromOption())
    .addHelpText('after', '\nExample:\n  context-budget session 3f2a9c --json\n')
    .does(async (context, given: string, own: FromOptions) => {
      const format = tableFormat(context.options);
      const result = await sessionsOf(context, own, SESSION_AGENTS);
      if (context.life.signal.aborted) return EXIT.interrupted;
      const masking = new Masking(openEngines(context).secrets);
      const session = await maskedFindings(findSession(result.sessions, given), masking);
      const text = format === 'json' ? jsonText(sessionJson(session, result.problems)) : renderSession(session, format);
      context.io.stdout.write(text);
      return tellUnread(context, result);
    });
}
