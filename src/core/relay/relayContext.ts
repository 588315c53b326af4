import { wordedErrorClass } from '../text/phrase';

/** Why a relay log or a ledger could not be used. */
type RelayErrorReason =
  /** The text is not JSON. */
  | 'notJson'
  /** JSON, but not an object. */
  | 'notAnObject';

/** A relay log or ledger that cannot be used at all, in words for the user: what, where, what to do. */
export class RelayError extends wordedErrorClass<RelayErrorReason>('RelayError') {}

/** Keys of the five essentials (DESIGN §2), in the order in which they are written and missed. */
export const ESSENTIALS = [
  'goal',
  'constraints',
  'latest_instruction',
  'current_blockers',
  'controller_route_summary',
] as const;

/** Key of one essential. */
export type EssentialKey = (typeof ESSENTIALS)[number];

/**
 * The five essentials that a relay window must never lose. Texts are trimmed and not empty; a list has no empty items.
 * An absent key is a missing essential; an empty list says that there are none.
 */
export interface RelayContext {
  readonly goal?: string;
  readonly constraints?: readonly string[];
  readonly latest_instruction?: string;
  readonly current_blockers?: readonly string[];
  /** Who works in which order, and who acts next. */
  readonly controller_route_summary?: string;
}

/** Whether all five essentials are there. */
export interface RelaySelfCheck {
  readonly complete: boolean;
  /** In the order of {@link ESSENTIALS}. */
  readonly missing: readonly EssentialKey[];
}

/** Where an essential was found. */
export type EssentialSource = 'relay_context' | 'ledger' | 'missing';

/** What people call an essential. */
export const ESSENTIAL_TITLES: Readonly<Record<EssentialKey, string>> = {
  goal: 'Goal',
  constraints: 'Constraints',
  latest_instruction: 'Latest instruction',
  current_blockers: 'Current blockers',
  controller_route_summary: 'Controller route',
};

/** True for the essentials that are lists. */
export function isListEssential(key: EssentialKey): key is 'constraints' | 'current_blockers' {
  return key === 'constraints' || key === 'current_blockers';
}
