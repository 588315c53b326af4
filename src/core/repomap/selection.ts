/**
 * Selection: decides which of the ranked definitions a budget buys, and renders them. Whole lines only, priced exactly;
 * it knows nothing of why something ranks high (`ranking.ts`).
 */
import type { Tokenizer } from '../ports';
import { Heap } from './heap';
import { type MapStyle, pathLine, placementOf, symbolLine } from './mapLines';
import type { RankedFile, RankedFiles } from './ranking';
import type { RepoIndex } from './repoIndex';
import type { MapFile, RankedMap } from './types';

/** RANKING §2b: up to here names alone show about twice as many of the functions wanted. */
const NAMES_ONLY_BUDGET = 512;
/** The n-th definition of a file (from 0) counts `1 / (1 + n / 4)` of its score, so that no file eats the map. */
const HALVING = 4;
/** Give up filling the last gap after so many definitions that did not fit. */
const MAX_MISSES = 300;
/** No line is shorter than an indent with a line number, a name and a newline. */
const MIN_LINE_TOKENS = 3;

/** One definition chosen, with everything it needs to be understood. */
interface Item {
  readonly source: RankedFile;
  readonly index: number;
}

/** A file's place in the queue: its best definition not looked at yet. */
interface Candidate {
  readonly source: RankedFile;
  /** Definitions, best first; sorted when the file comes up first. */
  readonly order: readonly number[] | undefined;
  readonly next: number;
  readonly priority: number;
}

function isBefore(a: Candidate, b: Candidate): boolean {
  if (a.priority !== b.priority) return a.priority > b.priority;
  return a.source.file.path < b.source.file.path;
}

function bestFirst({ scores }: RankedFile): readonly number[] {
  return Array.from(scores, (_, index) => index).sort((a, b) => (scores[b] as number) - (scores[a] as number) || a - b);
}

interface Shown {
  readonly definitions: Set<number>;
  readonly scopeLines: Set<string>;
  /** Signatures by parent: the same one twice (`#ifdef` branches, overloads in stubs) says nothing more. */
  readonly signatures: Set<string>;
}

function signatureKey({ source, index }: Item): string {
  const definition = source.file.definitions[index];
  return `${definition?.parent}\0${definition?.scope ?? ''}\0${definition?.signature}`;
}

/** The lines of a map, as a set: adding a definition adds what is not there yet. */
class Sheet {
  readonly style: MapStyle;
  readonly #shown = new Map<RankedFile, Shown>();

  constructor(style: MapStyle) {
    this.style = style;
  }

