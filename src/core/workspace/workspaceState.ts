/**
 * What the parts of a workspace share, made before any of them: what it is given and shows, its mutable state, and the
 * emitters by which a part tells the others without knowing them.
 */
import type { AgentCoverage } from '../agents/agentCoverage';
import type { FileNotice } from '../agents/stale/stalePaths';
import { type Config, DEFAULT_CONFIG, profileOf } from '../config/config';
import type { ContextEngine } from '../engine/engine';
import type { FileParser } from '../engine/parser';
import type { WalkResult } from '../files/walk';
import type { AgentId } from '../model/agent';
import type { Problem } from '../model/problem';
import type { Profile } from '../model/profile';
import type { ContextReport } from '../model/report';
import type { CollectedSection } from '../model/section';
import type { ObservationLog } from '../observations/observationLog';
import type {
  CacheStore,
  Clock,
  ContentNames,
  Disposable,
  EditorState,
  FileSource,
  GitDirectorySource,
  Logger,
  ProcessRunner,
  TokenizerName,
} from '../ports/ports';
import type { RelayStatus } from '../relay/relayWatch';
import type { LeftOutRequest } from '../repomap/facts/types';
import type { ChangeSet } from '../repomap/ranking/changedOrder';
import { MAX_FOCUS, NO_WORK, type WorkingQuery } from '../repomap/ranking/workingQuery';
import type { UsageLog } from '../usage/usageLog';

/** Everything a workspace needs from its host. */
export interface WorkspacePorts {
  readonly files: FileSource;
  /** Lists the folder beside this thread; absent where it is walked here. Never rejects for what is on disk. */
  readonly walk?: ((signal: AbortSignal) => Promise<WalkResult>) | undefined;
  readonly engine: ContextEngine;
  readonly parser: FileParser;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Absent in hosts without processes: command sections say that they were not run, `git` does not exist. */
  readonly processes: ProcessRunner | undefined;
  /** How git reads an untrusted folder; absent in hosts without processes. */
  readonly gitDirectories?: GitDirectorySource | undefined;
  /** Absent in the CLI: `diagnostics` and `open-editors` do not exist. */
  readonly editor: EditorState | undefined;
  readonly cache: CacheStore | undefined;
  /** Contents have names of ours where it is absent, which no other program knows. */
  readonly contents?: ContentNames | undefined;
  /** Opens the log at a workspace-relative path; absent in hosts that cannot write into the folder. */
  readonly openObservationLog?: ((path: string) => ObservationLog) | undefined;
  /** The same for the log of usage. */
  readonly openUsageLog?: ((path: string) => UsageLog) | undefined;
}

/** What the user chose, kept by the host. */
export interface WorkspacePreferences {
  /** A profile's name; the config's default when undefined or unknown. */
  readonly profile: string | undefined;
  readonly isTrusted: boolean;
  readonly tokenizer: TokenizerName;
  /** What the work is about; ranks the map. Absent or blank: ranked by structure. */
  readonly task?: string | undefined;
  /** The map shows what changed since the main branch, in place of a task's; trusted folders with Git only. */
  readonly showsChanges?: boolean | undefined;
  /** Files that are worked on, where no editor says so; empty: what editor and Git say. */
  readonly focusPaths?: readonly string[] | undefined;
  /** What the payload is wanted for, besides the task: matched against sections like it. */
  readonly trigger?: string | undefined;
  /** Characters that payloads may have where the profile allows more; for receivers with a cap of their own. */
  readonly maxChars?: number | undefined;
  /** Tokens that payloads may have, in place of the profile's. */
  readonly budgetTokens?: number | undefined;
  /** True to wait for sections and symbols and make one report: earlier snapshots are not shown. */
  readonly isOneReport?: boolean | undefined;
  /** The file that is worked on, workspace-relative, where there is no editor to say so. */
  readonly activePath?: string | undefined;
  /** Agents that the user chose as their own; empty or absent: those that were found. */
  readonly agents?: readonly AgentId[] | undefined;
  /** Agents that the host found on its machine. */
  readonly installedAgents?: readonly AgentId[] | undefined;
  /** Only sections that every machine has with the same files: for comparing with another revision or clone. */
  readonly isComparable?: boolean | undefined;
  /** Snapshots have notices of stale paths; without it, no file is read for them. */
  readonly hasStalePaths?: boolean | undefined;
}

