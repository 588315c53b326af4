import * as vscode from 'vscode';
import { EditorError } from './editorError';

/** Whether anything may be written into the folders of the window: in Restricted Mode what is recorded stays in memory. */
export function mayWrite(): boolean {
  return vscode.workspace.isTrusted;
}

/** Opens the editor in which the user sees and changes trust. */
export async function manageTrust(): Promise<void> {
  await vscode.commands.executeCommand('workbench.trust.manage');
}

/** Call before writing into a folder. @throws EditorError `untrusted` in Restricted Mode */
export function requireTrust(): void {
  if (mayWrite()) return;
  throw new EditorError(
    'untrusted',
    vscode.l10n.t('This folder is not trusted, so nothing is written into it. Trust the folder first.'),
  );
}
