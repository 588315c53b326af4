import path from 'node:path';
import { CONFIG_PATH, type Config, DEFAULT_CONFIG, parseConfig } from '../core/config/config';
import type { Problem } from '../core/model/problem';
import type { ContextReport, CutRecord, PayloadReport } from '../core/model/report';
import type { FileSource } from '../core/ports/ports';
import { decodeText } from '../core/text/decode';
import { formatCount, plural } from '../core/text/numbers';
import type { Workspace, WorkspacePreferences, WorkspaceSnapshot } from '../core/workspace/workspace';
import { errorCode } from '../node/errorCode';
import { type NodeFileSource, openFileSource } from '../node/fileSource';
import { createNodeWorkspace, type NodeWorkspace } from '../node/nodeWorkspace';
import { TrustError, TrustStore } from '../node/trustStore';
import { userFolders } from '../node/userFolders';
import { SYSTEM_CLOCK } from '../protocol/clock';
import { CLI_TOKENIZER, type CliContext, CliError, EXIT, type ExitCode } from './context';
import { showProgress } from './io';

/** A config larger than this is not one. */
const MAX_CONFIG_BYTES = 1_000_000;

/** The config in force, and the code a command ends with unless it has a reason of its own. */
interface FolderConfig {
  readonly config: Config;
  /** `usage` when something in the config is wrong; defaults hold in its place. */
  readonly exitCode: ExitCode;
}

/** Reads the folder's config and says on stderr what is wrong with it. */
export async function readFolderConfig({ logger }: CliContext, files: FileSource): Promise<FolderConfig> {
  const read = await files.read(CONFIG_PATH, MAX_CONFIG_BYTES);
  if (read.kind === 'missing') return { config: DEFAULT_CONFIG, exitCode: EXIT.done };
  const decoded = read.kind === 'ok' ? decodeText(read.bytes) : undefined;
  if (decoded?.kind !== 'text') {
    logger.error(`${CONFIG_PATH} could not be read: using defaults.`);
    return { config: DEFAULT_CONFIG, exitCode: EXIT.usage };
  }
  const { config, problems } = parseConfig(decoded.text);
  tellProblems({ logger }, problems);
  const isBroken = problems.some(({ severity }) => severity === 'error');
  return { config: config ?? DEFAULT_CONFIG, exitCode: isBroken ? EXIT.usage : EXIT.done };
}

/** Says on stderr what is wrong with the folder. */
export function tellProblems({ logger }: Pick<CliContext, 'logger'>, problems: readonly Problem[]): void {
  for (const { severity, message } of problems) {
    if (severity === 'error') logger.error(message);
    else if (severity === 'warning') logger.warn(message);
  }
}

/** Throws a usage error for a `--profile` that is none of `profiles`. */
export function checkProfile({ options }: CliContext, { profiles }: Pick<Config, 'profiles'>): void {
  const names = profiles.map(({ name }) => name);
  if (options.profile === undefined || names.includes(options.profile)) return;
  throw new CliError('usage', `Unknown profile "${options.profile}". Profiles: ${names.join(', ')}.`);
}

/** The folder a command works on. */
export interface WorkFolder {
  readonly files: NodeFileSource;
  readonly realRoot: string;
}

/** The folder as it was opened, which may be a link to it. Absolute. */
export function openedRoot({ options, io }: CliContext): string {
  return path.resolve(io.cwd, options.root ?? io.cwd);
}

/** Opens `--root`, or the current folder. Throws a usage error when it is no readable folder. */
export function openWorkFolder(context: CliContext): Promise<WorkFolder> {
  return openGivenFolder(context, context.options.root ?? context.io.cwd, '--root');
}

/** Opens the folder that `option` names. Throws a usage error when it is no readable folder. */
export async function openGivenFolder({ io }: CliContext, given: string, option: string): Promise<WorkFolder> {
  if (given === '') throw new CliError('usage', `${option} is empty: give a folder.`);
  try {
    return await openFileSource(path.resolve(io.cwd, given), { mayBlock: true });
  } catch (cause) {
    throw new CliError('usage', `${describe(given, errorCode(cause))} Name a folder with ${option}.`, { cause });
  }
}

function describe(folder: string, code: string | undefined): string {
  if (code === 'ENOENT') return `The folder ${folder} does not exist.`;
  if (code === 'ENOTDIR') return `${folder} is a file, not a folder.`;
  if (code === 'EACCES' || code === 'EPERM') return `No permission to read the folder ${folder}.`;
  return `The folder ${folder} cannot be opened (${code ?? 'unknown reason'}).`;
}

