import * as vscode from 'vscode';
import { agentName } from '../../core/agents/agentTable';
import { offeredModels } from '../../core/agents/modelTable';
import { chosen, requireTrust } from '../base/editorError';
import type { PanelCommandHandlers } from '../base/ids';
import type { EditorServices } from '../copy/editorServices';
import type { WindowSource } from './panelWindow';

/** What can be chosen about the window before the first word: whose it is, and whether the home folder is read. */
export function windowActions({ preferences, registry }: EditorServices, source: WindowSource | undefined) {
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
    const places = source?.homePlaces(workspace.snapshot.agentsInUse) ?? [];
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

  return { panelCommands };
}
