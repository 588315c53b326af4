/**
 * Findings of one log that need its texts: a file read again, large output that nothing uses, an instruction that a
 * compaction lost. Kept are hashes of words and, of instructions, the sentence; texts pass through.
 */
import { hashText } from '../../text/hash';
import { formatCount } from '../../text/numbers';
import type { LoggedBlock, LoggedCall, SessionEvent } from '../../transcripts/sessions/sessionLog';
import { MIN_SHRUNK_TOKENS, windowOf } from './parts';
import type { Finding, TimelineRequest } from './sessionData';
import { modelTokens, type ResultPlace, ToolEvidence } from './toolEvidence';

/** Smaller reads are not worth a word. */
const MIN_READ_TOKENS = 200;
/** Smaller output is not large, however small the window. */
const MIN_OUTPUT_TOKENS = 2_000;
/** SESSIONS.md of the design, section 8: of the window that first held it. */
const LARGE_SHARE = 0.05;
/** Output with fewer words of its own cannot be recognised. */
const MIN_NEW_WORDS = 20;
/** Share of an output's words that must be new: otherwise its known words may be what was used. */
const MIN_NEW_SHARE = 0.5;
const MAX_WORDS = 200_000;
/** A request or two may still be about something else. */
const MIN_CARRIED = 3;
const MAX_RULE_CHARS = 300;
const MAX_RULES = 200;

