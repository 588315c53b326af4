/** Every identifier shared with package.json, typed once; `test/contract/manifest.test.ts` keeps the two in step. */

import { type PanelCommand, ROW_ACTION_NAMES, type RowCommand, rowCommand } from '../../protocol/panelAction';

/** Commands that people can run, and those that only menus and links run; those of a row of the panel are in its table. */
export const COMMANDS = {
  copyPayload: 'contextBudget.copyPayload',
  copyIndexPayload: 'contextBudget.copyIndexPayload',
  copyExpandedPayload: 'contextBudget.copyExpandedPayload',
  copyRepoMap: 'contextBudget.copyRepoMap',
  copyRepoMapForTask: 'contextBudget.copyRepoMapForTask',
  setTask: 'contextBudget.setTask',
  copyOther: 'contextBudget.copyOther',
  copyUnmasked: 'contextBudget.copyUnmasked',
  showMasked: 'contextBudget.showMasked',
  recordAgentReply: 'contextBudget.recordAgentReply',
  switchProfile: 'contextBudget.switchProfile',
  sortSections: 'contextBudget.sortSections',
  tuneRelevance: 'contextBudget.tuneRelevance',
  refresh: 'contextBudget.refresh',
  openConfig: 'contextBudget.openConfig',
  createInstructions: 'contextBudget.createInstructions',
  showLog: 'contextBudget.showLog',
  copyDiagnostics: 'contextBudget.copyDiagnostics',
  showReport: 'contextBudget.showReport',
  filterRepoMap: 'contextBudget.filterRepoMap',
  clearRepoMapFilter: 'contextBudget.clearRepoMapFilter',
  stopIndexing: 'contextBudget.stopIndexing',
  resumeIndexing: 'contextBudget.resumeIndexing',
  addObservation: 'contextBudget.addObservation',
  copyTimeline: 'contextBudget.copyTimeline',
  copyDetail: 'contextBudget.copyDetail',
  ingestRunLogs: 'contextBudget.ingestRunLogs',
  readTranscripts: 'contextBudget.readTranscripts',
  searchObservations: 'contextBudget.searchObservations',
  clearObservationSearch: 'contextBudget.clearObservationSearch',
  toggleObservationGrouping: 'contextBudget.toggleObservationGrouping',
  chooseAgents: 'contextBudget.chooseAgents',
  connectAgent: 'contextBudget.connectAgent',
  removeHooks: 'contextBudget.removeHooks',
  compactRelay: 'contextBudget.compactRelay',
  copyRelaySummary: 'contextBudget.copyRelaySummary',
  copyObserverPrompt: 'contextBudget.copyObserverPrompt',
  hideStatusBar: 'contextBudget.hideStatusBar',
  copySectionHandle: 'contextBudget.section.copyHandle',
  openMapItem: 'contextBudget.map.open',
  copyMapSignature: 'contextBudget.map.copySignature',
  copyMapBody: 'contextBudget.map.copyBody',
  copyMapHandle: 'contextBudget.map.copyHandle',
  showMoreLeftOut: 'contextBudget.map.showMore',
  openObservation: 'contextBudget.observation.open',
  copyObservationRow: 'contextBudget.observation.copyRow',
  copyObservationTimeline: 'contextBudget.observation.copyTimeline',
  copyObservationDetail: 'contextBudget.observation.copyDetail',
  showMoreObservations: 'contextBudget.observation.showMore',
  refreshSessions: 'contextBudget.refreshSessions',
  openSession: 'contextBudget.session.open',
} as const;

/** Commands that the manifest does not have: former ids, which keybindings may name, and the menu of a button of the panel. */
export const UNLISTED_COMMANDS = {
  clearTask: 'contextBudget.clearTask',
  moreCopyActions: 'contextBudget.moreCopyActions',
  setScoringMode: 'contextBudget.setScoringMode',
  setThreshold: 'contextBudget.setThreshold',
  groupObservationsByTime: 'contextBudget.groupObservationsByTime',
  groupObservationsByTask: 'contextBudget.groupObservationsByTask',
} as const;

type UnlistedCommand = (typeof UNLISTED_COMMANDS)[keyof typeof UNLISTED_COMMANDS];

/** The command of the manifest under whose title an unlisted one tells its failures. */
export const LISTED_AS: Readonly<Record<UnlistedCommand, CommandId>> = {
  'contextBudget.clearTask': COMMANDS.setTask,
  'contextBudget.moreCopyActions': COMMANDS.copyOther,
  'contextBudget.setScoringMode': COMMANDS.tuneRelevance,
  'contextBudget.setThreshold': COMMANDS.tuneRelevance,
  'contextBudget.groupObservationsByTime': COMMANDS.toggleObservationGrouping,
  'contextBudget.groupObservationsByTask': COMMANDS.toggleObservationGrouping,
};

type NamedCommand = (typeof COMMANDS)[keyof typeof COMMANDS];

/** Every command: the named ones, the actions of a row, and those that the manifest does not have. */
export type CommandId = NamedCommand | RowCommand | UnlistedCommand;

