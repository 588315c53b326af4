import * as vscode from 'vscode';
import { panelActionOf } from '../protocol/panel';
import type { PanelCommand } from '../protocol/panelAction';
import type { AgentActions } from './agents/agentActions';
import type { HookActions } from './agents/hookActions';
import type { ReplyActions } from './agents/replyActions';
import type { TranscriptActions } from './agents/transcriptActions';
import { DisposableStore } from './base/disposables';
import {
  COMMAND_IDS,
  COMMANDS,
  type CommandHandler,
  type CommandId,
  type PanelCommandHandlers,
  SETTINGS,
  SETTINGS_SECTION,
} from './base/ids';
import type { PreferenceStore } from './base/preferences';
import type { ProblemReporter } from './base/problems';
import type { CopyActions } from './copy/copyActions';
import type { MaskedClipboard } from './copy/maskedClipboard';
import type { RepoMapActions } from './map/repoMapActions';
import type { ObservationActions } from './observations/observationActions';
import type { PanelMessageHandler } from './panel/budgetPanel';
import type { PanelViewActions } from './panel/panelViewActions';
import type { SectionActions } from './panel/sectionActions';
import type { TaskActions } from './panel/taskActions';
import type { RelayActions } from './relay/relayActions';
import type { UsageReportView } from './report/usageReportView';
import type { WorkspaceActions } from './workspaceActions';

/** What commands and the panel's messages are made of. */
export interface Actions {
  readonly copy: CopyActions;
  readonly clipboard: MaskedClipboard;
  readonly section: SectionActions;
  readonly map: RepoMapActions;
  readonly observation: ObservationActions;
  readonly reply: ReplyActions;
  readonly task: TaskActions;
  readonly transcripts: TranscriptActions;
  readonly view: PanelViewActions;
  readonly workspace: WorkspaceActions;
  readonly hook: HookActions;
  readonly agent: AgentActions;
  readonly relay: RelayActions;
  readonly report: UsageReportView;
  showLog(): void;
}

/** Every command's handler, from the features' own lists; the type makes sure that none is forgotten. */
function handlers({ showLog, ...features }: Actions): Readonly<Record<CommandId, CommandHandler>> {
  return {
    ...features.copy.commands,
    ...features.clipboard.commands,
    ...features.section.commands,
    ...features.map.commands,
    ...features.observation.commands,
    ...features.reply.commands,
    ...features.task.commands,
    ...features.transcripts.commands,
    ...features.view.commands,
    ...features.workspace.commands,
    ...features.hook.commands,
    ...features.agent.commands,
    ...features.relay.commands,
    ...features.report.commands,
    [COMMANDS.showLog]: showLog,
    [COMMANDS.hideStatusBar]: hideStatusBar,
  };
}

/** Registers every command of `ids.ts`; failures are told under the command's title. */
export function registerCommands(
  actions: Actions,
  problems: ProblemReporter,
  titleOf: (command: CommandId) => string,
): vscode.Disposable {
  const store = new DisposableStore();
  const all = handlers(actions);
  for (const command of COMMAND_IDS) {
    const run = (argument: unknown): Promise<void> =>
      problems.runAsked(titleOf(command), command, () => all[command](argument));
    store.add(vscode.commands.registerCommand(command, run));
  }
  return store;
}

/** Turns the panel's messages into the same actions that the commands run. */
export function panelMessageHandler(
  actions: Actions,
  preferences: PreferenceStore,
  problems: ProblemReporter,
): PanelMessageHandler {
  const panel = vscode.l10n.t('Budget panel');
  return async (message) => {
    await problems.runAsked(panel, `panel ${panelActionOf(message)}`, async () => {
      switch (message.type) {
        case 'setMode':
          return preferences.setMode(message.mode);
        case 'setProfile':
          return actions.workspace.setProfile(message.profile);
        case 'command':
          return runPanelCommand(actions, message.command);
        case 'section':
          return actions.section.rowActions[message.action](message.sectionId);
        case 'openFile':
          return actions.section.openAt(message.path, message.line);
        case 'setTask':
          return actions.task.takeTyped(message.task);
        case 'setScoringMode':
          return actions.view.setScoringMode(message.mode);
        case 'setThreshold':
          return actions.view.setThreshold(message.threshold);
        case 'dismissOffer':
          return actions.view.dismissOffer(message.mode);
      }
    });
  };
}

/** Commands of the panel that have no command of their own, or mean the folder's own log. */
type OwnCommands = PanelCommandHandlers & Readonly<Record<Exclude<PanelCommand, keyof typeof COMMANDS>, () => unknown>>;

async function runPanelCommand({ workspace, relay }: Actions, command: PanelCommand): Promise<void> {
  const own: OwnCommands = { ...workspace.panelCommands, ...relay.panelCommands };
  const run = own[command];
  if (run) await run();
  else await vscode.commands.executeCommand(`${SETTINGS_SECTION}.${command}`);
}

async function hideStatusBar(): Promise<void> {
  const settings = vscode.workspace.getConfiguration(SETTINGS_SECTION);
  await settings.update(SETTINGS.statusBarVisible, false, vscode.ConfigurationTarget.Global);
}