const WORD = /[\p{L}_$][\p{L}\p{N}_$]{3,}|\d{3,}/gu;
/** A sentence that holds from now on: an order, not a wish or a story in which something always happens. */
const STANDING =
  /^(?:[-*•]\s*)?(?:please,?\s+|and\s+|but\s+|important:\s*|note:\s*)*(?:always|never|from now on|in (?:the )?future|do not ever|don['’]t ever|under no circumstances|you (?:must|should) (?:always|never|not))\b|^(?:请)?(?:以后|总是|永远|从不|不要再)/iu;
/** Code and logs that were pasted are no orders. */
const PASTED = /[={};]|\/\/|^\s*\d+\s/;
/** Longer messages hold documents. */
const MAX_ORDER_CHARS = 4_000;

interface SeenRead extends ResultPlace {
  readonly hash: string;
  readonly call: string;
}

interface LargeOutput extends ResultPlace {
  readonly block: Pick<LoggedBlock, 'part' | 'server' | 'call'>;
  isUsed: boolean;
}

interface Rule {
  readonly turn: number;
  readonly sentence: string;
}

/** One window: the session's or a subagent's. */
interface Watch {
  requests: number;
  /** The newest request with figures, and its window. */
  counted: string;
  window: number;
  epoch: number;
  /** Requests at the end of each epoch but the last. */
  readonly ends: number[];
  readonly reads: Map<string, SeenRead>;
  readonly tools: ToolEvidence;
  readonly again: (ResultPlace & Pick<LoggedCall, 'path' | 'range'> & { readonly first: number })[];
}

function wordsOf(text: string): ReadonlySet<string> {
  const distinct = new Set(Array.from(text.matchAll(WORD), ([word]) => word.toLowerCase()));
  return new Set(Array.from(distinct, hashText));
}

/** Collects evidence while a log is read. */
export class Evidence {
  readonly #watches = new Map<string | undefined, Watch>();
  readonly #seen = new Set<string>();
  readonly #outputs: LargeOutput[] = [];
  /** Words that show the use of large outputs, each until it is said. */
  readonly #telling = new Map<string, LargeOutput[]>();
  #rules: Rule[] = [];
  readonly #findings: Finding[] = [];
  /** Turns and requests before each message that the window may go back to. */
  readonly #before = new Map<string, { readonly turns: number; readonly requests: number }>();
  /** Words behind a compaction, until the next request; undefined outside. */
  #kept: Set<string> | undefined;
  #keptTurn = Number.POSITIVE_INFINITY;

  add(event: SessionEvent, tokens: number, turn: number, request: TimelineRequest | undefined): void {
    const watch = this.#watchOf(event.subagent);
    const isMain = event.subagent === undefined;
    if (event.kind === 'request') {
      if (isMain) this.#judgeRules(turn);
      watch.requests++;
    } else if (event.kind === 'compaction') {
      watch.ends.push(watch.requests);
      watch.epoch++;
      watch.reads.clear();
      if (!isMain) return;
      this.#kept = new Set();
      const before = event.keepsFrom === undefined ? undefined : this.#before.get(event.keepsFrom)?.turns;
      this.#keptTurn = event.keepsLast === true ? turn : (before ?? Number.POSITIVE_INFINITY) + 1;
    } else if (event.kind === 'message') {
      if (isMain) this.#before.set(event.id, { turns: turn, requests: watch.requests });
    } else if (event.kind === 'rewind') {
      const { turns, requests } = this.#before.get(event.to) ?? { turns: 0, requests: -1 };
      // Orders that the person took back are not lost.
      if (isMain) this.#rules = this.#rules.filter((rule) => rule.turn <= turns);
      if (watch.requests === requests) return;
      // Nothing is said to be carried further, although what stands before the message is.
      watch.ends.push(watch.requests);
      watch.epoch++;
      watch.reads.clear();
    } else if (event.kind === 'usage') {
      const window = windowOf(event.usage);
      // What left it without a mark may have been read anew for that.
      if (event.key !== watch.counted && window < watch.window - MIN_SHRUNK_TOKENS) watch.reads.clear();
      watch.counted = event.key;
      watch.window = window;
    } else if (event.kind === 'cleared') {
      for (const [key, { call }] of watch.reads) if (event.calls.includes(call)) watch.reads.delete(key);
    } else if (event.kind === 'block') {
      const place = { turn: Math.max(1, turn), tokens, before: watch.requests, epoch: watch.epoch };
      this.#reading(watch, event, place);
      watch.tools.add(event, place);
      if (isMain) this.#words(event, place, request);
    }
  }

  /** Findings of the whole log. Output of the last turn is left out: no later turn could use it. */
  finish(requests: readonly TimelineRequest[], turns: number): readonly Finding[] {
    for (const [subagent, watch] of this.#watches) {
      const read = requests.filter((request) => request.subagent === subagent);
      this.#findings.push(...watch.tools.finish(read, (place) => carriedBy(watch, place)));
      for (const again of watch.again) {
        const carried = carriedBy(watch, again);
        if (carried > 0) this.#findings.push(readAgain(again, modelTokens(again, read), carried));
      }
    }
    const main = this.#watchOf(undefined);
    const own = requests.filter(({ subagent }) => subagent === undefined);
    for (const output of this.#outputs) {
      const carried = carriedBy(main, output);
      const usage = own[output.before]?.usage;
      const window = usage ? usage.input + usage.cacheRead + usage.cacheWrite : 0;
      if (output.isUsed || output.turn >= turns || carried < MIN_CARRIED) continue;
      const tokens = modelTokens(output, own);
      if (window === 0 || tokens <= LARGE_SHARE * window) continue;
      this.#findings.push(unusedOutput(output, tokens, carried));
    }
    return this.#findings;
  }

  #watchOf(subagent: string | undefined): Watch {
    const known = this.#watches.get(subagent);
    if (known) return known;
    const watch: Watch = {
      requests: 0,
      counted: '',
      window: 0,
      epoch: 0,
      ends: [],
      reads: new Map(),
      tools: new ToolEvidence(),
      again: [],
    };
    this.#watches.set(subagent, watch);
    return watch;
  }

  #reading(watch: Watch, block: LoggedBlock, place: ResultPlace): void {
    const path = block.call?.path;
    if (path === undefined || !block.call) return;
    if (block.part === 'edit') {
      for (const key of watch.reads.keys()) if (key.startsWith(`${path}\n`)) watch.reads.delete(key);
    }
    if (block.part !== 'read' || block.from !== 'result' || block.isError || place.tokens < MIN_READ_TOKENS) return;
    const { range, id } = block.call;
    const key = `${path}\n${range ?? ''}`;
    const hash = hashText(block.text);
    const before = watch.reads.get(key);
    if (before?.hash === hash && before.call !== id) watch.again.push({ ...place, first: before.turn, path, range });
    else watch.reads.set(key, { ...place, hash, call: id });
  }

  #words(block: LoggedBlock, place: ResultPlace, request: TimelineRequest | undefined): void {
    const words = wordsOf(block.text);
    if (this.#kept && block.from !== 'model' && block.from !== 'call') for (const word of words) this.#kept.add(word);
    if (block.from === 'model' || block.from === 'call') {
      for (const word of words) {
        for (const output of this.#telling.get(word) ?? []) output.isUsed = true;
        this.#telling.delete(word);
      }
    }
    if (block.from === 'result' && !block.isError && place.tokens >= MIN_OUTPUT_TOKENS && request) {
      const fresh = new Set([...words].filter((word) => !this.#seen.has(word)));
      const { part, server, call } = block;
      if (fresh.size >= MIN_NEW_WORDS && fresh.size >= MIN_NEW_SHARE * words.size) {
        // A later mention of the file counts as use.
        for (const word of wordsOf(call?.path?.split(/[\\/]/).at(-1) ?? '')) fresh.add(word);
        const output = { ...place, block: { part, server, call }, isUsed: false };
        this.#outputs.push(output);
        for (const word of fresh) {
          const told = this.#telling.get(word);
          if (told) told.push(output);
          else this.#telling.set(word, [output]);
        }
      }
    }
    if (this.#seen.size < MAX_WORDS) for (const word of words) this.#seen.add(word);
    if (block.from === 'user') this.#rulesOf(block.text, place.turn);
  }

  #rulesOf(text: string, turn: number): void {
    const left = MAX_RULES - this.#rules.length;
    for (const sentence of standingOrders(text).slice(0, left)) this.#rules.push({ turn, sentence });
  }

  /** The first request after a compaction shows what was kept. */
  #judgeRules(turn: number): void {
    const kept = this.#kept;
    if (!kept) return;
    this.#kept = undefined;
    const lost = this.#rules.filter(({ turn: said, sentence }) => {
      if (said >= this.#keptTurn) return false;
      const words = [...wordsOf(sentence)];
      return words.length >= 3 && words.filter((word) => kept.has(word)).length < words.length / 2;
    });
    this.#rules = this.#rules.filter((rule) => !lost.includes(rule));
    for (const { turn: said, sentence } of lost) {
      const turns = [said, Math.max(1, turn)];
      this.#findings.push({ rule: 'lost-instruction', turns, tokens: 0, what: sentence, fix: 'none' });
    }
  }
}

/** Sentences of a person's message that hold from then on. */
export function standingOrders(text: string): readonly string[] {
  if (text.length > MAX_ORDER_CHARS) return [];
  const sentences = text.split(/(?<=[.!?。！？])\s+|\n+/).map((sentence) => sentence.trim());
  return sentences.filter(
    (said) =>
      said.length >= 12 &&
      said.length <= MAX_RULE_CHARS &&
      STANDING.test(said) &&
      !PASTED.test(said) &&
      !said.endsWith('?'),
  );
}

/** Requests that read it. */
function carriedBy({ requests, ends }: Watch, { before, epoch }: ResultPlace): number {
  return Math.max(0, (ends[epoch] ?? requests) - before);
}

function pathOf({ path, range }: Pick<LoggedCall, 'path' | 'range'>): string | undefined {
  return path === undefined || !range ? path : `${path}#${range}`;
}

function readAgain({ first, turn, path, range }: Watch['again'][number], size: number, carried: number): Finding {
  const what = pathOf({ path, range }) ?? '';
  const about = { path, range, size };
  return { rule: 'read-again', turns: [first, turn], tokens: size * carried, what, about, fix: 'map' };
}

/** @param tokens of the output by its model's count */
function unusedOutput({ block, turn }: LargeOutput, tokens: number, carried: number): Finding {
  const { part, server, call } = block;
  const place = pathOf(call ?? {}) ?? call?.tool ?? part;
  const name = server === undefined ? place : `${server}/${place}`;
  const fix = part === 'read' ? 'map' : part === 'mcp' ? 'fewer-tools' : 'on-demand';
  const what = `${name}: ${formatCount(tokens)} tokens, not visibly used later`;
  const about = { path: call?.path, range: call?.range, server, tool: call?.tool ?? part, size: tokens };
  return { rule: 'unused-output', turns: [turn], tokens: tokens * carried, what, about, fix };
}
