/**
 * Gemini CLI's sessions, and those of Qwen Code, which came from it. Gemini writes a message again when the results of its
 * calls are there, and a whole history when one is resumed or compressed.
 */
import type { JsonRecord } from '../../text/jsonRecord';
import {
  addedUserText,
  countAt,
  objectAt,
  objectsAt,
  plainUserText,
  textAt,
  textOfContent,
  timeAt,
} from '../jsonFields';
import type { LoggedCall, SessionEvent, SessionFormat, SessionReader, SessionSink } from './sessionLog';
import { callBlock, loggedCall, openAiUsage, partOfTool } from './toolParts';

type Emit = (event: SessionEvent) => void;

/** What the program says to itself in a user's message. */
const CONTEXT = /^\s*(?:<session_context>|This is the (?:Gemini CLI|Qwen Code))/;

function readUser(text: string, emit: Emit): void {
  if (text === '') return;
  const said = CONTEXT.test(text) ? undefined : plainUserText(text);
  if (said === undefined || said.kind === 'notice') {
    emit({ kind: 'block', part: 'instructions', from: 'agent', text });
    return;
  }
  emit({ kind: 'prompt' });
  emit({ kind: 'block', part: 'user', from: 'user', text: said.kind === 'command' ? text : said.text });
  emit({ kind: 'block', part: 'instructions', from: 'agent', text: addedUserText(text) });
}

/** Calls and results of one log, each given out once. */
class Calls {
  readonly #calls = new Map<string, LoggedCall>();
  readonly #results = new Set<string>();

