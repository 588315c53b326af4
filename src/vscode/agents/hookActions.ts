import * as vscode from 'vscode';
import { HOOK_TARGETS, type HookTarget, hookAgentName } from '../../core/setup/hooks/hookTarget';
import { installHooks, removeHooks } from '../../core/setup/hooks/installHooks';
import { EditorError, mayWrite } from '../base/editorError';
import { COMMANDS, type CommandHandlers } from '../base/ids';
import { listed } from '../base/language';
import { launcherFile, writeLauncher } from '../base/launcherFile';
import type { EditorServices } from '../copy/editorServices';
import { type HookFileChange, type HookPreview, makeChange, readSettings } from './hookFiles';

/** Puts hooks into agents' settings and takes them out again: each file shown as a diff, asked about, then written. */
export function hookCommands({ context, registry, statusBar }: EditorServices, preview: HookPreview) {
  async function makeAll(
    changes: readonly HookFileChange[],
    verb: string,
    prepare: () => Promise<void>,
  ): Promise<readonly string[]> {
    const detail = vscode.l10n.t('The editor behind this shows the exact change. Nothing else in the file changes.');
    const done: string[] = [];
    for (const change of changes) {
      if (!(await preview.isAgreed(change, verb, detail))) continue;
      await prepare();
      await makeChange(change);
      done.push(change.path);
    }
    return done;
  }

  async function requireFolder(): Promise<vscode.WorkspaceFolder> {
    const { folder } = await registry.require();
    if (!mayWrite()) {
      throw new EditorError(
        'untrusted',
        vscode.l10n.t('This folder is not trusted. Hooks are programs that agents run here: trust the folder first.'),
      );
    }
    if (context.extensionUri.scheme !== 'file') {
      throw new EditorError(
        'noHooks',
        vscode.l10n.t('Hooks are programs. Install them where agents run: in a VS Code on that machine.'),
      );
    }
    if (folder.uri.scheme !== 'file') {
      throw new EditorError('noHooks', vscode.l10n.t('Agents run hooks in folders on a disk; this one is on none.'));
    }
    return folder;
  }

  return {
    /** Asks for the files, or takes their paths from a keybinding. */
    [COMMANDS.installHooks]: async (given) => {
      const folder = await requireFolder();
      const targets = Array.isArray(given)
        ? HOOK_TARGETS.filter(({ path }) => given.includes(path))
        : await pickTargets();
      if (targets.length === 0) return;
      // Hooks of this machine go through a file that survives updates; shared ones must say nothing of this machine.
      const local = { kind: 'file', path: launcherFile(context).fsPath } as const;
      const changes = await changesOf(folder, targets, (text, target) =>
        installHooks(text, target, target.scope === 'shared' ? { kind: 'package' } : local),
      );
      if (changes.length === 0) return statusBar.done(vscode.l10n.t('The hooks are installed already'));
      const done = await makeAll(changes, vscode.l10n.t('Install'), () => writeLauncher(context));
      if (done.length > 0) statusBar.done(vscode.l10n.t('Hooks installed: {0}', listed(done)));
    },
    /** Takes our hooks out of every file that has some. */
    [COMMANDS.removeHooks]: async () => {
      const folder = await requireFolder();
      const changes = await changesOf(folder, HOOK_TARGETS, (text, target) =>
        text === undefined ? undefined : removeHooks(text, target),
      );
      if (changes.length === 0) return statusBar.done(vscode.l10n.t('There are no hooks of Context Budget here'));
      const done = await makeAll(changes, vscode.l10n.t('Remove'), () => Promise.resolve());
      if (done.length > 0) statusBar.done(vscode.l10n.t('Hooks removed: {0}', listed(done)));
    },
  } satisfies CommandHandlers;
}

async function pickTargets(): Promise<readonly HookTarget[]> {
  const items = HOOK_TARGETS.map((target) => {
    const detail =
      target.scope === 'local'
        ? vscode.l10n.t('On this machine: calls this extension. Keep the file out of version control.')
        : vscode.l10n.t('For everybody who has the folder: calls the package context-budget, where it is installed.');
    return { target, label: hookAgentName(target.agent), description: target.path, detail };
  });
  const title = vscode.l10n.t('Install Agent Hooks');
  const placeHolder = vscode.l10n.t('Whose hooks, in which files; each change is shown before it is made');
  const picked = await vscode.window.showQuickPick(items, {
    title,
    placeHolder,
    canPickMany: true,
    matchOnDescription: true,
  });
  return (picked ?? []).map(({ target }) => target);
}

async function changesOf(
  folder: vscode.WorkspaceFolder,
  targets: readonly HookTarget[],
  edit: (text: string | undefined, target: HookTarget) => string | undefined,
): Promise<readonly HookFileChange[]> {
  const all: HookFileChange[] = [];
  for (const target of targets) {
    const { path } = target;
    const uri = vscode.Uri.joinPath(folder.uri, path);
    const before = await readSettings(uri, path);
    all.push({ uri, path, before, after: edit(before, target) });
  }
  return all.filter(({ before, after }) => before !== after);
}
