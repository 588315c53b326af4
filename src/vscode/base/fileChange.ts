import * as vscode from 'vscode';
import { EditorError, requireTrust } from './editorError';
import type { FolderFiles } from './folderFiles';
import { openDocument } from './folders';

/** Scheme of the read-only documents that show what a settings file would be. */
export const CHANGE_SCHEME = 'context-budget-change';

/** A settings file as it is and as it would be; `undefined` stands for no file. */
export interface FileChange {
  /** The workspace's folder, or the home folder. */
  readonly folder: vscode.WorkspaceFolder;
  /** Below that folder. */
  readonly path: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/**
 * Writes or deletes the file.
 * @throws EditorError `changed` when it is not what was shown any more, or has unsaved changes; `untrusted` in Restricted Mode
 */
export async function makeChange(files: FolderFiles, change: FileChange): Promise<void> {
  const { folder, path, before, after } = change;
  requireTrust();
  if (openDocument(uriOf(change))?.isDirty || (await files.read(folder, path)) !== before) {
    throw new EditorError(
      'changed',
      vscode.l10n.t('{0} has changed since, so it was not modified. Save it and try again.', path),
    );
  }
  await files.write(folder, path, after);
}

function uriOf({ folder, path }: FileChange): vscode.Uri {
  return vscode.Uri.joinPath(folder.uri, path);
}

/** Shows changes as diffs, of documents that exist in memory alone. */
export class ChangePreview implements vscode.TextDocumentContentProvider {
  readonly #texts = new Map<string, string>();
  #count = 0;

  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.#texts.get(uri.toString()) ?? '';
  }

  /** Asks for a change while a diff shows what the file is and would be. `verb` is the button that agrees. */
  async isAgreed(change: FileChange, verb: string, detail: string): Promise<boolean> {
    const { path, before, after } = change;
    const old = before === undefined ? this.#document(path, '') : uriOf(change);
    const fresh = this.#document(path, after ?? '');
    try {
      await vscode.commands.executeCommand('vscode.diff', old, fresh, vscode.l10n.t('{0}: proposed change', path));
      const question =
        after === undefined
          ? vscode.l10n.t('Delete {0}?', path)
          : before === undefined
            ? vscode.l10n.t('Create {0}?', path)
            : vscode.l10n.t('Change {0}?', path);
      return (await vscode.window.showInformationMessage(question, { modal: true, detail }, verb)) === verb;
    } finally {
      await closeDiff(fresh);
      this.#texts.clear();
    }
  }

  #document(path: string, text: string): vscode.Uri {
    const uri = vscode.Uri.from({ scheme: CHANGE_SCHEME, path: `/${path}`, query: String(this.#count++) });
    this.#texts.set(uri.toString(), text);
    return uri;
  }
}

async function closeDiff(modified: vscode.Uri): Promise<void> {
  const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
  const own = tabs.filter(
    ({ input }) => input instanceof vscode.TabInputTextDiff && input.modified.toString() === modified.toString(),
  );
  if (own.length > 0) await vscode.window.tabGroups.close(own);
}
