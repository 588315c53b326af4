import { sourceCap } from '../../config/profile';
import type { Profile } from '../../model/profile';
import type { Priority } from '../../model/section';
import { LargestFirst } from './largestFirst';
import type { FitUnit, SectionVariant } from './sectionVariant';

/** One degradation: a unit takes a smaller form, or the closing notes go. */
export type Move =
  | { readonly kind: 'form'; readonly unit: number; readonly form: SectionVariant; readonly step: 1 | 2 | 3 | 4 }
  | { readonly kind: 'hideNotes' };

/** What the ladder looks at while its moves are applied one by one. */
export interface LadderState {
  readonly units: readonly FitUnit[];
  /** The current form of each unit. */
  readonly forms: readonly SectionVariant[];
}

/** Priorities that steps 2 to 4 touch, in the order whole sections go. */
const CUT_ORDER: readonly Priority[] = ['P4', 'P3', 'P2'];

function isSmaller(form: SectionVariant, than: SectionVariant): boolean {
  const isLarger = form.tokens > than.tokens || form.chars > than.chars;
  return !isLarger && (form.tokens < than.tokens || form.chars < than.chars);
}

/** Moves of one unit through `forms`, without those that would make it larger. */
function* shrink(
  state: LadderState,
  unit: number,
  step: 1 | 2 | 3 | 4,
  forms: (current: SectionVariant) => Iterable<SectionVariant>,
): Generator<Move> {
  const current = state.forms[unit];
  if (!current || current.disclosure === 'omitted') return;
  let last = current;
  for (const form of forms(current)) {
    if (!isSmaller(form, last)) continue;
    yield { kind: 'form', unit, form, step };
    last = form;
  }
}

/** Units of one priority, lowest score first, then largest, then by place. Unscored ones count as the highest score. */
function unitsOf(state: LadderState, priority: Priority): readonly number[] {
  const scoreOf = (unit: number): number => state.units[unit]?.score ?? 1;
  const tokensOf = (unit: number): number => state.forms[unit]?.tokens ?? 0;
  return [...state.units.keys()]
    .filter((unit) => state.units[unit]?.priority === priority)
    .sort((a, b) => scoreOf(a) - scoreOf(b) || tokensOf(b) - tokensOf(a) || a - b);
}

function mayBeCut(unit: FitUnit): boolean {
  return CUT_ORDER.includes(unit.priority);
}

function* downgradeLayers(state: LadderState, profile: Profile): Generator<Move> {
  for (const layer of profile.downgradeOrder) {
    for (const [index, unit] of state.units.entries()) {
      const forms = unit.downgrades[layer];
      if (forms && mayBeCut(unit)) yield* shrink(state, index, 2, forms);
    }
  }
}

/** Always the largest section loses its oldest entry next. */
function* dropEntries(state: LadderState): Generator<Move> {
  const queue = new LargestFirst();
  const moves = new Map<number, Iterator<Move>>();
  for (const [index, unit] of state.units.entries()) {
    if (!mayBeCut(unit)) continue;
    moves.set(
      index,
      shrink(state, index, 3, (current) => unit.fewerEntries(current)),
    );
    queue.push(index, state.forms[index]?.tokens ?? 0);
  }
  for (let index = queue.pop(); index !== undefined; index = queue.pop()) {
    const next = moves.get(index)?.next();
    if (!next || next.done) continue;
    yield next.value;
    queue.push(index, state.forms[index]?.tokens ?? 0);
  }
}

function* dropSections(state: LadderState): Generator<Move> {
  for (const priority of CUT_ORDER) {
    for (const index of unitsOf(state, priority)) {
      const unit = state.units[index];
      if (unit) yield* shrink(state, index, 4, (current) => unit.lastForms(current));
    }
  }
  yield { kind: 'hideNotes' };
  for (const priority of CUT_ORDER) {
    for (const index of unitsOf(state, priority)) {
      const unit = state.units[index];
      if (unit) yield* shrink(state, index, 4, () => [unit.gone]);
    }
  }
}

/**
 * The ladder of DESIGN §3.4, steps 2 to 4, as one fixed sequence of moves: it depends on the sections and the profile's
 * order, never on the caps, and no move makes a section larger. Whoever takes the first state that fits therefore never
 * shows less of a section under a larger cap. Each move must be applied to `state.forms` before the next is asked for.
 */
export function* ladder(state: LadderState, profile: Profile): Generator<Move> {
  yield* downgradeLayers(state, profile);
  yield* dropEntries(state);
  yield* dropSections(state);
}

/**
 * Step 1: the first form within the source's own cap, for each section that is over it; it holds whatever the budget.
 * `P0` is never cut; `P1` is never removed, so its smallest form stays even over the cap.
 */
export function* perSourceCaps(state: LadderState, profile: Profile): Generator<Move> {
  for (const [index, unit] of state.units.entries()) {
    const capTokens = sourceCap(profile, unit.id);
    const current = state.forms[index];
    if (capTokens === undefined || !current || unit.priority === 'P0' || current.tokens <= capTokens) continue;
    let best: SectionVariant | undefined;
    for (const form of unit.capped()) {
      if (!best || form.tokens < best.tokens) best = form;
      if (form.tokens <= capTokens) break;
    }
    if (best && best.tokens < current.tokens) yield { kind: 'form', unit: index, form: best, step: 1 };
  }
}