  /** Files in the order in which their first definition came. */
  get files(): readonly RankedFile[] {
    return [...this.#shown.keys()];
  }

  /** Whether the item, or one that reads the same at the same place, is there. */
  has(item: Item): boolean {
    const shown = this.#shown.get(item.source);
    return shown !== undefined && (shown.definitions.has(item.index) || shown.signatures.has(signatureKey(item)));
  }

  definitionsOf(source: RankedFile): ReadonlySet<number> {
    return this.#shown.get(source)?.definitions ?? new Set();
  }

  /** Lines that `item` would add. */
  missing({ source, index }: Item): readonly string[] {
    const shown = this.#shown.get(source);
    const { ancestors, scopeLine } = placementOf(source.file, index);
    const lines = shown ? [] : [pathLine(source.file.path)];
    ancestors.forEach((ancestor, depth) => {
      if (!shown?.definitions.has(ancestor)) lines.push(this.#line(source, ancestor, depth));
    });
    if (scopeLine !== undefined && !shown?.scopeLines.has(scopeLine)) lines.push(scopeLine);
    lines.push(this.#line(source, index, ancestors.length + (scopeLine === undefined ? 0 : 1)));
    return lines;
  }

  add(item: Item): void {
    const { source, index } = item;
    let shown = this.#shown.get(source);
    if (!shown) {
      shown = { definitions: new Set(), scopeLines: new Set(), signatures: new Set() };
      this.#shown.set(source, shown);
    }
    const { ancestors, scopeLine } = placementOf(source.file, index);
    for (const ancestor of ancestors) shown.definitions.add(ancestor);
    shown.definitions.add(index);
    shown.signatures.add(signatureKey(item));
    if (scopeLine !== undefined) shown.scopeLines.add(scopeLine);
  }

  text(): string {
    return this.files.map((source) => this.#fileText(source)).join('');
  }

  #line(source: RankedFile, index: number, depth: number): string {
    return symbolLine(source.file, index, depth, this.style);
  }

  /** Members below their parent, members of a type from elsewhere below its name, each group in document order. */
  #fileText(source: RankedFile): string {
    const { file } = source;
    const children = new Map<number, number[]>();
    for (const index of [...this.definitionsOf(source)].sort((a, b) => a - b)) {
      const parent = file.definitions[index]?.parent ?? -1;
      children.set(parent, [...(children.get(parent) ?? []), index]);
    }
    const below = (parent: number, depth: number): string => {
      const groups = new Map<string, string>();
      let text = '';
      for (const index of children.get(parent) ?? []) {
        const { scopeLine } = placementOf(file, index);
        const at = depth + (scopeLine === undefined ? 0 : 1);
        const block = this.#line(source, index, at) + below(index, at + 1);
        if (scopeLine === undefined) text += block;
        else groups.set(scopeLine, (groups.get(scopeLine) ?? '') + block);
      }
      for (const [scopeLine, block] of groups) text += scopeLine + block;
      return text;
    };
    return pathLine(file.path) + below(-1, 0);
  }
}

function candidates(ranked: RankedFiles): Heap<Candidate> {
  const heap = new Heap<Candidate>(isBefore);
  for (const source of ranked.files) {
    let best = 0;
    for (const score of source.scores) best = Math.max(best, score);
    if (source.scores.length > 0) heap.push({ source, order: undefined, next: 0, priority: best });
  }
  return heap;
}

/** Greedy: the best definition that still fits, with diminishing returns per file. */
function choose(ranked: RankedFiles, budgetTokens: number, style: MapStyle, tokenizer: Tokenizer): readonly Item[] {
  const heap = candidates(ranked);
  const sheet = new Sheet(style);
  const items: Item[] = [];
  let left = budgetTokens;
  let misses = 0;
  for (let top = heap.pop(); top && left >= MIN_LINE_TOKENS && misses < MAX_MISSES; top = heap.pop()) {
    const { source } = top;
    const order = top.order ?? bestFirst(source);
    const item: Item = { source, index: order[top.next] as number };
    if (!sheet.has(item)) {
      const price = sheet.missing(item).reduce((sum, line) => sum + tokenizer.count(line), 0);
      if (price > left) misses++;
      else {
        left -= price;
        sheet.add(item);
        items.push(item);
      }
    }
    const following = order[top.next + 1];
    if (following !== undefined) {
      const share = 1 + sheet.definitionsOf(source).size / HALVING;
      heap.push({ source, order, next: top.next + 1, priority: (source.scores[following] as number) / share });
    }
  }
  return items;
}

function sheetOf(items: readonly Item[], style: MapStyle): Sheet {
  const sheet = new Sheet(style);
  for (const item of items) sheet.add(item);
  return sheet;
}

/**
 * The best map for a budget, never over it. `render(n)` shows the first `n` choices; each further one only adds lines.
 * Cost: the files once, and counting the lines of what is chosen or tried.
 */
export function selectMap(
  index: RepoIndex,
  ranked: RankedFiles,
  options: { readonly budgetTokens: number },
  tokenizer: Tokenizer,
): RankedMap {
  const style: MapStyle = options.budgetTokens <= NAMES_ONLY_BUDGET ? 'names' : 'signatures';
  let items = choose(ranked, options.budgetTokens, style, tokenizer);
  // Line counts add up for o200k and cl100k (PERFORMANCE §4e); the final text is what the cap is about.
  while (items.length > 0 && tokenizer.count(sheetOf(items, style).text()) > options.budgetTokens) {
    items = items.slice(0, -1);
  }
  const { files: filesTotal, symbols: symbolsTotal } = index.stats();
  return {
    size: items.length,
    filesTotal,
    symbolsTotal,
    render(itemCount) {
      const sheet = sheetOf(items.slice(0, Math.max(0, itemCount)), style);
      const files = sheet.files.map((source, at): MapFile => {
        const shown = [...sheet.definitionsOf(source)].sort((a, b) => a - b);
        return { path: source.file.path, rank: at + 1, symbols: shown.flatMap((one) => source.file.symbol(one) ?? []) };
      });
      return { text: sheet.text(), view: { filesTotal, filesShown: files.length, symbolsTotal, items: files } };
    },
  };
}
