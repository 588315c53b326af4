import * as vscode from 'vscode';
import { HOOK_FILES, type HookTarget } from '../../core/setup/hooks/hookTarget';
import { removeHooks } from '../../core/setup/hooks/installHooks';
import { EditorError, mayWrite } from '../base/editorError';
import { type ChangePreview, type FileChange, makeChange } from '../base/fileChange';
import type { FolderFiles } from '../base/folderFiles';
import { unlessMissing } from '../base/folders';
import { COMMANDS, type CommandHandlers } from '../base/ids';
import { listed } from '../base/language';
import type { ExtensionPlaces } from '../base/launcherFile';
import type { EditorServices } from '../copy/editorServices';

/** Settings of agents are some kilobytes. */
const MAX_SETTINGS_BYTES = 1_000_000;

/** Whether our hooks are in an agent's settings in the folder. */
export async function hasHooks(files: FolderFiles, folder: vscode.WorkspaceFolder): Promise<boolean> {
  const found = await Promise.all(HOOK_FILES.map((target) => hasHooksIn(files, folder, target)));
  return found.includes(true);
}

async function hasHooksIn(files: FolderFiles, folder: vscode.WorkspaceFolder, target: HookTarget): Promise<boolean> {
  const uri = vscode.Uri.joinPath(folder.uri, target.path);
  try {
    const stat = await unlessMissing(() => vscode.workspace.fs.stat(uri));
    // The user did not ask for this look, so it follows no linked file, waits at no pipe and reads nothing large.
    if (stat?.type !== vscode.FileType.File || stat.size > MAX_SETTINGS_BYTES) return false;
    const text = await files.read(folder, target.path);
    return text !== undefined && removeHooks(text, target) !== text;
  } catch {
    // Settings that cannot be read have no hooks that we could remove.
    return false;
  }
}

/** Takes hooks out of agents' settings again: each file shown as a diff, asked about, then written. */
export function hookCommands({ context, log, registry, statusBar, files }: EditorServices, preview: ChangePreview) {
  return {
    /** Takes our hooks out of every file that has some. */
    [COMMANDS.removeHooks]: async () => {
      const { folder } = await registry.require();
      requireHookFolder(context, folder);
      const { changes, failed } = await removals(files, folder);
      const detail = vscode.l10n.t(
        'The editor behind this dialog shows the exact change. Nothing else in the file changes.',
      );
      const done: string[] = [];
      for (const change of changes) {
        if (!(await preview.isAgreed(change, vscode.l10n.t('Remove'), detail))) continue;
        try {
          await makeChange(files, change);
          done.push(change.path);
        } catch (error) {
          failed.push(error);
        }
      }
      // What was done is said too where one failed.
      if (done.length > 0) statusBar.done(vscode.l10n.t('Hooks removed: {0}', listed(done)));
      const [first, ...others] = failed;
      for (const error of others) log.error('Hooks could not be removed', error);
      if (failed.length > 0) throw first;
      if (changes.length === 0) statusBar.done(vscode.l10n.t('No hooks of Context Budget found'));
    },
  } satisfies CommandHandlers;
}

/** Call before hooks are written. @throws EditorError `untrusted`, `noHooks` */
export function requireHookFolder({ extensionUri }: ExtensionPlaces, folder: vscode.WorkspaceFolder): void {
  if (!mayWrite()) {
    throw new EditorError(
      'untrusted',
      vscode.l10n.t('This folder is not trusted. Hooks are programs that agents run here: trust the folder first.'),
    );
  }
  if (extensionUri.scheme !== 'file') {
    throw new EditorError(
      'noHooks',
      vscode.l10n.t('Hooks are programs. Install them in VS Code on the machine where the agent runs.'),
    );
  }
  if (folder.uri.scheme !== 'file') {
    throw new EditorError('noHooks', vscode.l10n.t('Hooks need a folder on disk; this one is virtual.'));
  }
}

/** Files without our hooks, and why others cannot be changed: one such file keeps the hooks in no other. */
async function removals(
  files: FolderFiles,
  folder: vscode.WorkspaceFolder,
): Promise<{ readonly changes: readonly FileChange[]; readonly failed: unknown[] }> {
  const changes: FileChange[] = [];
  const failed: unknown[] = [];
  for (const target of HOOK_FILES) {
    const { path } = target;
    try {
      const before = await files.read(folder, path);
      const after = before === undefined ? undefined : removeHooks(before, target);
      if (before !== after) changes.push({ folder, path, before, after });
    } catch (error) {
      failed.push(error);
    }
  }
  return { changes, failed };
}
