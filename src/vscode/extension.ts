/**
 * What every host of the extension has in common: builds the features around the workspaces and registers them. It reads
 * no file and starts no worker: that begins with the first visible view, the status bar item or the first command.
 */
import * as vscode from 'vscode';
import type { PayloadMode } from '../core/model/section';
import { Masking } from '../core/secrets/masking';
import type { WorkspaceSnapshot } from '../core/workspace/workspace';
import type { PanelSnapshot } from '../protocol/panel';
import type { ReportSnapshot } from '../protocol/reportPanel';
import type { SessionSnapshot } from '../protocol/sessionPanel';
import { agentCommands } from './agents/agentActions';
import type { AgentHost } from './agents/connectionCheck';
import { hasHooks, hookCommands } from './agents/hookActions';
import { registerLanguageModelTools } from './agents/languageModelTools';
import { type McpRuntime, McpServers } from './agents/mcpServers';
import { MyAgents } from './agents/myAgents';
import { replyCommands } from './agents/replyActions';
import { TranscriptActions, type TranscriptSource } from './agents/transcriptActions';
import { ContextKeys } from './base/contextKeys';
import { CHANGE_SCHEME, ChangePreview } from './base/fileChange';
import { FolderFiles, type OpenTextFile } from './base/folderFiles';
import { COMMANDS, type CommandId, SETTINGS, VIEWS } from './base/ids';
import { createLog, type LogChannel } from './base/log';
import { onDidChangeSettings, PreferenceStore } from './base/preferences';
import { ProblemReporter } from './base/problems';
import { followWhatIsThere, panelMessageHandler, registerCommands } from './commands';
import { copyActions } from './copy/copyActions';
import type { EditorServices } from './copy/editorServices';
import { LastReply } from './copy/lastReply';
import { MaskedClipboard } from './copy/maskedClipboard';
import { UsageRecorder } from './copy/usageRecorder';
import type { MarkedCut } from './instructions/cutDecorations';
import { FileNotices, registerNoticeFixes } from './instructions/fileNotices';
import { repoMapCommands } from './map/repoMapActions';
import { RepoMapTree } from './map/repoMapTree';
import { Capture } from './observations/capture';
import { OBSERVATION_SCHEME, observationActions } from './observations/observationActions';
import { ObservationTree } from './observations/observationTree';
import { BudgetPanel } from './panel/budgetPanel';
import { ConfigActions } from './panel/configWriter';
import { panelViewActions } from './panel/panelViewActions';
import type { WindowSource } from './panel/panelWindow';
import { SECTION_SCHEME, sectionActions } from './panel/sectionActions';
import { taskActions } from './panel/taskActions';
import { windowActions } from './panel/windowActions';
import { WindowServers } from './panel/windowServers';
import { relayActions } from './relay/relayActions';
import { diagnosticsCommands } from './report/diagnostics';
import { MetricExport } from './report/metricExport';
import type { SendMetrics } from './report/metricSchedule';
import { UsageReportView } from './report/usageReportView';
import { sessionActions } from './sessions/sessionActions';
import { SessionPageView } from './sessions/sessionPageView';
import { SessionReader, type SessionSource } from './sessions/sessionSource';
import { SessionTree } from './sessions/sessionTree';
import { StatusBar, type StatusBarState } from './status/statusBar';
import { type WorkspaceFactory, WorkspaceRegistry } from './workspace/workspaceRegistry';
import { workspaceActions } from './workspaceActions';

/** The first count waits this long after activation, so that it never competes with the editor's own start. */
const START_DELAY_MS = 300;