/** The user's record of trusted folders. */
export function openTrustStore({ io, logger }: CliContext): TrustStore {
  return new TrustStore(userFolders(io.env).config, logger);
}

/** What the config of the folder would run, a program with its arguments each. */
export async function commandLines(realRoot: string): Promise<readonly (readonly string[])[]> {
  const { files } = await openFileSource(realRoot, { mayBlock: true });
  const read = await files.read(CONFIG_PATH, MAX_CONFIG_BYTES);
  const decoded = read.kind === 'ok' ? decodeText(read.bytes) : undefined;
  const { config } = decoded?.kind === 'text' ? parseConfig(decoded.text) : {};
  return (config?.sections ?? []).flatMap(({ source }) => (source.kind === 'command' ? [source.argv] : []));
}

/** Whether command sections may run: by `--trust`, or by the user's record; when that cannot be read, they may not. */
export async function isTrusted(context: CliContext, realRoot: string): Promise<boolean> {
  if (context.options.trust) return true;
  try {
    return await openTrustStore(context).isTrusted(realRoot, await commandLines(realRoot));
  } catch (error) {
    if (!TrustError.is(error)) throw error;
    context.logger.warn(`${error.message}; commands of this folder do not run`);
    return false;
  }
}

/** How a command uses the workspace that it opens. */
interface OpenOptions {
  /** False: what is recorded stays in memory. */
  readonly mayWrite?: boolean;
  /** The command asks for a map and ends: its engine needs no thread of its own. */
  readonly isOneMap?: boolean | undefined;
}

/** A workspace of the folder with the profile and tokenizer of the command line; ends with the command. */
export function openWorkspace(
  { io, product, options, logger, life }: CliContext,
  { files, realRoot }: WorkFolder,
  preferences: Omit<WorkspacePreferences, 'profile' | 'tokenizer'>,
  { mayWrite = true, isOneMap }: OpenOptions = {},
): NodeWorkspace {
  return life.own(
    createNodeWorkspace({
      realRoot,
      files,
      productRoot: product.root,
      logger,
      env: io.env,
      preferences: { profile: options.profile, tokenizer: CLI_TOKENIZER, ...preferences },
      mayWrite: mayWrite ? undefined : () => false,
      engineHere: isOneMap,
      createEngines: product.createEngines,
    }),
  );
}

/** A workspace with its first complete snapshot. */
export interface ReadyWorkspace {
  readonly workspace: Workspace;
  readonly snapshot: WorkspaceSnapshot;
  /** `usage` when the config could not be used, else `done`; a command gives it unless it has a reason of its own. */
  readonly exitCode: ExitCode;
}

/** What a command needs before it can work. */
interface WorkspaceNeeds {
  /** Ranks the map. */
  readonly task?: string | undefined;
  /** What triggers the use of the payload; matched against sections. */
  readonly trigger?: string | undefined;
  /**
   * `sections`: symbols may still be missing, and problems of the symbol index are told by the command. `files`: config
   * and listing alone are there, and no report is begun.
   */
  readonly waitFor?: 'everything' | 'sections' | 'files';
  /** Files that are worked on, workspace-relative. */
  readonly focusPaths?: readonly string[] | undefined;
  /** Characters that payloads may have where the profile allows more. */
  readonly maxChars?: number | undefined;
  /** Tokens that payloads may have, in place of the profile's. */
  readonly budgetTokens?: number | undefined;
  /** The file that is worked on, workspace-relative. */
  readonly activePath?: string | undefined;
  /** The answer is a map, and needs no payload. */
  readonly isOneMap?: boolean;
  /** Look for paths that instruction files name and the folder does not have. */
  readonly hasStalePaths?: boolean;
  /** When this resolves, indexing stops and the map is of what is there. */
  readonly patience?: Promise<unknown> | undefined;
  /** Begins the time that the files under way have after that. */
  readonly grace?: (() => Promise<unknown>) | undefined;
  /** A folder of at most so many files is waited for longer, until `patience`, which begins then, resolves. */
  readonly few?: { readonly files: number; patience(): Promise<unknown> } | undefined;
}

/**
 * Opens the folder, waits until everything is counted, says on stderr what is wrong with the folder, and runs `work`.
 * Progress is shown until `work` has its answer. Throws a usage error for an unknown profile.
 */
