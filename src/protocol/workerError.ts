/** Why a call to a worker has no result. */
export type WorkerErrorReason =
  /** The client was disposed, or stopped while the call was under way. */
  | 'stopped'
  /** The worker ended while the call was under way, by itself or because of another call. */
  | 'crashed'
  /** The call took longer than its deadline; its worker was ended. */
  | 'deadline'
  /** The worker answered with an error. */
  | 'failed'
  /** The caller cancelled. Not an error for people. */
  | 'cancelled'
  /** The worker could not be launched, or ended before it said `ready`: no fault of the call. */
  | 'unavailable';

/** A call to a worker that was settled without a result. */
export class WorkerError extends Error {
  override readonly name = 'WorkerError';
  readonly reason: WorkerErrorReason;

  constructor(reason: WorkerErrorReason, message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }

  static is(error: unknown, reason?: WorkerErrorReason): error is WorkerError {
    return error instanceof WorkerError && (reason === undefined || error.reason === reason);
  }
}
