/**
 * The forms of one text (DESIGN §3.1, 3.4), from its first block to the whole: fixed text in its order, then the entries
 * of dated lists, newest first. It decides what a form shows, not which form a payload takes.
 */

import { countLines } from '../../render/detail';
import { renderElement } from '../../render/element';
import { elementName } from '../../text/elements';
import { plural } from '../../text/numbers';
import { addSizes, isWithin, type LineTokenCounter, NO_SIZE, type Size } from '../../tokens/lines';
import { entryHash } from '../../usage/usageRecord';
import type { Cut, Cutter } from './cuts';
import type { ContentForms, ContentShown } from './forms';
import { type ListHints, newestFirst, type Piece, readPieces } from './pieces';

/** Entries and items up to this many tokens are shown whole or not at all. */
const WHOLE_ENTRY_TOKENS = 200;

/** Blocks of prose or code up to this many tokens are shown whole or not at all: half of 2% of the default budget. */
const WHOLE_BLOCK_TOKENS = 75;

/** A form that is smaller than the next by less than this part of it is left out, so that a megabyte has some thousand. */
const FINEST_STEP = 1 / 256;

/** What a rule leaves of each dated list: what else there is, no form shows. */
export interface KeptEntries {
  /** The newest so many; all where it is absent. */
  readonly keepRecent?: number | undefined;
  /** Beside them the entries with these hashes (`entryHash`). */
  readonly keepCited?: ReadonlySet<string> | undefined;
}

/** What a text's forms are made of. */
export interface TextFacts extends KeptEntries {
  readonly id: string;
  readonly handle: string;
  /** Stands before the list and always stays; empty, or ends with `\n`. */
  readonly head: string;
  /** Escaped. */
  readonly text: string;
  readonly hints: ListHints;
  readonly counter: LineTokenCounter;
  readonly cutText: Cutter;
  /** The line of the handle's text at which `text` begins; 1 when absent. */
  readonly firstLine?: number;
  /** Entries of a list of lines (`ListHints.kind`) that follow `text`, which no form shows. */
  readonly further?: number;
}

/** One step: a piece is shown up to a cut, or whole. */
interface Step {
  readonly piece: number;
  /** Index of the last cut shown; undefined for the whole piece. */
  readonly cut: number | undefined;
  /** Without marks and notes. */
  readonly bare: Size;
  /** Line of the text, from 0, where the cut piece or the fixed text goes on; undefined where nothing does. */
  readonly restLine: number | undefined;
  readonly entriesShown: number;
  readonly itemsShown: number;
  readonly linesShown: number;
  /** Of these, lines that are not counted as entries. Less than 0 where only a part of an entry is shown. */
  readonly plainLines: number;
}

/** One unit is smaller by a step that counts. */
function isStep(size: Size, next: Size): boolean {
  const [tokens, chars] = [next.tokens - size.tokens, next.chars - size.chars];
  return tokens >= Math.max(1, next.tokens * FINEST_STEP) || chars >= Math.max(1, next.chars * FINEST_STEP);
}

/** Makes the steps of a text and renders what they show. */
class TextSteps {
  readonly pieces: readonly Piece[];
  readonly steps: readonly Step[];
  readonly #cuts = new Map<number, readonly Cut[]>();
  /** Fixed pieces in text order, then entries, newest first. */
  readonly #order: readonly number[];
  readonly #fixedCount: number;
  readonly entriesTotal: number;
  readonly itemsTotal: number;
  readonly linesTotal: number;
  /** Pieces that are counted as entries. */
  readonly #counted: Piece['kind'] | undefined;
  /** Entries that a rule leaves out. */
  readonly #ruledOut: number;
  /** All entries, newest first. */
  readonly #entries: readonly number[];
  /** How many of the newest entries stay before the first that a rule leaves out. */
  readonly #gap: number;
  #openingSize: Size = NO_SIZE;

  constructor(private readonly facts: TextFacts) {
    const { text, hints, keepRecent = Number.POSITIVE_INFINITY, keepCited, further = 0 } = facts;
    this.pieces = readPieces(text, hints);
    const fixed = this.pieces.flatMap(({ kind }, at) => (kind === 'block' || kind === 'item' ? [at] : []));
    const entries = newestFirst(this.pieces);
    const kept = entries.filter((at) => {
      const { rank = 0, text: entry = '' } = this.pieces[at] ?? {};
      return rank < keepRecent || keepCited?.has(entryHash(entry)) === true;
    });
    this.#order = [...fixed, ...kept];
    this.#fixedCount = fixed.length;
    this.#entries = entries;
    const gap = kept.findIndex((at, index) => at !== entries[index]);
    this.#gap = gap < 0 ? kept.length : gap;
    this.entriesTotal = entries.length + further;
    this.#ruledOut = entries.length - kept.length;
    this.itemsTotal = this.pieces.filter(({ kind }) => kind === 'item').length;
    this.linesTotal = countLines(text);
    this.#counted = this.entriesTotal > 0 ? 'entry' : this.itemsTotal > 1 ? 'item' : undefined;
    this.steps = this.#makeSteps();
  }

