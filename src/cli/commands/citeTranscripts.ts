/**
 * `cite --transcripts`: citations of the turns that agents left on disk. Without `--record` nothing is kept, not even how
 * far was read.
 */

import path from 'node:path';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { plural } from '../../core/text/numbers';
import { AGENT_NAMES, isAgentName } from '../../core/transcripts/transcriptAdapter';
import type { UsageDraft } from '../../core/usage/usageRecord';
import { ingestTranscripts } from '../../node/transcripts/ingestTranscripts';
import { openJob, TranscriptError } from '../../node/transcripts/transcriptJob';
import { WorkspaceTranscripts } from '../../node/transcripts/workspaceTranscripts';
import { SYSTEM_CLOCK } from '../../protocol/clock';
import { type CliContext, CliError, type ExitCode, printResult } from '../context';
import { givenFile } from '../givenText';
import { openedRoot, openWorkFolder, requireReport, withWorkspace } from '../workspace';

/** What `--transcripts` and `--since` ask for. */
interface CiteTranscriptsOptions {
  /** Names of agents, and files. */
  readonly transcripts: readonly string[];
  /** Milliseconds back; 30 days, and only what is new, unless given. */
  readonly sinceMs?: number | undefined;
  /** Adds what was found to the usage log. */
  readonly record: boolean;
}

const EXPORT_FIRST = 'Copilot Chat is read from a file: run "Chat: Export Chat…" in VS Code and name that file.';

const UNITS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 7 * 86_400_000 };

/** Parses `7d`, `12h`, `30m`, `2w` to milliseconds. Throws commander's usage error. */
export function parseAge(value: string): number {
  const [, count, unit] = /^(\d{1,4})([mhdw])$/.exec(value.trim()) ?? [];
  const age = Number(count) * (UNITS[unit ?? ''] ?? Number.NaN);
  if (!(age > 0)) throw new InvalidArgumentError('It must be a number with a unit: 30m, 12h, 7d or 2w.');
  return age;
}

/** Declares `--transcripts` and `--since`. */
export function addTranscriptOptions(command: Command): Command {
  const names = new Option(
    '--transcripts <names>',
    `read turns from transcripts: ${AGENT_NAMES.join(', ')}, or files, separated by commas`,
  ).argParser((value: string, before: readonly string[] = []) => [...before, ...splitNames(value)]);
  const since = new Option(
    '--since <age>',
    'with --transcripts: only turns of this age, such as 7d or 12h, also those that were read before',
  );
  return command.addOption(names).addOption(since.argParser(parseAge));
}

function splitNames(value: string): readonly string[] {
  const names = value.split(',').map((name) => name.trim());
  if (names.every((name) => name === '')) throw new InvalidArgumentError('Give at least one name.');
  return names.filter((name) => name !== '');
}

/** Throws a usage error for what is no file; of what may be a mistyped agent, with the agents there are. */
async function findTranscript(context: CliContext, given: string): Promise<void> {
  try {
    await givenFile(context, given, '--transcripts');
  } catch (cause) {
    if (!CliError.is(cause) || /[./\\]/.test(given)) throw cause;
    throw new CliError('usage', `${cause.message} Agents: ${AGENT_NAMES.join(', ')}.`, { cause });
  }
}

/** Reads the transcripts, prints what they cite, records it when asked to. */
export async function citeTranscripts(context: CliContext, options: CiteTranscriptsOptions): Promise<ExitCode> {
  const { io, logger, life } = context;
  const { realRoot } = await openWorkFolder(context);
  const opened = openedRoot(context);
  const transcripts = new WorkspaceTranscripts({ realRoot, opened, env: io.env, logger }, openJob);
  const agents = options.transcripts.filter(isAgentName);
  const files = options.transcripts.filter((name) => !isAgentName(name));
  if (agents.includes('copilot-chat')) throw new CliError('usage', EXPORT_FIRST);
  for (const file of files) await findTranscript(context, file);
  return withWorkspace(context, async ({ workspace, snapshot, exitCode }) => {
    const report = requireReport(snapshot);
    const nowMs = SYSTEM_CLOCK.now();
    const since = options.sinceMs === undefined ? undefined : nowMs - options.sinceMs;
    const isAfresh = since !== undefined || !options.record;
    const scan = await transcripts.scan({ agents, nowMs, since, isAfresh, signal: life.signal });
    const drafts: UsageDraft[] = [];
    try {
      const named = await Promise.all(files.map((file) => transcripts.named(path.resolve(io.cwd, file), file)));
      for (const source of [scan, ...named]) {
        drafts.push(...(await ingestTranscripts(source, report, workspace)).drafts);
      }
    } catch (cause) {
      if (TranscriptError.is(cause)) throw new CliError('usage', cause.message, { cause });
      throw cause;
    }
    if (options.record && !workspace.usage)
      throw new CliError('failed', 'This folder has no usage log: nothing can be recorded.');
    const cycles = options.record ? await workspace.usage?.recordDrafts(drafts) : undefined;
    if (options.record) await scan.commit();
    print(context, drafts, cycles);
    return exitCode;
  });
}

function describeCycle({ ts, origin, cited }: UsageDraft): string {
  const said = cited.map(({ id, evidence, what }) => `${id} (${evidence}: ${what})`).join(', ');
  return `${ts}  ${origin ?? ''}  ${said === '' ? 'nothing cited' : said}\n`;
}

function print(context: CliContext, drafts: readonly UsageDraft[], cycles: readonly number[] | undefined): void {
  const citations = drafts.reduce((sum, { cited }) => sum + cited.length, 0);
  const turns = drafts.map(({ ts, origin, cited, responseMs }) => ({ ts, origin, cited, response_ms: responseMs }));
  const recorded = cycles === undefined ? 'not recorded (--record)' : `${plural(cycles.length, 'cycle')} recorded`;
  const total = `${plural(drafts.length, 'turn')}, ${plural(citations, 'citation')}, ${recorded}\n`;
  const json = { version: 'cite_transcripts.v1', turns, recorded: cycles ?? [] } as const;
  printResult(context, json, drafts.map(describeCycle).join('') + total);
}
