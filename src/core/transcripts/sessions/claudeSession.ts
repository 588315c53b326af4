/**
 * Claude Code's sessions, record by record. One request is several records, one for each block of the answer, with the
 * same figures; tool results stand between them. Subagents are marked records, in the file of the session or their own.
 */
import type { JsonRecord } from '../../text/jsonRecord';
import {
  addedUserText,
  asObject,
  countAt,
  listAt,
  numberAt,
  objectAt,
  objectsAt,
  plainUserText,
  textAt,
  textOfContent,
  timeAt,
} from '../jsonFields';
import { ClaudeFiles } from './claudeFiles';
import { ClaudeNotes } from './claudeNotes';
import { encodedPictureTokens, pictureTokens } from './pictures';
import type { LoggedCall, RequestUsage, SessionEvent, SessionFormat, SessionReader, SessionSink } from './sessionLog';
import { callBlock, loggedCall, partOfTool } from './toolParts';

/**
 * A thought's signature holds all of the thought, its text only a summary: characters a token (the median of 340 public
 * requests with true figures of output, 2026-11).
 */
const SIGNATURE_CHARS_PER_TOKEN = 5;

const SKILL = /^Base directory for this skill: /;

/** Of a tool that was deferred, once a search has loaded it: the median of what public windows grew by (2026-11). */
const LOADED_TOOL_TOKENS = 690;

/** Attachments that are shown on screen and are no part of the window. */
const NOT_SENT = new Set([
  'hook_success',
  'hook_cancelled',
  'hook_non_blocking_error',
  'hook_system_message',
  'async_hook_response',
  'command_permissions',
]);
/** What an attachment says, where it has more than that. */
const SAID = ['addedLines', 'addedBlocks', 'content'];

/** What is known of a request whose records are still coming. */
interface OpenRequest {
  usage: RequestUsage;
  hasStopped: boolean;
  hasHiddenThinking: boolean;
}

class ClaudeSession implements SessionReader {
  readonly #calls = new Map<string, LoggedCall>();
  readonly #requests = new Map<string, OpenRequest>();
  /** Of sidechains in the file of the session, before subagents had names: each record's chain. */
  readonly #chains = new Map<string, string>();
  readonly #files = new ClaudeFiles();
  readonly #notes = new ClaudeNotes();
  /** By an editor: a person's message is then a list of texts, of a terminal it is one text. */
  #isDriven = false;
  #hasBegun = false;
  /** The record that each one follows, or one further up on the way to the person's message above it; '' for none. */
  readonly #above = new Map<string, string>();
  /** A person's messages that led to the newest one, oldest first. */
  readonly #messages = new Set<string>();
  /** The newest message is a slash command. */
  #isCommand = false;
  /** Versions with attachments log what they put back behind a compaction. */
  #hasAttachments = false;

  constructor(
    private readonly sink: SessionSink,
    private readonly file: string,
  ) {}

  record(record: JsonRecord): void {
    const { head } = this.sink;
    const session = textAt(record, 'sessionId');
    if (session !== undefined && head.id === undefined) this.#name(record, session);
    const cwd = textAt(record, 'cwd');
    if (cwd !== undefined) head.cwd ??= cwd;
    const at = { time: timeAt(record, 'timestamp'), subagent: this.#subagentOf(record) };
    const emit = (event: SessionEvent): void => this.sink.emit({ ...event, ...at });
    const id = textAt(record, 'uuid');
    if (id !== undefined && record.isSidechain !== true) this.#follow(record, id, emit);
    if (record.type === 'assistant') this.#assistant(record, emit);
    else if (record.type === 'user') this.#user(record, emit);
    else if (record.type === 'attachment') this.#attachment(objectAt(record, 'attachment'), emit);
    else if (record.type === 'system') this.#system(record, emit);
  }

