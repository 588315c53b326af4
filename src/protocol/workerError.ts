import { errorClass } from '../core/text/errorWords';
import { type Phrase, phrase } from '../core/text/phrase';

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

/** What people are told; the method and the worker's own words are for the log. They follow a colon, without a stop. */
const WORDS: Readonly<Record<WorkerErrorReason, Phrase>> = {
  stopped: phrase('the work was stopped'),
  crashed: phrase('the worker that did it ended; the log says more'),
  deadline: phrase('it took too long'),
  failed: phrase('it failed in the worker; the log says more'),
  cancelled: phrase('cancelled'),
  unavailable: phrase('no worker could be started; the log says more'),
};

/** A call to a worker that was settled without a result; `message` says which call, for the log. */
export class WorkerError extends errorClass<WorkerErrorReason>('WorkerError') {
  /** For people, whatever the call was. */
  get words(): Phrase {
    return WORDS[this.reason];
  }
}
