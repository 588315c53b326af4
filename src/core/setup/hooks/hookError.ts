import { wordedErrorClass } from '../../text/errorWords';

/** Why a hook could not be answered, installed or removed. */
export type HookErrorReason =
  /** What came in on stdin is not an event that this hook answers. */
  | 'badEvent'
  /** An answer would be longer than its agent takes; a fault of the caller. */
  | 'overLimit'
  /** The settings file cannot be edited: not JSON, or of another shape. */
  | 'badFile'
  /** A path that no command line can carry safely. */
  | 'badPath';

/** A failure of the agents' hooks, in words for the user: what was wrong, where, what to do; no absolute path. */
export class HookError extends wordedErrorClass<HookErrorReason>('HookError') {}
