/**
 * The fit stage (DESIGN §3.4): decides how every section is shown so that both caps hold on the final rendered text. The
 * first state of the ladder that fits is taken: the result is deterministic, shows never less of a section under a larger
 * cap, and cuts no more than needed. `expandedVariants.ts` and `indexVariants.ts` make the variants, `render/` the payload.
 */

import type { Profile } from '../../model/profile';
import type { CutRecord } from '../../model/report';
import { renderElement } from '../../render/element';
import { inEnglish } from '../../text/phrase';
import { NO_SIZE, type Size } from '../../tokens/lines';
import { type LadderState, ladder, type Move, perSourceCaps } from './ladder';
import type { MeasuredSection } from './measuredSection';
import { type VariantWords, wordsOf } from './reasons';
import type { PayloadVariants, SectionVariant } from './sectionVariant';

/** What stands around the sections: wrappers and closing notes. Its size depends on what is shown. */
export interface Frame {
  /** Around rows, when there is at least one. */
  readonly wrapper: Size;
  /** Size of the closing notes. */
  measureNotes(state: NoteState): Size;
}

/** What the closing notes of a state speak of. */
export interface NoteState {
  /** Something is not shown in full. */
  readonly isPartial: boolean;
  /** Of each section. */
  readonly variants: readonly SectionVariant[];
  /** `P0` and `P1` alone exceed a cap. */
  readonly isOver: boolean;
}

/** A section as it is shown in one payload. */
export interface ChosenSection {
  readonly measured: MeasuredSection;
  readonly variant: SectionVariant;
  readonly words: VariantWords;
  /** A row of the index, with its `\n`; empty without one, as the element. */
  readonly row: string;
  /** Tags included, with its `\n`. */
  readonly element: string;
  /** The content alone, as the agent gets it. */
  readonly text: string;
}

/** The chosen state. */
interface Fitted {
  readonly sections: readonly ChosenSection[];
  /** Undefined when even the notes had to go. */
  readonly notes: NoteState | undefined;
  /** Ladder steps taken, in order. */
  readonly downgradeApplied: readonly string[];
  /** One per cut section and step. */
  readonly cuts: readonly CutRecord[];
}

/** One section's way through one step. */
interface Cut {
  readonly at: number;
  readonly step: number;
  readonly before: Size;
  after: SectionVariant;
}

/** The state while moves are applied: totals are kept up to date, nothing is rendered. */
class FitState implements LadderState {
  readonly variants: SectionVariant[];
  readonly cuts = new Map<string, Cut>();
  isOver = false;
  #body: Size = NO_SIZE;
  #partialCount = 0;
  #shownCount = 0;
  #hasNotes = true;
  #notesSize: Size | undefined;

  constructor(
    readonly sections: readonly MeasuredSection[],
    readonly payload: PayloadVariants,
    private readonly frame: Frame,
  ) {
    this.variants = sections.map(payload.start);
    for (const [at, section] of sections.entries()) {
      const start = this.variants[at] ?? payload.start(section);
      this.#count(start, 1);
      if (isCutByRule(section, start)) this.#record(at, 0, section.full, start);
    }
  }

