/**
 * The fit stage (DESIGN §3.4): decides which form every section takes so that both caps hold on the final rendered
 * text. It does not make the forms (`expandedVariants.ts`, `indexVariants.ts`), nor write the payload (`render/`).
 *
 * The forms go through one fixed sequence of states, each not larger than the one before, which does not depend on the
 * caps (`ladder.ts`); the first state that fits is taken. So the result is deterministic, shows never less of a section
 * under a larger cap, and cuts no more than needed.
 */

import type { Profile } from '../../model/profile';
import type { CutRecord } from '../../model/report';
import { inEnglish } from '../../text/phrase';
import { type LadderState, ladder, type Move, perSourceCaps } from './ladder';
import { type FitUnit, NO_SIZE, type SectionVariant, type Size } from './sectionVariant';

/** What stands around the sections: wrappers and closing notes. Its size depends on what is shown. */
export interface Frame {
  /** Around rows, when there is at least one. */
  readonly wrapper: Size;
  /** Size of the closing notes. */
  measureNotes(facts: NoteState): Size;
}

/** What the closing notes of a state speak of. */
export interface NoteState {
  /** Something is not shown in full. */
  readonly isPartial: boolean;
  /** Indices of the units that the ladder took away, ascending. */
  readonly dropped: readonly number[];
  readonly forms: readonly SectionVariant[];
  /** `P0` and `P1` alone exceed a cap. */
  readonly isOver: boolean;
}

/** The chosen state. */
export interface Fitted {
  readonly forms: readonly SectionVariant[];
  /** Undefined when even the notes had to go. */
  readonly notes: NoteState | undefined;
  readonly isOver: boolean;
  readonly size: Size;
  /** Ladder steps taken, in order. */
  readonly downgradeApplied: readonly string[];
  /** One per cut section and step. */
  readonly cuts: readonly CutRecord[];
}

/** One section's way through one step. */
interface Cut {
  readonly unit: number;
  readonly step: number;
  readonly before: Size;
  after: SectionVariant;
}

/** The state while moves are applied: totals are kept up to date, nothing is rendered. */
class FitState implements LadderState {
  readonly units: readonly FitUnit[];
  readonly forms: SectionVariant[];
  readonly cuts = new Map<string, Cut>();
  readonly #frame: Frame;
  #body: Size = NO_SIZE;
  #partialCount = 0;
  #shownCount = 0;
  #hasNotes = true;
  #isOver = false;
  #notesSize: Size | undefined;

  constructor(units: readonly FitUnit[], frame: Frame) {
    this.units = units;
    this.#frame = frame;
    this.forms = units.map((unit) => unit.start);
    for (const [index, unit] of units.entries()) {
      this.#count(unit.start, 1);
      if (unit.isCutByRule) this.#record(index, 0, unit.full, unit.start);
    }
  }

  get noteState(): NoteState | undefined {
    if (!this.#hasNotes) return undefined;
    const dropped = [...this.forms.keys()].filter((index) => isDropped(this.forms[index]));
    return { isPartial: this.#partialCount > 0, dropped, forms: this.forms, isOver: this.#isOver };
  }

  get size(): Size {
    this.#notesSize ??= this.noteState ? this.#frame.measureNotes(this.noteState) : NO_SIZE;
    const wrapper = this.#shownCount > 0 ? this.#frame.wrapper : NO_SIZE;
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
    const before = this.forms[move.unit];
    if (!before) return;
    const wasPartial = this.#partialCount > 0;
    this.#count(before, -1);
    this.forms[move.unit] = move.form;
    this.#count(move.form, 1);
    this.#record(move.unit, move.step, before, move.form);
    if (wasPartial !== this.#partialCount > 0 || isDropped(move.form)) this.#notesSize = undefined;
  }

  /** The last state: delivered whole although it is over, and the notes say what to shrink. */
  giveUp(): void {
    this.#isOver = true;
    this.#hasNotes = true;
    this.#notesSize = undefined;
  }

  #count(form: SectionVariant, sign: 1 | -1): void {
    this.#body = {
      tokens: this.#body.tokens + sign * form.tokens,
      chars: this.#body.chars + sign * form.chars,
    };
    if (form.isPartial) this.#partialCount += sign;
    if (form.disclosure !== 'omitted') this.#shownCount += sign;
  }

  #record(unit: number, step: number, before: Size, after: SectionVariant): void {
    const key = `${step} ${unit}`;
    const cut = this.cuts.get(key);
    if (cut) cut.after = after;
    else this.cuts.set(key, { unit, step, before, after });
  }
}

function isDropped(form: SectionVariant | undefined): boolean {
  return form !== undefined && form.disclosure === 'omitted' && form.isPartial;
}

function toRecord(cut: Cut, unit: FitUnit, isOver: boolean): CutRecord {
  const words = cut.after.words(isOver);
  return {
    sectionId: unit.id,
    step: cut.step,
    reason: inEnglish(words.reason),
    charsBefore: cut.before.chars,
    charsAfter: cut.after.chars,
    tokensBefore: cut.before.tokens,
    tokensAfter: cut.after.tokens,
    dropped: inEnglish(words.dropped),
  };
}

function stepLabel(cut: Cut, unit: FitUnit, isOver: boolean): string {
  if (cut.after.disclosure === 'omitted') return `${unit.priority} dropped: ${unit.id}`;
  return `${inEnglish(cut.after.words(isOver).reason)}: ${unit.id}`;
}

/** Whether both caps hold. */
export function isWithin({ tokens, chars }: Size, profile: Profile): boolean {
  return tokens <= profile.budgetTokens && chars <= profile.hardCapChars;
}

/** Chooses a form for every unit. Cost: a few operations a move, `O(log n)` for entries; no text is rendered. */
export function fitUnits(units: readonly FitUnit[], profile: Profile, frame: Frame): Fitted {
  const state = new FitState(units, frame);
  for (const move of perSourceCaps(state, profile)) state.apply(move);
  const moves = ladder(state, profile);
  let isOver = false;
  while (!isWithin(state.size, profile)) {
    const next = moves.next();
    if (next.done) {
      isOver = true;
      state.giveUp();
      break;
    }
    state.apply(next.value);
  }
  const cuts = [...state.cuts.values()].flatMap((cut) => {
    const unit = units[cut.unit];
    return unit ? [{ cut, unit }] : [];
  });
  return {
    forms: state.forms,
    notes: state.noteState,
    isOver,
    size: state.size,
    downgradeApplied: cuts.filter(({ cut }) => cut.step > 0).map(({ cut, unit }) => stepLabel(cut, unit, isOver)),
    cuts: cuts.map(({ cut, unit }) => toRecord(cut, unit, isOver)),
  };
}
