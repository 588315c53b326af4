/**
 * Claude Code's sessions: `<config>/projects/<folder>/<session>.jsonl`, one record a line. The format is internal to
 * Claude Code; what is read here was seen in sessions of 1.0 to 2.1 (sources in AGENTS.md of the design). Thinking,
 * subagents' own records, summaries and everything the program says to itself are passed over.
 */

import type { JsonRecord } from '../text/jsonRecord';
import { namesOfCommand } from './commandPaths';
import {
  asObject,
  cwdIn,
  numberAt,
  objectAt,
  objectsAt,
  parseObject,
  plainUserText,
  textAt,
  textOfContent,
  timeAt,
} from './jsonFields';
import { lineReader, type RecordVerdict } from './recordReader';
import { handlesOfArguments, toolKinds } from './toolHandles';
import type { ToolKind, TranscriptAdapter } from './transcriptAdapter';
import type { CallStart, RecordPlace, TurnBuilder } from './turnBuilder';
import type { WorkspacePaths } from './workspacePaths';

const AGENT = 'claude-code';

/** Claude Code's own tools. Others (tasks, plans, the web, other servers) are `other`. */
const kindOf = toolKinds({
  read: 'Read NotebookRead',
  edit: 'Edit MultiEdit Write NotebookEdit',
  search: 'Grep Glob LS',
  run: 'Bash PowerShell',
});

/** Arguments that hold one path. */
const PATH_KEYS = ['file_path', 'notebook_path', 'path'];

/** What else the arguments say: command line, pattern, new text. */
function inputOf(kind: ToolKind, given: JsonRecord): string {
  if (kind === 'run') return textAt(given, 'command') ?? '';
  if (kind === 'search') return textAt(given, 'pattern') ?? '';
  if (kind === 'read') return '';
  if (kind !== 'edit') return JSON.stringify(given);
  const edits = objectsAt(given, 'edits').map((edit) => textAt(edit, 'new_string') ?? '');
  return [textAt(given, 'content'), textAt(given, 'new_string'), textAt(given, 'new_source'), ...edits]
    .filter((text) => text !== undefined && text !== '')
    .join('\n');
}

function toCall(block: JsonRecord, paths: WorkspacePaths, cwd: string | undefined): CallStart | undefined {
  const name = textAt(block, 'name');
  if (name === undefined || name === '') return undefined;
  const given = objectAt(block, 'input') ?? {};
  const kind = kindOf(name);
  const command = kind === 'run' ? namesOfCommand(textAt(given, 'command') ?? '', paths, cwd) : undefined;
  const named = kind === 'other' || kind === 'context' ? [] : PATH_KEYS.flatMap((key) => textAt(given, key) ?? []);
  return {
    id: textAt(block, 'id'),
    name,
    kind,
    paths: [...named.flatMap((path) => paths.relative(path, cwd) ?? []), ...(command?.paths ?? [])],
    handles: kind === 'context' ? handlesOfArguments(given) : (command?.handles ?? []),
    input: inputOf(kind, given),
  };
}

/** All input tokens of a request: new, written to the cache, and read from it. */
function tokensOf(usage: JsonRecord | undefined): number {
  const keys = ['input_tokens', 'cache_creation_input_tokens', 'cache_read_input_tokens'];
  return keys.reduce((sum, key) => sum + (numberAt(usage, key) ?? 0), 0);
}

function read(sink: TurnBuilder, text: string, place: RecordPlace): RecordVerdict {
  const record = parseObject(text);
  if (!record) return { broken: 'it is no JSON object' };
  const type = textAt(record, 'type') ?? 'record without a type';
  // A subagent's context is another one than the section was loaded into.
  if (record.isSidechain === true) return { skipped: 'sidechain' };
  sink.session = textAt(record, 'sessionId') ?? sink.session;
  sink.cwd = textAt(record, 'cwd') ?? sink.cwd;
  if (type === 'user') return readUser(sink, record, place);
  if (type === 'assistant') return readAssistant(sink, record);
  if (type === 'system') return readSystem(sink, record);
  if (type === 'attachment') return readAttachment(sink, record);
  return { skipped: type };
}

