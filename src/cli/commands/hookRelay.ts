import path from 'node:path';
import { usageIgnoreText } from '../../core/files/usageFiles';
import type { FileSource } from '../../core/ports/ports';
import { parseRelay } from '../../core/relay/parseRelay';
import { type HookAgent, isClaudeHook } from '../../core/setup/hooks/hookAgent';
import type { HookEvent } from '../../core/setup/hooks/hookEvent';
import { compactSession, keptSummary, RELAY_KEPT_PATH } from '../../core/setup/hooks/sessionRelay';
import { relayElement } from '../../core/setup/hooks/sessionStartContext';
import { decodeText } from '../../core/text/decode';
import { createEscape } from '../../core/text/escape';
import type { RelayFacts } from '../../core/transcripts/relayFacts';
import { WorkspaceFile } from '../../node/records/workspaceFile';
import { readTranscriptFacts } from '../../node/transcriptFacts';
import { CliError } from '../cliError';
import type { CliContext } from '../context';
import { readFolderConfig } from '../folderConfig';
import { openWorkFolder } from '../workFolder';

/** A longer relay log is no use to anybody. */
const MAX_LOG_BYTES = 64 * 1024 * 1024;

/** Only a compaction leaves a session that has forgotten. */
const AFTER_COMPACTION = 'compact';

const escapeRelay = createEscape(['relay']);

async function readText(files: FileSource, file: string): Promise<string | undefined> {
  const read = await files.read(file, MAX_LOG_BYTES);
  if (read.kind === 'missing') return undefined;
  const decoded = read.kind === 'ok' ? decodeText(read.bytes) : undefined;
  if (decoded?.kind === 'text') return decoded.text;
  throw new CliError('failed', `${file} could not be read; the relay context was not compacted.`);
}

async function readJson(files: FileSource, file: string): Promise<unknown> {
  const text = await readText(files, file);
  return text === undefined ? undefined : parseRelay(text, file);
}

/** What was kept is of one person's session: git leaves it out, unless somebody has decided otherwise. */
async function keepOutOfGit(realRoot: string, usageLog: string): Promise<void> {
  const ignore = new WorkspaceFile(realRoot, path.posix.join(path.posix.dirname(RELAY_KEPT_PATH), '.gitignore'));
  await ignore.create(usageIgnoreText(usageLog));
}

/** What the transcript shows; nothing where it cannot be read, which is said. */
async function factsOf(
  { logger, options, io }: CliContext,
  agent: HookAgent,
  { transcriptPath }: HookEvent,
  realRoot: string,
): Promise<RelayFacts | undefined> {
  if (transcriptPath === undefined || !path.isAbsolute(transcriptPath)) return undefined;
  try {
    const opened = path.resolve(io.cwd, options.root ?? io.cwd);
    return await readTranscriptFacts(transcriptPath, isClaudeHook(agent), realRoot, opened);
  } catch (error) {
    logger.warn(`The transcript could not be read: ${error instanceof Error ? error.message : String(error)}`);
    return undefined;
  }
}

/** Compacts the relay context of a session that is about to forget, and keeps it in the folder for its next start. */
export async function keepRelay(context: CliContext, agent: HookAgent, event: HookEvent): Promise<void> {
  const { files, realRoot } = await openWorkFolder(context);
  const { config } = await readFolderConfig(context, files);
  const compacted = compactSession({
    log: await readJson(files, config.relay.path),
    ledger: await readJson(files, config.relay.ledger),
    facts: await factsOf(context, agent, event, realRoot),
    sessionId: event.sessionId,
  });
  if (!compacted || context.life.signal.aborted) return;
  await new WorkspaceFile(realRoot, RELAY_KEPT_PATH).write(`${JSON.stringify(compacted.output, null, 2)}\n`);
  await keepOutOfGit(realRoot, config.usageLog);
}

/** The relay summary as an element of the start that follows a compaction; empty for other starts and without one. */
export async function keptRelay(context: CliContext, { source, sessionId }: HookEvent): Promise<string> {
  if (source !== AFTER_COMPACTION) return '';
  const { files } = await openWorkFolder(context);
  try {
    const text = await readText(files, RELAY_KEPT_PATH);
    const summary = text === undefined ? '' : keptSummary(text, sessionId);
    return relayElement(escapeRelay(summary), RELAY_KEPT_PATH);
  } catch (error) {
    context.logger.warn(`${RELAY_KEPT_PATH}: ${error instanceof Error ? error.message : String(error)}`);
    return '';
  }
}
