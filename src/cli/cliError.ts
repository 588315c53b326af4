/** Why a command ends without its result: `usage` is exit code 2, the others 1. */
export type CliErrorReason = 'usage' | 'failed';

/** An expected end of a command, in words for the user: what was wrong and what to do. */
export class CliError extends Error {
  constructor(
    readonly reason: CliErrorReason,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = 'CliError';
  }

  static is(error: unknown, reason?: CliErrorReason): error is CliError {
    return error instanceof CliError && (reason === undefined || error.reason === reason);
  }
}
