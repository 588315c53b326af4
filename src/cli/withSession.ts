import type { ContextReport, PayloadReport } from '../core/model/report';
import { plural } from '../core/text/numbers';
import type { Workspace, WorkspacePreferences, WorkspaceSnapshot } from '../core/workspace/workspace';
import { NodeClock } from '../node/clock';
import { createNodeWorkspace, type NodeWorkspace } from '../node/createSession';
import { CliError } from './cliError';
import { type CliContext, EXIT, type ExitCode } from './context';
import { showProgress } from './io';
import { CLI_TOKENIZER } from './tokenizer';
import { checkProfile, isTrusted, openWorkFolder, tellProblems, type WorkFolder } from './workFolder';

/**
 * A workspace of the folder with the profile and tokenizer of the command line; ends with the command.
 * @param mayWrite false: what is recorded stays in memory
 */
export function openWorkspace(
  { io, product, options, logger, life }: CliContext,
  { files, realRoot }: WorkFolder,
  preferences: Omit<WorkspacePreferences, 'profile' | 'tokenizer'>,
  mayWrite = true,
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
  /** Characters that payloads may have where the profile allows more. */
  readonly maxChars?: number | undefined;
  /** The file that is worked on, workspace-relative. */
  readonly activePath?: string | undefined;
  /** Look for paths that instruction files name and the folder does not have. */
  readonly hasStalePaths?: boolean;
  /** When this resolves, symbols are waited for no more. */
  readonly patience?: Promise<unknown> | undefined;
}

/**
 * Opens the folder, waits until everything is counted, says on stderr what is wrong with the folder, and runs `work`.
 * Progress is shown until `work` has its answer. Throws a usage error for an unknown profile.
 */
export async function withWorkspace(
  context: CliContext,
  work: (ready: ReadyWorkspace) => Promise<ExitCode>,
  { waitFor = 'everything', patience, ...preferences }: WorkspaceNeeds = {},
): Promise<ExitCode> {
  const { io, options, life } = context;
  const folder = await openWorkFolder(context);
  const trusted = await isTrusted(context, folder.realRoot);
  const { workspace } = openWorkspace(context, folder, { isTrusted: trusted, ...preferences });
  const progress = options.quiet ? undefined : life.own(showProgress(workspace, io.stderr, new NodeClock()));
  const waits = { everything: 'whenReady', sections: 'whenCollected', files: 'whenListed' } as const;
  const whenDone = workspace[waits[waitFor]](life.signal);
  const snapshot = await (patience
    ? Promise.race([whenDone, patience.then(() => workspace.whenCollected(life.signal))])
    : whenDone);
  if (life.signal.aborted) return EXIT.interrupted;
  if (waitFor === 'everything') progress?.dispose();
  tellProblems(context, snapshot.problems);
  checkProfile(context, snapshot);
  const isConfigBroken = snapshot.problems.some(({ kind, severity }) => kind === 'config' && severity === 'error');
  return work({ workspace, snapshot, exitCode: isConfigBroken ? EXIT.usage : EXIT.done });
}

/** Says on stderr which sections were not run and how to run them; nothing when all were. */
export function tellNotRun({ logger }: CliContext, { sections }: PayloadReport): void {
  const ids = sections.filter(({ isNotRun }) => isNotRun).map(({ id }) => id);
  if (ids.length === 0) return;
  const was = ids.length === 1 ? 'was' : 'were';
  logger.warn(
    `${plural(ids.length, 'command section')} ${was} not run: ${ids.join(', ')}. ` +
      'Look at their commands, then pass --trust or run "context-budget trust".',
  );
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
  if (!report)
    throw new CliError('failed', 'The folder could not be read: there is no report. Run with --verbose to see why.');
  return report;
}
