import { stat } from 'node:fs/promises';
import path from 'node:path';
import { OFFERED_AGENTS } from '../../core/agents/agentTable';
import { usageIgnoreText } from '../../core/files/usageFiles';
import { ChangesError } from '../../core/pipeline/collect/gitChanges';
import type { Clock, FileSource, Logger } from '../../core/ports/ports';
import { writeExact } from '../../core/relay/exactNumbers';
import { parseRelay } from '../../core/relay/factsInput';
import { AROUND } from '../../core/repomap/map/selection';
import {
  HookError,
  type HookEvent,
  hookEventName,
  parseHookEvent,
  renderHookAnswer,
} from '../../core/setup/hooks/hookEvent';
import {
  HOOK_AGENT_NAMES,
  HOOK_DEADLINE_MS,
  HOOK_EVENTS,
  HOOK_FEW,
  HOOK_GRACE_MS,
  HOOK_PATIENCE_MS,
  type HookAgent,
  type HookEventName,
  hookAgentNamed,
  hookAnswerForm,
  hookForm,
  isClaudeHook,
  MAX_CONTEXT_CHARS,
} from '../../core/setup/hooks/hookTarget';
import { missedInstructions, type SessionParts, sessionPartsText } from '../../core/setup/hooks/sessionParts';
import {
  compactSession,
  indexCapChars,
  keptSummary,
  PARTIAL_NOTICE_CHARS,
  partialIndexNotice,
  RELAY_KEPT_PATH,
  relayElement,
  sessionStartContext,
} from '../../core/setup/hooks/sessionRelay';
import { decodeText } from '../../core/text/decode';
import { createEscape } from '../../core/text/elements';
import { asGiven, messageOf } from '../../core/text/phrase';
import { toSentence } from '../../core/text/sentence';
import type { RelayFacts } from '../../core/transcripts/relayFacts';
import type { Workspace, WorkspaceSnapshot } from '../../core/workspace/workspace';
import { WorkspaceFile } from '../../node/records/workspaceFile';
import { readTranscriptFacts } from '../../node/transcriptFacts';
import { SYSTEM_CLOCK } from '../../protocol/clock';
import { type CliCommand, type CliContext, CliError, EXIT, type ExitCode } from '../context';
import { jsonText } from '../io';
import { maskedCompaction, maskedData, RELAY_SECTION, tellMasked } from '../masking';
import { openedRoot, openWorkFolder, readFolderConfig, requireReport, withWorkspace } from '../workspace';

/** A longer relay log is of no use. */
const MAX_LOG_BYTES = 64 * 1024 * 1024;

/** Only a compaction leaves a session that has forgotten. */
const AFTER_COMPACTION = 'compact';

const escapeRelay = createEscape(['relay']);

async function readText(files: FileSource, file: string): Promise<string | undefined> {
  const read = await files.read(file, MAX_LOG_BYTES);
  if (read.kind === 'missing') return undefined;
  const decoded = read.kind === 'ok' ? decodeText(read.bytes) : undefined;
  if (decoded?.kind === 'text') return decoded.text;
  throw new CliError('failed', `${file} could not be read.`);
}

async function readJson(files: FileSource, file: string): Promise<unknown> {
  const text = await readText(files, file);
  return text === undefined ? undefined : parseRelay(text, file);
}

/** What was kept is of one person's session: git leaves it out, unless a `.gitignore` is there already. */
const KEPT_IGNORE_PATH = path.posix.join(path.posix.dirname(RELAY_KEPT_PATH), '.gitignore');

/** What was read; undefined where it cannot be, which the log says: the other sources are worth keeping without it. */
async function unlessBroken<T>({ logger }: CliContext, what: string, reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading;
  } catch (error) {
    logger.warn(`${what}: ${messageOf(error)}`);
    return undefined;
  }
}

/** What the transcript shows; undefined where there is none or it cannot be read. */
async function factsOf(
  context: CliContext,
  agent: HookAgent,
  { transcriptPath }: HookEvent,
  realRoot: string,
): Promise<RelayFacts | undefined> {
  if (transcriptPath === undefined || !path.isAbsolute(transcriptPath)) return undefined;
  const reading = readTranscriptFacts(transcriptPath, isClaudeHook(agent), realRoot, openedRoot(context));
  return unlessBroken(context, 'The transcript could not be read', reading);
}

/**
 * Compacts the relay context of a session that is about to forget, and keeps it in the folder for its next start. What an
 * earlier compaction kept is removed first: if this one fails, the next start must not take it for the present state.
 */
