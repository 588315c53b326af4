import { observationRows } from './rows';
import type { RowGroup } from './tablePage';
import type { ToolHost } from './tool';
import { ToolError } from './toolError';

/** Which observations, in which order. */
export interface EventsWanted {
  /** Best match first with it, newest first without. */
  readonly query?: string | undefined;
  readonly task?: string | undefined;
  /** Id of the observation that the first row follows. */
  readonly after?: string | undefined;
  /** Rows at most. */
  readonly limit: number;
}

/**
 * Rows of observations; no group where the host keeps none.
 * @throws ToolError `unknown` when the list does not have the observation to go on after
 */
export async function eventGroup(
  host: ToolHost,
  { query, task, after, limit }: EventsWanted,
): Promise<readonly RowGroup[]> {
  const service = host.session.observations;
  if (!service) return [];
  const within = task === undefined ? undefined : ({ by: 'task', key: task } as const);
  const follows = after === undefined ? undefined : Number(after.trim());
  const { rows, total, start } = await service.list({ query, within, limit, after: follows });
  if (start < 0) throw new ToolError('unknown', 'after: the list has no row with this handle.');
  return [{ rows: await observationRows(host, rows), more: Math.max(0, total - start - rows.length) }];
}