/** What `extensions.getExtension(…).exports` offers: read-only, for tests and for other extensions' diagnostics. */
export interface ExtensionApi {
  /** How long `activate` took, in milliseconds. */
  readonly activationMs: number;
  /** Workspaces that were open when `activate` returned. */
  readonly workspacesAtActivation: number;
  /** Names of the folders whose workspaces are open. */
  workspaces(): readonly string[];
  /** Snapshot of the active folder, or of the folder with that name; undefined without a workspace. */
  snapshot(folderName?: string): WorkspaceSnapshot | undefined;
  /** An exact snapshot of the active folder that includes everything that happened until now. */
  whenReady(): Promise<WorkspaceSnapshot | undefined>;
  mode(): PayloadMode;
  statusBar(): StatusBarState;
  /** What the panel was told last. */
  panel(): PanelSnapshot | undefined;
  /** What the usage report was told; undefined while it is not open. */
  usageReport(): ReportSnapshot | undefined;
  /** The Repo Map view's rows and words. */
  repoMap(): RepoMapTree;
  /** The Observations view's rows and words. */
  observations(): ObservationTree;
  /** The Sessions view's rows and words. */
  sessions(): SessionTree;
  /** What the page of a session was told; undefined while it is not open. */
  sessionPage(): SessionSnapshot | undefined;
  /** The MCP servers that the editor is offered. */
  mcpServers(): readonly vscode.McpStdioServerDefinition[];
  /** Where agents stop reading, as it is marked in a file's editors. */
  cutsIn(uri: vscode.Uri): readonly MarkedCut[];
}

/** What a kind of host provides. */
interface ExtensionHost {
  readonly workspaces: WorkspaceFactory;
  /** Absent in hosts that do not run on a machine of the user's. */
  readonly transcripts?: TranscriptSource;
  readonly sessions?: SessionSource;
  readonly mcpRuntime?: McpRuntime;
  readonly agents?: AgentHost;
  /** The door to files on a disk. */
  readonly openFile?: OpenTextFile;
  readonly windows?: WindowSource;
  readonly sendMetrics?: SendMetrics;
}

