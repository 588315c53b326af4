import * as vscode from 'vscode';
import { fullTime } from '../../core/model/observation';
import { formatCount } from '../../core/text/numbers';
import { COMMANDS } from '../base/ids';
import { collapsible, moreItem } from '../base/treeItems';
import { type GroupNode, type ObservationNode, type ObservationTreeNode, observationIcon } from './observationModel';

/** `YYYY-MM-DD`. */
interface Days {
  readonly today: string;
  readonly yesterday: string;
}

/** A node as VS Code draws it. */
export function observationItem(node: ObservationTreeNode, days: Days): vscode.TreeItem {
  switch (node.kind) {
    case 'observationGroup':
      return groupItem(node, days);
    case 'observation':
      return rowItem(node);
    case 'moreObservations':
      return moreItem(node.id, node.remaining, COMMANDS.showMoreObservations, node);
  }
}

function groupItem({ id, by, group, isOpen }: GroupNode, days: Days): vscode.TreeItem {
  const label = by === 'task' ? group.key || vscode.l10n.t('No Task') : dayLabel(group.key, days);
  const item = new vscode.TreeItem(label, collapsible(true, isOpen));
  const count = formatCount(group.count);
  item.id = id;
  item.description = by === 'task' && group.key !== '' ? `${group.newest.summary} · ${count}` : count;
  item.contextValue = by === 'task' && group.key !== '' ? 'task' : 'group';
  item.accessibilityInformation = {
    label:
      group.count === 1
        ? vscode.l10n.t('{0}, 1 observation', label)
        : vscode.l10n.t('{0}, {1} observations', label, count),
  };
  return item;
}

function dayLabel(day: string, { today, yesterday }: Days): string {
  if (day === today) return vscode.l10n.t('Today');
  return day === yesterday ? vscode.l10n.t('Yesterday') : day;
}

function rowItem(node: ObservationNode): vscode.TreeItem {
  const { row } = node;
  const item = new vscode.TreeItem(row.summary, vscode.TreeItemCollapsibleState.None);
  const { icon, color } = observationIcon(row);
  const tokens = formatCount(row.detailTokens);
  item.id = node.id;
  item.description = vscode.l10n.t('{0} · ~{1} tok', String(row.id), tokens);
  item.iconPath = new vscode.ThemeIcon(icon, color === undefined ? undefined : new vscode.ThemeColor(color));
  item.contextValue = 'observation';
  item.command = { command: COMMANDS.openObservation, title: vscode.l10n.t('Open'), arguments: [node] };
  const spoken = [
    row.summary,
    fullTime(row),
    row.taskId,
    row.actor,
    row.phase,
    vscode.l10n.t('detail {0} tokens', tokens),
  ];
  item.accessibilityInformation = { label: spoken.filter(Boolean).join(vscode.l10n.t(', ')) };
  return item;
}

/** Task, time, actor, phase, what it points at, and what its detail costs. Texts of the log are plain text, never Markdown. */
export function observationTooltip(node: ObservationTreeNode): vscode.MarkdownString | undefined {
  if (node.kind !== 'observation') return undefined;
  const { row } = node;
  const tooltip = new vscode.MarkdownString();
  tooltip.appendText(row.summary);
  const lines: readonly (readonly [string, string])[] = [
    [vscode.l10n.t('Time'), fullTime(row)],
    [vscode.l10n.t('Task'), row.taskId],
    [vscode.l10n.t('Actor'), row.actor],
    [vscode.l10n.t('Phase'), row.phase],
    ...row.refs.files.map((file) => [vscode.l10n.t('File'), file] as const),
    ...row.refs.commands.map((command) => [vscode.l10n.t('Command'), command] as const),
    ...row.refs.urls.map((url) => [vscode.l10n.t('Link'), url] as const),
    [vscode.l10n.t('Detail'), vscode.l10n.t('{0} tokens, id {1}', formatCount(row.detailTokens), row.id)],
  ];
  for (const [name, text] of lines) if (text !== '') tooltip.appendMarkdown('\n- ').appendText(`${name}: ${text}`);
  return tooltip;
}
