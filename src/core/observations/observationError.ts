import type { RecordLogFailure } from '../records/recordLog';
import { wordedErrorClass } from '../text/phrase';

/**
 * A failure of the observations, in words for the user: what was wrong and what to do; no absolute path. `unknown`: there
 * is no such id or task.
 */
export class ObservationError extends wordedErrorClass<RecordLogFailure | 'unknown'>('ObservationError') {}
