/**
 * Three ways to the functions that a fix changed, in tokens read. Two kinds of agent walk each way: one that `knows` the
 * right thing once its name is on the screen, and one that reads everything `inOrder` until it has them. Neither is a
 * model; what real agents read lies between.
 */
import type { Tokenizer } from '../../src/core/ports/ports';
import { STOP_WORDS } from '../../src/core/text/terms';

/** Lines of a function, 1-based and inclusive. */
export interface Place {
  readonly path: string;
  readonly start: number;
  readonly end: number;
}

/** The sources of a commit, tests left out as the map leaves them out. */
export interface Sources {
  readonly texts: ReadonlyMap<string, readonly string[]>;
  readonly tokenizer: Tokenizer;
}

/** Symbols of maps in their order, with what each map costs. */
export interface MapRound {
  readonly tokens: number;
  readonly symbols: readonly Place[];
}

/** Tokens by both kinds of agent; `isFound` is false where only whole files were left to try. */
export interface WayCost {
  readonly knows: number;
  readonly inOrder: number;
  readonly isFound: boolean;
}

/** What tools of agents cut a listing and a search at. */
const LISTING_LINES = 200;
const GREP_LINES = 100;
const LINE_CHARS = 200;
const MAX_TERMS = 12;
/** `detail_tokens` of the default profile. */
const DETAIL_TOKENS = 1500;
/** Lines read on either side of a hit. */
const AROUND = 40;

/** Lines that were read; each costs once. */
class Reader {
  readonly #sources: Sources;
  readonly #seen = new Map<string, Set<number>>();
  tokens = 0;

  constructor(sources: Sources) {
    this.#sources = sources;
  }

  say(text: string): void {
    this.tokens += this.#sources.tokenizer.count(text);
  }

  /** Reads lines up to a cap, whole lines alone, as `detail` gives them. */
  read({ path, start, end }: Place, maxTokens = Number.POSITIVE_INFINITY): void {
    const seen = this.#seen.get(path) ?? new Set();
    this.#seen.set(path, seen);
    const lines = this.#sources.texts.get(path) ?? [];
    let tokens = 0;
    for (let line = Math.max(1, start); line <= Math.min(end, lines.length); line++) {
      const cost = seen.has(line) ? 0 : this.#sources.tokenizer.count(`${lines[line - 1]}\n`);
      if (tokens + cost > maxTokens) break;
      tokens += cost;
      seen.add(line);
    }
    this.tokens += tokens;
  }

