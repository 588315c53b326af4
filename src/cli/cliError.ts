import { errorClass } from '../core/text/phrase';

/** Why a command ends without its result: `usage` is exit code 2, the others 1. */
type CliErrorReason = 'usage' | 'failed';

/** An expected end of a command, in words for the user: what was wrong and what to do. */
export class CliError extends errorClass<CliErrorReason>('CliError') {}
