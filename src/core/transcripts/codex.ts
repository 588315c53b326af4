/**
 * Codex' sessions: `$CODEX_HOME/sessions/YYYY/MM/DD/rollout-….jsonl`. Two logs interleave: `response_item` is what the
 * model exchanged, and is read by `sessions/codexSession.ts`, `event_msg` what the terminal showed; most messages are in
 * both, so each is taken once.
 */
import type { JsonRecord } from '../text/jsonRecord';
import { freeCall, functionCall, runCall, toolOf } from './codexTools';
import { cwdIn, numberAt, objectAt, parseObject, plainUserText, textAt, textOfContent, timeAt } from './jsonFields';
import { lineReader, type RecordVerdict } from './recordReader';
import { codexSession } from './sessions/codexSession';
import { isAsked, SessionTurns } from './sessionTurns';
import { handlesOfArguments, isOwnTool } from './toolHandles';
import type { TranscriptAdapter, TranscriptContext, TranscriptReader } from './transcriptAdapter';
import type { CallStart, RecordPlace, TurnBuilder } from './turnBuilder';

const AGENT = 'codex';

function open(context: TranscriptContext): TranscriptReader {
  let turns: SessionTurns | undefined;
  return lineReader(AGENT, context, (sink: TurnBuilder, text: string, place: RecordPlace): RecordVerdict => {
    const record = parseObject(text);
    if (!record) return { broken: 'it is no JSON object' };
    const type = textAt(record, 'type') ?? 'record without a type';
    const payload = objectAt(record, 'payload');
    turns ??= new SessionTurns({ session: codexSession, readCall, isTwofold: true }, context.fileName, sink);
    const at = { place, time: timeAt(record, 'timestamp') };
    if (type === 'response_item') {
      if (turns.record(record, place)) return undefined;
      if (payload?.role === 'user') return { skipped: 'notice' };
      const kind = payload?.type === 'message' ? 'instructions' : (textAt(payload, 'type') ?? 'item without a type');
      return { skipped: `response_item/${kind}` };
    }
    const isCount = type === 'token_usage_record' || textAt(payload, 'type') === 'token_count';
    if (isCount) turns.record(record, place);
    else if (type === 'event_msg') return readEvent(sink, payload, at);
    else if (type === 'session_meta') {
      // A fork begins with the header of its own and goes on with its parent's.
      sink.session ??= textAt(payload, 'id');
      sink.cwd ??= textAt(payload, 'cwd');
    } else if (type === 'turn_context') {
      sink.cwd = textAt(payload, 'cwd') ?? sink.cwd;
      sink.model = textAt(payload, 'model') ?? sink.model;
    } else return { skipped: type };
    return undefined;
  });
}

function readCall(_: string, item: JsonRecord, sink: TurnBuilder): CallStart | undefined {
  const name = toolOf(item) ?? '';
  if (item.type === 'function_call') return functionCall(name, textAt(item, 'arguments') ?? '', sink);
  if (item.type === 'custom_tool_call') return freeCall(name, textAt(item, 'input') ?? '', sink);
  return item.type === 'local_shell_call' ? runCall('local_shell', objectAt(item, 'action'), sink) : undefined;
}

/** Where and when a record was written. */
interface RecordedAt {
  readonly place: RecordPlace;
  readonly time: number | undefined;
}

/** What one kind of event says. */
type Handler = (sink: TurnBuilder, said: JsonRecord | undefined, at: RecordedAt) => void;

const EVENTS: ReadonlyMap<string, Handler> = new Map<string, Handler>([
  ['agent_message', readAgentMessage],
  ['exec_command_end', readEnd],
  ['patch_apply_end', readEnd],
  ['mcp_tool_call_end', readServerCall],
  ['task_complete', readTurnEnd],
  ['turn_aborted', readTurnEnd],
]);

function readEvent(sink: TurnBuilder, event: JsonRecord | undefined, at: RecordedAt): RecordVerdict {
  const type = textAt(event, 'type') ?? 'event without a type';
  if (type === 'user_message') return readUser(sink, textAt(event, 'message') ?? '', at);
  const handler = EVENTS.get(type);
  if (!handler) return { skipped: `event_msg/${type}` };
  handler(sink, event, at);
  return undefined;
}

function readUser(sink: TurnBuilder, text: string, { place, time }: RecordedAt): RecordVerdict {
  const said = plainUserText(text);
  if (said.kind === 'notice') return { skipped: 'notice' };
  // Both logs have the message, one right after the other; another one before any answer is answered together with it.
  if (!isAsked(sink)) sink.begin({ place, userText: said.text, startedAt: time });
  else if (!sink.userText.includes(said.text)) sink.addUserText(said.text);
  return undefined;
}

function say(sink: TurnBuilder, text: string): void {
  if (!sink.hasSaid(text)) sink.say(text);
}

function readAgentMessage(sink: TurnBuilder, event: JsonRecord | undefined, { time }: RecordedAt): void {
  say(sink, textAt(event, 'message') ?? '');
  sink.activeAt(time);
}

function readTurnEnd(sink: TurnBuilder, _event: JsonRecord | undefined, { time }: RecordedAt): void {
  sink.activeAt(time);
  sink.finish();
}

/** What only the display log says of a shell command or a patch: how it ended, and the files. */
function readEnd(sink: TurnBuilder, event: JsonRecord | undefined): void {
  const exitCode = numberAt(event, 'exit_code');
  const isError = exitCode === undefined ? event?.success === false : exitCode !== 0;
  const changed = Object.keys(objectAt(event, 'changes') ?? {});
  const paths = changed.flatMap((path) => sink.paths.relative(path, sink.cwd) ?? []);
  sink.result(textAt(event, 'call_id'), { output: textAt(event, 'aggregated_output'), isError, paths });
}

/** A call of an MCP server; older rollouts have it in the display log alone. */
function readServerCall(sink: TurnBuilder, event: JsonRecord | undefined): void {
  const id = textAt(event, 'call_id');
  const called = objectAt(event, 'invocation');
  const tool = textAt(called, 'tool');
  if (id === undefined || tool === undefined) return;
  const answer = objectAt(event, 'result');
  const ok = objectAt(answer, 'Ok') ?? answer;
  const hasFailed = event?.error !== undefined && event.error !== null;
  const isError = hasFailed || answer?.Err !== undefined || ok?.isError === true || ok?.is_error === true;
  const result = { output: textOfContent(ok?.content), isError };
  if (sink.result(id, result)) return;
  const given = objectAt(called, 'arguments') ?? {};
  const name = `mcp__${textAt(called, 'server') ?? ''}__${tool}`;
  const own = isOwnTool(name) && ({ kind: 'context', handles: handlesOfArguments(given) } as const);
  sink.call({ id, name, kind: 'other', ...own, input: JSON.stringify(given) });
  sink.result(id, result);
}

export const codex: TranscriptAdapter = {
  agent: AGENT,
  isAppendOnly: true,
  isTranscript: (path, head) => /\.jsonl$/i.test(path) && /"type"\s*:\s*"session_meta"/.test(head.slice(0, 4_000)),
  // The header may hold instructions longer than the head; `cwd` stands before them.
  folderOf: (head) => textAt(objectAt(parseObject(head.split('\n', 1)[0] ?? ''), 'payload'), 'cwd') ?? cwdIn(head),
  open,
};
