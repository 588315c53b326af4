import * as vscode from 'vscode';
import { panelActionOf } from '../protocol/panelAction';
import type { AgentActions } from './agents/agentActions';
import type { HookActions } from './agents/hookActions';
import type { ReplyActions } from './agents/replyActions';
import type { TranscriptActions } from './agents/transcriptActions';
import { DisposableStore } from './base/disposables';
import { COMMANDS, type CommandId, SETTINGS, SETTINGS_SECTION } from './base/ids';
import type { PreferenceStore } from './base/preferences';
import type { ProblemReporter } from './base/problems';
import { manageTrust } from './base/trust';
import type { CopyActions } from './copy/copyActions';
import type { MaskedClipboard } from './copy/maskedClipboard';
import type { RepoMapActions } from './map/repoMapActions';
import type { ObservationActions } from './observations/observationActions';
import type { PanelMessageHandler } from './panel/budgetPanel';
import type { PanelViewActions } from './panel/panelViewActions';
import { type SectionActions, sectionIdOf } from './panel/sectionActions';
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

type Handler = (argument: unknown) => void | Promise<void>;

/** One handler a command; the type makes sure that none is forgotten. */
function handlers({
  copy,
  clipboard,
  section,
  map,
  observation,
  reply,
  task,
  transcripts,
  view,
  workspace,
  hook,
  agent,
  relay,
  report,
  showLog,
}: Actions): Readonly<Record<CommandId, Handler>> {
  const withSection = (act: (sectionId: string) => Promise<void>): Handler => {
    return async (argument) => {
      const sectionId = sectionIdOf(argument);
      if (sectionId !== undefined) await act(sectionId);
    };
  };
  return {
    [COMMANDS.copyPayload]: () => copy.copyPayload(),
    [COMMANDS.copyIndexPayload]: () => copy.copyPayload('index'),
    [COMMANDS.copyExpandedPayload]: () => copy.copyPayload('expanded'),
    [COMMANDS.copyRepoMap]: () => copy.copyRepoMap(),
    [COMMANDS.copyRepoMapForTask]: (text) => task.copyRepoMapForTask(text),
    [COMMANDS.setTask]: (text) => task.setTask(text),
    [COMMANDS.clearTask]: () => task.clearTask(),
    [COMMANDS.moreCopyActions]: () => copy.showMore(),
    [COMMANDS.copyUnmasked]: () => clipboard.copyUnmasked(),
    [COMMANDS.showMasked]: () => clipboard.showMasked(),
    [COMMANDS.recordAgentReply]: (given) => reply.record(given),
    [COMMANDS.switchProfile]: () => workspace.switchProfile(),
    [COMMANDS.refresh]: () => workspace.refresh(),
    [COMMANDS.openConfig]: () => workspace.openConfig(),
    [COMMANDS.createInstructions]: () => workspace.createInstructions(),
    [COMMANDS.showLog]: showLog,
    [COMMANDS.showReport]: () => report.show(),
    [COMMANDS.filterRepoMap]: (filter) => map.filter(filter),
    [COMMANDS.clearRepoMapFilter]: () => map.clearFilter(),
    [COMMANDS.stopIndexing]: () => workspace.setIndexing(false),
    [COMMANDS.resumeIndexing]: () => workspace.setIndexing(true),
    [COMMANDS.addObservation]: (input) => observation.add(input),
    [COMMANDS.copyTimeline]: () => observation.copyTimeline(undefined),
    [COMMANDS.copyDetail]: () => observation.copyDetail(undefined),
    [COMMANDS.ingestRunLogs]: (paths) => observation.ingest(paths),
    [COMMANDS.readTranscripts]: async () => {
      await transcripts.read();
    },
    [COMMANDS.searchObservations]: (query) => observation.search(query),
    [COMMANDS.clearObservationSearch]: () => observation.clearSearch(),
    [COMMANDS.groupObservationsByTime]: () => observation.group('day'),
    [COMMANDS.groupObservationsByTask]: () => observation.group('task'),
    [COMMANDS.installHooks]: (paths) => hook.install(paths),
    [COMMANDS.removeHooks]: () => hook.remove(),
    [COMMANDS.copyMcpConfig]: (client) => agent.copyMcpConfig(client),
    [COMMANDS.copySkill]: () => agent.copySkill(),
    [COMMANDS.installSkill]: (path) => agent.installSkill(path),
    [COMMANDS.compactRelay]: (uri) => relay.compact(uri),
    [COMMANDS.copyRelaySummary]: (uri) => relay.copySummary(uri),
    [COMMANDS.copyObserverPrompt]: (language) => relay.copyPrompt(language),
    [COMMANDS.hideStatusBar]: hideStatusBar,
    [COMMANDS.sortSections]: () => view.sortSections(),
    [COMMANDS.setScoringMode]: (mode) => view.askScoringMode(mode),
    [COMMANDS.setThreshold]: (threshold) => view.askThreshold(threshold),
    [COMMANDS.pinSection]: withSection((id) => section.setListed('pinned', id, true)),
    [COMMANDS.unpinSection]: withSection((id) => section.setListed('pinned', id, false)),
    [COMMANDS.excludeSection]: withSection((id) => section.setListed('excluded', id, true)),
    [COMMANDS.includeSection]: withSection((id) => section.setListed('excluded', id, false)),
    [COMMANDS.stubSection]: withSection((id) => section.setListed('on_demand', id, true)),
    [COMMANDS.unstubSection]: withSection((id) => section.setListed('on_demand', id, false)),
    [COMMANDS.openSection]: withSection((id) => section.open(id)),
    [COMMANDS.copySection]: withSection((id) => copy.copySection(id)),
    [COMMANDS.copySectionHandle]: withSection((id) => copy.copyHandle(id)),
    [COMMANDS.openMapItem]: (node) => map.open(node),
    [COMMANDS.copyMapSignature]: (node) => map.copySignature(node),
    [COMMANDS.copyMapBody]: (node) => map.copyBody(node),
    [COMMANDS.copyMapHandle]: (node) => map.copyHandle(node),
    [COMMANDS.showMoreLeftOut]: () => map.showMore(),
    [COMMANDS.openObservation]: (node) => observation.open(node),
    [COMMANDS.copyObservationRow]: (node) => observation.copyRow(node),
    [COMMANDS.copyObservationTimeline]: (node) => observation.copyTimeline(node),
    [COMMANDS.copyObservationDetail]: (node) => observation.copyDetail(node),
    [COMMANDS.showMoreObservations]: (node) => observation.showMore(node),
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
  for (const command of Object.values(COMMANDS)) {
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
          return runSectionAction(actions, message.action, message.sectionId);
        case 'openFile':
          return actions.section.openAt(message.path, message.line);
        case 'setTask':
          return actions.task.takeTyped(message.task);
        case 'setListed':
          return actions.section.setListed(message.list, message.sectionId, message.isListed);
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

type PanelMessage = Parameters<PanelMessageHandler>[0];

async function runPanelCommand(
  actions: Actions,
  command: Extract<PanelMessage, { type: 'command' }>['command'],
): Promise<void> {
  switch (command) {
    case 'openFolder':
      await vscode.commands.executeCommand('vscode.openFolder');
      return;
    case 'manageTrust':
      return manageTrust();
    case 'howItWorks':
      return actions.workspace.howItWorks();
    case 'createInstructions':
    case 'openConfig':
    case 'showLog':
    case 'moreCopyActions':
    case 'setTask':
    case 'clearTask':
    case 'copyPayload':
    case 'sortSections':
      await vscode.commands.executeCommand(COMMANDS[command]);
      return;
    case 'compactRelay':
      return actions.relay.compactFolder();
    case 'copyRelaySummary':
      return actions.relay.copyFolderSummary();
    case 'copyObserverPrompt':
      return actions.relay.copyPrompt(undefined);
    case 'openRelayLog':
      return actions.relay.openFolderLog();
  }
}

function runSectionAction(
  { copy, section }: Actions,
  action: Extract<PanelMessage, { type: 'section' }>['action'],
  sectionId: string,
): Promise<void> {
  switch (action) {
    case 'open':
      return section.open(sectionId);
    case 'copy':
      return copy.copySection(sectionId);
  }
}

async function hideStatusBar(): Promise<void> {
  const settings = vscode.workspace.getConfiguration(SETTINGS_SECTION);
  await settings.update(SETTINGS.statusBarVisible, false, vscode.ConfigurationTarget.Global);
}