/** Registers everything and returns; called by a host's `activate`. */
export function activateExtension(
  context: vscode.ExtensionContext,
  createHost: (log: LogChannel) => ExtensionHost,
): ExtensionApi {
  const start = performance.now();
  const log = createLog();
  const {
    workspaces,
    transcripts: transcriptSource,
    sessions: sessionSource,
    mcpRuntime,
    agents,
    openFile,
    windows,
    sendMetrics,
  } = createHost(log);
  const { subscriptions } = context;
  const problems = new ProblemReporter(log);
  const preferences = new PreferenceStore(context.workspaceState, context.globalState);
  const registry = new WorkspaceRegistry(workspaces, preferences, log);
  const statusBar = new StatusBar(registry, preferences);
  const clipboard = new MaskedClipboard(new Masking(workspaces.secrets), statusBar);
  const editor: EditorServices = {
    context,
    log,
    files: new FolderFiles(openFile),
    preferences,
    registry,
    statusBar,
    clipboard,
    recorder: new UsageRecorder(log),
    lastReply: new LastReply(clipboard),
    announce: (text) => panel.announce(text),
  };
  const copy = copyActions(editor);
  const tree = new RepoMapTree(registry, log);
  const observations = new ObservationTree(registry, preferences, log);
  const transcripts = new TranscriptActions(editor, transcriptSource);
  const config = new ConfigActions(editor);
  const usageReport = new UsageReportView(editor);
  const sessionReader = new SessionReader(sessionSource);
  const sessions = new SessionTree(registry, sessionReader, log);
  const preview = new ChangePreview();
  const myAgents = new MyAgents(editor, agents?.home);
  const servers = mcpRuntime && new McpServers(context, mcpRuntime);
  const observation = observationActions(editor, observations);
  const section = sectionActions(editor, config, copy);
  const { onDemand, exclude } = section.rowActions;
  const doers = { onDemand, exclude, copyRepoMap: copy.copyRepoMap, config };
  const sessionPage = new SessionPageView(editor, sessionReader, doers, problems);
  const task = taskActions(editor, copy);
  const view = panelViewActions(editor, config);
  const windowServers = new WindowServers(editor, new Masking(workspaces.secrets), windows);
  const window = windowActions(editor, windowServers, config, preview);
  const workspace = workspaceActions(editor);
  const relay = relayActions(editor);
  // The type of the parameter makes sure that no command is forgotten.
  const handlers: Parameters<typeof registerCommands>[0] = {
    ...copy.commands,
    ...clipboard.commands,
    ...section.commands,
    ...repoMapCommands(editor, tree),
    ...observation.commands,
    ...replyCommands(editor),
    ...task.commands,
    ...transcripts.commands,
    ...sessionActions(sessions, sessionPage).commands,
    ...view.commands,
    ...workspace.commands,
    ...hookCommands(editor, preview),
    ...agentCommands(editor, preview, agents),
    ...myAgents.commands,
    ...relay.commands,
    ...usageReport.commands,
    ...statusBar.commands,
    ...diagnosticsCommands(editor),
    [COMMANDS.showLog]: () => log.show(),
  };
  const onMessage = panelMessageHandler(
    { config, section, task, view, window, workspace, relay },
    preferences,
    problems,
  );
  const titleOf = titles(context);
  const panel = new BudgetPanel(editor, onMessage, titleOf, config, windowServers);
  subscriptions.push(
    log,
    editor.lastReply,
    clipboard,
    workspaces.secrets,
    registry,
    preferences,
    config,
    windowServers,
    panel,
    statusBar,
    tree,
    observations,
    transcripts,
    sessions,
    sessionPage,
    usageReport,
    myAgents,
  );
  const contribute = (name: string, create: () => vscode.Disposable): void =>
    problems.contribute(name, () => subscriptions.push(create()));
  const documents = (scheme: string, provider: vscode.TextDocumentContentProvider): vscode.Disposable =>
    vscode.workspace.registerTextDocumentContentProvider(scheme, provider);
  contribute('commands', () => registerCommands(handlers, problems, titleOf));
  contribute('what is there', () => followWhatIsThere(editor, (folder) => hasHooks(editor.files, folder)));
  contribute('Budget panel', () => vscode.window.registerWebviewViewProvider(VIEWS.budget, panel));
  contribute('section documents', () => documents(SECTION_SCHEME, section));
  contribute('observation documents', () => documents(OBSERVATION_SCHEME, observation));
  contribute('previews of changes', () => documents(CHANGE_SCHEME, preview));
  const notices = new FileNotices(registry);
  subscriptions.push(notices);
  contribute('quick fixes', registerNoticeFixes);
  contribute('language model tools', () => registerLanguageModelTools(registry, log));
  if (servers) {
    subscriptions.push(servers);
    problems.contribute('MCP servers', () => servers.register());
  }
  contribute('capture', () => new Capture(registry, log));
  contribute('OpenTelemetry', () => new MetricExport(editor, sendMetrics));
  contribute('preferences', () =>
    vscode.Disposable.from(
      vscode.workspace.onDidGrantWorkspaceTrust(() => {
        registry.updatePreferences();
        void registry.releaseRecords();
      }),
      onDidChangeSettings([SETTINGS.tokenizer, SETTINGS.stalePaths, SETTINGS.agents], () =>
        registry.updatePreferences(),
      ),
    ),
  );
  problems.contribute('context keys', () => new ContextKeys().set('hasMachine', transcriptSource !== undefined));
  contribute('status bar', () => {
    const timer = setTimeout(() => {
      statusBar.start();
      void myAgents.look();
    }, START_DELAY_MS);
    return { dispose: () => clearTimeout(timer) };
  });
  const workspacesAtActivation = registry.all.length;
  const activationMs = performance.now() - start;
  log.debug(`activated in ${activationMs.toFixed(1)} ms`);
  return {
    activationMs,
    workspacesAtActivation,
    workspaces: () => registry.all.map(({ folder }) => folder.name),
    snapshot: (name) =>
      (name === undefined ? registry.active : registry.all.find(({ folder }) => folder.name === name))?.workspace
        .snapshot,
    whenReady: async () => (await registry.demand())?.whenReady(),
    mode: () => preferences.mode,
    statusBar: () => statusBar.state,
    panel: () => panel.lastSent,
    usageReport: () => usageReport.snapshot,
    repoMap: () => tree,
    observations: () => observations,
    sessions: () => sessions,
    sessionPage: () => sessionPage.snapshot,
    mcpServers: () => servers?.provideMcpServerDefinitions() ?? [],
    cutsIn: (uri) => notices.cutsIn(uri),
  };
}

/** A command of the manifest. Where VS Code has translated the title, it keeps the English beside it for the palette. */
interface TitledCommand {
  readonly command: string;
  readonly title: string | { readonly value: string; readonly original: string };
}

/** Command titles as VS Code localised them in the manifest. */
function titles(context: vscode.ExtensionContext): (command: CommandId) => string {
  const manifest: unknown = context.extension.packageJSON;
  const commands = (manifest as { contributes?: { commands?: readonly TitledCommand[] } }).contributes?.commands;
  return (id) => {
    const title = commands?.find(({ command }) => command === id)?.title ?? id;
    return typeof title === 'string' ? title : title.value;
  };
}