  /** A subagent's own file names its parent's session; older ones lie beside it. */
  #name(record: JsonRecord, session: string): void {
    const { head } = this.sink;
    const isOwnFile = record.isSidechain === true && this.file !== session;
    head.id = isOwnFile ? this.file : session;
    if (isOwnFile) head.parent = { id: session, as: 'subagent' };
    // A fork keeps its parent's name in records of older versions; the file is named after the session itself.
    else if (/^[\da-f-]{36}$/.test(this.file)) head.id = this.file;
  }

  /** A record without a parent begins a conversation: a plan that was accepted may clear the window within one log. */
  #follow(record: JsonRecord, id: string, emit: (event: SessionEvent) => void): void {
    const isRoot = record.parentUuid === null;
    const isBoundary = record.subtype === 'compact_boundary';
    if (!this.#hasBegun && typeof record.parentUuid === 'string') this.sink.head.isCut = true;
    if (this.#hasBegun && isRoot && !isBoundary) {
      this.#messages.clear();
      emit({ kind: 'rewind', to: '' });
    }
    this.#hasBegun = true;
    const above = isBoundary ? [...this.#messages].at(-1) : parentOf(record);
    if (above !== undefined) this.#above.set(id, above);
  }

  /**
   * A person's message begins a turn. `/rewind` writes no record of its own: the next message follows an earlier one, and
   * the messages in between have left. Records within a turn are no way back: parallel calls share what they follow.
   */
  #begin(record: JsonRecord, emit: (event: SessionEvent) => void): void {
    const id = textAt(record, 'uuid') ?? '';
    if (id !== '' && record.isSidechain !== true) {
      const messages = [...this.#messages];
      const last = this.#messageAbove(parentOf(record));
      const left = last === undefined ? [] : messages.slice(messages.indexOf(last) + 1);
      for (const message of left) this.#messages.delete(message);
      if (left[0] !== undefined) emit({ kind: 'rewind', to: left[0] });
      emit({ kind: 'message', id });
      this.#messages.add(id);
    }
    emit({ kind: 'prompt', id });
  }

  /** The nearest message that is still in the window; '' above the first, undefined where records are missing. */
  #messageAbove(record: string | undefined): string | undefined {
    const passed = new Set<string>();
    let at = record;
    while (at !== undefined && at !== '' && !this.#messages.has(at)) {
      // Records that follow each other in a circle lead nowhere.
      if (passed.has(at)) return undefined;
      passed.add(at);
      at = this.#above.get(at);
    }
    // The next way up is shorter.
    if (at !== undefined) for (const each of passed) this.#above.set(each, at);
    return at;
  }

