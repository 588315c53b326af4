import * as vscode from 'vscode';
import { EditorError, requireTrust } from '../base/editorError';
import { openDocument, unlessMissing } from '../base/folders';

/** Scheme of the read-only documents that show what a settings file would be. */
export const HOOK_SCHEME = 'context-budget-hooks';

/** A settings file as it is and as it would be; `undefined` stands for no file. */
export interface HookFileChange {
  readonly uri: vscode.Uri;
  /** Workspace-relative. */
  readonly path: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/** The file's text; undefined where there is none. @throws EditorError `notText` */
export async function readSettings(uri: vscode.Uri, path: string): Promise<string | undefined> {
  const bytes = await unlessMissing(() => vscode.workspace.fs.readFile(uri));
  if (!bytes) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new EditorError('notText', vscode.l10n.t('{0} is not UTF-8 text, so it was not modified.', path));
  }
}

/**
 * Writes or deletes the file.
 * @throws EditorError `changed` when it is not what was shown any more, or has unsaved changes; `untrusted` in Restricted Mode
 */
export async function makeChange({ uri, path, before, after }: HookFileChange): Promise<void> {
  requireTrust();
  if (openDocument(uri)?.isDirty || (await readSettings(uri, path)) !== before) {
    throw new EditorError(
      'changed',
      vscode.l10n.t('{0} has changed since, so it was not modified. Save it and try again.', path),
    );
  }
  if (after === undefined) await vscode.workspace.fs.delete(uri);
  else await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(after));
}

/** Shows changes as diffs, of documents that exist in memory alone. */
export class HookPreview implements vscode.TextDocumentContentProvider {
  readonly #texts = new Map<string, string>();
  #count = 0;

  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.#texts.get(uri.toString()) ?? '';
  }

  /** Asks for a change while a diff shows what the file is and would be. `verb` is the button that agrees. */
  async isAgreed({ uri, path, before, after }: HookFileChange, verb: string, detail: string): Promise<boolean> {
    const old = before === undefined ? this.#document(path, '') : uri;
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
    const uri = vscode.Uri.from({ scheme: HOOK_SCHEME, path: `/${path}`, query: String(this.#count++) });
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
