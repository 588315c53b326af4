/**
 * Codex' sessions: `$CODEX_HOME/sessions/YYYY/MM/DD/rollout-….jsonl`. Two logs interleave: `response_item` is what the
 * model exchanged, `event_msg` what the terminal showed; most messages are in both, so each is taken once.
 */
import type { JsonRecord } from '../text/jsonRecord';
import { freeCall, functionCall, localShellCall, outputOf } from './codexTools';
import { cwdIn, numberAt, objectAt, parseObject, plainUserText, textAt, textOfContent, timeAt } from './jsonFields';
import { type RecordParser, RecordReader, type RecordVerdict, transcriptLines } from './recordReader';
import { handlesOfArguments, isOwnTool } from './toolHandles';
import type { TranscriptAdapter, TranscriptContext } from './transcriptAdapter';
import { type RecordPlace, TurnBuilder } from './turnBuilder';
import type { WorkspacePaths } from './workspacePaths';

const AGENT = 'codex';

class CodexParser implements RecordParser {
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
    const payload = objectAt(record, 'payload');
    const time = timeAt(record, 'timestamp');
    switch (type) {
      case 'session_meta':
        // A fork begins with the header of its own and goes on with its parent's.
        this.sink.session ??= textAt(payload, 'id');
        this.sink.cwd ??= textAt(payload, 'cwd');
        return undefined;
      case 'turn_context':
        this.sink.cwd = textAt(payload, 'cwd') ?? this.sink.cwd;
        return undefined;
      case 'response_item':
        return this.#readItem(payload, place, time);
      case 'event_msg':
        return this.#readEvent(payload, place, time);
      default:
        return { skipped: type };
    }
  }

  #readItem(item: JsonRecord | undefined, place: RecordPlace, time: number | undefined): RecordVerdict {
    const type = textAt(item, 'type') ?? 'item without a type';
    if (type === 'message') return this.#readMessage(item, place, time);
    this.sink.activeAt(time);
    const id = textAt(item, 'call_id') ?? textAt(item, 'id');
    const at = { paths: this.#paths, cwd: this.sink.cwd };
    switch (type) {
      case 'function_call':
        this.sink.call({ ...functionCall(nameOf(item), textAt(item, 'arguments') ?? '', at), id });
        return undefined;
      case 'custom_tool_call':
        this.sink.call({ ...freeCall(nameOf(item), textAt(item, 'input') ?? '', at), id });
        return undefined;
      case 'local_shell_call':
        this.sink.call({ ...localShellCall(objectAt(item, 'action'), at), id });
        return undefined;
      case 'function_call_output':
      case 'custom_tool_call_output':
      case 'local_shell_call_output':
        if (id !== undefined) this.sink.result(id, outputOf(item?.output));
        return undefined;
      default:
        return { skipped: `response_item/${type}` };
    }
  }

  #readMessage(item: JsonRecord | undefined, place: RecordPlace, time: number | undefined): RecordVerdict {
    const role = textAt(item, 'role');
    const text = textOfContent(item?.content);
    if (role === 'user') return this.#readUser(text, place, time);
    if (role !== 'assistant') return { skipped: 'response_item/instructions' };
    this.#say(text, time);
    return undefined;
  }

  #readUser(text: string, place: RecordPlace, time: number | undefined): RecordVerdict {
    const said = plainUserText(text);
    if (said.kind === 'notice') return { skipped: 'notice' };
    const { sink } = this;
    // Both logs have the message, one right after the other; another one before any answer is answered together with it.
    if (!sink.isOpen || sink.hasActivity) sink.begin({ place, userText: said.text, startedAt: time });
    else if (!sink.userText.includes(said.text)) sink.addUserText(said.text);
    return undefined;
  }

  #say(text: string, time: number | undefined): void {
    if (!this.sink.hasSaid(text)) this.sink.say(text);
    this.sink.activeAt(time);
  }

  #readEvent(event: JsonRecord | undefined, place: RecordPlace, time: number | undefined): RecordVerdict {
    const type = textAt(event, 'type') ?? 'event without a type';
    switch (type) {
      case 'user_message':
        return this.#readUser(textAt(event, 'message') ?? '', place, time);
      case 'agent_message':
        this.#say(textAt(event, 'message') ?? '', time);
        return undefined;
      case 'token_count':
        this.sink.usage(numberAt(objectAt(objectAt(event, 'info'), 'last_token_usage'), 'input_tokens') ?? 0);
        return undefined;
      case 'exec_command_end':
      case 'patch_apply_end':
        this.#readEnd(event);
        return undefined;
      case 'mcp_tool_call_end':
        this.#readServerCall(event);
        return undefined;
      case 'task_complete':
      case 'turn_aborted':
        this.sink.activeAt(time);
        this.sink.finish();
        return undefined;
      default:
        return { skipped: `event_msg/${type}` };
    }
  }

  /** What only the display log says of a shell command or a patch: how it ended, and the files. */
  #readEnd(event: JsonRecord | undefined): void {
    const id = textAt(event, 'call_id');
    if (id === undefined) return;
    const exitCode = numberAt(event, 'exit_code');
    const isError = exitCode === undefined ? event?.success === false : exitCode !== 0;
    const paths = Object.keys(objectAt(event, 'changes') ?? {}).flatMap((path) => this.#relative(path) ?? []);
    this.sink.result(id, { output: textAt(event, 'aggregated_output'), isError, paths });
  }

  /** A call of an MCP server; older rollouts have it in the display log alone. */
  #readServerCall(event: JsonRecord | undefined): void {
    const id = textAt(event, 'call_id');
    const called = objectAt(event, 'invocation');
    const tool = textAt(called, 'tool');
    if (id === undefined || tool === undefined) return;
    const answer = objectAt(event, 'result');
    const ok = objectAt(answer, 'Ok') ?? answer;
    const hasFailed = event?.error !== undefined && event.error !== null;
    const isError = hasFailed || answer?.Err !== undefined || ok?.isError === true || ok?.is_error === true;
    const result = { output: textOfContent(ok?.content), isError };
    if (this.sink.result(id, result)) return;
    const given = objectAt(called, 'arguments') ?? {};
    const name = `mcp__${textAt(called, 'server') ?? ''}__${tool}`;
    const isOwn = isOwnTool(name);
    this.sink.call({
      id,
      name,
      kind: isOwn ? 'context' : 'other',
      handles: isOwn ? handlesOfArguments(given) : [],
      input: JSON.stringify(given),
    });
    this.sink.result(id, result);
  }

  #relative(path: string): string | undefined {
    return this.#paths.relative(path, this.sink.cwd);
  }
}

/** With the server before it where a newer rollout has that apart. */
function nameOf(item: JsonRecord | undefined): string {
  const name = textAt(item, 'name') ?? '';
  const namespace = textAt(item, 'namespace');
  return namespace === undefined || namespace === '' ? name : `${namespace}__${name}`;
}

function headOf(head: string): JsonRecord | undefined {
  return parseObject(head.split('\n', 1)[0] ?? '');
}

export const codex: TranscriptAdapter = {
  agent: AGENT,
  isAppendOnly: true,
  isTranscript: (path, head) => /\.jsonl$/i.test(path) && /"type"\s*:\s*"session_meta"/.test(head.slice(0, 4_000)),
  folderOf: (head) => {
    // The header may hold instructions longer than the head; `cwd` stands before them.
    return textAt(objectAt(headOf(head), 'payload'), 'cwd') ?? cwdIn(head);
  },
  open: (context) => new RecordReader(transcriptLines(context), new CodexParser(context)),
};
