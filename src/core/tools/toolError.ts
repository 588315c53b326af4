import { errorClass } from '../text/errorWords';

/** Why a tool gives no answer. The list is what hosts may show: nothing else of a failure leaves them. */
export type ToolErrorReason =
  /** The arguments are not what the schema says. */
  | 'input'
  /** There is no such tool. */
  | 'noTool'
  /** Nothing has that handle, id or task; the same for what is not there and for what lies outside the folder. */
  | 'unknown'
  /** The budget is too small for any answer. */
  | 'budget'
  /** The folder keeps nothing of that kind here. */
  | 'unavailable'
  /** Secrets could not be looked for, so nothing is given. */
  | 'masking'
  /** Anything else; the host's log says more. */
  | 'failed';

/** A tool's failure, in words for a model: what was wrong and what to do; no absolute path, nothing of the cause. */
export class ToolError extends errorClass<ToolErrorReason>('ToolError') {}
