import type { DowngradeStep } from '../../model/profile';
import type { Disclosure } from '../../model/section';
import { renderElement } from '../../render/element';
import { NO_SIZE, type Size } from '../../tokens/lines';
import type { StubRule } from '../route/route';
import { mapFormCounts } from './mapTable';
import type { MeasuredSection } from './measuredSection';

/** Who made a section smaller; decides the "because" of its explanation. */
export type Cutter = StubRule | { readonly kind: 'cap'; readonly tokens: number } | { readonly kind: 'budget' };

export const BUDGET: Cutter = { kind: 'budget' };

/**
 * One way to show a section: a state the ladder can choose. Plain data, since the ladder makes one for every entry that it
 * drops; words and text are made only for the one that is chosen in the end (`ChosenSection`).
 */
export interface SectionVariant extends Size {
  readonly kind: 'full' | 'ownSentence' | 'entries' | 'map' | 'sentence' | 'stub' | 'row' | 'dropped' | 'absent';
  readonly disclosure: Disclosure;
  /** True when the handle gives more than is shown. */
  readonly isPartial: boolean;
  /** Entries or map items shown, where a part of a list is. */
  readonly itemsShown?: number | undefined;
  /** Undefined where nothing was cut. */
  readonly cutter?: Cutter | undefined;
  /** The content of those that have one line. */
  readonly line?: string;
  /** In the index-only payload: what stands in the index, before the content. */
  readonly row?: string;
}

/** How a payload can show a section: the first variant and smaller ones, each made when asked for. */
export interface PayloadVariants {
  /** After routing and the config's rules. */
  readonly start: (section: MeasuredSection) => SectionVariant;
  /** Step 1: what to try, in order, when `start` is over the source's cap. */
  readonly capped: (section: MeasuredSection, start: SectionVariant, cap: Cutter) => Iterable<SectionVariant>;
  /** Step 2: one level down, by layer; `current` is the variant to come down from, as below. */
  readonly downgrades: (
    section: MeasuredSection,
    current: SectionVariant,
    layer: DowngradeStep,
  ) => Iterable<SectionVariant>;
  /** Step 3: one entry fewer at a time, down to one. */
  readonly fewerEntries: (section: MeasuredSection, current: SectionVariant) => Iterable<SectionVariant>;
  /** Step 4, when its turn comes: what is left before it goes, or its going. */
  readonly last: (section: MeasuredSection, current: SectionVariant) => Iterable<SectionVariant>;
}

export function lineVariant(
  { id, counter }: MeasuredSection,
  kind: 'ownSentence' | 'sentence' | 'stub',
  line: string,
  cutter?: Cutter,
): SectionVariant {
  const disclosure = kind === 'stub' ? 'stub' : 'summary';
  return { ...counter.measure(renderElement(id, line)), kind, disclosure, isPartial: true, cutter, line };
}

/** The newest `count` entries of a list. */
export function entriesVariant({ entries }: MeasuredSection, count: number, cutter: Cutter): SectionVariant {
  const { tokens, chars } = entries?.measure(count) ?? NO_SIZE;
  return { tokens, chars, kind: 'entries', disclosure: 'summary', isPartial: true, itemsShown: count, cutter };
}

/** One entry fewer than `below`, and so on down to `least`. */
export function* entriesVariants(
  section: MeasuredSection,
  below: number,
  least: number,
  cutter: Cutter,
): Generator<SectionVariant> {
  for (let count = below - 1; count >= least; count--) yield entriesVariant(section, count, cutter);
}

/** The best `count` items of the map; without a cutter those of the map's own budget. */
export function mapVariant({ map }: MeasuredSection, count: number, cutter?: Cutter): SectionVariant {
  const isWhole = cutter === undefined && map?.isWhole(count) === true;
  const disclosure = isWhole ? 'full' : 'summary';
  return {
    ...(map?.measure(count) ?? NO_SIZE),
    kind: 'map',
    disclosure,
    isPartial: !isWhole,
    itemsShown: count,
    cutter,
  };
}

/** Smaller and smaller maps, from below `current` to `least`. */
export function* mapVariants(
  section: MeasuredSection,
  current: number,
  least: number,
  cutter: Cutter,
): Generator<SectionVariant> {
  for (const count of mapFormCounts(current, least)) yield mapVariant(section, count, cutter);
}

/** A section that was taken away. */
export function dropped(cutter: Cutter): SectionVariant {
  return { ...NO_SIZE, kind: 'dropped', disclosure: 'omitted', isPartial: true, cutter };
}

/** A section that is in no payload, whatever the budget: excluded, loaded by the agent, not run, empty, not counted yet. */
export const ABSENT: SectionVariant = { ...NO_SIZE, kind: 'absent', disclosure: 'omitted', isPartial: false };

/** Whether `ABSENT` is all there is to show. */
export function isAbsent({ rule, content, isPending, isEmpty }: MeasuredSection): boolean {
  const isLeftOut = rule?.kind === 'excluded' || rule?.kind === 'loadedByAgent';
  return isLeftOut || isPending || isEmpty || content.kind === 'notRun';
}
