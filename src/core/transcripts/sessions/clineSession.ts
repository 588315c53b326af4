/**
 * Sessions of Cline's command line: one JSON document with all messages, and one beside it that says the folder. Those of
 * the extension are brought into that shape (`clineTask.ts`).
 */
import { isRecord, type JsonRecord } from '../../text/jsonRecord';
import { countAt, instantAt, listAt, objectAt, objectsAt, textAt, textOfContent } from '../jsonFields';
import { clineTask } from './clineTask';
import type { LoggedCall, SessionEvent, SessionFormat, SessionReader, SessionSink } from './sessionLog';
import { answerBlocks, loggedCall, openAiUsage, partOfTool } from './toolParts';

/** The task itself stays in a window whose older half was removed. */
const KEPT = { kind: 'block', part: 'instructions', from: 'agent' } as const;

class ClineSession implements SessionReader {
  readonly #calls = new Map<string, LoggedCall>();

  constructor(
    private readonly sink: SessionSink,
    private readonly beside: JsonRecord | undefined,
  ) {
    const cwd = textAt(beside, 'cwd');
    if (cwd !== undefined) sink.head.cwd = cwd;
  }

  record(given: JsonRecord): void {
    const document = given.items === undefined ? given : clineTask(given, this.beside);
    const { head } = this.sink;
    const [id, cwd] = ['sessionId', 'cwd'].map((key) => textAt(document, key));
    if (id !== undefined) head.id = id;
    if (cwd !== undefined) head.cwd ??= cwd;
    const messages = objectsAt(document, 'messages');
    for (const [at, message] of messages.entries()) {
      const emit = (event: SessionEvent): void => this.sink.emit({ ...event, time: instantAt(message, 'ts') });
      emit({ kind: 'message', id: String(at) });
      const [from, to] = listAt(message, 'removed').map(Number);
      if (from !== undefined && to !== undefined) {
        emit({ kind: 'compaction', keepsFrom: String(to + 1) });
        for (const kept of messages.slice(0, from)) emit({ ...KEPT, text: textOfContent(kept.content) });
      }
      if (message.role === 'assistant') this.#answer(message, emit);
      else this.#user(message, emit);
    }
  }

  #answer(message: JsonRecord, emit: (event: SessionEvent) => void): void {
    const id = textAt(message, 'id') ?? '';
    const key = `${this.sink.head.id ?? ''}/${id}`;
    const metrics = objectAt(message, 'metrics');
    if (metrics) emit({ kind: 'request', id, key, model: textAt(objectAt(message, 'modelInfo'), 'id') });
    for (const block of answerBlocks(message, { type: 'tool_use', given: 'input' })) {
      if (block.call) this.#calls.set(block.call.id, block.call);
      emit(block);
    }
    if (!metrics) return;
    const usage = openAiUsage({
      window: countAt(metrics, 'inputTokens'),
      cacheRead: countAt(metrics, 'cacheReadTokens'),
      cacheWrite: countAt(metrics, 'cacheWriteTokens'),
      output: countAt(metrics, 'outputTokens'),
    });
    emit({ kind: 'usage', key, usage });
  }

  #user(message: JsonRecord, emit: (event: SessionEvent) => void): void {
    for (const block of objectsAt(message, 'content')) {
      if (block.type === 'tool_result') {
        const tool = textAt(block, 'name') ?? '';
        const use = textAt(block, 'tool_use_id') ?? '';
        // Older models write their calls as text.
        const call = this.#calls.get(use) ?? (block.path === undefined ? undefined : loggedCall(use, tool, block));
        const results = objectsAt(block, 'content');
        const text = typeof block.content === 'string' ? block.content : JSON.stringify(block.content ?? '');
        const isError = results.length > 0 && results.every((result) => isRecord(result) && result.success === false);
        emit({ kind: 'block', ...partOfTool(call?.tool ?? tool), from: 'result', text, call, isError });
      } else if (block.type === 'text') {
        const text = textAt(block, 'text') ?? '';
        const isPrompt = /<(?:user_input|task|user_message|feedback)\b/.test(text);
        if (isPrompt) emit({ kind: 'prompt' });
        emit({ kind: 'block', part: isPrompt ? 'user' : 'instructions', from: isPrompt ? 'user' : 'agent', text });
      }
    }
  }
}

export const clineSession: SessionFormat = {
  agent: 'cline',
  form: 'document',
  open: (sink, { beside }) => new ClineSession(sink, beside),
};
