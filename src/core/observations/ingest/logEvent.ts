import type { ObservationInput } from '../observation';

/** A place of a log that was to be an event and is none. */
export interface LogProblem {
  readonly path: string;
  /** 1-based. */
  readonly line: number;
  /** What is wrong, to follow `path:line:`. */
  readonly why: string;
}

/** An event of a log, before it is checked. */
export interface LogEvent extends Omit<ObservationInput, 'files'> {
  /** 1-based line where it starts. */
  readonly line: number;
}

/** What a reader of one format gives. */
export interface FoundEvents {
  readonly events: readonly LogEvent[];
  readonly problems: readonly Omit<LogProblem, 'path'>[];
}
