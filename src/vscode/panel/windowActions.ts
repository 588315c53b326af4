import * as vscode from 'vscode';
import { agentName } from '../../core/agents/agentTable';
import { offeredModels } from '../../core/agents/modelTable';
import { categoryKey } from '../../protocol/panel';
import type { WindowAction } from '../../protocol/panelAction';
import { chosen, requireTrust } from '../base/editorError';
import { openAtLine } from '../base/folders';
import type { PanelCommandHandlers } from '../base/ids';
import type { EditorServices } from '../copy/editorServices';
import { type KnownWindow, rowItem, serverKey, unmeasuredPrograms } from './panelWindow';
import type { WindowServers } from './windowServers';

/** Does one action of a row that was told, by its key. */
type ForRow = (key: string, window: KnownWindow) => Promise<void>;

/** What can be done about the window before the first word: whose it is, whether the home folder is read, and its rows. */
export function windowActions({ preferences, registry }: EditorServices, servers: WindowServers) {
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
    /** Opens the file that a row comes from, at its line. */
    open: async (key, { window }) => {
      const item = rowItem(window, key);
      if (!item) return;
      const { folder } = await registry.require();
      const { source, line } = item;
      const home = servers.source && vscode.Uri.file(servers.source.home);
      if (!source.startsWith('~/')) await openAtLine(folder.uri, source, line ?? 1);
      else if (home) await openAtLine(home, source.slice(2), line ?? 1);
    },
  };

  return { panelCommands, rowActions };
}
