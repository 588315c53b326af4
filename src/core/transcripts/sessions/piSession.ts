/**
 * Pi's sessions: entries of a tree, one a line, each with its parent's id. The newest path is the window; an entry whose
 * parent is not the one before it leaves that path.
 */
import type { JsonRecord } from '../../text/jsonRecord';
import { countAt, numberAt, objectAt, objectsAt, textAt, textOfContent, timeAt } from '../jsonFields';
import type { LoggedCall, RequestUsage, SessionEvent, SessionFormat, SessionReader, SessionSink } from './sessionLog';
import { answerBlocks, partOfTool } from './toolParts';

type Emit = (event: SessionEvent) => void;

class PiSession implements SessionReader {
  readonly #calls = new Map<string, LoggedCall>();
  /** Ids of the entries on the newest path. */
  #path: string[] = [];
  /** All entries by their place in the file: older versions have no ids. */
  readonly #entries: string[] = [];

  constructor(private readonly sink: SessionSink) {}

  record(record: JsonRecord): void {
    if (record.type === 'session') this.#start(record);
    const emit: Emit = (event) => this.sink.emit({ ...event, time: timeAt(record, 'timestamp') });
    const id = textAt(record, 'id') ?? `#${this.#entries.length}`;
    this.#entries.push(id);
    if (record.type === 'session') return;
    this.#follow(textAt(record, 'parentId'), emit);
    this.#path.push(id);
    emit({ kind: 'message', id });
    const message = objectAt(record, 'message');
    if (record.type === 'message' && message) this.#message(message, `${id}/${textAt(record, 'timestamp')}`, emit);
    else if (record.type === 'compaction') this.#compacted(record, emit);
    else if (record.type === 'branch_summary')
      emit({ kind: 'block', part: 'summary', from: 'agent', text: textAt(record, 'summary') ?? '' });
    else if (record.type === 'custom_message')
      emit({ kind: 'block', part: 'instructions', from: 'agent', text: textOfContent(record.content) });
  }

  #start(record: JsonRecord): void {
    const { head } = this.sink;
    const [id, cwd, parent] = ['id', 'cwd', 'parentSession'].map((key) => textAt(record, key));
    if (id !== undefined) head.id ??= id;
    if (cwd !== undefined) head.cwd ??= cwd;
    if (parent !== undefined) head.parent ??= { id: parent, as: 'fork' };
  }

  #follow(parent: string | undefined, emit: Emit): void {
    const at = parent === undefined ? -1 : this.#path.lastIndexOf(parent);
    const left = this.#path[at + 1];
    if (at < 0 || left === undefined) return;
    emit({ kind: 'rewind', to: left });
    this.#path = this.#path.slice(0, at + 1);
  }

  #compacted(record: JsonRecord, emit: Emit): void {
    const at = numberAt(record, 'firstKeptEntryIndex');
    const keepsFrom = textAt(record, 'firstKeptEntryId') ?? (at === undefined ? undefined : this.#entries[at]);
    emit({ kind: 'compaction', keepsFrom });
    emit({ kind: 'block', part: 'summary', from: 'agent', text: textAt(record, 'summary') ?? '' });
  }

  #message(message: JsonRecord, key: string, emit: Emit): void {
    const text = textOfContent(message.content);
    if (message.role === 'user') {
      emit({ kind: 'prompt' });
      emit({ kind: 'block', part: 'user', from: 'user', text });
    } else if (message.role === 'assistant') this.#answer(message, key, emit);
    else if (message.role === 'toolResult') {
      const call = this.#calls.get(textAt(message, 'toolCallId') ?? '');
      const { part, server } = partOfTool(textAt(message, 'toolName') ?? '');
      emit({ kind: 'block', part, server, from: 'result', text, call, isError: message.isError === true });
    } else if (message.role === 'bashExecution' && message.excludeFromContext !== true) {
      const run = `${textAt(message, 'command') ?? ''}\n${textAt(message, 'output') ?? ''}`;
      emit({ kind: 'block', part: 'command', from: 'agent', text: run });
    }
  }

  #answer(message: JsonRecord, key: string, emit: Emit): void {
    const usage = usageOf(objectAt(message, 'usage'));
    // An answer that was broken off before it began has no figures.
    const isRequest = usage.input + usage.cacheRead + usage.cacheWrite > 0;
    if (isRequest) emit({ kind: 'request', id: key.slice(0, key.indexOf('/')), key, model: textAt(message, 'model') });
    for (const block of answerBlocks(message, { type: 'toolCall', given: 'arguments' })) {
      if (block.call) this.#calls.set(block.call.id, block.call);
      emit(block);
    }
    if (!isRequest) return;
    // OpenAI's reasoning is a summary here; of others' an empty text is hidden.
    const isSummed = (textAt(message, 'api') ?? '').startsWith('openai');
    const thoughts = objectsAt(message, 'content').filter((block) => block.type === 'thinking');
    const hasHiddenThinking = thoughts.some((block) => isSummed || block.thinking === '');
    emit({ kind: 'usage', key, usage, hasHiddenThinking });
  }
}

/** Disjoint figures. */
function usageOf(usage: JsonRecord | undefined): RequestUsage {
  const count = (name: string): number => countAt(usage, name) ?? 0;
  return {
    input: count('input'),
    cacheRead: count('cacheRead'),
    cacheWrite: count('cacheWrite'),
    output: count('output'),
  };
}

export const piSession: SessionFormat = { agent: 'pi', form: 'lines', open: (sink) => new PiSession(sink) };