  /** Whether the largest form leaves out entries: by a rule, or because they are not in the text. */
  get isCut(): boolean {
    return this.#ruledOut > 0 || this.entriesTotal > this.#entries.length;
  }

  /** Behind a cut piece, or behind fixed text that goes on. */
  #mark({ piece, cut, restLine }: Step): string {
    const { handle, firstLine = 1 } = this.facts;
    const closing = cut === undefined ? '' : (this.#cuts.get(piece)?.[cut]?.closing ?? '');
    return restLine === undefined ? '' : `${closing}… ${handle}#L${firstLine + restLine}\n`;
  }

  #entriesNote({ entriesShown }: Step): string {
    if (entriesShown === this.entriesTotal) return '';
    const { handle, hints } = this.facts;
    if (hints.kind !== 'line') return `… ${entriesShown === 0 ? 'more' : 'older'} entries: ${handle}\n`;
    // Of a list of lines it is known how many are missing, and which one comes next.
    const next = this.#entries[Math.min(entriesShown, this.#gap)];
    const line = next === undefined ? this.#entries.length : (this.pieces[next]?.line ?? 0);
    return `… ${plural(this.entriesTotal - entriesShown, 'older entry', 'older entries')}: ${handle}#L${line + 1}\n`;
  }

  sizeAt(at: number): Size {
    const step = this.steps[at];
    if (!step) return NO_SIZE;
    const notes = this.#mark(step) + this.#entriesNote(step);
    return notes === '' ? step.bare : addSizes(step.bare, this.facts.counter.measure(notes));
  }

  /** The heads that a piece stands below, innermost first. */
  *#above(at: number): Generator<number> {
    for (let head = this.pieces[at]?.under ?? -1; head >= 0; head = this.pieces[head]?.under ?? -1) yield head;
  }

  /** The line where the fixed text goes on, heads that are not shown yet included. */
  #restLine(next: number, heads: ReadonlySet<number>): number | undefined {
    const at = this.#order[next];
    if (next >= this.#fixedCount || at === undefined) return undefined;
    let line = this.pieces[at]?.line;
    for (const head of this.#above(at)) {
      if (heads.has(head)) break;
      line = this.pieces[head]?.line;
    }
    return line;
  }

  /** The very first piece may start with `/` or a blank line: it is counted with what stands before it. */
  #sizeOf(at: number, text: string, isStart: boolean): Size {
    const { counter, id, head } = this.facts;
    if (at > 0 || !isStart || !/^[\s/]/.test(text)) return counter.measure(text);
    const tokens = counter.count(`<${elementName(id)}>\n${head}${text}`) - this.#openingSize.tokens;
    return { tokens, chars: text.length };
  }

  #linesOf(at: number): number {
    return (this.pieces[at + 1]?.line ?? this.linesTotal) - (this.pieces[at]?.line ?? 0);
  }

  #makeSteps(): readonly Step[] {
    const { counter, id, head, cutText } = this.facts;
    this.#openingSize = counter.measure(`<${elementName(id)}>\n${head}`);
    const heads = new Set<number>();
    const steps: Step[] = [];
    let shown = addSizes(this.#openingSize, counter.measure(`</${elementName(id)}>\n`));
    let entriesShown = 0;
    let itemsShown = 0;
    let linesShown = 0;
    let plainLines = 0;
    for (const [index, at] of this.#order.entries()) {
      const piece = this.pieces[at];
      if (!piece) continue;
      const lines = this.#linesOf(at);
      const linesBefore = linesShown;
      for (const above of this.#above(at)) {
        if (heads.has(above)) break;
        heads.add(above);
        shown = addSizes(shown, this.#sizeOf(above, this.pieces[above]?.text ?? '', true));
        linesShown += this.#linesOf(above);
      }
      linesShown += lines;
      plainLines += linesShown - linesBefore - (piece.kind === this.#counted ? lines : 0);
      if (piece.kind === 'entry') entriesShown++;
      if (piece.kind === 'item') itemsShown++;
      const whole = this.#sizeOf(at, piece.text, true);
      const limit = piece.kind === 'block' ? WHOLE_BLOCK_TOKENS : WHOLE_ENTRY_TOKENS;
      const cuts = whole.tokens > limit ? cutText(piece.text) : [];
      if (cuts.length > 1) this.#cuts.set(at, cuts);
      const counts = { piece: at, entriesShown, itemsShown, linesShown, plainLines };
      let bare = shown;
      for (const [cut, { text, nextLine }] of cuts.slice(0, -1).entries()) {
        bare = addSizes(bare, this.#sizeOf(at, text, cut === 0));
        const missing = lines - nextLine;
        const own = { linesShown: linesShown - missing, plainLines: plainLines - missing };
        steps.push({ ...counts, ...own, cut, bare, restLine: piece.line + nextLine });
      }
      shown = addSizes(shown, whole);
      steps.push({ ...counts, cut: undefined, bare: shown, restLine: this.#restLine(index + 1, heads) });
    }
    return steps;
  }

  render(last: number): string {
    const shown = new Map<number, Step | undefined>();
    for (const step of this.steps.slice(0, last + 1)) {
      shown.set(step.piece, step);
      for (const head of this.#above(step.piece)) {
        if (shown.has(head)) break;
        shown.set(head, undefined);
      }
    }
    const parts = this.pieces.map(({ text }, at) => {
      const step = shown.get(at);
      if (step?.cut === undefined) return shown.has(at) ? text : '';
      const cuts = this.#cuts.get(at)?.slice(0, step.cut + 1) ?? [];
      return cuts.map((cut) => cut.text).join('') + this.#mark(step);
    });
    const step = this.steps[last];
    const mark = step?.cut === undefined && step ? this.#mark(step) : '';
    return this.facts.head + parts.join('') + mark + (step ? this.#entriesNote(step) : '');
  }

  /** Indices of the steps that are forms: neither unit falls, and each is larger than the one before. */
  forms(whole: Size): readonly number[] {
    const kept: number[] = [];
    let next = whole;
    let nextBare = this.steps.at(-1)?.bare ?? whole;
    for (let at = this.steps.length - 2; at >= 0; at--) {
      const bare = this.steps[at]?.bare ?? NO_SIZE;
      // Notes hardly differ: only those of likely forms are counted. The smallest form stays, however small its step.
      if (at > 0 && !isStep(bare, nextBare)) continue;
      const size = this.sizeAt(at);
      if (!isWithin(size, next) || (size.tokens === next.tokens && size.chars === next.chars)) continue;
      kept.push(at);
      next = size;
      nextBare = bare;
    }
    return kept.toReversed();
  }
}

/**
 * Forms of one text: newest entries of dated lists, fixed text, first lines of long entries and blocks (DESIGN §3.1,
 * 3.4). Each shows all that the one before shows. Sizes are sums of counted pieces; cost is linear in the text.
 */
export function textForms(facts: TextFacts): ContentForms {
  const { id, head, text, counter } = facts;
  const made = new TextSteps(facts);
  const { steps } = made;
  const content = head + text;
  const last = steps.length - 1;
  const isSum = steps.length > 0 && (made.isCut || content.includes('\n'));
  const whole = isSum ? made.sizeAt(last) : counter.measure(renderElement(id, content));
  const forms = made.forms(whole);
  const sizes = [...forms.map((at) => made.sizeAt(at)), whole];
  return {
    count: forms.length + 1,
    size: (form) => sizes[form] ?? whole,
    render: (form) => {
      if (form < forms.length) return made.render(forms[form] ?? 0);
      return made.isCut ? made.render(last) : content;
    },
    shown: (form) => shownOf(made, form < forms.length ? (forms[form] ?? 0) : last),
  };
}

function shownOf(made: TextSteps, at: number): ContentShown {
  const { steps, entriesTotal, itemsTotal, linesTotal, isCut } = made;
  const { entriesShown = 0, itemsShown = 0, linesShown = 0, plainLines = 0 } = steps[at] ?? {};
  const entries =
    entriesTotal > 0
      ? { shown: entriesShown, total: entriesTotal, range: 'newest' as const }
      : itemsTotal > 1 && { shown: itemsShown, total: itemsTotal, range: 'first' as const };
  return {
    ...(entries ? { entries } : {}),
    lines: { shown: linesShown, total: linesTotal },
    left: {
      entries: entries ? entries.total - entries.shown : 0,
      lines: (steps.at(-1)?.plainLines ?? 0) - plainLines,
    },
    isPartial: at < steps.length - 1 || isCut,
  };
}
