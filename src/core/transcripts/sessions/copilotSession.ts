/** Copilot CLI's sessions. Older versions count only what the model wrote: their windows are counted here. */
import type { JsonRecord } from '../../text/jsonRecord';
import { countAt, objectAt, objectsAt, textAt, textOfContent, timeAt } from '../jsonFields';
import type { LoggedCall, SessionEvent, SessionFormat, SessionReader, SessionSink } from './sessionLog';
import { callBlock, loggedCall, openAiUsage, partOfTool } from './toolParts';

class CopilotSession implements SessionReader {
  readonly #calls = new Map<string, { readonly call: LoggedCall; readonly server?: string | undefined }>();
  /** A request with figures whose answer is still to come, in the main window. */
  #isCounted = false;

  constructor(private readonly sink: SessionSink) {}

  record(record: JsonRecord): void {
    const data = objectAt(record, 'data');
    const at = { time: timeAt(record, 'timestamp'), subagent: textAt(data, 'parentToolCallId') };
    const emit = (event: SessionEvent): void => this.sink.emit({ ...event, ...at });
    const type = textAt(record, 'type');
    if (type === 'session.start') this.#start(data);
    else if (type === 'user.message') readUser(data, emit);
    else if (type === 'session.usage_record') this.#usage(data, textAt(record, 'id') ?? '', emit);
    else if (type === 'assistant.message') this.#answer(data, textAt(record, 'id') ?? '', emit);
    else if (type === 'tool.execution_start') this.#began(data);
    else if (type === 'tool.execution_complete') this.#result(data, emit);
    else if (type === 'session.compaction_complete' && data?.success !== false) {
      emit({ kind: 'compaction' });
      emit({ kind: 'block', part: 'summary', from: 'agent', text: textAt(data, 'summaryContent') ?? '' });
    }
  }

  #start(data: JsonRecord | undefined): void {
    const { head } = this.sink;
    const id = textAt(data, 'sessionId');
    const cwd = textAt(objectAt(data, 'context'), 'cwd');
    if (id !== undefined) head.id ??= id;
    if (cwd !== undefined) head.cwd ??= cwd;
  }

  #usage(data: JsonRecord | undefined, id: string, emit: (event: SessionEvent) => void): void {
    const given = objectAt(data, 'usage');
    if (!given) return;
    const key = `${this.sink.head.id ?? ''}/${textAt(given, 'apiCallId') ?? textAt(data, 'apiCallId') ?? id}`;
    this.#isCounted = true;
    emit({ kind: 'request', id: key.slice(key.indexOf('/') + 1), key, model: textAt(given, 'model') });
    const usage = openAiUsage({
      window: countAt(given, 'inputTokens'),
      cacheRead: countAt(given, 'cacheReadTokens'),
      cacheWrite: countAt(given, 'cacheWriteTokens'),
      output: countAt(given, 'outputTokens'),
    });
    emit({ kind: 'usage', key, usage });
  }

  #answer(data: JsonRecord | undefined, id: string, emit: (event: SessionEvent) => void): void {
    const key = `${this.sink.head.id ?? ''}/${id}`;
    if (!this.#isCounted) emit({ kind: 'request', id, key, model: textAt(data, 'model') });
    this.#isCounted = false;
    emit({ kind: 'block', part: 'assistant', from: 'model', text: textAt(data, 'content') ?? '' });
    for (const asked of objectsAt(data, 'toolRequests')) {
      const tool = textAt(asked, 'name') ?? '';
      const given = objectAt(asked, 'arguments') ?? {};
      const call = loggedCall(textAt(asked, 'toolCallId') ?? '', tool, given);
      const server = textAt(asked, 'mcpServerName');
      this.#calls.set(call.id, { call, server });
      emit(callBlock(call, given, server));
    }
  }

  /** Says the server where the answer did not. */
  #began(data: JsonRecord | undefined): void {
    const server = textAt(data, 'mcpServerName');
    const known = this.#calls.get(textAt(data, 'toolCallId') ?? '');
    if (known && server !== undefined) this.#calls.set(known.call.id, { ...known, server });
  }

  #result(data: JsonRecord | undefined, emit: (event: SessionEvent) => void): void {
    const known = this.#calls.get(textAt(data, 'toolCallId') ?? '');
    const result = objectAt(data, 'result') ?? objectAt(data, 'error');
    const text = textOfContent(result?.content ?? result?.message);
    const { part, server } = partOfTool(known?.call.tool ?? '', known?.server);
    emit({ kind: 'block', part, server, from: 'result', text, call: known?.call, isError: data?.success === false });
  }
}

function readUser(data: JsonRecord | undefined, emit: (event: SessionEvent) => void): void {
  const text = textAt(data, 'content') ?? '';
  const sent = textAt(data, 'transformedContent') ?? '';
  // Skills and notices come as messages of a user too.
  const isPerson = data?.source === undefined || data.source === 'user';
  if (isPerson) emit({ kind: 'prompt' });
  emit({ kind: 'block', part: isPerson ? 'user' : 'instructions', from: isPerson ? 'user' : 'agent', text });
  if (sent.includes(text)) emit({ kind: 'block', part: 'instructions', from: 'agent', text: sent.replace(text, '') });
}

export const copilotSession: SessionFormat = {
  agent: 'copilot-cli',
  form: 'lines',
  open: (sink) => new CopilotSession(sink),
};