async function keepRelay(context: CliContext, agent: HookAgent, event: HookEvent): Promise<void> {
  const { files, realRoot } = await openWorkFolder(context);
  const kept = new WorkspaceFile(realRoot, RELAY_KEPT_PATH);
  await kept.remove();
  const { config } = await readFolderConfig(context, files);
  const compacted = compactSession({
    log: await readJson(files, config.relay.path),
    ledger: await unlessBroken(context, 'The ledger is left out', readJson(files, config.relay.ledger)),
    facts: await factsOf(context, agent, event, realRoot),
    sessionId: event.sessionId,
  });
  if (!compacted || context.life.signal.aborted) return;
  // Masked before it is kept: what the transcript shows may quote a key.
  const { output } = await maskedCompaction(context, {}, compacted);
  await kept.write(writeExact(jsonText(output)));
  await new WorkspaceFile(realRoot, KEPT_IGNORE_PATH).create(usageIgnoreText(config.usageLog));
}

/** The relay summary as an element of the start that follows a compaction; empty for other starts and without one. */
async function keptRelay(context: CliContext, { source, sessionId }: HookEvent): Promise<string> {
  if (source !== AFTER_COMPACTION) return '';
  const { files } = await openWorkFolder(context);
  const reading = readText(files, RELAY_KEPT_PATH).then((text) =>
    text === undefined ? '' : keptSummary(text, sessionId),
  );
  const summary = await unlessBroken(context, RELAY_KEPT_PATH, reading);
  return relayElement(escapeRelay(summary ?? ''), RELAY_KEPT_PATH);
}

/** The folder that a hook works on: `--root`, else what the agent says, else the current one. */
async function hookRoot({ io, options }: CliContext, agent: HookAgent, event: HookEvent): Promise<string> {
  if (options.root !== undefined) return options.root;
  const { rootVariable } = hookForm(agent);
  const told = [rootVariable === undefined ? undefined : io.env[rootVariable], event.cwd];
  for (const folder of told) {
    if (folder !== undefined && path.isAbsolute(folder) && (await isFolder(folder))) return folder;
  }
  return io.cwd;
}

async function isFolder(folder: string): Promise<boolean> {
  try {
    return (await stat(folder)).isDirectory();
  } catch {
    // Gone or out of reach: the next one is tried.
    return false;
  }
}

const COMMAND = 'hook';

const HELP = `
A hook must not block its agent: on any error it writes to stderr, leaves stdout empty and exits with code 0. It writes
nothing in the folder outside of .context-budget. "context-budget hooks install" adds it to an agent's settings.

Example:
  echo '{"hook_event_name":"SessionStart","source":"startup"}' | context-budget hook SessionStart --agent claude-code
`;

/** Whether a command line is a hook's, which never fails its agent: exit code 2 would stop a compaction. */
export function isHookCall(argv: readonly string[]): boolean {
  return argv[0] === COMMAND;
}

/** `context-budget hook`: answers an event of an agent, which calls it; not in the table of commands. */
export function addHookCommand(program: CliCommand): void {
  program
    .command(`${COMMAND} <event>`, { hidden: true })
    .summary("answer an agent's hook")
    .description(
      `Reads an agent's event from stdin and answers it: ${HOOK_EVENTS.join(' or ')}. SessionStart prints what ` +
        '"session_start" of the config asks for (changes, a small map, alarms), and the relay summary after a compaction. PreCompact ' +
        'compacts the relay context into .context-budget and prints nothing.',
    )
    .option('--agent <agent>', `agent that calls the hook: ${HOOK_AGENT_NAMES.join(' or ')}`, 'claude-code')
    // Settings may have been written by a later version.
    .allowUnknownOption()
    .allowExcessArguments()
    .addHelpText('after', HELP)
    .does((context, event: string, own: { readonly agent: string }) =>
      answerSafely(context, event, own.agent, context.product.clock ?? SYSTEM_CLOCK),
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
    io.stderr.write(`context-budget hook: ${messageOf(error)}\n`);
  }
  return EXIT.done;
}

function after({ life }: CliContext, clock: Clock, delayMs: number): Promise<void> {
  return new Promise((resolve) => life.own(clock.schedule(resolve, delayMs)));
}

function requireEvent(name: string): HookEventName {
  const event = hookEventName(name);
  if (event) return event;
  throw new HookError('badEvent', asGiven(`Unknown event ${name}: use ${HOOK_EVENTS.join(' or ')}.`));
}

function requireAgent(name: string): HookAgent {
  const agent = hookAgentNamed(name);
  if (agent) return agent;
  throw new CliError('usage', `Unknown agent ${toSentence(name)}: use ${HOOK_AGENT_NAMES.join(' or ')}.`);
}

/** A start whose transcript holds an index already. */
function hasIndex({ source }: HookEvent): boolean {
  return source === 'resume' || source === 'fork';
}

/** What goes to stdout. */
async function answerHook(context: CliContext, name: HookEventName, agent: HookAgent, clock: Clock): Promise<string> {
  const decoded = decodeText(await context.io.readInput());
  if (decoded.kind !== 'text') throw new HookError('badEvent', asGiven('The input on stdin is not text.'));
  const event = parseHookEvent(decoded.text, name);
  const form = hookAnswerForm(agent, context.io.env);
  if (form === 'silence' || (hasIndex(event) && hookForm(agent).matcher === undefined)) return '';
  const root = await hookRoot(context, agent, event);
  const inFolder: CliContext = { ...context, options: { ...context.options, root } };
  if (name === 'PreCompact') await keepRelay(inFolder, agent, event);
  const added = name === 'SessionStart' ? await sessionStart(inFolder, agent, event, clock) : '';
  return renderHookAnswer(agent, name, added, form);
}

