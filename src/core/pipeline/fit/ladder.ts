import { sourceCap } from '../../config/profile';
import type { Profile } from '../../model/profile';
import type { Priority } from '../../model/section';
import type { Size } from '../../tokens/lines';
import { LargestFirst } from './largestFirst';
import type { MeasuredSection } from './measuredSection';
import { BUDGET, dropped, type PayloadVariants, type SectionVariant } from './sectionVariant';

/** One degradation: a section takes a smaller variant, or the closing notes go. */
export type Move =
  | { readonly kind: 'variant'; readonly at: number; readonly variant: SectionVariant; readonly step: 1 | 2 | 3 | 4 }
  | { readonly kind: 'hideNotes' };

/** What the ladder looks at while its moves are applied one by one. */
export interface LadderState {
  readonly sections: readonly MeasuredSection[];
  readonly payload: PayloadVariants;
  /** The current variant of each section. */
  readonly variants: readonly SectionVariant[];
}

/** Priorities that steps 2 to 4 touch, in the order whole sections go. */
const CUT_ORDER: readonly Priority[] = ['P4', 'P3', 'P2'];

function isSmaller(variant: Size, than: Size): boolean {
  const isLarger = variant.tokens > than.tokens || variant.chars > than.chars;
  return !isLarger && (variant.tokens < than.tokens || variant.chars < than.chars);
}

type Smaller = (section: MeasuredSection, current: SectionVariant) => Iterable<SectionVariant>;

/** Moves of one section through smaller variants, without those that would make it larger. */
function* shrink(state: LadderState, at: number, step: 2 | 3 | 4, smaller: Smaller): Generator<Move> {
  const [section, current] = [state.sections[at], state.variants[at]];
  if (!section || !current || current.disclosure === 'omitted') return;
  let last = current;
  for (const variant of smaller(section, current)) {
    if (!isSmaller(variant, last)) continue;
    yield { kind: 'variant', at, variant, step };
    last = variant;
  }
}

/** Sections of one priority, lowest score first, then largest, then by place. Only mode `dynamic` has a say here. */
function sectionsOf({ sections, variants }: LadderState, priority: Priority): readonly number[] {
  const scoreOf = (at: number): number => (sections[at]?.mode === 'dynamic' ? sections[at].relevance?.score : 1) ?? 1;
  const tokensOf = (at: number): number => variants[at]?.tokens ?? 0;
  return [...sections.keys()]
    .filter((at) => sections[at]?.section.priority === priority)
    .sort((a, b) => scoreOf(a) - scoreOf(b) || tokensOf(b) - tokensOf(a) || a - b);
}

function mayBeCut({ section }: MeasuredSection): boolean {
  return CUT_ORDER.includes(section.priority);
}

function* downgradeLayers(state: LadderState, profile: Profile): Generator<Move> {
  for (const layer of profile.downgradeOrder) {
    for (const [at, section] of state.sections.entries()) {
      if (mayBeCut(section))
        yield* shrink(state, at, 2, (each, current) => state.payload.downgrades(each, current, layer));
    }
  }
}

/** Always the largest section loses its oldest entry next. */
function* dropEntries(state: LadderState): Generator<Move> {
  const queue = new LargestFirst();
  const moves = new Map<number, Iterator<Move>>();
  for (const [at, section] of state.sections.entries()) {
    if (!mayBeCut(section)) continue;
    moves.set(at, shrink(state, at, 3, state.payload.fewerEntries));
    queue.push(at, state.variants[at]?.tokens ?? 0);
  }
  for (let at = queue.pop(); at !== undefined; at = queue.pop()) {
    const next = moves.get(at)?.next();
    if (!next || next.done) continue;
    yield next.value;
    queue.push(at, state.variants[at]?.tokens ?? 0);
  }
}

function* dropSections(state: LadderState, smaller: Smaller): Generator<Move> {
  for (const priority of CUT_ORDER) for (const at of sectionsOf(state, priority)) yield* shrink(state, at, 4, smaller);
}

/**
 * The ladder of DESIGN §3.4, steps 2 to 4, as one fixed sequence of moves: it depends on the sections and the profile's
 * order, never on the caps, and no move makes a section larger. Whoever takes the first state that fits therefore never
 * shows less of a section under a larger cap. Each move must be applied to `state.variants` before the next is asked for.
 */
export function* ladder(state: LadderState, profile: Profile): Generator<Move> {
  yield* downgradeLayers(state, profile);
  yield* dropEntries(state);
  yield* dropSections(state, state.payload.last);
  yield { kind: 'hideNotes' };
  // Even sentences of alarms go.
  yield* dropSections(state, () => [dropped(BUDGET)]);
}

/**
 * Step 1: the first variant within the source's own cap, for each section that is over it; it holds whatever the budget.
 * `P0` is never cut; `P1` is never removed, so its smallest variant stays even over the cap.
 */
export function* perSourceCaps(state: LadderState, profile: Profile): Generator<Move> {
  for (const [at, section] of state.sections.entries()) {
    const tokens = sourceCap(profile, section.id);
    const current = state.variants[at];
    if (tokens === undefined || !current || section.section.priority === 'P0' || current.tokens <= tokens) continue;
    let best: SectionVariant | undefined;
    for (const variant of state.payload.capped(section, current, { kind: 'cap', tokens })) {
      if (!best || variant.tokens < best.tokens) best = variant;
      if (variant.tokens <= tokens) break;
    }
    if (best && best.tokens < current.tokens) yield { kind: 'variant', at, variant: best, step: 1 };
  }
}