  #subagentOf(record: JsonRecord): string | undefined {
    if (record.isSidechain !== true) return undefined;
    const named = textAt(record, 'agentId');
    if (named !== undefined) return named;
    const uuid = textAt(record, 'uuid') ?? '';
    const chain = this.#chains.get(textAt(record, 'parentUuid') ?? '') ?? uuid.slice(0, 8);
    this.#chains.set(uuid, chain);
    return chain;
  }

  #assistant(record: JsonRecord, emit: (event: SessionEvent) => void): void {
    const message = objectAt(record, 'message');
    const usage = objectAt(message, 'usage');
    if (record.isApiErrorMessage === true || message?.model === '<synthetic>' || !message) return;
    const id = textAt(message, 'id') ?? textAt(record, 'uuid') ?? '';
    const request = textAt(record, 'requestId');
    // Without a request's id, a message's is unique in its session only.
    const key = request === undefined ? `${this.sink.head.id ?? ''}/${id}` : `${id}/${request}`;
    const model = textAt(message, 'model');
    if (usage && !this.#requests.has(key)) emit({ kind: 'request', id, key, model });
    if (record.isSidechain !== true) this.#notes.asked();
    const blocks = typeof message.content === 'string' ? [{ type: 'text', text: message.content }] : [];
    for (const block of [...blocks, ...objectsAt(message, 'content')]) this.#answer(block, emit);
    if (usage) this.#usage(key, usage, message, emit);
    if (message.stop_reason === 'end_turn' || message.stop_reason === 'stop_sequence') emit({ kind: 'answered' });
  }

  #answer(block: JsonRecord, emit: (event: SessionEvent) => void): void {
    const type = textAt(block, 'type');
    if (type === 'text') emit({ kind: 'block', part: 'assistant', from: 'model', text: textAt(block, 'text') ?? '' });
    else if (type === 'thinking') emit(thought(block));
    else if (type === 'tool_use' || type === 'server_tool_use' || type === 'mcp_tool_use') {
      const given = objectAt(block, 'input') ?? {};
      const tool = textAt(block, 'name') ?? '';
      const call = loggedCall(textAt(block, 'id') ?? '', tool, given);
      this.#calls.set(call.id, call);
      // The plan is read from its file and written into the log: the model does not say it again.
      const { plan, ...said } = given;
      if (typeof plan === 'string') this.#files.planned(plan);
      if (tool === 'Write' && call.path !== undefined) this.#files.used(call.path, textAt(given, 'content') ?? '');
      emit({ ...callBlock(call, tool === 'ExitPlanMode' ? said : given), given });
    } else if (type?.endsWith('_tool_result')) {
      const call = this.#calls.get(textAt(block, 'tool_use_id') ?? '');
      const text = JSON.stringify(block.content ?? '');
      emit({ kind: 'block', ...partOfTool(call?.tool ?? 'WebSearch'), from: 'result', text, call });
    }
  }

  /** Of one request's figures the record with the highest output counts, whole: a fallback of the model mixes two. */
  #usage(key: string, given: JsonRecord, message: JsonRecord, emit: (event: SessionEvent) => void): void {
    const count = (name: string): number => countAt(given, name) ?? 0;
    const before = this.#requests.get(key);
    const output = count('output_tokens');
    const isBest = before === undefined || output > (before.usage.output ?? 0);
    const thinking = objectsAt(message, 'content').some(
      ({ type }) => type === 'redacted_thinking' || type === 'thinking',
    );
    const open: OpenRequest = {
      usage: isBest
        ? {
            input: count('input_tokens'),
            cacheRead: count('cache_read_input_tokens'),
            cacheWrite: count('cache_creation_input_tokens'),
            output,
          }
        : before.usage,
      hasStopped: before?.hasStopped === true || typeof message.stop_reason === 'string',
      hasHiddenThinking: before?.hasHiddenThinking === true || thinking,
    };
    this.#requests.set(key, open);
    const hour = countAt(objectAt(given, 'cache_creation'), 'ephemeral_1h_input_tokens') ?? 0;
    // Without a reason to stop in any record, the output is what was there when the answer began.
    const usage = open.hasStopped ? open.usage : { ...open.usage, output: undefined };
    const { hasHiddenThinking } = open;
    emit({ kind: 'usage', key, usage, cacheSeconds: hour > 0 ? 3_600 : 300, hasHiddenThinking });
  }

  #user(record: JsonRecord, emit: (event: SessionEvent) => void): void {
    const message = objectAt(record, 'message');
    if (!message) return;
    const results = objectsAt(message, 'content').filter(({ type }) => type === 'tool_result');
    for (const block of results) this.#result(block, record, emit);
    const rest = Array.isArray(message.content)
      ? objectsAt(message, 'content').filter(({ type }) => type !== 'tool_result')
      : message.content;
    const text = textOfContent(rest);
    if (record.isCompactSummary === true) emit({ kind: 'block', part: 'summary', from: 'agent', text });
    else {
      const isNotice = record.isMeta === true || results.length > 0 || isOfProgram(record);
      readUserText(text, emit, isNotice, () => this.#begin(record, emit));
    }
    const tokens = picturesIn(rest);
    if (record.isSidechain !== true) {
      this.#bring(text, record.isMeta === true, emit);
      if (results.length === 0) this.#remind(text, Array.isArray(message.content) && tokens === 0, record, emit);
    }
    if (tokens > 0) emit({ kind: 'block', part: 'user', from: 'user', text: '', tokens });
  }

  /** What a message brings into the window beside its text: a command's or skill's text stands in a record of its own. */
  #bring(text: string, isMeta: boolean, emit: (event: SessionEvent) => void): void {
    const { kind } = plainUserText(text);
    const isInvoked = isMeta && (this.#isCommand || SKILL.test(text));
    this.#isCommand = kind === 'command';
    if (isInvoked) this.#files.told(text);
    if (this.#hasAttachments || !(isInvoked || (kind === 'message' && !isMeta))) return;
    for (const block of this.#files.mentionedIn(text)) emit(block);
  }

  #remind(text: string, isList: boolean, record: JsonRecord, emit: (event: SessionEvent) => void): void {
    const { kind } = plainUserText(text);
    if (record.isMeta === true || record.isCompactSummary === true || kind === 'command') return;
    if (isList && kind === 'message') this.#isDriven = true;
    if (this.#isDriven && !this.#hasAttachments) for (const note of this.#notes.next()) emit(note);
  }

  /** The model got what is in the message; `toolUseResult` is what the screen shows. */
  #result(block: JsonRecord, record: JsonRecord, emit: (event: SessionEvent) => void): void {
    const call = this.#calls.get(textAt(block, 'tool_use_id') ?? '');
    const shown = asObject(record.toolUseResult);
    const size = objectAt(objectAt(shown, 'file'), 'dimensions');
    const [width, height] = [countAt(size, 'displayWidth'), countAt(size, 'displayHeight')];
    if (record.isSidechain !== true && block.is_error !== true) this.#use(call, textOfContent(block.content), shown);
    const isSized = width !== undefined && height !== undefined;
    emit({
      kind: 'block',
      ...partOfTool(call?.tool ?? ''),
      from: 'result',
      text: textOfContent(block.content),
      tokens: isSized ? pictureTokens(width, height) : picturesIn(block.content),
      call,
      isError: block.is_error === true,
    });
    const loaded = objectsAt(block, 'content').filter(({ type }) => type === 'tool_reference');
    const tokens = loaded.length * LOADED_TOOL_TOKENS;
    if (tokens > 0) emit({ kind: 'block', part: 'instructions', from: 'agent', text: '', tokens });
  }

  #use(call: LoggedCall | undefined, text: string, shown: JsonRecord | undefined): void {
    if (call?.path === undefined) return;
    const { part } = partOfTool(call.tool);
    if (call.tool === 'Write' || (part === 'read' && call.range === undefined)) this.#notes.known(call.path);
    else if (part === 'edit') this.#notes.edited(call.path, shown);
    if (part === 'edit') this.#files.edited(call.path);
    if (part !== 'read') return;
    const file = objectAt(shown, 'file');
    const [lines, all] = [countAt(file, 'numLines') ?? 0, countAt(file, 'totalLines') ?? 0];
    this.#files.used(call.path, text, lines > 0 && all > 0 ? Math.min(1, lines / all) : 1);
  }

  #system(record: JsonRecord, emit: (event: SessionEvent) => void): void {
    const durationMs = numberAt(record, 'durationMs');
    if (record.subtype === 'turn_duration' && durationMs !== undefined) emit({ kind: 'answered', durationMs });
    if (record.subtype === 'compact_boundary') {
      const said = objectAt(record, 'compactMetadata');
      const keepsLast =
        objectAt(said, 'preservedSegment') !== undefined || objectAt(said, 'preservedMessages') !== undefined;
      emit({ kind: 'compaction', keepsLast });
      this.#notes.forget();
      const restored = this.#files.restored();
      if (!this.#hasAttachments) for (const block of restored) emit(block);
    }
    if (record.subtype !== 'microcompact_boundary') return;
    const cleared = listAt(objectAt(record, 'microcompactMetadata'), 'compactedToolIds');
    emit({ kind: 'cleared', calls: cleared.filter((id) => typeof id === 'string') });
  }

  #attachment(attachment: JsonRecord | undefined, emit: (event: SessionEvent) => void): void {
    this.#hasAttachments = true;
    const type = textAt(attachment, 'type') ?? '';
    const names = listAt(attachment, 'addedNames').filter((name) => typeof name === 'string');
    if (type === 'deferred_tools_delta') {
      const servers = names.flatMap((name) => partOfTool(name).server ?? []);
      emit({ kind: 'servers', names: [...new Set(servers)], areDeferred: true });
    }
    if (!attachment || NOT_SENT.has(type)) return;
    if (type === 'mcp_instructions_delta')
      emit({ kind: 'servers', names: names.map((name) => name.replace(/[^\w-]/g, '_')) });
    if (type === 'queued_command') {
      const isNotice = attachment.commandMode !== 'prompt' || isOfProgram(attachment);
      readUserText(textOfContent(attachment.prompt), emit, isNotice);
    } else {
      const said = SAID.find((key) => attachment[key] !== undefined);
      const text = textsIn(said === undefined ? attachment : attachment[said]).join('\n');
      const part = type === 'file' || type === 'edited_text_file' ? 'read' : 'instructions';
      emit({ kind: 'block', part, from: 'agent', text });
    }
  }
}

