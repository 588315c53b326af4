/** Selection: decides which of the ranked definitions a budget buys, and renders them, whole lines, priced exactly. */

import type { ChangeNote, MapFile, MapPackage, ShownSymbol } from '../../model/repoMap';
import type { Tokenizer } from '../../ports/ports';
import { type Phrase, type PhraseArgument, phrase } from '../../text/phrase';
import type { ExplainedMap, MapExplanation } from '../facts/types';
import type { IndexedFile } from '../index/indexedFile';
import type { RepoIndex } from '../index/repoIndex';
import type { MapItem, MapOrder } from '../ranking/mapOrder';
import { declarations } from './declarations';
import { leftOutFiles } from './leftOut';
import { changeLine, fileLine, type MapStyle, packageLine, placementOf, symbolLine } from './mapLines';

/** RANKING §2b: up to here names alone show about twice as many of the functions wanted. */
const NAMES_ONLY_BUDGET = 512;
/** Give up filling the last gap after so many definitions that did not fit. */
const MAX_MISSES = 300;
/** No line is shorter than an indent with a line number, a name and a newline. */
const MIN_LINE_TOKENS = 3;

/** What ends a map. */
interface MapLimits {
  readonly budgetTokens: number;
  /** Definitions with a lower `share` end it as well; 0 by default: the budget alone does. */
  readonly leastShare?: number | undefined;
}

interface Shown {
  readonly definitions: Set<number>;
  readonly scopeLines: Set<string>;
  /** Signatures by parent: the same one twice (`#ifdef` branches, overloads in stubs) says nothing more. */
  readonly signatures: Set<string>;
  /** The file itself was chosen, for what stands outside of its definitions. */
  isItself: boolean;
}

/** The lines of a map, as a set: adding a definition adds what is not there yet. */
class Sheet {
  readonly #shown = new Map<IndexedFile, Shown>();
  /** In the order in which they came; files without one stand first. */
  readonly #packages = new Map<MapPackage | undefined, number>([[undefined, 0]]);

  constructor(
    private readonly style: MapStyle,
    private readonly order: MapOrder,
    items: readonly MapItem[] = [],
  ) {
    for (const item of items) this.add(item);
  }