  begin(id: string, tool: string, given: JsonRecord, emit: Emit): void {
    if (this.#calls.has(id)) return;
    const call = loggedCall(id, tool, given);
    this.#calls.set(id, call);
    emit(callBlock(call, given));
  }

  /** @param part a part of a message, maybe a result */
  end(part: JsonRecord, emit: Emit): void {
    const response = objectAt(part, 'functionResponse');
    const id = textAt(response, 'id') ?? '';
    if (!response || this.#results.has(id)) return;
    this.#results.add(id);
    const call = this.#calls.get(id);
    const answer = objectAt(response, 'response');
    const text = textAt(answer, 'output') ?? textAt(answer, 'error') ?? JSON.stringify(answer ?? '');
    const isError = answer?.error !== undefined;
    const { part: kind, server } = partOfTool(call?.tool ?? textAt(response, 'name') ?? '');
    emit({ kind: 'block', part: kind, server, from: 'result', text, call, isError });
  }
}

class GeminiSession implements SessionReader {
  readonly #calls = new Calls();
  /** Messages in the window, by their ids. */
  readonly #known = new Set<string>();
  #isResuming = false;

  constructor(private readonly sink: SessionSink) {}

  record(record: JsonRecord): void {
    const { head } = this.sink;
    const id = textAt(record, 'sessionId');
    if (id !== undefined) head.id ??= id;
    if (record.startTime !== undefined) this.#isResuming = this.#known.size > 0;
    else if (record.type !== undefined) this.#isResuming = false;
    const changed = objectAt(record, '$set');
    const target = textAt(record, '$rewindTo');
    if (target !== undefined) this.#rewind(target);
    else if (changed?.messages !== undefined) this.#history(objectsAt(changed, 'messages'));
    else if (record.type === 'user' || record.type === 'gemini') this.#message(record);
  }

  /** The message goes too. One that is not in the window takes all of it along, as when Gemini CLI reads the log. */
  #rewind(target: string): void {
    const ids = [...this.#known];
    const gone = this.#known.has(target) ? ids.slice(ids.indexOf(target)) : ids;
    for (const id of gone) this.#known.delete(id);
    if (gone[0] !== undefined) this.sink.emit({ kind: 'rewind', to: gone[0] });
  }

  /** The history of a resumed session is known; any other takes the place of what was in the window. */
  #history(messages: readonly JsonRecord[]): void {
    if (this.#known.size === 0) {
      for (const message of messages) this.#message(message);
      return;
    }
    const ids = new Set(messages.map((message) => textAt(message, 'id') ?? ''));
    // Its first message comes alone before it.
    if (this.#isResuming) return;
    const isRewritten = [...this.#known].some((id) => !ids.has(id));
    const summary = messages.find((message) => !this.#known.has(textAt(message, 'id') ?? ''));
    this.#known.clear();
    for (const id of ids) this.#known.add(id);
    if (!isRewritten) return;
    const emit: Emit = (event) => this.sink.emit({ ...event, time: timeAt(summary ?? messages[0], 'timestamp') });
    emit({ kind: 'compaction' });
    for (const message of messages) {
      emit({ kind: 'message', id: textAt(message, 'id') ?? '' });
      const text = textOfContent(message.content);
      // What replaces the history begins with the summary, as a message of the user.
      const part = message === summary ? 'summary' : CONTEXT.test(text) ? 'instructions' : 'assistant';
      emit({ kind: 'block', part, from: 'agent', text });
    }
  }

  #message(message: JsonRecord): void {
    const id = textAt(message, 'id') ?? '';
    const isNew = !this.#known.has(id);
    this.#known.add(id);
    const emit: Emit = (event) => this.sink.emit({ ...event, time: timeAt(message, 'timestamp') });
    if (isNew) emit({ kind: 'message', id });
    if (message.type === 'user') {
      for (const part of objectsAt(message, 'content')) this.#calls.end(part, emit);
      if (isNew) readUser(textOfContent(message.content), emit);
      return;
    }
    const tokens = objectAt(message, 'tokens');
    const key = `${this.sink.head.id ?? ''}/${id}`;
    if (isNew) {
      if (tokens) emit({ kind: 'request', id, key, model: textAt(message, 'model') });
      emit({ kind: 'block', part: 'assistant', from: 'model', text: textOfContent(message.content) });
    }
    const calls = objectsAt(message, 'toolCalls');
    for (const call of calls)
      this.#calls.begin(textAt(call, 'id') ?? '', textAt(call, 'name') ?? '', objectAt(call, 'args') ?? {}, emit);
    if (tokens) {
      const count = (name: string): number => countAt(tokens, name) ?? 0;
      const window = count('input') + count('tool');
      const usage = openAiUsage({ window, cacheRead: count('cached'), output: count('output') + count('thoughts') });
      // What is logged of thoughts are their headings.
      emit({ kind: 'usage', key, usage, hasHiddenThinking: count('thoughts') > 0 });
    }
    for (const call of calls) for (const part of objectsAt(call, 'result')) this.#calls.end(part, emit);
  }
}

class QwenSession implements SessionReader {
  readonly #calls = new Calls();

  constructor(private readonly sink: SessionSink) {}

  record(record: JsonRecord): void {
    const { head } = this.sink;
    const session = textAt(record, 'sessionId');
    const cwd = textAt(record, 'cwd');
    if (session !== undefined) head.id ??= session;
    if (cwd !== undefined) head.cwd ??= cwd;
    const emit: Emit = (event) => this.sink.emit({ ...event, time: timeAt(record, 'timestamp') });
    const parts = objectsAt(objectAt(record, 'message'), 'parts');
    if (record.type === 'user') readUser(textOfContent(parts), emit);
    else if (record.type === 'tool_result') for (const part of parts) this.#calls.end(part, emit);
    else if (record.type === 'assistant') this.#answer(record, parts, emit);
  }

  #answer(record: JsonRecord, parts: readonly JsonRecord[], emit: Emit): void {
    const usage = objectAt(record, 'usageMetadata');
    const id = textAt(record, 'uuid') ?? '';
    const key = `${this.sink.head.id ?? ''}/${id}`;
    if (usage) emit({ kind: 'request', id, key, model: textAt(record, 'model') });
    for (const part of parts) {
      const call = objectAt(part, 'functionCall');
      if (call)
        this.#calls.begin(textAt(call, 'id') ?? '', textAt(call, 'name') ?? '', objectAt(call, 'args') ?? {}, emit);
      else {
        const kind = part.thought === true ? 'thinking' : 'assistant';
        emit({ kind: 'block', part: kind, from: 'model', text: textAt(part, 'text') ?? '' });
      }
    }
    if (!usage) return;
    const count = (name: string): number => countAt(usage, name) ?? 0;
    const window = count('promptTokenCount');
    const said = count('candidatesTokenCount');
    // Over OpenAI's wire thoughts are part of the answer: the total tells.
    const output = count('totalTokenCount') === window + said ? said : said + count('thoughtsTokenCount');
    emit({ kind: 'usage', key, usage: openAiUsage({ window, cacheRead: count('cachedContentTokenCount'), output }) });
  }
}

export const geminiSession: SessionFormat = {
  agent: 'gemini-cli',
  form: 'lines',
  open: (sink) => new GeminiSession(sink),
};

export const qwenSession: SessionFormat = { agent: 'qwen-code', form: 'lines', open: (sink) => new QwenSession(sink) };
