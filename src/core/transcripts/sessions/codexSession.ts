/**
 * Codex' sessions. A request has no record of its own before its figures: it begins with the first thing that the model
 * says after something else. Figures come behind the answer, in newer versions behind the results of its calls.
 */
import { hashText } from '../../text/hash';
import type { JsonRecord } from '../../text/jsonRecord';
import { commandOf, outputOf, toolOf } from '../codexTools';
import {
  addedUserText,
  countAt,
  objectAt,
  objectsAt,
  parseObject,
  plainUserText,
  textAt,
  textOfContent,
  timeAt,
} from '../jsonFields';
import type { LoggedCall, SessionEvent, SessionFormat, SessionReader, SessionSink, WindowPart } from './sessionLog';
import { openAiUsage, partOfTool } from './toolParts';

const READS = /^(?:cat|head|tail|nl|sed -n|less|bat)\b/;
const SEARCHES = /^(?:rg|grep|git grep|find|fd|ls|tree)\b/;

/** The part of a shell command: Codex reads and searches by the shell alone. */
function partOfCommand(command: string): WindowPart {
  if (/\bapply_patch\b|\*\*\* Begin Patch/.test(command)) return 'edit';
  const first = command.replace(/^(?:cd [^&;|]+&& *)+/, '').trimStart();
  if (READS.test(first)) return 'read';
  return SEARCHES.test(first) ? 'search' : 'command';
}

/** At most, of one search or page: the provider reads it inside of the request, and the log has the query alone. */
const MAX_FOUND_TOKENS = 20_000;

/** At most, of a summary that the provider writes and the log leaves out or hides: 4,349 was the largest of 14 public ones. */
const MAX_SUMMARY_TOKENS = 5_000;

interface NamedCall {
  readonly call: LoggedCall;
  readonly part: WindowPart;
  readonly server?: string;
}

class CodexSession implements SessionReader {
  readonly #calls = new Map<string, NamedCall>();
  /** The oldest session that the log holds: a fork's own is the first, its parents' follow. */
  #root = '';
  #model: string | undefined;
  #open: string | undefined;
  #requests = 0;
  /** The newer records of usage, which make the older ones copies. */
  #hasRecords = false;
  #total = '';
  /** Hashes of what the program said in the window. */
  readonly #instructions = new Set<string>();

  constructor(private readonly sink: SessionSink) {}

  record(record: JsonRecord): void {
    const payload = objectAt(record, 'payload');
    const time = timeAt(record, 'timestamp');
    const emit = (event: SessionEvent): void => this.sink.emit({ ...event, time });
    if (record.type === 'session_meta') this.#meta(payload);
    else if (record.type === 'turn_context') this.#model = textAt(payload, 'model') ?? this.#model;
    else if (record.type === 'response_item') this.#item(payload, emit);
    else if (record.type === 'compacted') this.#compacted(payload, emit);
    else if (record.type === 'token_usage_record') {
      this.#hasRecords = true;
      this.#usage(objectAt(payload, 'usage'), textAt(payload, 'response_id'), emit);
    } else if (record.type === 'event_msg' && payload?.type === 'token_count') this.#count(payload, emit);
  }