export async function withWorkspace(
  context: CliContext,
  work: (ready: ReadyWorkspace) => Promise<ExitCode>,
  { waitFor = 'everything', patience, grace, few, isOneMap, ...preferences }: WorkspaceNeeds = {},
): Promise<ExitCode> {
  const { io, options, life } = context;
  const folder = await openWorkFolder(context);
  const trusted = await isTrusted(context, folder.realRoot);
  const isOneReport = waitFor === 'everything' && !patience;
  const wanted = { isTrusted: trusted, isOneReport, ...preferences };
  const { workspace } = openWorkspace(context, folder, wanted, { isOneMap });
  const progress = options.quiet ? undefined : life.own(showProgress(workspace, io.stderr, SYSTEM_CLOCK));
  const waits = { everything: 'whenReady', sections: 'whenCollected', files: 'whenListed' } as const;
  const whenDone = workspace[waits[waitFor]](life.signal);
  const whenStopped = async (): Promise<WorkspaceSnapshot> => {
    await patience;
    if (few) await Promise.race([wholeIfFew(workspace, few.files, whenDone), few.patience()]);
    workspace.stopIndexing();
    await Promise.race([whenDone, grace?.()]);
    return workspace.whenCollected(life.signal);
  };
  const snapshot = await (patience ? Promise.race([whenDone, whenStopped()]) : whenDone);
  if (life.signal.aborted) return EXIT.interrupted;
  if (waitFor === 'everything') progress?.dispose();
  tellProblems(context, snapshot.problems);
  checkProfile(context, snapshot);
  const isConfigBroken = snapshot.problems.some(({ kind, severity }) => kind === 'config' && severity === 'error');
  const exitCode = await work({ workspace, snapshot, exitCode: isConfigBroken ? EXIT.usage : EXIT.done });
  await workspace.saveIndex();
  return exitCode;
}

/** Resolves when all is done, or at once when the folder has more files. */
async function wholeIfFew(workspace: Workspace, files: number, whenDone: Promise<unknown>): Promise<void> {
  await workspace.whenListed();
  if (workspace.snapshot.index.total <= files) await whenDone;
}

/** Says on stderr which sections were not run and how to run them; nothing when all were. */
export function tellNotRun({ logger }: CliContext, { sections }: PayloadReport): void {
  const ids = sections.filter(({ isNotRun }) => isNotRun).map(({ id }) => id);
  if (ids.length === 0) return;
  const was = ids.length === 1 ? 'was' : 'were';
  logger.warn(
    `${plural(ids.length, 'command section')} ${was} not run: ${ids.join(', ')}. ` +
      'Review their commands, then pass --trust or run "context-budget trust".',
  );
}

/** `29 entries, 3 files, 12 lines left out`; empty where nothing was. */
function leftOutWords({ entries = 0, files = 0, lines = 0 }: CutRecord['leftOut']): string {
  const parts = [
    ...(entries > 0 ? [plural(entries, 'entry', 'entries')] : []),
    ...(files > 0 ? [plural(files, 'file')] : []),
    ...(lines > 0 ? [plural(lines, 'line')] : []),
  ];
  return parts.length > 0 ? `, ${parts.join(', ')} left out` : '';
}

/** With `--verbose`, a line a cut, and what the tokenizer had to do for all that was made so far. */
export async function tellWork(
  { io, options }: CliContext,
  { cuts }: PayloadReport,
  workspace: Workspace,
): Promise<void> {
  if (!options.verbose) return;
  for (const { id, tokensFull, tokens, leftOut } of cuts)
    io.stderr.write(`cut ${id} ${tokensFull} -> ${tokens} tokens${leftOutWords(leftOut)}\n`);
  const { sections, sectionsTotal, parts } = await workspace.countingWork();
  const rest = `the rest from the cache; ${plural(parts, 'text part')} tokenized`;
  io.stderr.write(`counted ${formatCount(sections)} of ${plural(sectionsTotal, 'section')}, ${rest}\n`);
}

/**
 * `overBudget` when a cap is exceeded or there are more tokens than `failOver`, `failed` when a section could not be
 * scanned; else `fallback`. A broken config wins.
 */
export function budgetExitCode(
  { budget, sections }: PayloadReport,
  failOver: number | undefined,
  fallback: ExitCode,
): ExitCode {
  if (fallback !== EXIT.done) return fallback;
  if (sections.some(({ isNotScanned }) => isNotScanned)) return EXIT.failed;
  const isOver = budget.status === 'ALERT' || (failOver !== undefined && budget.tokens > failOver);
  return isOver ? EXIT.overBudget : EXIT.done;
}

/** The report of a ready snapshot. Throws when there is none, which a workspace that says `ready` never does. */
export function requireReport({ report }: WorkspaceSnapshot): ContextReport {
  if (!report) throw new CliError('failed', 'The folder could not be read. Run with --verbose to see why.');
  return report;
}
