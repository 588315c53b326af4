import * as vscode from 'vscode';
import { formatCount } from '../../core/text/numbers';
import { chosen } from './editorError';
import type { CommandId } from './ids';

/** What a view is filtered by, and how that is changed. */
interface Filtered {
  readonly filter: string;
  setFilter(filter: string): void;
  /** Opens the view where it is folded or hidden, without the focus. */
  show(): Promise<void>;
}

/** Shows a box; what `read` gives once it is accepted, undefined when it is closed. */
export async function answerOf<T>(
  box: Pick<vscode.InputBox, 'onDidAccept' | 'onDidHide' | 'show' | 'dispose'>,
  read: () => T,
): Promise<T | undefined> {
  try {
    return await new Promise<T | undefined>((resolve) => {
      box.onDidAccept(() => resolve(read()));
      box.onDidHide(() => resolve(undefined));
      box.show();
    });
  } finally {
    box.dispose();
  }
}

/**
 * Sets the filter of a view, which is shown, to `given`, or asks for one: what is typed is shown at once, and taken back
 * when the box is left by Escape.
 */
export async function askFilter(view: Filtered, given: unknown, title: string, placeholder: string): Promise<void> {
  await view.show();
  if (typeof given === 'string') {
    view.setFilter(given);
    return;
  }
  const before = view.filter;
  const box = vscode.window.createInputBox();
  box.title = title;
  box.placeholder = placeholder;
  box.value = before;
  box.onDidChangeValue((value) => view.setFilter(value));
  const isKept = await answerOf(box, () => true);
  if (!isKept) view.setFilter(before);
  chosen(isKept);
}

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
