import type { LinePlace } from '../text/lineSplitter';
import type { RequestUsage } from './sessions/sessionLog';
import type { AgentName, AgentTurn, ResumePoint, ToolCall, ToolKind, TranscriptContext } from './transcriptAdapter';
import type { WorkspacePaths } from './workspacePaths';

/** What of one turn is kept while it is read, so that memory stays bounded. UTF-16 code units. */
const MAX_USER_CHARS = 200_000;
const MAX_REPLY_CHARS = 400_000;
const MAX_INPUT_CHARS = 20_000;
/** From the contract of `ToolCall`. */
const MAX_OUTPUT_CHARS = 4_000;
const MAX_CALLS = 3_000;
/** Inputs and outputs of one turn together; beyond it names, files and handles of calls are kept, texts are not. */
const MAX_CALL_CHARS = 4_000_000;
const MAX_PATHS = 100;
/** Of a turn with more, the usage is not known. */
const MAX_REQUESTS = 10_000;

/** Where a record stands in its file. */
export type RecordPlace = LinePlace;

/** How a turn begins. */
interface TurnStart {
  readonly place: RecordPlace;
  /** The transcript's own name for it; its number in the file unless given. */
  readonly id?: string | undefined;
  readonly userText: string;
  readonly startedAt?: number | undefined;
  readonly cwd?: string | undefined;
}

/** A tool call before its result is known. */
export interface CallStart {
  /** What the result will be known by. */
  readonly id?: string | undefined;
  readonly name: string;
  readonly kind: ToolKind;
  readonly paths?: readonly string[];
  readonly handles?: readonly string[];
  readonly input?: string;
}

/** What came back of a call; absent parts stay as they are. */
export interface CallResult {
  readonly output?: string | undefined;
  readonly isError?: boolean | undefined;
  readonly paths?: readonly string[] | undefined;
}

type OpenCall = { -readonly [K in keyof ToolCall]: ToolCall[K] } & Pick<CallStart, 'id'>;

interface OpenTurn extends Omit<TurnStart, 'userText'> {
  readonly number: number;
  readonly session: string;
  readonly reply: string[];
  replyChars: number;
  callChars: number;
  userText: string;
  readonly calls: OpenCall[];
  inputTokens?: number;
  /** By the request's key. */
  readonly requests: Map<string, RequestUsage>;
  model?: string | undefined;
  /** What was known when the turn began. */
  readonly modelBefore: string | undefined;
  lastAt?: number | undefined;
  responseMs?: number;
  isAnswered: boolean;
}

/** The years 2000 to 2100: other numbers are no times of a conversation. */
function plausible(time: number | undefined): number | undefined {
  return time !== undefined && time >= 946_684_800_000 && time < 4_102_444_800_000 ? time : undefined;
}

function unique(items: readonly string[]): readonly string[] {
  return [...new Set(items)].slice(0, MAX_PATHS);
}

/** Undefined when there is none; the output only when it is known of all. */
function sumOf(requests: ReadonlyMap<string, RequestUsage>): RequestUsage | undefined {
  if (requests.size === 0 || requests.size >= MAX_REQUESTS) return undefined;
  return [...requests.values()].reduce((sum, each) => ({
    input: sum.input + each.input,
    cacheRead: sum.cacheRead + each.cacheRead,
    cacheWrite: sum.cacheWrite + each.cacheWrite,
    output: sum.output === undefined || each.output === undefined ? undefined : sum.output + each.output,
  }));
}

/** Both ends of a long output: what was run and how it ended. */
function shorten(output: string): string {
  if (output.length <= MAX_OUTPUT_CHARS) return output;
  const half = Math.floor((MAX_OUTPUT_CHARS - 3) / 2);
  return `${output.slice(0, half)}\n…\n${output.slice(-half)}`;
}

/**
 * Puts turns together from what an adapter finds, one at a time. Turns of other folders are counted and dropped here, so
 * that no adapter can forget it.
 */
