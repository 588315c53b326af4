import * as vscode from 'vscode';
import { chosen } from '../base/editorError';
import { COMMANDS, type CommandHandlers, UNLISTED_COMMANDS } from '../base/ids';
import { editedTask, flattenTask, keptTask } from '../base/taskText';
import { answerOf } from '../base/treeItems';
import type { CopyActions } from '../copy/copyActions';
import type { EditorServices } from '../copy/editorServices';
import { type OfferedText, offeredTexts, selectedText } from '../workspace/offeredTexts';

/** What the work is about: asked for, kept for each folder, or used once for a map. */
export function taskActions({ announce, log, preferences, registry }: EditorServices, copy: CopyActions) {
  const commands = {
    /** Asks for a text and copies the map that is ranked for it; the kept task stays as it is. */
    [COMMANDS.copyRepoMapForTask]: async (given) => {
      const { folder } = await registry.require();
      const prefill = selectedText() || (preferences.of(folder).task ?? '');
      const title = vscode.l10n.t('Copy Repo Map for Task');
      const text = typeof given === 'string' ? given : await ask(title, prefill);
      await copy.copyRepoMap(keptTask(text) ?? '');
    },
    /** Asks for the task and keeps it; nothing typed clears it. A keybinding may bring the text along. */
    [COMMANDS.setTask]: async (given) => {
      const { folder } = await registry.require();
      const { task = '' } = preferences.of(folder);
      const text = typeof given === 'string' ? given : await ask(vscode.l10n.t('Set Task'), task);
      await keep(folder, keptTask(text));
    },
    [UNLISTED_COMMANDS.clearTask]: async () => {
      const { folder } = await registry.require();
      await keep(folder, undefined);
    },
  } satisfies CommandHandlers;

  /** Keeps what was typed into the panel's own field, with its lines; nothing typed clears it. */
  async function takeTyped(typed: string): Promise<void> {
    const { folder } = await registry.require();
    const task = keptTask(typed);
    if (task !== preferences.of(folder).task) await keep(folder, task);
  }

  async function keep(folder: vscode.WorkspaceFolder, task: string | undefined): Promise<void> {
    await preferences.setTask(folder, task);
    registry.updatePreferences();
    announce(task === undefined ? vscode.l10n.t('Task cleared') : vscode.l10n.t('Task set'));
  }

  /** One line to type in, and below it whole texts that do not fit there. Leaving it cancels. */
  async function ask(title: string, prefill: string): Promise<string> {
    const offers = await offeredTexts(log);
    const pick = vscode.window.createQuickPick<OfferedText>();
    pick.title = title;
    pick.placeholder = vscode.l10n.t('What is the agent about to do?');
    pick.value = flattenTask(prefill);
    const show = (): void => {
      pick.items = [typedOffer(pick.value), ...offers];
    };
    show();
    pick.onDidChangeValue(show);
    const text = await answerOf(pick, () => {
      const [active] = pick.activeItems;
      const isOffer = active !== undefined && offers.includes(active);
      return isOffer ? active.text : editedTask(pick.value.trim(), prefill);
    });
    return chosen(text);
  }

  return { commands, takeTyped };
}

function typedOffer(value: string): OfferedText {
  const text = value.trim();
  const label = text === '' ? vscode.l10n.t('$(close) No Task') : vscode.l10n.t('$(check) Use Typed Text');
  return { label, text, description: text, alwaysShow: true };
}