function thought(block: JsonRecord): SessionEvent {
  const signature = textAt(block, 'signature') ?? '';
  const summarized = signature === '' ? undefined : Math.round(signature.length / SIGNATURE_CHARS_PER_TOKEN);
  return { kind: 'block', part: 'thinking', from: 'model', text: textAt(block, 'thinking') ?? '', summarized };
}

/** Tokens of the pictures in a message's content. */
function picturesIn(content: unknown): number {
  return objectsAt({ content }, 'content')
    .filter(({ type }) => type === 'image')
    .map((block) => encodedPictureTokens(textAt(objectAt(block, 'source'), 'data') ?? ''))
    .reduce((sum, tokens) => sum + tokens, 0);
}

/** Strings of plain data, at most some levels deep; names of types and paths are among them. */
function textsIn(value: unknown, depth = 0): readonly string[] {
  if (typeof value === 'string') return [value];
  if (depth > 4 || typeof value !== 'object' || value === null) return [];
  const entries = Array.isArray(value)
    ? value
    : Object.entries(value)
        .filter(([key]) => key !== 'base64')
        .map(([, each]) => each);
  return entries.flatMap((each) => textsIn(each, depth + 1));
}

/**
 * True for a message of another agent or a task: a person's has no origin or the kind `human`, and one that comes through
 * a `channel` may be a person's (`SDKMessageOrigin` in the Agent SDK's reference).
 */