  readWhole(path: string): void {
    this.read({ path, start: 1, end: this.#sources.texts.get(path)?.length ?? 0 });
  }

  /** Whether a line of the place was read. */
  touches({ path, start, end }: Place): boolean {
    const seen = this.#seen.get(path);
    for (let line = start; seen && line <= end; line++) if (seen.has(line)) return true;
    return false;
  }

  hasAll(gold: readonly Place[]): boolean {
    return gold.every((place) => this.touches(place));
  }
}

/** A line that holds a term. */
interface Hit {
  readonly path: string;
  readonly line: number;
  readonly text: string;
}

interface Search {
  readonly term: string;
  readonly hits: readonly Hit[];
}

const IDENTIFIER = /[A-Za-z_][A-Za-z0-9_]{2,}/gu;
const SHAPED = /_|[a-z0-9][A-Z]|^[A-Z]{2,}/u;

/** The task's identifiers, and its other words behind them, as searches: the most telling first, which is the rarest. */
function searches(query: string, { texts }: Sources): readonly Search[] {
  const words = [...new Set(query.match(IDENTIFIER) ?? [])].filter((word) => !STOP_WORDS.has(word.toLowerCase()));
  const hits = new Map<string, Hit[]>(words.map((word) => [word, []]));
  for (const [path, lines] of texts) {
    lines.forEach((text, at) => {
      for (const word of new Set(text.match(IDENTIFIER) ?? [])) hits.get(word)?.push({ path, line: at + 1, text });
    });
  }
  const found = [...hits].flatMap(([term, of]) => (of.length > 0 ? [{ term, hits: of }] : []));
  const rank = ({ term, hits: of }: Search): number => (SHAPED.test(term) ? 0 : 1e9) + of.length;
  return found.sort((a, b) => rank(a) - rank(b)).slice(0, MAX_TERMS);
}

/** Files by how many of the searches they answer, then by lines. */
function filesByHits(found: readonly Search[], { texts }: Sources): readonly string[] {
  const terms = new Map<string, Set<string>>();
  const lines = new Map<string, number>();
  for (const { term, hits } of found) {
    for (const { path } of hits) {
      terms.set(path, (terms.get(path) ?? new Set()).add(term));
      lines.set(path, (lines.get(path) ?? 0) + 1);
    }
  }
  const of = (path: string): number => (terms.get(path)?.size ?? 0) * 1e6 + (lines.get(path) ?? 0);
  return [...texts.keys()].sort((a, b) => of(b) - of(a) || (a < b ? -1 : 1));
}

function readOn(reader: Reader, files: readonly string[], gold: readonly Place[]): void {
  for (const path of files) {
    if (reader.hasAll(gold)) return;
    reader.readWhole(path);
  }
}

function grepOutput({ hits }: Search): string {
  const rows = hits
    .slice(0, GREP_LINES)
    .map(({ path, line, text }) => `${path}:${line}:${text.slice(0, LINE_CHARS)}\n`);
  return rows.join('') + (hits.length > GREP_LINES ? `(${hits.length - GREP_LINES} more)\n` : '');
}

/** (a) Whole files: who knows opens the right ones at once; else the file with the most of the task's words first. */
export function byWholeFiles(query: string, gold: readonly Place[], sources: Sources): WayCost {
  const knows = new Reader(sources);
  for (const { path } of gold) knows.readWhole(path);
  const inOrder = new Reader(sources);
  readOn(inOrder, filesByHits(searches(query, sources), sources), gold);
  return { knows: knows.tokens, inOrder: inOrder.tokens, isFound: true };
}

/** (b) A listing, then one search after the other, and the lines around hits. */
export function byGrep(query: string, gold: readonly Place[], sources: Sources): WayCost {
  const found = searches(query, sources);
  const listing = [...sources.texts.keys()].slice(0, LISTING_LINES).join('\n');
  const knows = new Reader(sources);
  const inOrder = new Reader(sources);
  const isIn = ({ path, line }: Hit, place: Place): boolean =>
    path === place.path && line >= place.start && line <= place.end;
  const left = new Set(gold);
  knows.say(listing);
  inOrder.say(listing);
  for (const search of found) {
    if (left.size > 0) knows.say(grepOutput(search));
    for (const hit of search.hits.slice(0, GREP_LINES))
      for (const place of left) if (isIn(hit, place)) left.delete(place);
    if (!inOrder.hasAll(gold)) inOrder.say(grepOutput(search));
    for (const { path, line } of search.hits.slice(0, GREP_LINES)) {
      if (inOrder.hasAll(gold)) break;
      inOrder.read({ path, start: line - AROUND, end: line + AROUND });
    }
  }
  for (const place of gold) {
    if (left.has(place)) knows.readWhole(place.path);
    else knows.read(place);
  }
  const isFound = inOrder.hasAll(gold);
  readOn(inOrder, filesByHits(found, sources), gold);
  // Who came upon a part of a function reads the rest of it.
  for (const place of gold) inOrder.read(place);
  return { knows: knows.tokens, inOrder: inOrder.tokens, isFound };
}

/** What surrounds the source of one symbol in an answer. */
function detailTags({ path, start, end }: Place): string {
  return `\`\`\` file:${path}#L${start}-L${end} function name\n\`\`\`\n`;
}

/** (c) A map, then the source of its symbols; the larger map where the first was not enough, then whole files. */
export function byMap(query: string, gold: readonly Place[], sources: Sources, rounds: readonly MapRound[]): WayCost {
  const knows = new Reader(sources);
  const inOrder = new Reader(sources);
  const covers = (symbol: Place, place: Place): boolean =>
    symbol.path === place.path && symbol.start === place.start && symbol.end === place.end;
  const left = new Set(gold);
  for (const { tokens, symbols } of rounds) {
    if (left.size > 0) knows.tokens += tokens;
    for (const symbol of symbols) for (const place of left) if (covers(symbol, place)) left.delete(place);
    if (inOrder.hasAll(gold)) continue;
    inOrder.tokens += tokens;
    for (const symbol of symbols) {
      if (inOrder.hasAll(gold)) break;
      inOrder.say(detailTags(symbol));
      inOrder.read(symbol, DETAIL_TOKENS);
    }
  }
  for (const place of gold) {
    if (left.has(place)) knows.readWhole(place.path);
    else {
      knows.say(detailTags(place));
      knows.read(place);
    }
  }
  const isFound = inOrder.hasAll(gold);
  readOn(inOrder, filesByHits(searches(query, sources), sources), gold);
  for (const place of gold) inOrder.read(place);
  return { knows: knows.tokens, inOrder: inOrder.tokens, isFound };
}
