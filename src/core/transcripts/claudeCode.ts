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
import { type RecordParser, RecordReader, type RecordVerdict, transcriptLines } from './recordReader';
import { handlesOfArguments, toolKinds } from './toolHandles';
import type { ToolKind, TranscriptAdapter, TranscriptContext } from './transcriptAdapter';
import { type CallStart, type RecordPlace, TurnBuilder } from './turnBuilder';
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

class ClaudeCodeParser implements RecordParser {
  readonly sink: TurnBuilder;
  readonly #paths: WorkspacePaths;

  constructor(context: TranscriptContext) {
    this.sink = new TurnBuilder(AGENT, context);
    this.#paths = context.paths;
  }

  read(text: string, place: RecordPlace): RecordVerdict {
    const record = parseObject(text);
    if (!record) return { broken: 'it is no JSON object' };
    const type = textAt(record, 'type') ?? 'record without a type';
    // A subagent's context is another one than the section was loaded into.
    if (record.isSidechain === true) return { skipped: 'sidechain' };
    this.sink.session = textAt(record, 'sessionId') ?? this.sink.session;
    this.sink.cwd = textAt(record, 'cwd') ?? this.sink.cwd;
    if (type === 'user') return this.#readUser(record, place);
    if (type === 'assistant') return this.#readAssistant(record);
    if (type === 'system') return this.#readSystem(record);
    if (type === 'attachment') return this.#readAttachment(record);
    return { skipped: type };
  }

  #readUser(record: JsonRecord, place: RecordPlace): RecordVerdict {
    const message = objectAt(record, 'message');
    const content = message?.content;
    const results = objectsAt(message, 'content').filter((block) => block.type === 'tool_result');
    if (results.length > 0) {
      for (const block of results) this.#readResult(block);
      this.sink.activeAt(timeAt(record, 'timestamp'));
      return undefined;
    }
    if (record.isMeta === true) return { skipped: 'meta' };
    if (record.isCompactSummary === true) return { skipped: 'compaction summary' };
    if (message === undefined) return { skipped: 'user record without a message' };
    const said = plainUserText(textOfContent(content));
    if (said.kind === 'notice') return { skipped: 'notice' };
    this.sink.begin({
      place,
      id: textAt(record, 'uuid'),
      userText: said.text,
      startedAt: timeAt(record, 'timestamp'),
      cwd: textAt(record, 'cwd'),
    });
    return undefined;
  }

  #readResult(block: JsonRecord): void {
    const id = textAt(block, 'tool_use_id');
    const output = textOfContent(block.content);
    if (id !== undefined) this.sink.result(id, { output, isError: block.is_error === true });
  }

  #readAssistant(record: JsonRecord): RecordVerdict {
    const message = objectAt(record, 'message');
    if (record.isApiErrorMessage === true || message?.model === '<synthetic>') return { skipped: 'API error' };
    if (typeof message?.content === 'string') this.sink.say(message.content);
    for (const block of objectsAt(message, 'content')) this.#readBlock(block);
    this.sink.usage(tokensOf(objectAt(message, 'usage')));
    this.sink.activeAt(timeAt(record, 'timestamp'));
    if (message?.stop_reason === 'end_turn' || message?.stop_reason === 'stop_sequence') this.sink.answered();
    return undefined;
  }

  #readBlock(block: JsonRecord): void {
    if (block.type === 'text') this.sink.say(textAt(block, 'text') ?? '');
    if (block.type !== 'tool_use') return;
    const call = toCall(block, this.#paths, this.sink.cwd);
    if (call) this.sink.call(call);
  }

  #readSystem(record: JsonRecord): RecordVerdict {
    const subtype = textAt(record, 'subtype') ?? 'system';
    const durationMs = numberAt(record, 'durationMs');
    if (subtype !== 'turn_duration' || durationMs === undefined) return { skipped: `system/${subtype}` };
    this.sink.tookMs(durationMs);
    this.sink.answered();
    return undefined;
  }

  /** What the user wrote while the agent was at work. */
  #readAttachment(record: JsonRecord): RecordVerdict {
    const attachment = objectAt(record, 'attachment');
    const isQueued = attachment?.type === 'queued_command' && attachment.commandMode === 'prompt';
    const said = isQueued ? plainUserText(textOfContent(attachment.prompt)) : undefined;
    if (said?.kind !== 'message') return { skipped: 'attachment' };
    this.sink.addUserText(said.text);
    return undefined;
  }
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
  folderOf: (head) => {
    // A record is longer than the head when the first message is: its `cwd` may still be in it.
    return recordsOf(head).flatMap((record) => textAt(record, 'cwd') ?? [])[0] ?? cwdIn(head);
  },
  open: (context) => new RecordReader(transcriptLines(context), new ClaudeCodeParser(context)),
};
