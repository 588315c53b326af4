/** What an observation points at. Files may carry lines: `PROGRESS.md#L12`. */
export interface ObservationRefs {
  readonly files: readonly string[];
  readonly commands: readonly string[];
  readonly urls: readonly string[];
}

/** One row of an index or a timeline. */
export interface ObservationRow {
  readonly id: number;
  readonly type: string;
  readonly taskId: string;
  readonly ts: string;
  readonly actor: string;
  readonly phase: string;
  readonly summary: string;
  readonly refs: ObservationRefs;
  /** What its detail would cost in full, tags included. */
  readonly detailTokens: number;
  /** The row as text, with its `\n`; counts of rows add up (`tokens/lines.ts`). */
  readonly text: string;
}

/** A number alone is the id of an observation. */
const OBSERVATION_HANDLE = /^\d{1,15}$/;

/** True for the id of an observation. */
export function isObservationHandle(handle: string): boolean {
  return OBSERVATION_HANDLE.test(handle.trim());
}
