/**
 * The window of one log, request by request: what each request read, by our own counts. Texts are given with their tokens
 * and are not kept. How counts become parts that add up to the provider's figures is decided in `parts.ts`.
 */
import type { LoggedBlock, LoggedUsage, SessionEvent } from '../../transcripts/sessions/sessionLog';
import { Calibration, dropsThinking, frameOf } from './calibration';
import { Evidence } from './evidence';
import { MIN_SHRUNK_TOKENS, ownTokens, windowOf } from './parts';
import type { Finding, PartCounts, TimelineRequest } from './sessionData';

/** All requests of one log, and what its texts showed. */
export interface Timeline {
  readonly requests: readonly TimelineRequest[];
  readonly turns: number;
  readonly promptTimes: readonly (number | undefined)[];
  readonly firstTime: number | undefined;
  readonly lastTime: number | undefined;
  readonly compactions: number;
  readonly findings: readonly Finding[];
  /** MCP servers whose tools the model was given, whole, and those it called. */
  readonly servers: readonly string[];
  readonly calledServers: readonly string[];
}

type Writable<T> = { -readonly [K in keyof T]: T[K] };

interface Settled {
  readonly request: TimelineRequest;
  readonly window: number;
}

/** The window of the session or of one of its subagents. */
interface Track {
  counted: Record<string, number>;
  known: Record<string, number>;
  compactions: number;
  cuts: number;
  /** The newest request, tokens of what its answer shows and of what stands around that, and of what it hides. */
  request: Writable<TimelineRequest> | undefined;
  shown: number;
  framed: number;
  hidden: number;
  /** Tokens around its texts that its figure tells of. */
  framing: number;
  /** Its answer has thinking, of which the log may show less than there was. */
  hasThinking: boolean;
  /** Of the thinking, what came before the newest message of the user. */
  past: { counted: number; known: number };
  /** The window that holds the agent's own prompt and tools and little else, and the one that the next is compared to. */
  first: Settled | undefined;
  settled: Settled | undefined;
  /** Tokens that may have come into the window since then, by part. */
  assumed: Record<string, number>;
  /** Part of the assumed tokens that the window had room for. */
  found: Record<string, number>;
  /** The window before each message that it may go back to, and the newest request then. */
  readonly before: Map<string, PartCounts & Pick<Track, 'found' | 'request'>>;
  /** Results by their calls, as long as they are in the window. */
  readonly results: Map<string, { readonly part: string; readonly tokens: number }>;
}

/** Builds the timeline of one log from its events, in order. */
export class TimelineBuilder {
  readonly #tracks = new Map<string | undefined, Track>();
  readonly #requests: Writable<TimelineRequest>[] = [];
  readonly #byKey = new Map<string, Writable<TimelineRequest>>();
  readonly #promptTimes: (number | undefined)[] = [];
  readonly #evidence = new Evidence();
  readonly #calibration = new Calibration();
  readonly #servers = new Set<string>();
  readonly #deferred = new Set<string>();
  readonly #called = new Set<string>();
  #firstTime: number | undefined;
  #lastTime: number | undefined;

