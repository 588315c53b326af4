/** The Observations tree as data: groups, rows, what stands for more, and the sums of a choice. Pure; words are the view's. */

import type { ObservationRow } from '../../core/model/observation';
import type { Profile } from '../../core/model/profile';
import type {
  ObservationGroup,
  ObservationGrouping,
  ObservationGroups,
  ObservationPage,
} from '../../core/observations/browse';
import { type Outcome, outcomeOf } from '../../core/observations/observation';

/** Observations of one day or of one task. */
export interface GroupNode {
  readonly kind: 'observationGroup';
  readonly id: string;
  readonly by: ObservationGrouping;
  readonly group: ObservationGroup;
  readonly isOpen: boolean;
}

export interface ObservationNode {
  readonly kind: 'observation';
  readonly id: string;
  readonly row: ObservationRow;
}

/** Lists more of a group (`groupId`), of a search, or of the groups (both without one). */
export interface MoreObservationsNode {
  readonly kind: 'moreObservations';
  readonly id: string;
  readonly groupId: string | undefined;
  readonly remaining: number;
}

export type ObservationTreeNode = GroupNode | ObservationNode | MoreObservationsNode;

/** Groups that are open at first. */
const OPEN_GROUPS = 2;

/** The tree's first level without a search. */
export function groupNodes(
  { groups, total }: ObservationGroups,
  by: ObservationGrouping,
): readonly ObservationTreeNode[] {
  const nodes = groups.map(
    (group, at): GroupNode => ({
      kind: 'observationGroup',
      id: `${by}:${group.key}`,
      by,
      group,
      isOpen: at < OPEN_GROUPS,
    }),
  );
  return withMore(nodes, total, undefined);
}

/** Rows of a group, or of a search when there is no group. */
export function rowNodes(
  { rows, total }: ObservationPage,
  group: GroupNode | undefined,
): readonly ObservationTreeNode[] {
  const nodes = rows.map((row): ObservationNode => ({ kind: 'observation', id: `observation:${row.id}`, row }));
  return withMore(nodes, total, group?.id);
}

function withMore(
  nodes: readonly ObservationTreeNode[],
  total: number,
  groupId: string | undefined,
): readonly ObservationTreeNode[] {
  const remaining = total - nodes.length;
  if (remaining <= 0) return nodes;
  return [...nodes, { kind: 'moreObservations', id: `more:${groupId ?? ''}`, groupId, remaining }];
}

/** A codicon and the theme colour that it is drawn in, if any. */
interface ObservationIcon {
  readonly icon: string;
  readonly color: string | undefined;
}

/** Phases by what their words begin with; the first that fits. */
const PHASES: readonly (readonly [icon: string, words: RegExp])[] = [
  ['milestone', /^(plan|design|spec|research|route|controll)|规划|計劃|计划|设计|設計/iu],
  ['beaker', /^(verif|test|check|review|audit|qa)|验证|驗證|测试|測試|检查|檢查|审/iu],
  ['edit', /^(impl|cod|build|writ|fix|refactor|edit|exec|develop)|实现|實現|开发|開發|编码|执行|执|修/iu],
];

const OUTCOME_ICONS: Readonly<Record<Exclude<Outcome, 'unknown'>, ObservationIcon>> = {
  failed: { icon: 'error', color: 'list.errorForeground' },
  passed: { icon: 'check', color: 'charts.green' },
  open: { icon: 'clock', color: 'list.warningForeground' },
};

/** How it ended where the summary says so, else the phase. */
export function observationIcon(
  row: Pick<ObservationRow, 'summary' | 'phase'> & Partial<ObservationRow>,
): ObservationIcon {
  const { phase } = row;
  const outcome = outcomeOf(row);
  if (outcome !== 'unknown') return OUTCOME_ICONS[outcome];
  return { icon: PHASES.find(([, words]) => words.test(phase))?.[0] ?? 'circle-small-filled', color: undefined };
}

/**
 * What the chosen details will cost; exact, since counts of details add up (`tokens/lines.ts`). Each counts with at most
 * the profile's `detailTokens`: longer ones are cut there.
 */
export function detailSum(
  rows: readonly Pick<ObservationRow, 'detailTokens'>[],
  { detailTokens, budgetTokens, topK }: Pick<Profile, 'detailTokens' | 'budgetTokens' | 'topK'>,
): { readonly tokens: number; readonly isOver: boolean } {
  const tokens = rows.reduce((sum, row) => sum + Math.min(row.detailTokens, detailTokens), 0);
  return { tokens, isOver: tokens > budgetTokens || rows.length > topK.detail };
}

/** A row hands its node to a command; anything else is not meant. */
export function isObservationNode(value: unknown): value is ObservationNode {
  return typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'observation';
}

/** True for a group's node. */
export function isGroupNode(value: unknown): value is GroupNode {
  return typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'observationGroup';
}
