import type { Command } from 'commander';
import type { Clock } from '../../core/ports/ports';
import {
  HOOK_AGENTS,
  HOOK_DEADLINE_MS,
  HOOK_EVENTS,
  HOOK_PATIENCE_MS,
  type HookAgent,
  type HookEventName,
} from '../../core/setup/hooks/hookAgent';
import { renderHookAnswer } from '../../core/setup/hooks/hookAnswer';
import { HookError } from '../../core/setup/hooks/hookError';
import { type HookEvent, hookEventName, parseHookEvent } from '../../core/setup/hooks/hookEvent';
import { indexCapChars, sessionStartContext } from '../../core/setup/hooks/sessionStartContext';
import { decodeText } from '../../core/text/decode';
import { asGiven } from '../../core/text/phrase';
import { NodeClock } from '../../node/clock';
import { CliError } from '../cliError';
import type { CliContext } from '../context';
import { EXIT, type ExitCode } from '../exitCode';
import { maskedData, tellMasked } from '../masking';
import type { RunCommand } from '../runCommand';
import { requireReport, withSession } from '../withSession';
import { keepRelay, keptRelay } from './hookRelay';
import { hookRoot } from './hookRoot';

const COMMAND = 'hook';

/** Element of the relay summary (`sessionStartContext.ts`). */
const RELAY = 'relay';

const HELP = `
A hook must not hold its agent up: whatever goes wrong is said on stderr, stdout stays empty, and the exit code is 0.
In the folder nothing is written outside of .context-budget. "context-budget hooks install" puts it into an agent's settings.

Example:
  echo '{"hook_event_name":"SessionStart","source":"startup"}' | context-budget hook SessionStart --agent claude-code
`;

/** Whether a command line is a hook's, which never fails its agent: exit code 2 would stop a compaction. */
export function isHookCall(argv: readonly string[]): boolean {
  return argv[0] === COMMAND;
}

/** `context-budget hook`: answers an event of an agent, which calls it; not in the table of commands. */
export function addHookCommand(program: Command, run: RunCommand): void {
  program
    .command(`${COMMAND} <event>`, { hidden: true })
    .summary("answers an agent's hook")
    .description(
      `Reads an agent's event from stdin and answers it: ${HOOK_EVENTS.join(' or ')}. SessionStart gets the index-only ` +
        'payload, within the characters that a hook may give, after a compaction with the relay summary; PreCompact ' +
        'compacts the relay context into .context-budget and prints nothing.',
    )
    .option('--agent <agent>', `whose hook it is: ${HOOK_AGENTS.join(' or ')}`, 'claude-code')
    // Settings may have been written by a later version.
    .allowUnknownOption()
    .allowExcessArguments()
    .addHelpText('after', HELP)
    .action((event: string, own: { readonly agent: string }, command: Command) =>
      run(command, (context) => answerSafely(context, event, own.agent, context.product.clock ?? new NodeClock())),
    );
}

/** Answers in time or not at all; never fails. */
async function answerSafely(context: CliContext, event: string, agent: string, clock: Clock): Promise<ExitCode> {
  const { io, life } = context;
  try {
    const deadline = after(context, clock, HOOK_DEADLINE_MS).then(() => {
      throw new CliError('failed', `The hook gave up after ${HOOK_DEADLINE_MS / 1000} seconds.`);
    });
    const answer = await Promise.race([answerHook(context, requireEvent(event), requireAgent(agent), clock), deadline]);
    if (!life.signal.aborted) io.stdout.write(answer);
  } catch (error) {
    io.stderr.write(`context-budget hook: ${error instanceof Error ? error.message : String(error)}\n`);
  }
  return EXIT.done;
}

function after({ life }: CliContext, clock: Clock, delayMs: number): Promise<void> {
  return new Promise((resolve) => life.own(clock.schedule(resolve, delayMs)));
}

function requireEvent(name: string): HookEventName {
  const event = hookEventName(name);
  if (event) return event;
  throw new HookError('badEvent', asGiven(`There is no answer to the event ${name}: use ${HOOK_EVENTS.join(' or ')}.`));
}

function requireAgent(name: string): HookAgent {
  const agent = HOOK_AGENTS.find((known) => known === name);
  if (agent) return agent;
  throw new CliError('usage', `There is no agent ${name}: use ${HOOK_AGENTS.join(' or ')}.`);
}

/** What goes to stdout. */
async function answerHook(context: CliContext, name: HookEventName, agent: HookAgent, clock: Clock): Promise<string> {
  const decoded = decodeText(await context.io.readInput());
  if (decoded.kind !== 'text') throw new HookError('badEvent', asGiven('What came in on stdin is no text.'));
  const event = parseHookEvent(decoded.text, name);
  const root = await hookRoot(context, agent, event);
  const inFolder: CliContext = { ...context, options: { ...context.options, root } };
  if (name === 'PreCompact') await keepRelay(inFolder, agent, event);
  const added = name === 'SessionStart' ? await sessionStart(inFolder, event, clock) : '';
  return renderHookAnswer(agent, name, added);
}

/** The relay summary after a compaction, and the index-only payload, fitted by the ladder to what a hook may give. */
async function sessionStart(context: CliContext, event: HookEvent, clock: Clock): Promise<string> {
  const relay = await keptRelay(context, event);
  let added = '';
  const needs = { maxChars: indexCapChars(relay), patience: after(context, clock, HOOK_PATIENCE_MS) };
  await withSession(
    context,
    async ({ snapshot, exitCode }) => {
      const { text, budget, secrets } = requireReport(snapshot).payloads.index;
      if (!budget.isExact) context.logger.warn('Not everything was counted in time; the index says what is missing.');
      tellMasked(context, secrets);
      const kept = relay && (await maskedData(context, {}, relay, RELAY));
      added = sessionStartContext(kept, text);
      return exitCode;
    },
    needs,
  );
  return added;
}