/** The commands of the manifest. */
export const LISTED_COMMANDS: readonly CommandId[] = [...Object.values(COMMANDS), ...ROW_ACTION_NAMES.map(rowCommand)];

export const COMMAND_IDS: readonly CommandId[] = [...LISTED_COMMANDS, ...Object.values(UNLISTED_COMMANDS)];

/** What runs a command, with what a menu, a keybinding or another extension gives it. */
export type CommandHandler = (argument: unknown) => void | Promise<void>;

/** Commands of one feature. */
export type CommandHandlers = Readonly<Partial<Record<CommandId, CommandHandler>>>;

/** What the panel's own commands do, where that is not the command of the same name. */
export type PanelCommandHandlers = Readonly<Partial<Record<PanelCommand, () => void | Promise<void>>>>;

export const VIEWS = {
  budget: 'contextBudget.budget',
  repoMap: 'contextBudget.repoMap',
  observations: 'contextBudget.observations',
  sessions: 'contextBudget.sessions',
} as const;

/** What `when` clauses of the manifest ask for. */
export const CONTEXT_KEYS = {
  /** The editor is offered our MCP server, so that the same tools are not offered twice. */
  hasServer: 'contextBudget.hasServer',
  isMapFiltered: 'contextBudget.isMapFiltered',
  /** `map` or `noSymbols`. */
  mapState: 'contextBudget.mapState',
  hasTask: 'contextBudget.hasTask',
  /** `running`, `stopped` or `ready`. */
  indexState: 'contextBudget.indexState',
  isObservationFiltered: 'contextBudget.isObservationFiltered',
  /** The host runs on a machine: programs can be run there, and agents leave their files there. False in a browser alone. */
  hasMachine: 'contextBudget.hasMachine',
  /** The panel has shown what a folder costs. */
  hasShownBudget: 'contextBudget.hasShownBudget',
  /** The panel shows an open folder that has something to show: its title's actions have something to be about. */
  hasContent: 'contextBudget.hasContent',
  /** The last copy has something that was masked, or could not be scanned. */
  hasHeldBack: 'contextBudget.hasHeldBack',
  /** The last copy has something that was masked. */
  hasMasked: 'contextBudget.hasMasked',
  /** The folder has an `AGENTS.md`: there is none to create. */
  hasAgentsFile: 'contextBudget.hasAgentsFile',
  /** An agent's settings in the folder have our hooks. */
  hasHooks: 'contextBudget.hasHooks',
  /** The folder has a relay log, or the active editor is one. */
  hasRelay: 'contextBudget.hasRelay',
  /** `none` or `some`. */
  observationState: 'contextBudget.observationState',
  /** `off` before agents are allowed to be read, else `reading`, `none` or `some`. */
  sessionState: 'contextBudget.sessionState',
} as const;

/** Focuses the Budget panel; VS Code makes this command for every view. */
export const FOCUS_BUDGET_VIEW = 'contextBudget.budget.focus';

/** Without the `contextBudget.` prefix, as `getConfiguration(SETTINGS_SECTION)` wants them. */
export const SETTINGS = {
  statusBarVisible: 'statusBar.visible',
  /** Percent of a cap. */
  statusBarWarnAt: 'statusBar.warnAt',
  /** Percent of a cap. */
  statusBarAlertAt: 'statusBar.alertAt',
  tokenizer: 'tokenizer',
  recordUsage: 'recordUsage',
  stalePaths: 'staleInstructions.paths',
  agentCuts: 'agentCuts',
  /** Agents that the user works with. */
  agents: 'agents',
  /** Agents whose transcripts may be read; machine scope. */
  transcripts: 'transcripts',
  /** Whether the editor is offered the MCP server instead of the language model tools. */
  mcpEnabled: 'mcp.enabled',
  /** Whether that server runs command sections, in trusted workspaces alone. */
  mcpTrust: 'mcp.trust',
  /** Whether numbers are sent to an OpenTelemetry receiver, which, how often, and with names; machine scope. */
  openTelemetryEnabled: 'openTelemetry.enabled',
  openTelemetryEndpoint: 'openTelemetry.endpoint',
  openTelemetryInterval: 'openTelemetry.interval',
  openTelemetryNames: 'openTelemetry.names',
} as const;

/** What may be recorded in the background; each off by default. */
export const CAPTURE_SETTINGS = {
  failedCommands: 'capture.failedCommands',
  failedTasks: 'capture.failedTasks',
  newErrors: 'capture.newErrors',
} as const;

export type CaptureSetting = keyof typeof CAPTURE_SETTINGS;

export const SETTINGS_SECTION = 'contextBudget';

/** Source of our own diagnostics: what VS Code shows after them, and what the context leaves out. */
export const DIAGNOSTIC_SOURCE = 'Context Budget';

export const STATUS_BAR_ITEM = 'contextBudget.status';

/** The provider of `contributes.mcpServerDefinitionProviders`. */
export const MCP_PROVIDER = 'contextBudget.mcp';

/** Before the names of our tools, which all extensions share. */
const TOOL_PREFIX = 'contextBudget_';

/** The name of a tool of the catalogue among the editor's language model tools. */
export function editorToolName(name: string): string {
  return `${TOOL_PREFIX}${name}`;
}
