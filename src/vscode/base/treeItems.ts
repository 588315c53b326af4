import * as vscode from 'vscode';
import { formatCount } from './format';
import type { CommandId } from './ids';

/** Whether an element can be opened, and is. */
export function collapsible(hasChildren: boolean, isOpen: boolean): vscode.TreeItemCollapsibleState {
  if (!hasChildren) return vscode.TreeItemCollapsibleState.None;
  return isOpen ? vscode.TreeItemCollapsibleState.Expanded : vscode.TreeItemCollapsibleState.Collapsed;
}

/** The row after a page of others; a click runs `command` with `argument`. */
export function moreItem(id: string, remaining: number, command: CommandId, argument?: unknown): vscode.TreeItem {
  const item = new vscode.TreeItem(vscode.l10n.t('Show More'), vscode.TreeItemCollapsibleState.None);
  item.id = id;
  item.description = vscode.l10n.t('{0} more', formatCount(remaining));
  item.iconPath = new vscode.ThemeIcon('ellipsis');
  item.contextValue = 'more';
  item.command = {
    command,
    title: vscode.l10n.t('Show More'),
    ...(argument === undefined ? {} : { arguments: [argument] }),
  };
  return item;
}
