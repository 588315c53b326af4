import { wordedErrorClass } from '../text/phrase';

/** Why observations could not be recorded or read. */
type ObservationErrorReason =
  /** What was to be recorded is not an observation. */
  | 'invalid'
  /** Another process held the lock for too long. */
  | 'locked'
  | 'unwritable'
  | 'unreadable'
  /** The configured file holds something else and is left alone. */
  | 'notALog'
  /** No such id or task. */
  | 'unknown';

/** A failure of the observations, in words for the user: what was wrong and what to do; no absolute path. */
export class ObservationError extends wordedErrorClass<ObservationErrorReason>('ObservationError') {}
