/**
 * What a session's log says of the window, as events in the order of the log. A reader of one agent's format decides
 * what entered the window, which request read it and what the provider counted; it counts nothing itself.
 */
import type { JsonRecord } from '../../text/jsonRecord';

/** Agents whose sessions can be read. */
export const SESSION_AGENTS = [
  'claude-code',
  'codex',
  'gemini-cli',
  'qwen-code',
  'copilot-cli',
  'cline',
  'opencode',
  'pi',
] as const;

export type SessionAgent = (typeof SESSION_AGENTS)[number];

/** What text in the window is; `mcp` also has its server. */
export const WINDOW_PARTS = [
  'instructions',
  'user',
  'read',
  'search',
  'command',
  'edit',
  'mcp',
  'subagent',
  'web',
  'assistant',
  'thinking',
  'summary',
] as const;

export type WindowPart = (typeof WINDOW_PARTS)[number];

/** Tokens as the provider counted them. The first three are disjoint and add up to the window of the request. */
export interface RequestUsage {
  /** Neither read from nor written to the cache. */
  readonly input: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  /** Thinking included; undefined where the log does not say it reliably. */
  readonly output: number | undefined;
}

/** A tool call, on both its own block and its result's. */
export interface LoggedCall {
  /** What call and result share. */
  readonly id: string;
  readonly tool: string;
  /** The file it reads or edits, as the agent wrote it. */
  readonly path?: string | undefined;
  /** Lines of the file, such as `L1-L200`; undefined for all of it. */
  readonly range?: string | undefined;
}

/** A text that stays in the window from here on. */
export interface LoggedBlock {
  readonly kind: 'block';
  readonly part: WindowPart;
  /** The MCP server, for part `mcp`. */
  readonly server?: string | undefined;
  readonly text: string;
  /** Tokens of what is no text (a picture), beside those of the text. */
  readonly tokens?: number | undefined;
  /** Tokens of what the text is a summary of, which is in the window in its place: an estimate. */
  readonly summarized?: number | undefined;
  /** The log does not have it, agent or provider put it there: it counts as far as the next window has room for it. */
  readonly isAssumed?: boolean;
  readonly from: 'user' | 'model' | 'call' | 'result' | 'agent';
  readonly call?: LoggedCall | undefined;
  /** The arguments of a call, or the item that holds them. */
  readonly given?: JsonRecord | undefined;
  readonly isError?: boolean | undefined;
}

/** A request to the model begins: its window is what was logged before. */
export interface LoggedRequest {
  readonly kind: 'request';
  /** The provider's or the log's own id of it. */
  readonly id: string;
  /** Key of the request, which its copies in other logs share. */
  readonly key: string;
  readonly model: string | undefined;
}

/** What the provider counted for a request that began before; a later one for the same key takes its place. */
export interface LoggedUsage {
  readonly kind: 'usage';
  readonly key: string;
  readonly usage: RequestUsage;
  /** The request's key from now on, where the log says it only here. */
  readonly knownAs?: string | undefined;
  /** How long what was written to the cache is kept, in seconds. */
  readonly cacheSeconds?: number | undefined;
  /** Output that no block shows: the log hides the text, or has a summary of it. It stays in the window as thinking. */
  readonly hasHiddenThinking?: boolean | undefined;
  /** Of the output, what is thinking: the rest of it stays in the window. Undefined where the log does not say it surely. */
  readonly thinking?: number | undefined;
}

export type SessionEvent = (
  | LoggedBlock
  | LoggedRequest
  | LoggedUsage
  /** A person's message: the next turn. */
  | { readonly kind: 'prompt'; readonly id?: string | undefined }
  /** The agent says that it is done with its answer, and perhaps how long it took. */
  | { readonly kind: 'answered'; readonly durationMs?: number | undefined }
  /** Everything in the window goes, or all but the last messages; what else is kept is logged again behind it. */
  | {
      readonly kind: 'compaction';
      readonly keepsLast?: boolean;
      /** The message from which on all is kept. */
      readonly keepsFrom?: string | undefined;
    }
  /** Results of these calls leave the window. */
  | { readonly kind: 'cleared'; readonly calls: readonly string[] }
  /** A message that the window may go back to begins. */
  | { readonly kind: 'message'; readonly id: string }
  /** That message, and all behind it, leave the window; all of the window when no message has that id. */
  | { readonly kind: 'rewind'; readonly to: string }
  /** MCP servers that the model has, by the names that their tools have; of deferred ones it has only names of tools. */
  | { readonly kind: 'servers'; readonly names: readonly string[]; readonly areDeferred?: boolean }
) & {
  /** Milliseconds since the epoch. */
  readonly time?: number | undefined;
  /** The subagent whose window it is; undefined for the main one. */
  readonly subagent?: string | undefined;
};

/** What a log says of itself. Later values take the place of earlier ones only where the format says so. */
export interface SessionHead {
  id?: string;
  cwd?: string;
  /** The session it belongs to as a subagent, or was forked from. */
  parent?: { readonly id: string; readonly as: 'subagent' | 'fork' };
  /** The log begins in the middle of the session. */
  isCut?: boolean;
  /** The largest window of its model, as the log says. */
  windowTokens?: number;
}

/** What a reader writes to. */
export interface SessionSink {
  readonly head: SessionHead;
  emit(event: SessionEvent): void;
}

/** Reads the records of one log, in order. Never throws for what a record holds. */
export interface SessionReader {
  record(record: JsonRecord): void;
  /** Call once, after the last record. */
  end?(): void;
}

/**
 * One agent's format: JSON lines, one JSON document that is given as its only record, or messages in their order (each
 * with its `parts`), which stand in a database or in files of their own; the session's own record is then beside them.
 */
export interface SessionFormat {
  readonly agent: SessionAgent;
  readonly form: 'lines' | 'document' | 'messages';
  /** @param file the log's name without folder and extension, and what stands beside it where the format has that */
  open(sink: SessionSink, file: { readonly name: string; readonly beside?: JsonRecord | undefined }): SessionReader;
}
