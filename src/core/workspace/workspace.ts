/**
 * One folder, watched, as a stream of snapshots. Editor, CLI and MCP server drive this interface;
 * `contextWorkspace.ts` implements it over ports. It decides when to collect again, never how anything looks.
 */
import type { AgentCoverage } from '../agents/agentCoverage';
import type { FileNotice } from '../agents/stale/stalePaths';
import type { Config } from '../config/config';
import type { ContextEngine } from '../engine/engine';
import type { MapResult } from '../engine/map';
import type { FileParser } from '../engine/parser';
import type { Problem } from '../model/problem';
import type { Profile } from '../model/profile';
import type { ContextReport } from '../model/report';
import type { PayloadMode } from '../model/section';
import type { ObservationLog } from '../observations/observationLog';
import type { ObservationService } from '../observations/observationService';
import type {
  CacheStore,
  Clock,
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
import type { CitingTurn } from '../usage/citations/findCitations';
import type { UsageLog } from '../usage/usageLog';
import type { Citation } from '../usage/usageRecord';
import type { UsageService } from '../usage/usageService';
import type { DetailAnswer, ResolvedHandles } from './detailResolver';

/** Everything a workspace needs from its host. */
export interface WorkspacePorts {
  readonly files: FileSource;
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
  /** What the payload is wanted for, besides the task: matched against sections like it. */
  readonly trigger?: string | undefined;
  /** Characters that payloads may have where the profile allows more; for receivers with a cap of their own. */
  readonly maxChars?: number | undefined;
  /** The file that is worked on, workspace-relative, where there is no editor to say so. */
  readonly activePath?: string | undefined;
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
  /** What is to say about places of these files, by path and line. */
  readonly notices: readonly FileNotice[];
  /** What the work is about, as the preferences have it; empty when there is none. */
  readonly task: string;
  /** Changes when a map may differ: index, task, what is being worked on, the map's budget. */
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

export interface Workspace extends Disposable {
  readonly snapshot: WorkspaceSnapshot;
  /** What is wrong now, before the next snapshot says so. */
  readonly problems: readonly Problem[];
  /** What happened, in layers; undefined where the host keeps no observations. Follows the config's path. */
  readonly observations: ObservationService | undefined;
  /** How payloads were used; undefined where the host keeps no log. Follows the config's path; what is recorded makes a new snapshot. */
  readonly usage: UsageService | undefined;
  /** Called after each new snapshot; disposing the result stops it. */
  onDidChange(listener: (snapshot: WorkspaceSnapshot) => void): Disposable;
  /** Called when `snapshot.index` changed: at once for a new phase, else at most four times a second. */
  onDidChangeIndex(listener: (index: IndexProgress) => void): Disposable;
  /** Ends the work on the symbol index until `resumeIndexing`; what is indexed stays in use. Nothing happens when it is ready. */
  stopIndexing(): void;
  resumeIndexing(): void;
  /** Begins to collect; later calls do nothing. A map for a task and `whenListed` need no start. */
  start(): void;
  /** Resolves with a snapshot of the config once files are listed. Makes no report; one may be there. */
  whenListed(signal?: AbortSignal): Promise<WorkspaceSnapshot>;
  /** Resolves with a snapshot of config and sections; symbols may still be missing, and what is slow to read. */
  whenCollected(signal?: AbortSignal): Promise<WorkspaceSnapshot>;
  /** Resolves with a complete, exact snapshot that includes every event notified before the call. */
  whenReady(signal?: AbortSignal): Promise<WorkspaceSnapshot>;
  /** The complete report as it is now with its secrets. */
  unmasked(): Promise<ContextReport>;
  notify(event: WorkspaceEvent): void;
  update(preferences: Partial<WorkspacePreferences>): void;
  /** Forgets everything read and collects again. */
  refresh(): void;
  detail(handles: readonly string[], options?: SecretOptions): Promise<DetailAnswer>;
  /** The whole texts behind handles, for hosts that fit them themselves. Waits for symbols only where a handle needs them. */
  resolve(handles: readonly string[]): Promise<ResolvedHandles>;
  /** Whether a `file:` handle may open the file at `path`, normalized; says nothing of whether it is there. */
  isOpenable(path: string): Promise<boolean>;
  /** What did not come from the engine, such as messages of problems, without secrets. @throws NotScanned */
  masked<T>(value: T): Promise<T>;
  /** Exact counts by the preferences' tokenizer, parallel to `texts`. */
  countTokens(texts: readonly string[]): Promise<readonly number[]>;
  /** For a task: as soon as the files that it may show are in the index as they are now; no section is waited for. */
  map(options: MapOptions): Promise<MapResult>;
  /**
   * What of the payload as it is now each turn gives evidence of having used, parallel to the turns; of the expanded one
   * unless told. Waits for a complete snapshot. Nothing is recorded.
   */
  findCitations(turns: readonly CitingTurn[], payload?: PayloadMode): Promise<readonly (readonly Citation[])[]>;
}
