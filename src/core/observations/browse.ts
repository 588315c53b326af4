/**
 * Leafing through observations as people do: groups of them, newest first, and the rows of one group or of a search, a
 * page at a time. No caps hold here: nothing of it goes to an agent. What agents get is `layers.ts`.
 */

import type { ObservationRow } from '../model/observation';
import type { WordMatch } from '../model/repoMap';
import type { Observation } from './observation';

/** What rows are put together by. */
export type ObservationGrouping = 'day' | 'task';

/** Observations of one day or of one task. */
export interface ObservationGroup {
  /** `YYYY-MM-DD` or the task's id; empty for observations of no task. */
  readonly key: string;
  readonly count: number;
  /** The newest of them. */
  readonly newest: Pick<Observation, 'id' | 'ts' | 'summary'>;
}

/** The first groups, those with the newest observations first. */
export interface ObservationGroups {
  readonly groups: readonly ObservationGroup[];
  /** Groups that there are, given or not. */
  readonly total: number;
  /** Observations of all groups. */
  readonly observations: number;
}

/** Which rows: of one group, or what a query finds; all without either. */
export interface ObservationList {
  readonly within?: { readonly by: ObservationGrouping; readonly key: string } | undefined;
  readonly query?: string | undefined;
  /** Rows at most. */
  readonly limit: number;
  /** Only rows that follow the one with this id in the same list; none when the list does not have it. */
  readonly after?: number | undefined;
  /** For a person who reads their own log. */
  readonly isUnmasked?: boolean | undefined;
}

/** The first rows, newest or best match first. */
export interface ObservationPage {
  readonly rows: readonly ObservationRow[];
  /** Rows that there are, given or not. */
  readonly total: number;
  /** Rows before the first one; -1, and no rows, when the list does not have the id to follow. */
  readonly start: number;
  /** Which words of the query observations have, where it finds none. */
  readonly match?: WordMatch;
}

type Labels = Pick<Observation, 'id' | 'ts' | 'taskId' | 'summary'>;

/** The group that an observation belongs to. */
export function groupKey({ ts, taskId }: Pick<Observation, 'ts' | 'taskId'>, by: ObservationGrouping): string {
  return by === 'day' ? ts.slice(0, 10) : taskId;
}

/** Groups observations that come newest first; at most `limit` groups are given. Linear. */
export function groupObservations(
  newestFirst: readonly Labels[],
  by: ObservationGrouping,
  limit: number,
): ObservationGroups {
  const groups = new Map<string, { key: string; count: number; newest: ObservationGroup['newest'] }>();
  for (const { id, ts, summary, taskId } of newestFirst) {
    const key = groupKey({ ts, taskId }, by);
    const group = groups.get(key);
    if (group) group.count++;
    else groups.set(key, { key, count: 1, newest: { id, ts, summary } });
  }
  return { groups: [...groups.values()].slice(0, limit), total: groups.size, observations: newestFirst.length };
}
