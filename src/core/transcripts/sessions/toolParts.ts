/** Which part of the window a tool's calls and results are, by the agents' own tool names. */

import type { JsonRecord } from '../../text/jsonRecord';
import { numberAt, objectAt, objectsAt, textAt } from '../jsonFields';
import type { LoggedBlock, LoggedCall, RequestUsage, WindowPart } from './sessionLog';

/** Names of all agents together: no two agents use one name for different things. */
const NAMES: Readonly<Partial<Record<WindowPart, string>>> = {
  read: 'Read NotebookRead read view read_file read_files read_many_files view_image open',
  search:
    'Grep Glob LS grep glob list ls search search_files search_file_content grep_search list_files list_dir list_directory list_code_definition_names rg codebase_search file_search',
  command:
    'Bash BashOutput KillShell KillBash PowerShell bash shell shell_command exec_command write_stdin local_shell run_shell_command run_command run_commands execute_command read_bash write_bash stop_bash read_powershell write_powershell list_bash unified_exec container.exec exec wait TaskOutput Monitor',
  edit: 'Edit MultiEdit Write NotebookEdit edit write create patch apply_patch replace write_file write_to_file replace_in_file editor str_replace str_replace_editor insert multiedit',
  subagent:
    'Task Agent task spawn_agent send_input wait_agent close_agent use_subagents new_task read_agent SendMessage',
  web: 'WebFetch WebSearch webfetch websearch web_fetch web_search google_web_search fetch_web_content web_search_call',
  instructions: 'Skill skill skills activate_skill ToolSearch',
};

const PARTS: ReadonlyMap<string, WindowPart> = new Map(
  Object.entries(NAMES).flatMap(([part, names]) => names.split(' ').map((name) => [name, part as WindowPart])),
);

/** `mcp__server__tool` of Claude Code, Codex and Qwen. */
const SERVER_TOOL = /^mcp__(.+?)__./;

/** The part of a tool, and its server. Plans, questions and the like are the assistant's. */
export function partOfTool(tool: string, server?: string): { readonly part: WindowPart; readonly server?: string } {
  const named = server ?? SERVER_TOOL.exec(tool)?.[1];
  if (named !== undefined) return { part: 'mcp', server: named };
  return { part: PARTS.get(tool) ?? 'assistant' };
}

const PATH_KEYS = ['file_path', 'filePath', 'absolute_path', 'path', 'notebook_path', 'target_file'];
const FIRST_KEYS = ['offset', 'start_line', 'startLine'];
const LENGTH_KEYS = ['limit', 'lines'];

function firstNumber(given: JsonRecord, keys: readonly string[]): number | undefined {
  return keys.map((key) => numberAt(given, key)).find((value) => value !== undefined);
}

/** A call as later stages know it. A range is what was asked for: `L1-L200`, `L40-` without an end. */
export function loggedCall(id: string, tool: string, given: JsonRecord): LoggedCall {
  const path = PATH_KEYS.map((key) => textAt(given, key)).find((value) => value !== undefined);
  const first = firstNumber(given, FIRST_KEYS);
  const length = firstNumber(given, LENGTH_KEYS);
  const end = numberAt(given, 'end_line') ?? numberAt(given, 'endLine');
  const [from, to] = Array.isArray(given.view_range) ? given.view_range : [];
  if (typeof from === 'number') return { id, tool, path, range: `L${from}-L${String(to)}` };
  if (first === undefined && length === undefined && end === undefined) return { id, tool, path };
  const start = first ?? 1;
  const last = end ?? (length === undefined ? undefined : start + length - 1);
  return { id, tool, path, range: `L${start}-${last === undefined ? '' : `L${last}`}` };
}

/** A call as what it adds to the window. */
export function callBlock(call: LoggedCall, given: JsonRecord, server?: string): LoggedBlock {
  const text = `${call.tool} ${JSON.stringify(given)}`;
  return { kind: 'block', ...partOfTool(call.tool, server), from: 'call', text, call };
}

/**
 * What an answer's content adds to the window: texts, thoughts and calls.
 * @param calls the type of blocks that are calls, and where their arguments are
 */
export function* answerBlocks(
  message: JsonRecord,
  calls: { readonly type: string; readonly given: string },
): Generator<LoggedBlock> {
  for (const block of objectsAt(message, 'content')) {
    if (block.type === calls.type) {
      const given = objectAt(block, calls.given) ?? {};
      yield callBlock(loggedCall(textAt(block, 'id') ?? '', textAt(block, 'name') ?? '', given), given);
    } else {
      const part = block.type === 'thinking' ? 'thinking' : 'assistant';
      yield { kind: 'block', part, from: 'model', text: textAt(block, 'thinking') ?? textAt(block, 'text') ?? '' };
    }
  }
}

/** Figures of providers that count the cache inside the input; `window` is all that was read. Absent ones are 0. */
export function openAiUsage(given: {
  readonly window: number | undefined;
  readonly cacheRead?: number | undefined;
  readonly cacheWrite?: number | undefined;
  readonly output: number | undefined;
}): RequestUsage {
  const window = Math.max(0, given.window ?? 0);
  const cacheRead = Math.min(window, Math.max(0, given.cacheRead ?? 0));
  const cacheWrite = Math.min(window - cacheRead, Math.max(0, given.cacheWrite ?? 0));
  return { input: window - cacheRead - cacheWrite, cacheRead, cacheWrite, output: given.output };
}