  #meta(payload: JsonRecord | undefined): void {
    const { head } = this.sink;
    const id = textAt(payload, 'id');
    if (id === undefined) return;
    this.#root = id;
    if (head.id !== undefined) return;
    head.id = id;
    const cwd = textAt(payload, 'cwd');
    if (cwd !== undefined) head.cwd = cwd;
    const spawned = objectAt(objectAt(objectAt(payload, 'source'), 'subagent'), 'thread_spawn');
    const parent = textAt(spawned, 'parent_thread_id');
    const forked = textAt(payload, 'forked_from_id');
    if (parent !== undefined) head.parent = { id: parent, as: 'subagent' };
    else if (forked !== undefined) head.parent = { id: forked, as: 'fork' };
  }

  #item(item: JsonRecord | undefined, emit: (event: SessionEvent) => void): void {
    const type = textAt(item, 'type');
    if (type === undefined || !item) return;
    if (type === 'message' && item.role !== 'assistant') this.#said(item, emit);
    else if (type.endsWith('_output')) this.#result(item, emit);
    else this.#answer(type, item, emit);
  }

  #answer(type: string, item: JsonRecord, emit: (event: SessionEvent) => void): void {
    if (this.#open === undefined) {
      this.#open = `${this.#root}/${++this.#requests}`;
      emit({ kind: 'request', id: this.#open, key: this.#open, model: this.#model });
    }
    if (type === 'message') {
      emit({ kind: 'block', part: 'assistant', from: 'model', text: textOfContent(item.content) });
    } else if (type.endsWith('_call')) this.#call(type, item, emit);
  }

  #said(item: JsonRecord, emit: (event: SessionEvent) => void): void {
    const text = textOfContent(item.content);
    const said = item.role === 'user' ? plainUserText(text) : undefined;
    if (said === undefined || said.kind === 'notice') {
      // A resumed session logs again what its window holds already.
      const hash = hashText(text);
      if (!this.#instructions.has(hash)) emit({ kind: 'block', part: 'instructions', from: 'agent', text });
      this.#instructions.add(hash);
      return;
    }
    // A request that was broken off has no figures.
    this.#open = undefined;
    emit({ kind: 'prompt' });
    emit({ kind: 'block', part: 'user', from: 'user', text: said.kind === 'command' ? text : said.text });
    emit({ kind: 'block', part: 'instructions', from: 'agent', text: addedUserText(text) });
  }

  #call(type: string, item: JsonRecord, emit: (event: SessionEvent) => void): void {
    const tool = toolOf(item) ?? type.replace(/_call$/, '');
    const given = textAt(item, 'arguments') ?? textAt(item, 'input') ?? JSON.stringify(item.action ?? '');
    const { part, server } = partOfTool(type === 'web_search_call' ? 'web_search' : tool);
    const named: NamedCall = {
      call: { id: textAt(item, 'call_id') ?? textAt(item, 'id') ?? '', tool },
      part: part === 'command' ? partOfCommand(commandOf(parseObject(given)) || given) : part,
      ...(server === undefined ? {} : { server }),
    };
    this.#calls.set(named.call.id, named);
    emit({ kind: 'block', ...named, from: 'call', text: `${tool} ${given}`, given: item });
    if (type === 'web_search_call')
      emit({ kind: 'block', part: 'web', from: 'agent', text: '', tokens: MAX_FOUND_TOKENS, isAssumed: true });
  }

  #result(item: JsonRecord, emit: (event: SessionEvent) => void): void {
    const named = this.#calls.get(textAt(item, 'call_id') ?? '');
    const { output = '', isError } = outputOf(item.output);
    // A search for tools loads what it finds.
    const text = Array.isArray(item.tools) ? JSON.stringify(item.tools) : output;
    emit({ kind: 'block', part: named?.part ?? 'command', ...named, from: 'result', text, isError });
  }

  #compacted(payload: JsonRecord | undefined, emit: (event: SessionEvent) => void): void {
    emit({ kind: 'compaction' });
    this.#instructions.clear();
    this.#open = undefined;
    const summary = textAt(payload, 'message') ?? '';
    const hidden = summary === '' ? { tokens: MAX_SUMMARY_TOKENS, isAssumed: true } : {};
    emit({ kind: 'block', part: 'summary', from: 'agent', text: summary, ...hidden });
    for (const item of objectsAt(payload, 'replacement_history')) {
      const text = textOfContent(item.content);
      if (text === summary) continue;
      const isUser = item.role === 'user' && plainUserText(text).kind === 'message';
      emit({ kind: 'block', part: isUser ? 'user' : 'instructions', from: 'agent', text });
    }
  }

  /** Older versions: the same total is the same request again, and a last count of nothing is an estimate. */
  #count(payload: JsonRecord, emit: (event: SessionEvent) => void): void {
    const info = objectAt(payload, 'info');
    const last = objectAt(info, 'last_token_usage');
    const total = JSON.stringify(info?.total_token_usage ?? null);
    const limit = countAt(info, 'model_context_window');
    if (limit !== undefined) this.sink.head.windowTokens = limit;
    if (this.#hasRecords || last === undefined || total === this.#total) return;
    this.#total = total;
    if ((countAt(last, 'input_tokens') ?? 0) + (countAt(last, 'output_tokens') ?? 0) === 0) return;
    this.#usage(last, total, emit);
  }

  #usage(given: JsonRecord | undefined, name: string | undefined, emit: (event: SessionEvent) => void): void {
    if (!given) return;
    const key = this.#open ?? `${this.#root}/${++this.#requests}`;
    // What compacts a window is a request too, without an answer in the log.
    if (this.#open === undefined) emit({ kind: 'request', id: key, key, model: this.#model });
    this.#open = undefined;
    const usage = openAiUsage({
      window: countAt(given, 'input_tokens'),
      cacheRead: countAt(given, 'cached_input_tokens'),
      cacheWrite: countAt(given, 'cache_write_input_tokens'),
      output: countAt(given, 'output_tokens'),
    });
    const thinking = countAt(given, 'reasoning_output_tokens') ?? 0;
    const knownAs = `${this.#root}/${name ?? key}`;
    emit({ kind: 'usage', key, knownAs, usage, hasHiddenThinking: thinking > 0, thinking });
  }
}

export const codexSession: SessionFormat = { agent: 'codex', form: 'lines', open: (sink) => new CodexSession(sink) };