/** Tokens of the map that changed definitions are read from: more than are named. */
const CHANGES_TOKENS = 1500;

/**
 * The parts that the config asks for, from what the index knows in time: while it is unfinished, what changed is known
 * by git's paths alone, and the map is given up after `grace`.
 */
async function readParts(
  { logger }: CliContext,
  agent: HookAgent,
  { workspace, snapshot }: { readonly workspace: Workspace; readonly snapshot: WorkspaceSnapshot },
  grace: () => Promise<void>,
): Promise<SessionParts> {
  const { config, agents = [], isTrusted } = snapshot;
  const { changes, orientationTokens, alarms, instructions } = config.sessionStart;
  const isReady = snapshot.index.phase === 'ready';
  const mapping = orientationTokens > 0 ? workspace.map({ query: '', budgetTokens: orientationTokens }) : undefined;
  const orientation = await (isReady ? mapping : Promise.race([mapping, grace()]));
  const { sections } = requireReport(snapshot).payloads.index;
  const id = OFFERED_AGENTS.find((each) => each.hooks && (each.hooks.agent ?? each.agent) === agent)?.agent;
  return {
    changes:
      changes && isTrusted
        ? await unlessUnknown(isReady ? readChanged(workspace) : readChangedPaths(workspace), logger)
        : undefined,
    orientation: orientation?.text,
    alarms: alarms ? sections.filter(({ status }) => status === 'WARN' || status === 'ALERT') : undefined,
    instructions: instructions && id !== undefined ? missedInstructions(id, agents) : undefined,
  };
}

/** Nothing where git cannot say what changed, which is no matter of a session's start. */
async function unlessUnknown(
  reading: Promise<SessionParts['changes']>,
  logger: Logger,
): Promise<SessionParts['changes']> {
  try {
    return await reading;
  } catch (error) {
    if (!ChangesError.is(error)) throw error;
    logger.debug(error.message);
    return undefined;
  }
}

/** Names of changed definitions by file. @throws ChangesError */
async function readChanged(workspace: Workspace): Promise<SessionParts['changes']> {
  const { view, since } = await workspace.map({ changedSince: { base: undefined }, budgetTokens: CHANGES_TOKENS });
  const changed = view.items.flatMap(({ path, symbols, change }) => {
    const names = symbols.flatMap((symbol) =>
      symbol.change?.role === 'changed' && symbol.change.why[0]?.message !== AROUND.message ? [symbol.name] : [],
    );
    return names.length > 0 || change?.role === 'changed' ? [{ path, names }] : [];
  });
  return since && { base: since.base, files: since.files, changed };
}

/** Changed files by their paths alone. @throws ChangesError */
async function readChangedPaths(workspace: Workspace): Promise<SessionParts['changes']> {
  const { base, paths } = await workspace.changedPaths();
  return { base, files: paths.length, changed: paths.map((path) => ({ path, names: [] })) };
}

/** The relay summary after a compaction, and the parts that the config asks for, within what a hook may give. */
async function sessionStart(context: CliContext, agent: HookAgent, event: HookEvent, clock: Clock): Promise<string> {
  const relay = await keptRelay(context, event);
  let added = '';
  const patience = after(context, clock, HOOK_PATIENCE_MS);
  const grace = (): Promise<void> => after(context, clock, HOOK_GRACE_MS);
  const few = { files: HOOK_FEW.files, patience: () => after(context, clock, HOOK_FEW.patienceMs) };
  const needs = { maxChars: indexCapChars(relay) - PARTIAL_NOTICE_CHARS, patience, grace, few };
  await withWorkspace(
    context,
    async (ready) => {
      const { snapshot, exitCode } = ready;
      const { text, budget, secrets } = requireReport(snapshot).payloads.index;
      const { index } = snapshot.config.sessionStart;
      if (!budget.isExact) context.logger.warn('Counting took too long: the index says what is missing.');
      const kept = relay && (await maskedData(context, {}, relay, RELAY_SECTION));
      const notice = snapshot.index.phase === 'ready' ? '' : partialIndexNotice(snapshot.index);
      const parts = sessionPartsText(await readParts(context, agent, ready, grace));
      if (index) tellMasked(context, secrets);
      // What is longest gives way first: the agent can ask for it.
      const before = kept.length + parts.length <= MAX_CONTEXT_CHARS ? kept + parts : kept;
      added = (index ? sessionStartContext(before, text) : before) + notice;
      return exitCode;
    },
    needs,
  );
  return added;
}
