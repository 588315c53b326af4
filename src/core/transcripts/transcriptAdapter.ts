/**
 * Readers of the transcripts that agents leave on disk: one small adapter an agent, all behind this interface. An adapter
 * decides what of a file is a user's message, an agent's text and a tool call. It opens no file, keeps nothing beyond the
 * turn it is in, and never throws for what a file holds: formats are the agents' own and change without notice.
 */
import type { RequestUsage } from './sessions/sessionLog';
import type { WorkspacePaths } from './workspacePaths';

/** What a tool call does, by the agent's own tool names. */
export type ToolKind = 'read' | 'edit' | 'search' | 'run' | 'context' | 'other';

/** One tool call of an agent. */
export interface ToolCall {
  /** As the agent names it. */
  readonly name: string;
  /** `context`: one of our own tools. */
  readonly kind: ToolKind;
  /** Files it names, workspace-relative with `/`; those outside the workspace are left out. */
  readonly paths: readonly string[];
  /** Handles and ids it asked for: `12`, `section:soul`, `sym:1f3a9c`. */
  readonly handles: readonly string[];
  /** Command line, query or edited text: whatever else the arguments say. */
  readonly input: string;
  /** What came back, at most 4,000 characters; empty when the transcript does not say. */
  readonly output: string;
  /** Undefined while the transcript has no result of it. */
  readonly isError: boolean | undefined;
}

/** One answer of an agent: from a user's message to the next. */
export interface AgentTurn {
  /** `<agent>:<session>:<turn>`, the same at every reading. */
  readonly key: string;
  /** `claude-code`, `codex`, `copilot-chat`, `aider`. */
  readonly agent: string;
  /** When it began, milliseconds since the epoch; undefined when the transcript does not say. */
  readonly startedAt: number | undefined;
  readonly userText: string;
  /** Everything the agent wrote for people in this turn, thinking left out. */
  readonly replyText: string;
  readonly toolCalls: readonly ToolCall[];
  /** Tokens of the last request of the turn, cached ones included. */
  readonly inputTokens: number | undefined;
  /** The model that answered last, as the transcript names it. */
  readonly model: string | undefined;
  /** Tokens of all requests of the turn; undefined when the transcript does not say them by their kinds. */
  readonly usage: RequestUsage | undefined;
  readonly responseMs: number | undefined;
}

/** Agents whose transcripts can be read. */
export const AGENT_NAMES = ['claude-code', 'codex', 'copilot-chat', 'aider'] as const;

export type AgentName = (typeof AGENT_NAMES)[number];

export function isAgentName(value: unknown): value is AgentName {
  return (AGENT_NAMES as readonly unknown[]).includes(value);
}

/** Where reading goes on the next time: before the turn that is not finished yet, else behind the last record. */
export interface ResumePoint {
  /** Bytes from the start of the file. */
  readonly offset: number;
  /** Lines before it. */
  readonly line: number;
  /** Turns before it. */
  readonly turns: number;
  /** What earlier records said of the session, which are not read again. */
  readonly session?: string | undefined;
  readonly cwd?: string | undefined;
  readonly model?: string | undefined;
}

/** What a reader is told about its file. */
export interface TranscriptContext {
  readonly paths: WorkspacePaths;
  /** Names the session where the file does not: the file's name without its extension. */
  readonly fileName: string;
  /** Bytes given first are those from `resume.offset` on; absent: from the start. */
  readonly resume?: ResumePoint | undefined;
}

/** A record that could not be read. Says nothing of its content. */
export interface BrokenRecord {
  /** 1-based. */
  readonly line: number;
  /** Such as `it is not JSON`, to follow `line 12: `. */
  readonly why: string;
}

/** What there is to say about a file once its bytes are read. */
export interface TranscriptEnd {
  /** The last turn, unless the transcript says that it is over; undefined when there is none or it belongs to another folder. */
  readonly open: AgentTurn | undefined;
  /** The agent said that it is done with the open turn. */
  readonly isAnswered: boolean;
  readonly resume: ResumePoint;
  /** Records of kinds that say nothing about turns, by kind. At most 50 kinds, then `other`. */
  readonly skipped: ReadonlyMap<string, number>;
  /** The first 100. */
  readonly broken: readonly BrokenRecord[];
  readonly brokenCount: number;
  /** Turns of other folders that the same file held. */
  readonly foreignTurns: number;
}

/** Reads one file, piece by piece. */
export interface TranscriptReader {
  /** Takes the next bytes, cut anywhere. @returns turns that are finished by them, in order */
  push(bytes: Uint8Array): readonly AgentTurn[];
  /** Call once, after the last bytes. */
  end(): { readonly turns: readonly AgentTurn[]; readonly end: TranscriptEnd };
}

/** One agent's format. */
export interface TranscriptAdapter {
  readonly agent: AgentName;
  /** Files only grow, so that reading can go on where it ended; others are read again as a whole. */
  readonly isAppendOnly: boolean;
  /** Tells by a file's path (any separator) and its first bytes as text (64 KiB are enough) whether it is this agent's. */
  isTranscript(path: string, head: string): boolean;
  /** The folder that the session worked in, as the first records say; undefined when they do not. */
  folderOf(head: string): string | undefined;
  open(context: TranscriptContext): TranscriptReader;
}
