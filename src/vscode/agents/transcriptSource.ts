import type * as vscode from 'vscode';
import type { ContextReport } from '../../core/model/report';
import type { AgentName } from '../../core/transcripts/transcriptAdapter';
import type { UsageDraft } from '../../core/usage/usageRecord';
import type { Workspace } from '../../core/workspace/workspace';

/** What to look for in a folder's transcripts. */
export interface TranscriptLook {
  readonly report: ContextReport;
  readonly workspace: Workspace;
  readonly signal: AbortSignal;
  /** Files are read until so much was; the rest is for the next look. Everything unless given. */
  readonly maxBytes?: number;
}

/** What a look gave. */
export interface FoundTurns {
  readonly turns: number;
  /** Oldest first. */
  readonly drafts: readonly UsageDraft[];
  /** Keeps how far was read; for after the drafts are recorded. */
  commit(): Promise<void>;
}

/** The transcripts on this machine; made in a host's composition root, absent in hosts without a disk. */
export interface TranscriptSource {
  /** New turns of the folder. */
  look(folder: vscode.WorkspaceFolder, agents: readonly AgentName[], look: TranscriptLook): Promise<FoundTurns>;
  /** All turns of one file. Rejects with words for the user when it is no transcript of the folder. */
  open(folder: vscode.WorkspaceFolder, file: vscode.Uri, look: TranscriptLook): Promise<FoundTurns>;
}
