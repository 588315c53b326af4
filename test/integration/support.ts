import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { PayloadReport, ReportSection } from '../../src/core/model/report';
import type { WorkspaceSnapshot } from '../../src/core/workspace/workspace';
import type { ExtensionApi } from '../../src/vscode/extension';
import { until } from '../support/until.mjs';
import { wholeRecords } from '../support/wholeLines.mjs';
import { host } from './host';

export { until };

export const EXTENSION_ID = 'context-budget.context-budget';

/** The extension's own view of itself; activates it where that has not happened yet. */
export async function extensionApi(): Promise<ExtensionApi> {
  const extension = vscode.extensions.getExtension<ExtensionApi>(EXTENSION_ID);
  assert.ok(extension, 'the extension is installed');
  return extension.activate();
}

function firstFolder(): vscode.WorkspaceFolder {
  const folder = vscode.workspace.workspaceFolders?.[0];
  assert.ok(folder, 'a folder is open');
  return folder;
}

/** The first folder's path on disk; for hosts that have one. */
export function root(): string {
  return firstFolder().uri.fsPath;
}

/** Where a file of the first folder is, in every host. */
export function uriOf(relative: string): vscode.Uri {
  return vscode.Uri.joinPath(firstFolder().uri, relative);
}

/** Writes a file of the first folder behind the editor's back. */
export function write(relative: string, text: string): Promise<void> {
  return host().write(relative, text);
}

export function readText(relative: string): Promise<string> {
  return host().readText(relative);
}

/** The records of a JSON Lines file that another thread may be appending to: those that are whole; none without a file. */
export async function readRecords<T>(relative: string): Promise<readonly T[]> {
  return (await exists(relative)) ? wholeRecords<T>(await readText(relative)) : [];
}

export function exists(relative: string): Promise<boolean> {
  return host().exists(relative);
}

/** Removes a file of the first folder, if it is there. */
export function remove(relative: string): Promise<void> {
  return host().remove(relative);
}

/** An exact snapshot; fails when there is no folder. */
export async function ready(): Promise<WorkspaceSnapshot> {
  const snapshot = await (await extensionApi()).whenReady();
  assert.ok(snapshot, 'there is a workspace');
  return snapshot;
}

/** The expanded payload of a snapshot. */
export function expanded(snapshot: WorkspaceSnapshot | undefined): PayloadReport {
  assert.ok(snapshot?.report, 'there is a report');
  return snapshot.report.payloads.expanded;
}

export function section(snapshot: WorkspaceSnapshot | undefined, id: string): ReportSection {
  const { sections } = expanded(snapshot);
  const found = sections.find((candidate) => candidate.id === id);
  assert.ok(found, `there is a section ${id} among ${sections.map((candidate) => candidate.id).join(', ')}`);
  return found;
}

export async function clipboardAfter(command: string, ...args: readonly unknown[]): Promise<string> {
  await vscode.env.clipboard.writeText('');
  await vscode.commands.executeCommand(command, ...args);
  return vscode.env.clipboard.readText();
}

/**
 * Runs a command that shows a list, and takes the row `steps` below its first or closes it. The list stays when it loses
 * the focus, and nothing is pressed before it has rows. Rejects with what the command fails with.
 */
export async function answerPick(command: string, act: 'take' | 'close', steps = 0): Promise<void> {
  const { showQuickPick, createQuickPick } = vscode.window;
  let isShown = false;
  const onShown = (): void => {
    isShown = true;
  };
  Object.assign(vscode.window, {
    showQuickPick: (items: readonly string[], options: vscode.QuickPickOptions, token?: vscode.CancellationToken) =>
      showQuickPick(items, { ...options, ignoreFocusOut: true, onDidSelectItem: onShown }, token),
    createQuickPick: () => {
      const pick = createQuickPick();
      pick.ignoreFocusOut = true;
      pick.onDidChangeActive(onShown);
      return pick;
    },
  });
  try {
    let isDone = false;
    const done = Promise.resolve(vscode.commands.executeCommand(command)).finally(() => {
      isDone = true;
    });
    await Promise.race([done, until(`the list of ${command} shows`, () => isShown || isDone)]);
    if (!isDone) {
      for (let step = 0; step < steps; step++) {
        await vscode.commands.executeCommand('workbench.action.quickOpenSelectNext');
      }
      const press = act === 'take' ? 'workbench.action.acceptSelectedQuickOpenItem' : 'workbench.action.closeQuickOpen';
      await vscode.commands.executeCommand(press);
    }
    await done;
    assert.ok(isShown, `${command} showed a list`);
  } finally {
    Object.assign(vscode.window, { showQuickPick, createQuickPick });
  }
}

/** Shows the Budget panel and waits until its page has asked for a snapshot. */
export async function showPanel(): Promise<void> {
  await vscode.commands.executeCommand('contextBudget.budget.focus');
  const api = await extensionApi();
  await until('the panel asks for a snapshot', () => api.panel());
}

export async function closeEditors(): Promise<void> {
  await vscode.commands.executeCommand('workbench.action.closeAllEditors');
}
