import type { DowngradeStep } from '../../model/profile';
import type { RepoMapView } from '../../model/repoMap';
import type { Disclosure, Priority, Status } from '../../model/section';
import type { Phrase } from '../../text/phrase';

/** Size of rendered text. */
export interface Size {
  readonly tokens: number;
  /** UTF-16 code units. */
  readonly chars: number;
}

export const NO_SIZE: Size = { tokens: 0, chars: 0 };

/** What a form puts into a payload; parts it does not have are empty. */
export interface VariantContent {
  /** A row of the index, with its `\n`. */
  readonly row: string;
  /** An element, tags included, with its `\n`. */
  readonly element: string;
  /** The content alone, as the agent gets it. */
  readonly text: string;
}

export const NO_CONTENT: VariantContent = { row: '', element: '', text: '' };

/** Why a section has this form, for the row, the opened row and the log. */
export interface FormWords {
  /** In English at most about 20 characters. */
  readonly reason: Phrase;
  readonly explanation: Phrase;
  /** What this form leaves out, such as `29 of 41 entries`. */
  readonly dropped: Phrase;
}

/**
 * One way to show a section: a state the ladder can choose. Sizes are known at once, words and text are made only for
 * the form that is chosen in the end.
 */
export interface SectionVariant extends Size {
  readonly disclosure: Disclosure;
  /** True when the handle gives more than the form shows. */
  readonly isPartial: boolean;
  /** Entries or map items shown, for forms that show a part of a list. */
  readonly itemsShown: number | undefined;
  words(isOver: boolean): FormWords;
  content(): VariantContent;
  /** What a map form shows. */
  view?(): RepoMapView;
}

/** A section as the ladder sees it: its first form and the smaller ones it can take, each made when asked for. */
export interface FitUnit {
  readonly id: string;
  readonly priority: Priority;
  readonly status: Status;
  /** What decides within a priority who goes first; `null` unless the mode is `dynamic`. */
  readonly score: number | null;
  /** Shown in full, without any rule or cap; the size before cuts by the config's rules. */
  readonly full: Size;
  /** After routing and the config's rules. */
  readonly start: SectionVariant;
  /** True when a rule of the config or the user made `start` smaller. */
  readonly isCutByRule: boolean;
  /** Step 1: forms to try, in order, when `start` is over the source's cap. */
  capped(): Iterable<SectionVariant>;
  /** Step 2: one level down, by layer; `current` is the form to come down from. */
  readonly downgrades: Partial<Readonly<Record<DowngradeStep, (current: SectionVariant) => Iterable<SectionVariant>>>>;
  /** Step 3: one entry fewer at a time, down to one. */
  fewerEntries(current: SectionVariant): Iterable<SectionVariant>;
  /** Step 4, when its turn comes: what is left before it goes, or its going. */
  lastForms(current: SectionVariant): Iterable<SectionVariant>;
  /** Step 4, when even sentences of alarms have to go; undefined when it is gone by then. */
  readonly gone: SectionVariant;
}