/** A map on its own. Without `query` and `focusPaths`: for the task, or for what is being worked on. */
export interface MapOptions {
  /** The profile's `mapTokens` by default. */
  readonly budgetTokens?: number;
  readonly focusPaths?: readonly string[];
  /** The preferences' `task` by default; `''` for a map by structure. */
  readonly query?: string;
  /**
   * In place of a task: what changed since the working tree left this branch or commit, with its callers and tests;
   * without one the remote's main branch, else `main` or `master`. Trusted folders only.
   */
  readonly changedSince?: { readonly base: string | undefined };
  /** Ends a map for a task where relevance does, see `leastShareFor`; the budget alone does by default. */
  readonly leastShare?: number;
  /** Say why each file and symbol is there. */
  readonly withReasons?: boolean;
  /** List files that did not fit. */
  readonly leftOut?: LeftOutRequest;
  readonly isUnmasked?: boolean;
}

/** Whether texts keep their secrets. */
export interface SecretOptions {
  readonly isUnmasked?: boolean;
}

/** How far the symbol index is. */
export interface IndexProgress {
  /** `stopped`: by `stopIndexing`; maps are made of what is there. */
  readonly phase: 'listing' | 'scanning' | 'parsing' | 'ready' | 'stopped';
  /** Files settled in this phase, of `total`; both 0 while listing. */
  readonly done: number;
  readonly total: number;
}

/** One state of the workspace; immutable, replaced as a whole. */
export interface WorkspaceSnapshot {
  /** Increases with every snapshot. */
  readonly revision: number;
  readonly folderName: string;
  /** `loading` until the first report; then `ready`, with `report` possibly inexact while something is counted. */
  readonly state: 'loading' | 'ready';
  readonly report: ContextReport | undefined;
  readonly profile: string;
  readonly profiles: readonly Profile[];
  /** Sections counted, the map among them; undefined when all are. */
  readonly progress: { readonly done: number; readonly total: number } | undefined;
  readonly isTrusted: boolean;
  /** False when only built-in sections exist. */
  readonly hasInstructions: boolean;
  readonly configState: 'file' | 'lastGood' | 'defaults';
  /** The config in force. */
  readonly config: Config;
  readonly problems: readonly Problem[];
  /** The relay context and what is due for it; undefined where the folder has none, and before it was read. */
  readonly relay: RelayStatus | undefined;
  /** What each agent makes of the instruction and memory files; undefined until they were read. */
  readonly agents: readonly AgentCoverage[] | undefined;
  /** Those in use; empty where none is known. */
  readonly agentsInUse: readonly AgentId[];
  /** What is to say about places of these files, by path and line. */
  readonly notices: readonly FileNotice[];
  /** False when stale paths are wanted and Git's history could not be read: without trust, Git or a commit. */
  readonly isHistoryRead: boolean;
  /** What the work is about, as the preferences have it; empty when there is none. */
  readonly task: string;
  /** What the map shows in place of a task's, where the preferences want it; `base` is undefined until git has said it. */
  readonly changes: { readonly base: string | undefined; readonly files: number } | undefined;
  /** Changes when a map may differ: index, task, what changed, what is being worked on, the map's budget. */
  readonly mapRevision: number;
  /** Kept up to date between snapshots, without a new `revision`: see `Workspace.onDidChangeIndex`. */
  readonly index: IndexProgress;
}

