import path from 'node:path';
import {
  type Disposable,
  type EditorState,
  type FileSource,
  type Logger,
  neverRan,
  type ProcessRunner,
} from '../core/ports/ports';
import { messageOf } from '../core/text/phrase';
import { HeldLogs } from '../core/workspace/heldLogs';
import { Workspace, type WorkspacePreferences } from '../core/workspace/workspace';
import { SYSTEM_CLOCK } from '../protocol/clock';
import { FileCacheStore } from './cacheStore';
import { type CreateEngines, createWorkerEngines } from './engines';
import { OwnGitDirectory } from './git/gitDirectory';
import { TrackedContents } from './git/trackedContents';
import { withPrebuilt } from './prebuiltCache';
import { NodeProcessRunner } from './process/processRunner';
import { type CacheLimits, pruneCaches } from './pruneCaches';
import { JsonlObservationLog, UsageLogFile } from './records/fileLogs';
import { ThreadedWalk } from './threadedWalk';
import { cacheName, userFolders } from './userFolders';

/** About 260,000 files' facts; one folder's cache has a cap of its own (`indexCache.ts`). */
const CACHE_LIMITS: CacheLimits = { maxAgeMs: 90 * 24 * 60 * 60 * 1000, maxBytes: 1024 * 1024 * 1024 };

/** Late enough to take nothing from a quick first report. */
const HOUSEKEEPING_DELAY_MS = 1_000;

/** What a workspace on this machine is made of. */
interface NodeWorkspaceOptions {
  /** The folder's real path; see `openFileSource`. */
  readonly realRoot: string;
  readonly files: FileSource;
  /** The folder that holds `dist/` and `grammars/`. Absolute. */
  readonly productRoot: string;
  readonly preferences: WorkspacePreferences;
  readonly logger: Logger;
  readonly env: NodeJS.ProcessEnv;
  /** Absent outside an editor. */
  readonly editor?: EditorState;
  /** Worker threads unless given. */
  readonly createEngines?: CreateEngines | undefined;
  /** Threads that parse; a host that shares the machine with an editor leaves it a processor. */
  readonly parserWorkers?: number;
  /** See `connectEngines`; never in an editor or a server. */
  readonly engineHere?: boolean | undefined;
  /** Processes start from this thread unless given; a host that must not be held up gives a thread for it. */
  readonly createProcesses?: (realRoot: string, env: NodeJS.ProcessEnv) => ProcessRunner & Disposable;
  /** Asked before each record; while it says no, records stay in memory. Without it they are written. */
  readonly mayWrite?: (() => boolean) | undefined;
}

/** Git tells what it tracks, and nothing else: dates and history are not the same in each clone. */
function onlyTracked(processes: ProcessRunner): ProcessRunner {
  return {
    run: (request, signal) =>
      request.argv.includes('ls-files') ? processes.run(request, signal) : Promise.resolve(neverRan('notStarted')),
  };
}

/** What a workspace that is compared is made of. */
type ComparedWorkspaceOptions = Pick<
  NodeWorkspaceOptions,
  'realRoot' | 'files' | 'productRoot' | 'preferences' | 'logger' | 'env' | 'createEngines'
> & {
  /** False where `files` are exactly those that git tracks. */
  readonly asksGit: boolean;
};

/**
 * A workspace that is the same on each machine with the same files: without logs, editor, commands and Git's history.
 * Nothing is written but git's own directory in the user's cache.
 */
export function createComparedWorkspace(options: ComparedWorkspaceOptions): NodeWorkspace {
  const { realRoot, files, productRoot, preferences, logger, env, asksGit } = options;
  const { engine, parser, ...engines } = (options.createEngines ?? createWorkerEngines)({ productRoot, logger });
  const processes = new NodeProcessRunner(realRoot, env);
  const gitDirectories = ownGitDirectory(realRoot, env, logger);
  const asked = asksGit ? onlyTracked(processes) : undefined;
  const ports = { files, engine, parser, clock: SYSTEM_CLOCK, logger, processes: asked, gitDirectories };
  const workspace = new Workspace(
    { ...ports, editor: undefined, cache: undefined },
    { ...preferences, isTrusted: false, isComparable: true, isOneReport: true },
  );
  return {
    workspace,
    releaseRecords: () => Promise.resolve([]),
    dispose: () => {
      workspace.dispose();
      processes.dispose();
      engines.dispose();
    },
  };
}

/** How git reads the folder without trust. */
export function ownGitDirectory(realRoot: string, env: NodeJS.ProcessEnv, logger: Logger): OwnGitDirectory {
  const cacheFolder = path.join(userFolders(env).caches, cacheName(realRoot));
  return new OwnGitDirectory({ realRoot, cacheFolder, logger });
}

/** A workspace with everything under it. `dispose` ends its workers and child processes before it returns. */
export interface NodeWorkspace extends Disposable {
  readonly workspace: Workspace;
  /** See `HeldLogs.release`. */
  releaseRecords(): Promise<readonly string[]>;
}

/** Puts a workspace together from the ports of this machine. Nothing is read yet, but for a listing in a thread of its own. */
export function createNodeWorkspace(options: NodeWorkspaceOptions): NodeWorkspace {
  const { realRoot, productRoot, preferences, logger, env, editor, parserWorkers, engineHere } = options;
  const engines = (options.createEngines ?? createWorkerEngines)({ productRoot, logger, parserWorkers, engineHere });
  const processes = options.createProcesses?.(realRoot, env) ?? new NodeProcessRunner(realRoot, env);
  const { caches } = userFolders(env);
  const ownCache = cacheName(realRoot);
  const own = path.join(caches, ownCache);
  const cache = withPrebuilt(new FileCacheStore(own, logger), { own, realRoot, env, logger });
  const { engine, parser } = engines;
  const onDisk = {
    openObservationLog: (path: string) => new JsonlObservationLog({ realRoot, path }),
    openUsageLog: (path: string) => new UsageLogFile({ realRoot, path }),
  };
  const held = options.mayWrite && new HeldLogs(onDisk, options.mayWrite, logger);
  const { openObservationLog, openUsageLog } = held ?? onDisk;
  const stores = { cache, openObservationLog, openUsageLog };
  const gitDirectories = ownGitDirectory(realRoot, env, logger);
  const contents = new TrackedContents({ realRoot, processes, gitDirectories, logger });
  const onMachine = { clock: SYSTEM_CLOCK, logger, processes, gitDirectories, contents };
  // In a process that gives one answer, this thread has enough to do.
  const script = path.join(productRoot, 'dist', 'walk.js');
  const isHere = !engineHere || options.createEngines;
  const listing = isHere
    ? undefined
    : new ThreadedWalk(options.files, { script, root: realRoot, clock: SYSTEM_CLOCK, logger });
  const files = listing?.files ?? options.files;
  const walk = listing && ((signal: AbortSignal) => listing.walk(signal));
  const ports = { files, walk, engine, parser, editor, ...onMachine, ...stores };
  const workspace = new Workspace(ports, preferences);
  const housekeeping = SYSTEM_CLOCK.schedule(() => {
    pruneCaches(caches, ownCache, CACHE_LIMITS, SYSTEM_CLOCK.now()).catch((error: unknown) =>
      logger.debug(`Old caches were not removed: ${messageOf(error)}`),
    );
  }, HOUSEKEEPING_DELAY_MS);
  return {
    workspace,
    releaseRecords: async () => (await held?.release()) ?? [],
    dispose: () => {
      housekeeping.dispose();
      listing?.dispose();
      workspace.dispose();
      processes.dispose();
      engines.dispose();
    },
  };
}
