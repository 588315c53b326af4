import { wordedErrorClass } from '../text/errorWords';

/** Why usage could not be recorded or read. */
export type UsageErrorReason =
  /** What was to be recorded does not fit the log: citations of a cycle that there never was. */
  | 'invalid'
  /** Another process held the lock for too long. */
  | 'locked'
  | 'unwritable'
  | 'unreadable'
  /** The configured file holds something else and is left alone. */
  | 'notALog';

/** A failure of the usage log, in words for the user: what was wrong and what to do; no absolute path. */
export class UsageError extends wordedErrorClass<UsageErrorReason>('UsageError') {}
