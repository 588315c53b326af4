/**
 * Claude Code's sessions: `<config>/projects/<folder>/<session>.jsonl`, one record a line. The format is internal to
 * Claude Code; what is read here was seen in sessions of 1.0 to 2.1 (sources in AGENTS.md of the design). Records are read
 * by `sessions/claudeSession.ts`; subagents' own are passed over.
 */

import type { JsonRecord } from '../text/jsonRecord';
import { namesOfCommand } from './commandPaths';
import { asObject, cwdIn, objectsAt, parseObject, textAt } from './jsonFields';
import { lineReader, type RecordVerdict } from './recordReader';
import { claudeSession } from './sessions/claudeSession';
import { SessionTurns } from './sessionTurns';
import { handlesOfArguments, toolKinds } from './toolHandles';
import type { ToolKind, TranscriptAdapter, TranscriptContext, TranscriptReader } from './transcriptAdapter';
import type { CallStart, RecordPlace, TurnBuilder } from './turnBuilder';

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

const readCall = (name: string, given: JsonRecord, { paths, cwd }: TurnBuilder): Omit<CallStart, 'id'> => {
  const kind = kindOf(name);
  const command = kind === 'run' ? namesOfCommand(textAt(given, 'command') ?? '', paths, cwd) : undefined;
  const named = kind === 'other' || kind === 'context' ? [] : PATH_KEYS.flatMap((key) => textAt(given, key) ?? []);
  return {
    name,
    kind,
    paths: [...named.flatMap((path) => paths.relative(path, cwd) ?? []), ...(command?.paths ?? [])],
    handles: kind === 'context' ? handlesOfArguments(given) : (command?.handles ?? []),
    input: inputOf(kind, given),
  };
};

/** Of a record that says nothing about a turn. */
function kindOfRecord(record: JsonRecord): string {
  if (record.isMeta === true) return 'meta';
  if (record.isCompactSummary === true) return 'compaction summary';
  const type = textAt(record, 'type') ?? 'record without a type';
  if (type === 'user') return 'notice';
  if (type === 'assistant') return 'API error';
  return type === 'system' ? `system/${textAt(record, 'subtype') ?? type}` : type;
}

function open(context: TranscriptContext): TranscriptReader {
  let turns: SessionTurns | undefined;
  return lineReader(AGENT, context, (sink: TurnBuilder, text: string, place: RecordPlace): RecordVerdict => {
    const record = parseObject(text);
    if (!record) return { broken: 'it is no JSON object' };
    // A subagent's context is another one than the section was loaded into.
    if (record.isSidechain === true) return { skipped: 'sidechain' };
    sink.session = textAt(record, 'sessionId') ?? sink.session;
    sink.cwd = textAt(record, 'cwd') ?? sink.cwd;
    turns ??= new SessionTurns({ session: claudeSession, readCall }, context.fileName, sink);
    return turns.record(record, place) ? undefined : { skipped: kindOfRecord(record) };
  });
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
  open,
};