  get noteState(): NoteState | undefined {
    if (!this.#hasNotes) return undefined;
    return { isPartial: this.#partialCount > 0, variants: this.variants, isOver: this.isOver };
  }

  get size(): Size {
    this.#notesSize ??= this.noteState ? this.frame.measureNotes(this.noteState) : NO_SIZE;
    const wrapper = this.#shownCount > 0 ? this.frame.wrapper : NO_SIZE;
    return {
      tokens: this.#body.tokens + wrapper.tokens + this.#notesSize.tokens,
      chars: this.#body.chars + wrapper.chars + this.#notesSize.chars,
    };
  }

  apply(move: Move): void {
    if (move.kind === 'hideNotes') {
      this.#hasNotes = false;
      this.#notesSize = undefined;
      return;
    }
    const { at, variant } = move;
    const before = this.variants[at];
    if (!before) return;
    const wasPartial = this.#partialCount > 0;
    this.#count(before, -1);
    this.variants[at] = variant;
    this.#count(variant, 1);
    this.#record(at, move.step, before, variant);
    if (wasPartial !== this.#partialCount > 0 || variant.kind === 'dropped') this.#notesSize = undefined;
  }

  /** The last state: delivered whole although it is over, and the notes say what to shrink. */
  giveUp(): void {
    this.isOver = true;
    this.#hasNotes = true;
    this.#notesSize = undefined;
  }

  #count(variant: SectionVariant, sign: 1 | -1): void {
    this.#body = {
      tokens: this.#body.tokens + sign * variant.tokens,
      chars: this.#body.chars + sign * variant.chars,
    };
    if (variant.isPartial) this.#partialCount += sign;
    if (variant.disclosure !== 'omitted') this.#shownCount += sign;
  }

  #record(at: number, step: number, before: Size, after: SectionVariant): void {
    const key = `${step} ${at}`;
    const cut = this.cuts.get(key);
    if (cut) cut.after = after;
    else this.cuts.set(key, { at, step, before, after });
  }
}

/** Whether a rule of the config or the user made the first variant smaller. A row of the index is not cut by one. */
function isCutByRule({ rule }: MeasuredSection, { kind, row }: SectionVariant): boolean {
  return rule?.kind === 'excluded' || (row === undefined && (kind === 'stub' || kind === 'entries'));
}

function toRecord({ step, before, after }: Cut, sectionId: string, words: VariantWords): CutRecord {
  return {
    sectionId,
    step,
    reason: inEnglish(words.reason),
    charsBefore: before.chars,
    charsAfter: after.chars,
    tokensBefore: before.tokens,
    tokensAfter: after.tokens,
    dropped: inEnglish(words.dropped),
  };
}

/** Whether both caps hold. */
function isWithin({ tokens, chars }: Size, profile: Profile): boolean {
  return tokens <= profile.budgetTokens && chars <= profile.hardCapChars;
}

/** What the variant shows below its row; undefined where that is nothing. */
function contentOf({ text, entries, map }: MeasuredSection, { kind, itemsShown = 0, line }: SectionVariant) {
  if (kind === 'full') return text;
  if (kind === 'entries') return entries?.render(itemsShown);
  return kind === 'map' ? map?.render(itemsShown).text : line;
}

function choose(measured: MeasuredSection, variant: SectionVariant, isOver: boolean): ChosenSection {
  const { row = '' } = variant;
  const content = contentOf(measured, variant);
  const words = wordsOf(measured, variant, isOver);
  if (content === undefined) return { measured, variant, words, row, element: '', text: row.trimEnd() };
  return { measured, variant, words, row, element: renderElement(measured.id, content), text: row + content };
}

/** Chooses a variant of every section. Cost: a few operations a move, `O(log n)` for entries; no text is rendered. */
export function fitSections(
  sections: readonly MeasuredSection[],
  payload: PayloadVariants,
  profile: Profile,
  frame: Frame,
): Fitted {
  const state = new FitState(sections, payload, frame);
  for (const move of perSourceCaps(state, profile)) state.apply(move);
  const moves = ladder(state, profile);
  while (!isWithin(state.size, profile)) {
    const next = moves.next();
    if (next.done) {
      state.giveUp();
      break;
    }
    state.apply(next.value);
  }
  const { isOver, variants } = state;
  const cuts: CutRecord[] = [];
  const downgradeApplied: string[] = [];
  for (const cut of state.cuts.values()) {
    const measured = sections[cut.at];
    if (!measured) continue;
    const record = toRecord(cut, measured.id, wordsOf(measured, cut.after, isOver));
    const isGone = cut.after.disclosure === 'omitted';
    cuts.push(record);
    if (cut.step > 0)
      downgradeApplied.push(`${isGone ? `${measured.section.priority} dropped` : record.reason}: ${measured.id}`);
  }
  return {
    sections: sections.map((measured, at) => choose(measured, variants[at] ?? payload.start(measured), isOver)),
    notes: state.noteState,
    downgradeApplied,
    cuts,
  };
}