export class TurnBuilder {
  readonly #finished: AgentTurn[] = [];
  #turn: OpenTurn | undefined;
  #count: number;
  #end: Pick<ResumePoint, 'offset' | 'line'>;
  /** Turns of other folders. */
  foreignTurns = 0;
  /** Told by the adapter as it learns them; kept for the next reading. */
  session: string | undefined;
  cwd: string | undefined;
  model: string | undefined;

  constructor(
    private readonly agent: AgentName,
    private readonly context: TranscriptContext,
  ) {
    const { resume } = context;
    this.#count = resume?.turns ?? 0;
    this.#end = { offset: resume?.offset ?? 0, line: resume?.line ?? 0 };
    this.session = resume?.session;
    this.cwd = resume?.cwd;
    this.model = resume?.model;
  }

  /** What paths in the transcript are read against. */
  get paths(): WorkspacePaths {
    return this.context.paths;
  }

  get isOpen(): boolean {
    return this.#turn !== undefined;
  }

  /** Whether the agent did anything in the open turn. */
  get hasActivity(): boolean {
    return this.#turn !== undefined && this.#turn.reply.length + this.#turn.calls.length > 0;
  }

  get userText(): string {
    return this.#turn?.userText ?? '';
  }

  /** Call for every record before it is looked at, so that reading goes on behind it. */
  pass({ endOffset, line }: RecordPlace): void {
    this.#end = { offset: endOffset, line };
  }

