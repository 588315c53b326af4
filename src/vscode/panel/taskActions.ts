import * as vscode from 'vscode';
import { ChangesError } from '../../core/pipeline/collect/gitChanges';
import { chosen, EditorError } from '../base/editorError';
import { COMMANDS, type CommandHandlers, type PanelCommandHandlers, UNLISTED_COMMANDS } from '../base/ids';
import { say } from '../base/language';
import { editedTask, flattenTask, keptTask } from '../base/taskText';
import { answerOf } from '../base/treeItems';
import type { CopyActions } from '../copy/copyActions';
import type { EditorServices } from '../copy/editorServices';
import { type OfferedText, offeredTexts, selectedText } from '../workspace/offeredTexts';

/** What the work is about: asked for, kept for each folder, or used once for a map. Or what changed, in place of a task. */
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
      const title = vscode.l10n.t('Set Task');
      const text = typeof given === 'string' ? given : await ask(title, task, [changesOffer()]);
      if (text === CHANGES) await showChanges();
      else await keep(folder, keptTask(text));
    },
    [UNLISTED_COMMANDS.clearTask]: async () => {
      const { folder } = await registry.require();
      await keep(folder, undefined);
    },
  } satisfies CommandHandlers;

  const panelCommands = {
    toggleChanges: async () => {
      const { folder } = await registry.require();
      if (preferences.of(folder).showsChanges) await keep(folder, undefined);
      else await showChanges();
    },
  } satisfies PanelCommandHandlers;

  /** Keeps what was typed into the panel's own field, with its lines; nothing typed clears it. */
  async function takeTyped(typed: string): Promise<void> {
    const { folder } = await registry.require();
    const task = keptTask(typed);
    const kept = preferences.of(folder);
    if (task !== kept.task || (task !== undefined && kept.showsChanges)) await keep(folder, task);
  }

  /** @throws EditorError `noChanges`, and all stays as it was */
  async function showChanges(): Promise<void> {
    const { folder, workspace } = await registry.require();
    try {
      await workspace.requireChanges();
    } catch (error) {
      if (!ChangesError.is(error)) throw error;
      throw new EditorError('noChanges', say((error as ChangesError).words), { cause: error });
    }
    await preferences.setChanges(folder);
    registry.updatePreferences();
    announce(vscode.l10n.t('The repo map shows what changed'));
  }

  async function keep(folder: vscode.WorkspaceFolder, task: string | undefined): Promise<void> {
    await preferences.setTask(folder, task);
    registry.updatePreferences();
    announce(task === undefined ? vscode.l10n.t('Task cleared') : vscode.l10n.t('Task set'));
  }

  /** One line to type in, and below it whole texts that do not fit there. Leaving it cancels. */
  async function ask(title: string, prefill: string, more: readonly OfferedText[] = []): Promise<string> {
    const offers = [...(await offeredTexts(log)), ...more];
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

  return { commands, panelCommands, takeTyped };
}

/** Stands for what changed among the texts that a task can be: no text that can be typed. */
const CHANGES = '\0changes';

function changesOffer(): OfferedText {
  return {
    label: vscode.l10n.t('$(git-compare) Changed Since Main'),
    description: vscode.l10n.t('Changed definitions, their callers and tests'),
    text: CHANGES,
    alwaysShow: true,
  };
}

function typedOffer(value: string): OfferedText {
  const text = value.trim();
  const label = text === '' ? vscode.l10n.t('$(close) No Task') : vscode.l10n.t('$(check) Use Typed Text');
  return { label, text, description: text, alwaysShow: true };
}
