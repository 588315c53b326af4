/**
 * OpenCode's sessions, message by message. Each answer is one request with its own figures; older versions put several
 * steps into one message, each with figures in the part that ends it.
 */
import type { JsonRecord } from '../../text/jsonRecord';
import { countAt, instantAt, objectAt, objectsAt, textAt } from '../jsonFields';
import type { RequestUsage, SessionEvent, SessionFormat, SessionReader, SessionSink } from './sessionLog';
import { callBlock, loggedCall, partOfTool } from './toolParts';

type Emit = (event: SessionEvent) => void;

/** Tools of MCP servers are `server_tool`; these are OpenCode's own. */
const OWN_TOOL = /^(?:plan_|apply_patch$)/;

class OpencodeSession implements SessionReader {
  /** Results that leave the window later, by the time at which they do. */
  #cleared: { readonly call: string; readonly time: number }[] = [];

  constructor(
    private readonly sink: SessionSink,
    session: JsonRecord | undefined,
  ) {
    const { head } = sink;
    const [id, cwd, parent] = ['id', 'directory', 'parentID'].map((key) => textAt(session, key));
    if (id !== undefined) head.id = id;
    if (cwd !== undefined) head.cwd = cwd;
    if (parent !== undefined) head.parent = { id: parent, as: 'subagent' };
  }

  record(message: JsonRecord): void {
    const time = instantAt(objectAt(message, 'time'), 'created');
    const emit: Emit = (event) => this.sink.emit({ ...event, time });
    const parts = objectsAt(message, 'parts');
    if (message.role === 'user') readUser(parts, emit);
    else if (message.role === 'assistant') this.#answer(message, parts, time, emit);
  }

  #answer(message: JsonRecord, parts: readonly JsonRecord[], time: number | undefined, emit: Emit): void {
    const id = textAt(message, 'id') ?? '';
    const key = `${this.sink.head.id ?? ''}/${id}`;
    const model = textAt(message, 'modelID');
    const gone = this.#cleared.filter((each) => each.time <= (time ?? Number.NEGATIVE_INFINITY));
    if (gone.length > 0) emit({ kind: 'cleared', calls: gone.map(({ call }) => call) });
    this.#cleared = this.#cleared.filter((each) => !gone.includes(each));
    const steps = stepsOf(message, parts);
    for (const [at, { tokens, parts: own }] of steps.entries()) {
      const name = steps.length === 1 ? '' : `/${at + 1}`;
      if (tokens) emit({ kind: 'request', id: `${id}${name}`, key: `${key}${name}`, model });
      const isSummary = message.summary === true;
      if (isSummary) emit({ kind: 'compaction' });
      const reasoning = countAt(tokens, 'reasoning') ?? 0;
      const thought = own.find((part) => part.type === 'reasoning');
      for (const part of own)
        this.#part(part, isSummary, emit, reasoning > 0 ? (part === thought ? reasoning : 0) : undefined);
      if (!tokens) continue;
      const hasHiddenThinking = reasoning > 0 && !thought;
      const thinking = isSummary ? undefined : reasoning;
      emit({ kind: 'usage', key: `${key}${name}`, usage: usageOf(tokens), hasHiddenThinking, thinking });
    }
  }

  /** @param summarized tokens of what was thought, where its text is a summary */
  #part(part: JsonRecord, isSummary: boolean, emit: Emit, summarized: number | undefined): void {
    const text = textAt(part, 'text') ?? '';
    if (part.type === 'tool') this.#tool(part, emit);
    else if (part.type === 'text' && isSummary) emit({ kind: 'block', part: 'summary', from: 'agent', text });
    else if (part.type === 'text') emit({ kind: 'block', part: 'assistant', from: 'model', text });
    // What led to a summary is gone with the rest.
    else if (part.type === 'reasoning' && !isSummary)
      emit({ kind: 'block', part: 'thinking', from: 'model', text, summarized });
  }

  #tool(part: JsonRecord, emit: Emit): void {
    const state = objectAt(part, 'state');
    const tool = textAt(part, 'tool') ?? '';
    const given = objectAt(state, 'input') ?? {};
    const call = loggedCall(textAt(part, 'callID') ?? textAt(part, 'id') ?? '', tool, given);
    const known = partOfTool(tool);
    const server = known.part === 'assistant' && !OWN_TOOL.test(tool) ? /^(.+?)_./.exec(tool)?.[1] : undefined;
    const kind = server === undefined ? known : partOfTool(tool, server);
    emit(callBlock(call, given, server));
    const isError = textAt(state, 'status') === 'error';
    const text = textAt(state, isError ? 'error' : 'output');
    if (text === undefined) return;
    emit({ kind: 'block', ...kind, from: 'result', text, call, isError });
    const time = instantAt(objectAt(state, 'time'), 'compacted');
    if (time !== undefined) this.#cleared.push({ call: call.id, time });
  }
}

/** What one request gave, and its figures; a message that failed has none. */
function stepsOf(
  message: JsonRecord,
  parts: readonly JsonRecord[],
): readonly { readonly tokens: JsonRecord | undefined; readonly parts: readonly JsonRecord[] }[] {
  const ends = parts.filter((part) => part.type === 'step-finish' && objectAt(part, 'tokens'));
  const tokens = objectAt(message, 'tokens');
  if (ends.length < 2) {
    const isFailed = tokens !== undefined && windowOf(tokens) === 0;
    return [{ tokens: isFailed ? undefined : tokens, parts }];
  }
  let from = 0;
  const steps = ends.map((end) => {
    const to = parts.indexOf(end) + 1;
    const step = { tokens: objectAt(end, 'tokens'), parts: parts.slice(from, to) };
    from = to;
    return step;
  });
  return from < parts.length ? [...steps, { tokens: undefined, parts: parts.slice(from) }] : steps;
}

function windowOf(tokens: JsonRecord): number {
  const { input, cacheRead, cacheWrite } = usageOf(tokens);
  return input + cacheRead + cacheWrite;
}

/** Five disjoint figures, but some versions have the thoughts inside of the output too: the total tells. */
function usageOf(tokens: JsonRecord): RequestUsage {
  const cache = objectAt(tokens, 'cache');
  const [input = 0, output = 0, reasoning = 0] = ['input', 'output', 'reasoning'].map((key) => countAt(tokens, key));
  const [cacheRead = 0, cacheWrite = 0] = ['read', 'write'].map((key) => countAt(cache, key));
  const isInside = countAt(tokens, 'total') === input + output + cacheRead + cacheWrite;
  return { input, cacheRead, cacheWrite, output: isInside ? output : output + reasoning };
}

/** A message of a person begins a turn; one that only asks for a summary, or that goes on after it, does not. */
function readUser(parts: readonly JsonRecord[], emit: Emit): void {
  const texts = parts.filter((part) => part.type === 'text' && part.ignored !== true);
  const said = texts.filter((part) => part.synthetic !== true);
  if (said.length > 0) emit({ kind: 'prompt' });
  // The request for a summary is another one: with a prompt of its own, and no tools.
  if (parts.some((part) => part.type === 'compaction')) emit({ kind: 'cleared', calls: [] });
  for (const part of texts) {
    const isPerson = part.synthetic !== true;
    const text = textAt(part, 'text') ?? '';
    emit({ kind: 'block', part: isPerson ? 'user' : 'instructions', from: isPerson ? 'user' : 'agent', text });
  }
}

export const opencodeSession: SessionFormat = {
  agent: 'opencode',
  form: 'messages',
  open: (sink, { beside }) => new OpencodeSession(sink, beside),
};
