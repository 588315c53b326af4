/**
 * The tools that agents are given, whatever the host: language model tools of the editor, the MCP server. A tool decides
 * what it answers within a budget; how it is called is up to the host (`runTool.ts` does what all hosts share).
 */

import type { Problem } from '../model/problem';
import { errorClass } from '../text/phrase';
import type { Workspace } from '../workspace/workspace';

/** Why a tool gives no answer. The list is what hosts may show: nothing else of a failure leaves them. */
export type ToolErrorReason =
  /** The arguments are not what the schema says. */
  | 'input'
  /** There is no such tool. */
  | 'noTool'
  /** Nothing has that handle, id or task; the same for what is not there and for what lies outside the folder. */
  | 'unknown'
  /** The budget is too small for any answer. */
  | 'budget'
  /** The folder keeps nothing of that kind here. */
  | 'unavailable'
  /** The text could not be scanned for secrets, so nothing is given. */
  | 'masking'
  /** Anything else; the host's log says more. */
  | 'failed';

/** A tool's failure, in words for a model: what was wrong and what to do; no absolute path, nothing of the cause. */
export class ToolError extends errorClass<ToolErrorReason>('ToolError') {}

/** What tools work with. Made by `toolHost.ts` from a workspace. */
export interface ToolHost {
  /** The engine masks what tools read of it: reports, maps, rows, details; not `snapshot.problems`. */
  readonly workspace: Workspace;
  /** The host's own counts, parallel to `texts`: those that its budget is counted in. */
  countTokens(texts: readonly string[]): Promise<readonly number[]>;
  /** What is wrong with the folder, without secrets. */
  problems(): Promise<readonly Problem[]>;
  /** Records that handles were expanded, as soon as the folder is counted; waits for that alone if it is. Never rejects. */
  cite(handles: readonly string[]): Promise<void>;
}

/** What one call is given beside its arguments. */
export interface ToolCall {
  /** Cap of the answer by the host's tokenizer; the profile's cap holds as well. */
  readonly budgetTokens?: number | undefined;
  readonly signal: AbortSignal;
}

/** A JSON Schema, as a plain object. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** A tool as hosts see it. */
export interface ContextTool {
  /** Letters, digits and `_`; a contract. */
  readonly name: string;
  /** For models, in as few words as do. */
  readonly description: string;
  /** What it changes, in words of the Model Context Protocol: nothing. */
  readonly annotations: { readonly readOnlyHint: boolean; readonly openWorldHint: boolean };
  inputSchema(): JsonSchema;
  /**
   * Answers within the budget, by whole rows, and says what is left out and which handle goes on; `undefined` when it was
   * cancelled. Text alone: of two forms some clients give the model the JSON, in which code costs an eighth more and is escaped.
   * Rejects with a `ToolError`, or with what the workspace rejects with.
   */
  run(input: unknown, host: ToolHost, call: ToolCall): Promise<string | undefined>;
}
