import * as vscode from 'vscode';
import { EditorError } from './editorError';

/** Whether anything may be written into the folders of the window: in Restricted Mode what is recorded stays in memory. */
export function mayWrite(): boolean {
  return vscode.workspace.isTrusted;
}

/** Lets somebody look at whether the folder is trusted, and change it. */
export async function manageTrust(): Promise<void> {
  await vscode.commands.executeCommand('workbench.trust.manage');
}

/** For whoever is about to write into a folder. @throws EditorError `untrusted` in Restricted Mode */
export function requireTrust(): void {
  if (mayWrite()) return;
  throw new EditorError(
    'untrusted',
    vscode.l10n.t('This folder is not trusted, so nothing is written into it. Trust the folder first.'),
  );
}