  /** Finishes the open turn and begins one. */
  begin(start: TurnStart): void {
    this.finish();
    this.#turn = {
      ...start,
      startedAt: plausible(start.startedAt),
      cwd: start.cwd ?? this.cwd,
      number: this.#count,
      session: this.session ?? this.context.fileName,
      userText: start.userText.slice(0, MAX_USER_CHARS),
      reply: [],
      replyChars: 0,
      callChars: 0,
      calls: [],
      requests: new Map(),
      modelBefore: this.model,
      isAnswered: false,
    };
  }

  /** More of the user's message, or another one in the same turn. */
  addUserText(text: string): void {
    if (!this.#turn || text === '') return;
    const { userText } = this.#turn;
    this.#turn.userText = (userText === '' ? text : `${userText}\n\n${text}`).slice(0, MAX_USER_CHARS);
  }

  /** The next line of the user's message. */
  addUserLine(line: string): void {
    if (this.#turn) this.#turn.userText = `${this.#turn.userText}\n${line}`.slice(0, MAX_USER_CHARS);
  }

  /** Text that the agent wrote for people. */
  say(text: string): void {
    if (text.trim() !== '') this.#write(text, '\n\n');
  }

  /** The next line of the text that the agent is writing. */
  sayLine(line: string): void {
    this.#write(line, '\n');
    if (this.#turn) this.#turn.replyChars++;
  }

  #write(text: string, gap: string): void {
    const turn = this.#turn;
    if (!turn) return;
    const kept = text.slice(0, Math.max(0, MAX_REPLY_CHARS - turn.replyChars));
    turn.replyChars += kept.length;
    turn.isAnswered = false;
    turn.model = this.model;
    if (kept !== '') turn.reply.push(turn.reply.length === 0 ? kept : gap + kept);
  }

  hasSaid(text: string): boolean {
    return this.#turn?.reply.some((part) => part === text || part === `\n\n${text}`) === true;
  }

  call({ id, name, kind, paths = [], handles = [], input = '' }: CallStart): void {
    if (!this.#turn || this.#turn.calls.length >= MAX_CALLS) return;
    const turn = this.#turn;
    turn.isAnswered = false;
    turn.model = this.model;
    turn.calls.push({
      id,
      name: name.slice(0, 200),
      kind,
      paths: unique(paths),
      handles: unique(handles),
      input: this.#keep(input.slice(0, MAX_INPUT_CHARS)),
      output: '',
      isError: undefined,
    });
  }

  #keep(text: string): string {
    const turn = this.#turn;
    if (!turn || turn.callChars + text.length > MAX_CALL_CHARS) return '';
    turn.callChars += text.length;
    return text;
  }

  /** What a call gave; false when the open turn has no such call. */
  result(id: string | undefined, { output, isError, paths }: CallResult): boolean {
    const call = id === undefined ? undefined : this.#turn?.calls.findLast((candidate) => candidate.id === id);
    if (!call) return false;
    if (output !== undefined) call.output = this.#keep(shorten(output));
    call.isError = isError ?? call.isError ?? false;
    if (paths !== undefined && paths.length > 0) call.paths = unique([...call.paths, ...paths]);
    return true;
  }

  /** Tokens of a request, cached ones included; the last one said counts. */
  usage(inputTokens: number | undefined): void {
    if (this.#turn && inputTokens !== undefined && inputTokens > 0) this.#turn.inputTokens = inputTokens;
  }

  /** What the provider counted for a request; a later count of the same one takes its place. */
  counted(key: string, usage: RequestUsage): void {
    this.usage(usage.input + usage.cacheRead + usage.cacheWrite);
    const requests = this.#turn?.requests;
    if (requests && (requests.size < MAX_REQUESTS || requests.has(key))) requests.set(key, usage);
  }

  /** The agent was at work at that time, milliseconds since the epoch. */
  activeAt(time: number | undefined): void {
    if (this.#turn) this.#turn.lastAt = plausible(time) ?? this.#turn.lastAt;
  }

  /** What the transcript itself says of the turn's length, milliseconds. */
  tookMs(durationMs: number | undefined): void {
    if (this.#turn && durationMs !== undefined && durationMs >= 0) this.#turn.responseMs = durationMs;
  }

  /** The agent said that it is done; what follows without another message still belongs to the turn. */
  answered(): void {
    if (this.#turn) this.#turn.isAnswered = true;
  }

  finish(): void {
    const turn = this.#turn;
    this.#turn = undefined;
    if (!turn) return;
    this.#count++;
    if (turn.userText === '' && turn.reply.length + turn.calls.length === 0) return;
    if (this.#isOwn(turn)) this.#finished.push(this.#toTurn(turn));
    else this.foreignTurns++;
  }

  /** The finished turns that were not taken yet. */
  take(): readonly AgentTurn[] {
    return this.#finished.splice(0);
  }

  /** The open turn as far as it is known. */
  open(): AgentTurn | undefined {
    return this.#turn && this.#isOwn(this.#turn) ? this.#toTurn(this.#turn) : undefined;
  }

  get isAnswered(): boolean {
    return this.#turn?.isAnswered === true;
  }

  /** Where the next reading begins: before the open turn, so that it is read as a whole. */
  resume(): ResumePoint {
    const turn = this.#turn;
    const { session, cwd, model } = this;
    if (!turn) return { ...this.#end, turns: this.#count, session, cwd, model };
    const { offset, line } = turn.place;
    const known = { session: turn.session, cwd: turn.cwd, model: turn.modelBefore };
    return { offset, line: line - 1, turns: this.#count, ...known };
  }

  #isOwn({ cwd }: OpenTurn): boolean {
    return cwd === undefined || this.paths.owns(cwd);
  }

  #toTurn(turn: OpenTurn): AgentTurn {
    const { session, id, number, startedAt, lastAt, userText, inputTokens } = turn;
    const isTimed = startedAt !== undefined && lastAt !== undefined && lastAt >= startedAt;
    return {
      key: `${this.agent}:${session}:${id ?? number}`.replace(/[^\w:.-]+/g, '_').slice(0, 300),
      agent: this.agent,
      startedAt,
      userText,
      replyText: turn.reply.join(''),
      toolCalls: turn.calls.map(({ id: _id, ...call }) => call),
      inputTokens,
      model: turn.model,
      usage: sumOf(turn.requests),
      responseMs: turn.responseMs ?? (isTimed ? lastAt - startedAt : undefined),
    };
  }
}