/** A change the host saw. Paths are workspace-relative. */
export type WorkspaceEvent =
  | { readonly kind: 'files'; readonly changed: readonly string[]; readonly removed: readonly string[] }
  /** Too many or unknown changes: list the folder again (unchanged content is not parsed again). */
  | { readonly kind: 'rescan' }
  | { readonly kind: 'editors' }
  | { readonly kind: 'diagnostics' }
  | { readonly kind: 'git' }
  /** Something was recorded; also told by a change of the log's file. */
  | { readonly kind: 'observations' };

export class Emitter<T = void> implements Disposable {
  readonly #listeners = new Set<(value: T) => void>();

  /** Calls `listener` with each value; disposing the result stops it. */
  on(listener: (value: T) => void): Disposable {
    this.#listeners.add(listener);
    return { dispose: () => this.#listeners.delete(listener) };
  }

  fire(value: T): void {
    for (const listener of [...this.#listeners]) listener(value);
  }

  /** Forgets all listeners. */
  dispose(): void {
    this.#listeners.clear();
  }
}

/** The current state of a workspace: read it when it is needed, keep none of it. */
export class WorkspaceState implements Disposable {
  /** Fires when a report no longer says what is known. */
  readonly reportWanted = new Emitter();
  readonly focus: WorkingFocus;
  config: Config = DEFAULT_CONFIG;
  preferences: WorkspacePreferences;
  /** As they were read last. */
  sections: readonly CollectedSection[] = [];
  /** What maps show in place of a task's; undefined where nothing changed or it was not chosen. */
  changes: ChangeSet | undefined;

  constructor(clock: Clock, preferences: WorkspacePreferences) {
    this.preferences = preferences;
    this.focus = new WorkingFocus(clock, () => this.reportWanted.fire());
  }

  /** The profile in force. */
  get profile(): Profile {
    return profileOf(this.config, this.preferences.profile);
  }

  /** What maps are made for: what changed or the task, else what is being worked on. */
  get query(): WorkingQuery {
    const { changes } = this;
    if (changes) {
      const paths = changes.files.slice(0, MAX_FOCUS).map(({ path }) => path);
      return { query: '', focusPaths: paths.sort(), changes };
    }
    const task = this.preferences.task?.trim() ?? '';
    const { focusPaths = [] } = this.preferences;
    return task === '' && focusPaths.length === 0 ? this.focus.current : { query: task, focusPaths };
  }

  dispose(): void {
    this.focus.dispose();
    this.reportWanted.dispose();
  }
}

/** What is worked on must stay the same for so long before maps follow: it changes often while the user looks around. */
const SETTLE_MS = 1000;

/** Decides when maps follow what is being worked on, so that they do not change with every click. */
export class WorkingFocus implements Disposable {
  #current: WorkingQuery | undefined;
  #offered: WorkingQuery | undefined;
  #timer: Disposable | undefined;

  /** @param onSettled called when an offer has come into force by itself */
  constructor(
    private readonly clock: Clock,
    private readonly onSettled: () => void,
  ) {}

  /** What maps are made for. */
  get current(): WorkingQuery {
    return this.#current ?? NO_WORK;
  }

  /** Tells what is worked on now. The first is in force at once, a later one when it has lasted a second. */
  offer(next: WorkingQuery): void {
    if (!this.#current) {
      this.#current = next;
      return;
    }
    if (this.#offered ? isSame(next, this.#offered) : isSame(next, this.#current)) return;
    this.#forget();
    if (isSame(next, this.#current)) return;
    this.#offered = next;
    this.#timer = this.clock.schedule(() => {
      if (this.settle()) this.onSettled();
    }, SETTLE_MS);
  }

  /** Puts the last offer in force now; true when that changed something. */
  settle(): boolean {
    const offered = this.#offered;
    this.#forget();
    if (!offered) return false;
    this.#current = offered;
    return true;
  }

  dispose(): void {
    this.#forget();
  }

  #forget(): void {
    this.#timer?.dispose();
    this.#timer = undefined;
    this.#offered = undefined;
  }
}

function isSame(a: WorkingQuery, b: WorkingQuery): boolean {
  return JSON.stringify([a.query, a.focusPaths]) === JSON.stringify([b.query, b.focusPaths]);
}