function isOfProgram(record: JsonRecord): boolean {
  const kind = textAt(objectAt(record, 'origin'), 'kind');
  return kind !== undefined && kind !== 'human' && kind !== 'channel';
}

/** The record that one follows; '' for none, undefined where it does not say. */
const parentOf = (record: JsonRecord): string | undefined =>
  record.parentUuid === null ? '' : textAt(record, 'parentUuid');

/** @param begin is called before a message that begins a turn; what programs add to a person's text is no part of it */
function readUserText(text: string, emit: (event: SessionEvent) => void, isNotice: boolean, begin?: () => void): void {
  const said = plainUserText(text);
  const isPrompt = said.kind !== 'notice' && !isNotice;
  if (!isPrompt) {
    if (text !== '') emit({ kind: 'block', part: 'instructions', from: 'agent', text });
    return;
  }
  begin?.();
  emit({ kind: 'block', part: 'user', from: 'user', text: said.kind === 'command' ? text : said.text });
  const added = said.kind === 'command' ? '' : addedUserText(text);
  if (added !== '') emit({ kind: 'block', part: 'instructions', from: 'agent', text: added });
}

export const claudeSession: SessionFormat = {
  agent: 'claude-code',
  form: 'lines',
  open: (sink, { name }) => new ClaudeSession(sink, name),
};
