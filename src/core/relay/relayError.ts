import { wordedErrorClass } from '../text/errorWords';

/** Why a relay log or a ledger could not be used. */
export type RelayErrorReason =
  /** The text is not JSON. */
  | 'notJson'
  /** JSON, but not an object. */
  | 'notAnObject';

/** A relay log or ledger that cannot be used at all, in words for the user: what, where, what to do. */
export class RelayError extends wordedErrorClass<RelayErrorReason>('RelayError') {}