function readUser(sink: TurnBuilder, record: JsonRecord, place: RecordPlace): RecordVerdict {
  const message = objectAt(record, 'message');
  const startedAt = timeAt(record, 'timestamp');
  const results = objectsAt(message, 'content').filter((block) => block.type === 'tool_result');
  if (results.length > 0) {
    for (const block of results) {
      const isError = block.is_error === true;
      sink.result(textAt(block, 'tool_use_id'), { output: textOfContent(block.content), isError });
    }
    sink.activeAt(startedAt);
    return undefined;
  }
  if (record.isMeta === true) return { skipped: 'meta' };
  if (record.isCompactSummary === true) return { skipped: 'compaction summary' };
  if (message === undefined) return { skipped: 'user record without a message' };
  const said = plainUserText(textOfContent(message.content));
  if (said.kind === 'notice') return { skipped: 'notice' };
  sink.begin({ place, id: textAt(record, 'uuid'), userText: said.text, startedAt, cwd: textAt(record, 'cwd') });
  return undefined;
}

function readAssistant(sink: TurnBuilder, record: JsonRecord): RecordVerdict {
  const message = objectAt(record, 'message');
  if (record.isApiErrorMessage === true || message?.model === '<synthetic>') return { skipped: 'API error' };
  if (typeof message?.content === 'string') sink.say(message.content);
  for (const block of objectsAt(message, 'content')) {
    if (block.type === 'text') sink.say(textAt(block, 'text') ?? '');
    const call = block.type === 'tool_use' ? toCall(block, sink.paths, sink.cwd) : undefined;
    if (call) sink.call(call);
  }
  sink.usage(tokensOf(objectAt(message, 'usage')));
  sink.activeAt(timeAt(record, 'timestamp'));
  if (message?.stop_reason === 'end_turn' || message?.stop_reason === 'stop_sequence') sink.answered();
  return undefined;
}

function readSystem(sink: TurnBuilder, record: JsonRecord): RecordVerdict {
  const subtype = textAt(record, 'subtype') ?? 'system';
  const durationMs = numberAt(record, 'durationMs');
  if (subtype !== 'turn_duration' || durationMs === undefined) return { skipped: `system/${subtype}` };
  sink.tookMs(durationMs);
  sink.answered();
  return undefined;
}

/** What the user wrote while the agent was at work. */
function readAttachment(sink: TurnBuilder, record: JsonRecord): RecordVerdict {
  const attachment = objectAt(record, 'attachment');
  const isQueued = attachment?.type === 'queued_command' && attachment.commandMode === 'prompt';
  const said = isQueued ? plainUserText(textOfContent(attachment.prompt)) : undefined;
  if (said?.kind !== 'message') return { skipped: 'attachment' };
  sink.addUserText(said.text);
  return undefined;
}

/** The first records of a file's head; the last one may be cut. */
function recordsOf(head: string): readonly JsonRecord[] {
  return head
    .split('\n', 60)
    .map((line) => (line.trimStart().startsWith('{') ? parseObject(line) : undefined))
    .filter((record) => record !== undefined);
}

/** Records of Claude Code carry these two together; Codex and VS Code know neither. */
function isRecord(record: JsonRecord): boolean {
  return typeof record.sessionId === 'string' && asObject(record.message) !== undefined;
}

export const claudeCode: TranscriptAdapter = {
  agent: AGENT,
  isAppendOnly: true,
  isTranscript: (path, head) => /\.jsonl$/i.test(path) && recordsOf(head).some(isRecord),
  // A record is longer than the head when the first message is: its `cwd` may still be in it.
  folderOf: (head) => recordsOf(head).flatMap((record) => textAt(record, 'cwd') ?? [])[0] ?? cwdIn(head),
  open: (context) => lineReader(AGENT, context, read),
};
