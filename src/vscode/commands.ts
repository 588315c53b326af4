import * as vscode from 'vscode';
import { panelActionOf } from '../protocol/panel';
import type { PanelCommand } from '../protocol/panelAction';
import {
  COMMAND_IDS,
  type COMMANDS,
  type CommandHandler,
  type CommandId,
  type PanelCommandHandlers,
  SETTINGS_SECTION,
} from './base/ids';
import type { PreferenceStore } from './base/preferences';
import type { ProblemReporter } from './base/problems';
import type { PanelMessageHandler } from './panel/budgetPanel';
import type { panelViewActions } from './panel/panelViewActions';
import type { sectionActions } from './panel/sectionActions';
import type { taskActions } from './panel/taskActions';
import type { relayActions } from './relay/relayActions';
import type { workspaceActions } from './workspaceActions';

/** The features that messages of the panel are for. */
interface PanelFeatures {
  readonly section: ReturnType<typeof sectionActions>;
  readonly task: ReturnType<typeof taskActions>;
  readonly view: ReturnType<typeof panelViewActions>;
  readonly workspace: ReturnType<typeof workspaceActions>;
  readonly relay: ReturnType<typeof relayActions>;
}

/** Registers every command of `ids.ts`; failures are told under the command's title. */
export function registerCommands(
  handlers: Readonly<Record<CommandId, CommandHandler>>,
  problems: ProblemReporter,
  titleOf: (command: CommandId) => string,
): vscode.Disposable {
  const registered = COMMAND_IDS.map((command) =>
    vscode.commands.registerCommand(command, (argument: unknown) =>
      problems.runAsked(titleOf(command), command, () => handlers[command](argument)),
    ),
  );
  return vscode.Disposable.from(...registered);
}

/** Turns the panel's messages into the same actions that the commands run. */
export function panelMessageHandler(
  features: PanelFeatures,
  preferences: PreferenceStore,
  problems: ProblemReporter,
): PanelMessageHandler {
  const panel = vscode.l10n.t('Budget panel');
  const own: OwnCommands = { ...features.workspace.panelCommands, ...features.relay.panelCommands };
  return async (message) => {
    await problems.runAsked(panel, `panel ${panelActionOf(message)}`, async () => {
      switch (message.type) {
        case 'setMode':
          return preferences.setMode(message.mode);
        case 'setProfile':
          return features.workspace.setProfile(message.profile);
        case 'command': {
          const run = own[message.command];
          return run ? run() : vscode.commands.executeCommand(`${SETTINGS_SECTION}.${message.command}`);
        }
        case 'section':
          return features.section.rowActions[message.action](message.sectionId);
        case 'openFile':
          return features.section.openAt(message.path, message.line);
        case 'setTask':
          return features.task.takeTyped(message.task);
        case 'setScoringMode':
          return features.view.setScoringMode(message.mode);
        case 'setThreshold':
          return features.view.setThreshold(message.threshold);
        case 'dismissOffer':
          return features.view.dismissOffer(message.mode);
      }
    });
  };
}

/** Commands of the panel that have no command of their own, or mean the folder's own log. */
type OwnCommands = PanelCommandHandlers & Readonly<Record<Exclude<PanelCommand, keyof typeof COMMANDS>, () => unknown>>;
