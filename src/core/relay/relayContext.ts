import type { JsonRecord } from '../text/jsonRecord';
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

/** A text, an object, or a list of either; a number or a truth value where a writer left one. Never blank. */
export type EssentialValue = string | number | boolean | readonly unknown[] | JsonRecord;

/**
 * The five essentials that a relay window must never lose, each in the type in which it came; texts and items of lists
 * that are texts are trimmed. An absent key is a missing essential; an empty list says that there are none.
 */
export type RelayContext = { readonly [Key in EssentialKey]?: EssentialValue };

/** Whether all five essentials are there. */
export interface RelaySelfCheck {
  readonly complete: boolean;
  /** In the order of {@link ESSENTIALS}. */
  readonly missing: readonly EssentialKey[];
}

/** Where an essential was found: `top_level` beside the log's lists, where there is no `relay_context` or none in it. */
export type EssentialSource = 'relay_context' | 'top_level' | 'ledger' | 'missing';

/** What people call an essential. */
export const ESSENTIAL_TITLES: Readonly<Record<EssentialKey, string>> = {
  goal: 'Goal',
  constraints: 'Constraints',
  latest_instruction: 'Latest instruction',
  current_blockers: 'Current blockers',
  controller_route_summary: 'Controller route',
};