  /** Files by package, then by their place in the order; of the same place, by which definition came first. */
  get files(): readonly IndexedFile[] {
    const placed = [...this.#shown.keys()].map((file) => ({
      file,
      group: this.#packages.get(this.order.packageOf?.(file)) ?? 0,
      place: this.order.placeOf?.(file) ?? 0,
    }));
    return placed.sort((a, b) => a.group - b.group || b.place - a.place).map(({ file }) => file);
  }

  /** In the order of their files. */
  get packages(): readonly MapPackage[] {
    return [...new Set(this.files.flatMap((file) => this.order.packageOf?.(file) ?? []))];
  }

  /** Whether the item, or one that reads the same at the same place, is there. */
  has(item: MapItem): boolean {
    const shown = this.#shown.get(item.file);
    if (item.index < 0) return shown?.isItself === true;
    return shown !== undefined && (shown.definitions.has(item.index) || this.#readsAsShown(item, shown));
  }

  /** What changed, or calls what did, is shown although it reads the same as another. */
  #readsAsShown(item: MapItem, { signatures }: Shown): boolean {
    return !this.order.aboutOf?.(item) && signatures.has(item.file.signatureKey(item.index));
  }

  countOf(file: IndexedFile): number {
    return this.#shown.get(file)?.definitions.size ?? 0;
  }

  /** The file's definitions that are there, in document order. */
  definitionsOf(file: IndexedFile): readonly number[] {
    return [...(this.#shown.get(file)?.definitions ?? [])].sort((a, b) => a - b);
  }

  /** Lines that `item` would add. */
  missing({ file, index }: MapItem): readonly string[] {
    const shown = this.#shown.get(file);
    const { ancestors, scopeLine } = placementOf(file, index, this.style.mask);
    const lines = shown ? [] : [fileLine(file, this.style.mask)];
    const around = this.order.packageOf?.(file);
    if (around && !this.#packages.has(around)) lines.unshift(packageLine(around, this.style.mask));
    if (index < 0) return [...lines, ...this.#itself(file)];
    ancestors.forEach((ancestor, depth) => {
      if (!shown?.definitions.has(ancestor)) lines.push(this.#line(file, ancestor, depth));
    });
    if (scopeLine !== undefined && !shown?.scopeLines.has(scopeLine)) lines.push(scopeLine);
    lines.push(this.#line(file, index, ancestors.length + (scopeLine === undefined ? 0 : 1)));
    return lines;
  }

  add(item: MapItem): void {
    const { file, index } = item;
    let shown = this.#shown.get(file);
    if (!shown) {
      shown = { definitions: new Set(), scopeLines: new Set(), signatures: new Set(), isItself: false };
      this.#shown.set(file, shown);
      const around = this.order.packageOf?.(file);
      // The opened folder's own files stand first: what is not below another package is below it.
      if (around && !this.#packages.has(around))
        this.#packages.set(around, around.path === '' ? 0 : this.#packages.size);
    }
    if (index < 0) {
      shown.isItself = true;
      return;
    }
    const { ancestors, scopeLine } = placementOf(file, index, this.style.mask);
    for (const ancestor of ancestors) shown.definitions.add(ancestor);
    shown.definitions.add(index);
    shown.signatures.add(file.signatureKey(index));
    if (scopeLine !== undefined) shown.scopeLines.add(scopeLine);
  }

  text(): string {
    let last: MapPackage | undefined;
    return this.files
      .map((file) => {
        const around = this.order.packageOf?.(file);
        const head = around && around !== last ? packageLine(around, this.style.mask) : '';
        last = around;
        return head + this.fileText(file);
      })
      .join('');
  }

  #line(file: IndexedFile, index: number, depth: number): string {
    return symbolLine(file, index, depth, this.style, this.order.aboutOf?.({ file, index }));
  }

  /** The line that says why the file itself is there. */
  #itself(file: IndexedFile): readonly string[] {
    const change = this.changeOf(file);
    return change ? [changeLine(change, this.style.mask)] : [];
  }

  /** Of the file itself, where it was chosen. */
  changeOf(file: IndexedFile): ChangeNote | undefined {
    return this.order.aboutOf?.({ file, index: -1 });
  }

  isItself(file: IndexedFile): boolean {
    return this.#shown.get(file)?.isItself === true;
  }

  /** Members below their parent, members of a type from elsewhere below its name, each group in document order. */
  fileText(file: IndexedFile): string {
    const children = new Map<number, number[]>();
    for (const index of this.definitionsOf(file)) {
      const parent = file.rowParent(index);
      children.set(parent, [...(children.get(parent) ?? []), index]);
    }
    const below = (parent: number, depth: number): string => {
      const groups = new Map<string, string>();
      let text = '';
      for (const index of children.get(parent) ?? []) {
        const { scopeLine } = placementOf(file, index, this.style.mask);
        const at = depth + (scopeLine === undefined ? 0 : 1);
        const block = this.#line(file, index, at) + below(index, at + 1);
        if (scopeLine === undefined) text += block;
        else groups.set(scopeLine, (groups.get(scopeLine) ?? '') + block);
      }
      for (const [scopeLine, block] of groups) text += scopeLine + block;
      return text;
    };
    const itself = this.isItself(file) ? this.#itself(file).join('') : '';
    return fileLine(file, this.style.mask) + itself + below(-1, 0);
  }
}

/** Definitions of less than this share of the best one's score end a map that is asked for by a task (test/bench/RANKING.md). */
const LEAST_SHARE = 0.4;

/**
 * Where relevance ends a map for a task: a share of the best score, 0…1. Whoever names a large budget wants more than
 * what fits best, so the share falls as the budget grows beyond that of a search.
 * @param named the budget that the caller named, in tokens
 */
export function leastShareFor(named: number | undefined): number {
  return LEAST_SHARE * Math.min(1, NAMES_ONLY_BUDGET / (named ?? NAMES_ONLY_BUDGET));
}

/** Greedy: the next definition of the order that still fits; for what a header declares, what defines it. */
function choose(
  files: readonly IndexedFile[],
  order: MapOrder,
  { budgetTokens, leastShare = 0 }: MapLimits,
  style: MapStyle,
  tokenizer: Tokenizer,
): readonly MapItem[] {
  const definedIn = declarations(files);
  const sheet = new Sheet(style, order);
  const items: MapItem[] = [];
  let left = budgetTokens;
  let misses = 0;
  for (const next of order.items((file) => sheet.countOf(file))) {
    if (left < MIN_LINE_TOKENS || misses >= MAX_MISSES || (next.share ?? 1) < leastShare) break;
    const row = { file: next.file, index: next.file.rowOf(next.index) };
    const bodies = definedIn(row);
    const item = bodies[0] ?? row;
    if (sheet.has(item) || bodies.some((body) => sheet.has(body))) continue;
    const price = sheet.missing(item).reduce((sum, line) => sum + tokenizer.count(line), 0);
    if (price > left) misses++;
    else {
      left -= price;
      sheet.add(item);
      items.push(item);
    }
  }
  return items;
}

/** The best map for a budget, never over it. `render(n)` shows the first `n` choices; a further one adds lines. */
export function selectMap(
  index: RepoIndex,
  order: MapOrder,
  options: MapLimits & {
    /** What stands for each text of a line, such as a path or a signature; as it is by default. */
    readonly mask?: (text: string) => string;
  },
  tokenizer: Tokenizer,
): ExplainedMap {
  const { mask = (text: string): string => text } = options;
  const style: MapStyle = {
    isNamesOnly: options.budgetTokens <= NAMES_ONLY_BUDGET,
    maxSignatureChars: order.maxSignatureChars,
    mask,
  };
  const { files = index.files } = order;
  let items = choose(files, order, options, style, tokenizer);
  // Line counts add up for o200k and cl100k (PERFORMANCE §4e); the final text is what the cap is about.
  while (items.length > 0 && tokenizer.count(new Sheet(style, order, items).text()) > options.budgetTokens) {
    items = items.slice(0, -1);
  }
  const sheetOf = (itemCount: number): Sheet => new Sheet(style, order, items.slice(0, Math.max(0, itemCount)));
  const filesTotal = index.files.length;
  const symbolsTotal = files.reduce((sum, { facts }) => sum + facts.definitionCount, 0);
  return {
    size: items.length,
    filesTotal,
    symbolsTotal,
    render(itemCount) {
      const sheet = sheetOf(itemCount);
      const files = sheet.files.map((file, at): MapFile => {
        const change = sheet.isItself(file) ? sheet.changeOf(file) : undefined;
        const symbols = shownSymbols(sheet, file, order);
        return maskFile({ path: file.path, rank: at + 1, symbols, ...(change ? { change } : {}) }, mask);
      });
      const packages = sheet.packages.map(({ path, job }) => ({ path: mask(path), job: mask(job) }));
      const counts = { filesTotal, filesShown: files.length, symbolsTotal };
      const view = { ...counts, items: files, ...(packages.length > 0 ? { packages } : {}) };
      return { text: sheet.text(), view };
    },
    explain(itemCount) {
      return explainSheet(sheetOf(itemCount), order, items, tokenizer, mask);
    },
    leftOut(itemCount, request) {
      const sheet = sheetOf(itemCount);
      const left = leftOutFiles(index, order, new Set(sheet.files), request);
      return { ...left, items: left.items.map((file) => maskFile(file, mask)) };
    },
  };
}

/** The file's definitions that are shown; in a map of changes what is around one has the role of the first inside. */
function shownSymbols(sheet: Sheet, file: IndexedFile, order: MapOrder): readonly ShownSymbol[] {
  const shown = sheet.definitionsOf(file);
  const notes = new Map<number, ChangeNote>();
  for (const index of shown) {
    const own = order.aboutOf?.({ file, index });
    if (!own) continue;
    notes.set(index, own);
    for (let at = file.rowParent(index); at >= 0; at = file.rowParent(at))
      if (!notes.has(at) && !order.aboutOf?.({ file, index: at })) notes.set(at, { role: own.role, why: [AROUND] });
  }
  return shown.flatMap((index) => {
    const symbol = file.symbol(index);
    const change = notes.get(index);
    return symbol ? [change ? { ...symbol, change } : symbol] : [];
  });
}

function maskFile({ path, rank, symbols, change }: MapFile, mask: (text: string) => string): MapFile {
  const masked = (note: ChangeNote): ChangeNote => ({ role: note.role, why: maskWords(note.why, mask) });
  return {
    path: mask(path),
    rank,
    ...(change ? { change: masked(change) } : {}),
    symbols: symbols.map((symbol) => ({
      ...symbol,
      ...(symbol.change ? { change: masked(symbol.change) } : {}),
      path: mask(symbol.path),
      name: mask(symbol.name),
      qualifiedName: mask(symbol.qualifiedName),
      signature: mask(symbol.signature),
      doc: mask(symbol.doc),
    })),
  };
}

/** Reasons name what they found: their arguments may be of the code. */
function maskWords(words: readonly Phrase[], mask: (text: string) => string): readonly Phrase[] {
  const masked = (argument: PhraseArgument): PhraseArgument =>
    typeof argument === 'string'
      ? mask(argument)
      : typeof argument === 'number'
        ? argument
        : { ...argument, args: argument.args.map(masked) };
  return words.map(({ message, args }) => ({ message, args: args.map(masked) }));
}

/** What was not chosen itself is there because something inside of it was. */
export const AROUND = phrase('contains a definition that is shown');

/** Says that no grammar was there. */
const BY_EDITOR = phrase('symbols from the editor, no grammar');

function explainSheet(
  sheet: Sheet,
  order: MapOrder,
  items: readonly MapItem[],
  tokenizer: Tokenizer,
  mask: (text: string) => string,
): MapExplanation {
  const chosen = new Map<IndexedFile, Set<number>>();
  for (const { file, index } of items) chosen.set(file, (chosen.get(file) ?? new Set()).add(index));
  return {
    files: sheet.files.map((file) => ({
      path: mask(file.path),
      tokens: tokenizer.count(sheet.fileText(file)),
      because: maskWords([...order.explainFile(file), ...(file.outcome === 'editorSymbols' ? [BY_EDITOR] : [])], mask),
      symbols: sheet.definitionsOf(file).flatMap((index) => {
        const symbol = file.symbol(index);
        if (!symbol) return [];
        const { handle, qualifiedName, lineStart } = symbol;
        const because = chosen.get(file)?.has(index) ? order.explain({ file, index }) : [AROUND];
        return [{ handle, qualifiedName: mask(qualifiedName), lineStart, because: maskWords(because, mask) }];
      }),
    })),
  };
}
