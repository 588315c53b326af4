/** Selection: decides which of the ranked definitions a budget buys, and renders them, whole lines, priced exactly. */

import type { ChangeNote, MapFile, ShownSymbol } from '../../model/repoMap';
import type { Tokenizer } from '../../ports/ports';
import { type Phrase, type PhraseArgument, phrase } from '../../text/phrase';
import type { ExplainedMap, MapExplanation } from '../facts/types';
import type { IndexedFile } from '../index/indexedFile';
import type { RepoIndex } from '../index/repoIndex';
import type { MapItem, MapOrder } from '../ranking/mapOrder';
import { declarations } from './declarations';
import { leftOutFiles } from './leftOut';
import type { MapStyle } from './mapLines';
import { type Chosen, Sheet } from './sheet';

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

/** Definitions of less than this share of the best one's score end a map that is asked for by a task (test/bench/RANKING.md). */
const LEAST_SHARE = 0.4;

/**
 * Where relevance ends a map for a task: a share of the best score, 0…1. A caller that names a large budget wants more than
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
): readonly Chosen[] {
  const definedIn = declarations(files);
  const sheet = new Sheet(style, order);
  const items: Chosen[] = [];
  const briefBelow = budgetTokens * (1 - (order.signatureShare ?? 1));
  let left = budgetTokens;
  const takes = (item: Chosen): boolean => {
    const price = sheet.missing(item).reduce((sum, line) => sum + tokenizer.count(line), 0);
    if (price > left) return false;
    left -= price;
    sheet.add(item);
    items.push(item);
    return true;
  };
  for (const { file, index } of order.named ?? []) {
    const isBrief = left < briefBelow;
    if (!takes({ file, index: file.rowOf(index), isBrief })) takes({ file, index: -1, isBrief });
  }
  let misses = 0;
  for (const next of order.items((file) => sheet.countOf(file))) {
    if (left < MIN_LINE_TOKENS || misses >= MAX_MISSES || (next.share ?? 1) < leastShare) break;
    const row = { file: next.file, index: next.file.rowOf(next.index) };
    const bodies = definedIn(row);
    const item = { ...(bodies[0] ?? row), isBrief: left < briefBelow };
    if (sheet.has(item) || bodies.some((body) => sheet.has(body))) continue;
    if (!takes(item)) misses++;
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
  // A map of changes has files that are gone, whether or not the budget has room for them.
  const changed = order.aboutOf ? [...order.items(() => 0)] : [];
  const gone = new Set(changed.filter(({ file }) => !index.fileAt(file.path)).map(({ file }) => file));
  const filesTotal = index.files.length + gone.size;
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