  /** @param tokens of the event's text, counted; 0 for events without one */
  add(event: SessionEvent, tokens: number): void {
    const { time, subagent } = event;
    if (event.kind === 'answered') return;
    this.#firstTime ??= time;
    if (time !== undefined) this.#lastTime = Math.max(this.#lastTime ?? time, time);
    const track = this.#trackOf(subagent);
    this.#evidence.add(event, tokens, this.#turn, track.request);
    if (event.kind === 'compaction' || event.kind === 'cleared') track.cuts++;
    if (event.kind === 'prompt') {
      if (subagent === undefined) this.#promptTimes.push(time);
      track.past = thinkingOf(track);
    } else if (event.kind === 'block') this.#block(track, event, tokens);
    else if (event.kind === 'request') this.#begin(track, event);
    else if (event.kind === 'usage') this.#used(track, event);
    else if (event.kind === 'servers')
      for (const name of event.names) (event.areDeferred ? this.#deferred : this.#servers).add(name);
    else if (event.kind === 'compaction') {
      const before = event.keepsFrom === undefined ? undefined : track.before.get(event.keepsFrom);
      track.counted = before ? difference(track.counted, before.counted) : {};
      track.known = before ? difference(track.known, before.known) : {};
      track.assumed = {};
      track.found = {};
      track.settled = track.first;
      track.past = thinkingOf(track);
      track.before.clear();
      track.results.clear();
      track.compactions++;
    } else if (event.kind === 'message') {
      const { counted, known, found, request } = track;
      track.before.set(event.id, { counted: { ...counted }, known: { ...known }, found: { ...found }, request });
    } else if (event.kind === 'rewind') {
      const before = track.before.get(event.to);
      // What no request has read was in no window.
      if (before === undefined || before.request !== track.request) track.cuts++;
      track.counted = { ...before?.counted };
      track.known = { ...before?.known };
      track.found = { ...before?.found };
      track.past = thinkingOf(track);
    } else clear(track, event.calls);
  }

  finish(): Timeline {
    for (const track of this.#tracks.values()) this.#learn(track);
    for (const request of this.#requests) request.factor = this.#calibration.factorOf(request.model);
    return {
      requests: this.#requests,
      turns: this.#turn,
      promptTimes: this.#promptTimes,
      firstTime: this.#firstTime,
      lastTime: this.#lastTime,
      compactions: this.#trackOf(undefined).compactions,
      findings: this.#evidence.finish(this.#requests, this.#turn),
      servers: [...this.#servers].filter((name) => !this.#deferred.has(name)),
      calledServers: [...this.#called],
    };
  }

  get #turn(): number {
    return this.#promptTimes.length;
  }

  #trackOf(subagent: string | undefined): Track {
    const known = this.#tracks.get(subagent);
    if (known) return known;
    const empty: Track = {
      counted: {},
      known: {},
      compactions: 0,
      cuts: 0,
      request: undefined,
      shown: 0,
      framed: 0,
      hidden: 0,
      framing: 0,
      hasThinking: false,
      past: { counted: 0, known: 0 },
      first: undefined,
      settled: undefined,
      assumed: {},
      found: {},
      before: new Map(),
      results: new Map(),
    };
    this.#tracks.set(subagent, empty);
    return empty;
  }

  #block(track: Track, block: LoggedBlock, tokens: number): void {
    const part = block.part === 'mcp' ? `mcp:${block.server ?? ''}` : block.part;
    const { from, call, summarized } = block;
    if (block.isAssumed === true) {
      add(
        track.assumed,
        part,
        Math.round(tokens * this.#calibration.factorOf(track.request?.model)) + (block.tokens ?? 0),
      );
      return;
    }
    if (summarized === undefined) add(track.counted, part, tokens);
    else track.hidden += summarized;
    const frame = from === 'call' || from === 'result' ? frameOf(track.request?.model)[from] : 0;
    add(track.known, part, (summarized ?? 0) + (block.tokens ?? 0) + frame);
    if ((from === 'model' && summarized === undefined) || from === 'call') track.shown += tokens;
    if (block.part === 'thinking') track.hasThinking = true;
    if (from === 'call') track.framed += frame;
    if (from === 'call' && track.request) track.request.calls++;
    if (from === 'call' && block.server !== undefined) this.#called.add(block.server);
    if (from === 'result' && call) track.results.set(call.id, { part, tokens });
  }

  /** What the newest answer says of the model's tokens. */
  #learn({ request, shown, framed, hasThinking }: Track): void {
    const output = request?.usage?.output;
    if (request && output !== undefined && !hasThinking) this.#calibration.add(request.model, shown, output - framed);
  }

  #begin(track: Track, event: Extract<SessionEvent, { kind: 'request' }>): void {
    this.#learn(track);
    const isPastGone = dropsThinking(event.model);
    const request: Writable<TimelineRequest> = {
      id: event.id,
      key: event.key,
      model: event.model,
      turn: Math.max(1, this.#turn),
      time: event.time,
      subagent: event.subagent,
      compactions: track.compactions,
      cuts: track.cuts,
      calls: 0,
      factor: this.#calibration.factorOf(event.model),
      counted: isPastGone ? withoutThinking(track.counted, track.past.counted) : { ...track.counted },
      known: isPastGone ? withoutThinking(track.known, track.past.known) : { ...track.known },
      usage: undefined,
      cacheSeconds: undefined,
    };
    track.request = request;
    track.shown = 0;
    track.framed = 0;
    track.hidden = 0;
    track.framing = 0;
    track.hasThinking = false;
    add(track.known, 'assistant', frameOf(event.model).answer);
    this.#requests.push(request);
    this.#byKey.set(event.key, request);
  }

  #used(track: Track, event: LoggedUsage): void {
    const request = this.#byKey.get(event.key);
    if (!request) return;
    if (request.usage === undefined && track.request === request) this.#settle(track, request, windowOf(event.usage));
    request.usage = event.usage;
    if (event.knownAs !== undefined) request.key = event.knownAs;
    request.cacheSeconds = event.cacheSeconds;
    const { output } = event.usage;
    if (event.hasHiddenThinking === true) track.hasThinking = true;
    const isAllHidden = event.hasHiddenThinking === true && event.thinking === undefined;
    if (track.request !== request || output === undefined || !(isAllHidden || event.thinking !== undefined)) return;
    const shown = Math.round(track.shown * request.factor) + track.framed;
    const more = Math.max(0, output - shown);
    const hidden = Math.min(more, event.thinking ?? more);
    add(track.known, 'thinking', hidden - track.hidden);
    track.hidden = hidden;
    if (event.thinking === undefined) return;
    add(track.known, 'assistant', more - hidden - track.framing);
    track.framing = more - hidden;
  }

  /** Makes what is known by inference agree with the figures of a request that are the first to show it. */
  #settle(track: Track, request: Writable<TimelineRequest>, window: number): void {
    if (window === 0) return;
    const unexplainedIn = (settled: Settled): number =>
      settled.window - ownTokens({ ...settled.request, factor: this.#calibration.factorOf(settled.request.model) });
    const unexplained = unexplainedIn({ request, window });
    const before = track.settled ? unexplainedIn(track.settled) : unexplained;
    const put = (part: string, tokens: number): void => {
      for (const sums of [request.known as Record<string, number>, track.known, track.found]) add(sums, part, tokens);
    };
    const assumed = Object.entries(track.assumed);
    const sum = assumed.reduce((all, [, tokens]) => all + tokens, 0);
    const found = Math.min(sum, Math.max(0, unexplained - before));
    for (const [part, tokens] of assumed) put(part, Math.round((tokens * found) / sum));
    // Content that left the window without a mark may be content that was never logged.
    const all = Object.entries(track.found).filter(([, tokens]) => tokens > 0);
    const kept = all.reduce((total, [, tokens]) => total + tokens, 0);
    const missing = before - unexplained;
    const lost = missing > MIN_SHRUNK_TOKENS ? Math.min(kept, missing) : 0;
    for (const [part, tokens] of all) put(part, -Math.round((tokens * lost) / kept));
    track.assumed = {};
    track.settled = { request, window };
    track.first ??= track.settled;
  }
}

function difference(
  now: Readonly<Record<string, number>>,
  before: Readonly<Record<string, number>>,
): Record<string, number> {
  return Object.fromEntries(Object.entries(now).map(([part, tokens]) => [part, tokens - (before[part] ?? 0)]));
}

function thinkingOf({ counted, known }: Track): Track['past'] {
  return { counted: counted.thinking ?? 0, known: known.thinking ?? 0 };
}

function withoutThinking(sums: Readonly<Record<string, number>>, tokens: number): Readonly<Record<string, number>> {
  const { thinking = 0, ...others } = sums;
  return thinking === tokens ? others : { ...others, thinking: thinking - tokens };
}

function clear(track: Track, calls: readonly string[]): void {
  for (const call of calls) {
    const result = track.results.get(call);
    if (result) add(track.counted, result.part, -result.tokens);
    track.results.delete(call);
  }
}

function add(sums: Record<string, number>, part: string, tokens: number): void {
  if (tokens !== 0) sums[part] = (sums[part] ?? 0) + tokens;
}
