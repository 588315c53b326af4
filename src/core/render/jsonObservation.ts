import type { ObservationRow } from '../model/observation';

/** One observation in the JSON payload (DESIGN §5.2). */
export interface JsonObservation {
  readonly id: number;
  readonly type: string;
  readonly task_id: string;
  readonly time: string;
  readonly actor: string;
  readonly phase: string;
  readonly summary: string;
  readonly refs: {
    readonly files: readonly string[];
    readonly commands: readonly string[];
    readonly urls: readonly string[];
  };
  readonly detail_tokens: number;
  /** In mode `detail` only. */
  readonly detail?: string;
}

/** A row as DESIGN §5.2 spells it; with its detail where that was asked for. */
export function toJsonObservation(row: ObservationRow, detail?: string): JsonObservation {
  const { id, type, taskId, ts, actor, phase, summary, refs, detailTokens } = row;
  return {
    id,
    type,
    task_id: taskId,
    time: ts,
    actor,
    phase,
    summary,
    refs: { files: refs.files, commands: refs.commands, urls: refs.urls },
    detail_tokens: detailTokens,
    ...(detail === undefined ? {} : { detail }),
  };
}
