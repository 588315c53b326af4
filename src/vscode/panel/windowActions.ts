import * as vscode from 'vscode';
import { agentName } from '../../core/agents/agentTable';
import { offeredModels } from '../../core/agents/modelTable';
import { editSetting, type SettingEdit } from '../../core/window/loaded/settingEdit';
import type { WindowEdits } from '../../core/window/loaded/windowReport';
import { categoryKey } from '../../protocol/panel';
import type { WindowAction } from '../../protocol/panelAction';
import { chosen, requireTrust } from '../base/editorError';
import { type ChangePreview, type FileChange, makeChange } from '../base/fileChange';
import { openAtLine } from '../base/folders';
import type { PanelCommandHandlers } from '../base/ids';
import type { EditorServices } from '../copy/editorServices';
import type { ConfigActions } from './configWriter';
import { type KnownWindow, rowEdits, rowItem, rowName, serverKey, unmeasuredPrograms } from './panelWindow';
import type { WindowServers } from './windowServers';

/** Does one action of a row that was told, by its key. */
type ForRow = (key: string, window: KnownWindow) => Promise<void>;

/** What can be done about the window before the first word: whose it is, whether the home folder is read, and its rows. */
export function windowActions(
  { files, preferences, registry }: EditorServices,
  servers: WindowServers,
  config: ConfigActions,
  preview: ChangePreview,
) {
  const panelCommands = { selectWindow, toggleHomeFiles } satisfies PanelCommandHandlers;

  /** Lets the user choose one of *My Agents* and the model whose window is shown. */
  async function selectWindow(): Promise<void> {
    const { workspace } = await registry.require();
    const { agent: shown, model: shownModel } = preferences.windowOf(workspace.snapshot.agentsInUse);
    const items = workspace.snapshot.agentsInUse.flatMap((agent) =>
      [undefined, ...offeredModels(agent)].map((model) => ({
        agent,
        model,
        label: agentName(agent),
        description: [
          model ?? vscode.l10n.t('default model'),
          ...(agent === shown && model === shownModel ? [vscode.l10n.t('current')] : []),
        ].join(' · '),
      })),
    );
    const title = vscode.l10n.t('Select Agent and Model');
    const placeHolder = vscode.l10n.t('Agent and model whose window is shown');
    const { agent, model } = chosen(
      await vscode.window.showQuickPick(items, { title, placeHolder, matchOnDescription: true }),
    );
    await preferences.setWindow({ agent, model });
  }

  /** Asks once, with the places, before any file of the home folder is read; again to read none. */
  async function toggleHomeFiles(): Promise<void> {
    requireTrust();
    if (preferences.readsHome) return preferences.setReadsHome(false);
    const { workspace } = await registry.require();
    const places = servers.source?.homePlaces(workspace.snapshot.agentsInUse) ?? [];
    const read = vscode.l10n.t('Read');
    const answer = await vscode.window.showInformationMessage(
      vscode.l10n.t('Also read what your agents load from your home folder?'),
      {
        modal: true,
        detail: `${vscode.l10n.t('Read on this machine, for sizes alone; never copied into a payload:')}\n${places.join('\n')}`,
      },
      read,
    );
    if (answer === read) await preferences.setReadsHome(true);
  }

  /** The folder of a path as the window names it, and the path below it; the home folder is taken for one. */
  function placeOf(path: string, folder: vscode.WorkspaceFolder): Pick<FileChange, 'folder' | 'path'> | undefined {
    if (!path.startsWith('~/')) return { folder, path };
    const uri = servers.source && vscode.Uri.file(servers.source.home);
    return uri && { folder: { uri, name: '~', index: 0 }, path: path.slice(2) };
  }

  /** Shows the change as a diff, writes it once the user agreed, and offers to undo it. */
  async function edit(key: string, { window }: KnownWindow, action: keyof WindowEdits): Promise<void> {
    requireTrust();
    const { edits, tokens } = rowEdits(window, key);
    const wanted = edits[action];
    const { folder, workspace } = await registry.require();
    const place = wanted && placeOf(wanted.path, folder);
    if (!wanted || !place) return;
    const change = await changeOf(place, wanted);
    const name = rowName(window, key);
    const verb = action === 'disable' ? vscode.l10n.t('Disable') : vscode.l10n.t('Load on Demand');
    const detail = vscode.l10n.t(
      'The editor behind this dialog shows the exact change. Nothing else in the file changes.',
    );
    if (change.before === change.after || !(await preview.isAgreed(change, verb, detail))) return;
    await makeChange(files, change);
    const restore = async (): Promise<void> => {
      await makeChange(files, { ...change, before: change.after, after: change.before });
      servers.refresh();
    };
    const done = action === 'disable' ? vscode.l10n.t('{0} disabled', name) : vscode.l10n.t('{0} on demand', name);
    // Of what loads on demand a name may stay.
    const saved = (): number | undefined => {
      const now = servers.shown?.window;
      if (!now || now === window || now.agent !== window.agent || now.model !== window.model) return undefined;
      return rowEdits(now, key).tokens - tokens || undefined;
    };
    config.offerUndo({ workspace, done, tokens: saved, isEstimate: window.factor !== undefined, restore });
    servers.refresh();
  }

  async function changeOf(place: Pick<FileChange, 'folder' | 'path'>, wanted: SettingEdit): Promise<FileChange> {
    const before = await files.read(place.folder, place.path);
    return { ...place, before, after: editSetting(before ?? '', wanted) };
  }

  const rowActions: Readonly<Record<WindowAction, ForRow>> = {
    /** One server by its row, or all programs that have no figure by the row of the category. */
    measure: (key, known) => {
      const items = known.panel.categories.find(({ kind }) => kind === 'mcp')?.items ?? [];
      const wanted =
        key === categoryKey('mcp')
          ? unmeasuredPrograms(items, known.servers)
          : known.servers.filter((server) => serverKey(server) === key);
      return servers.measure(wanted, known);
    },
    onDemand: (key, known) => edit(key, known, 'onDemand'),
    disable: (key, known) => edit(key, known, 'disable'),
    /** Opens the file that a row comes from, at its line. */
    open: async (key, { window }) => {
      const item = rowItem(window, key);
      const { folder } = await registry.require();
      const place = item && placeOf(item.source, folder);
      if (place) await openAtLine(place.folder, place.path, item.line ?? 1);
    },
  };

  return { panelCommands, rowActions };
}
