import { agentName } from '../../core/agents/agentTable';
import { type Config, DEFAULT_CONFIG, onDemandIds } from '../../core/config/config';
import type { Problem } from '../../core/model/problem';
import type { ContextReport } from '../../core/model/report';
import type { PayloadMode } from '../../core/model/section';
import { type Finding, findingOf, type WindowServer } from '../../core/pipeline/report/finding';
import { freesWords } from '../../core/pipeline/report/payloadFindings';
import type { Phrase } from '../../core/text/phrase';
import type { Citation } from '../../core/usage/usageRecord';
import type { WorkspaceSnapshot } from '../../core/workspace/workspace';
import type {
  MaskedKeys,
  PanelCitation,
  PanelFinding,
  PanelPayload,
  PanelSnapshot,
  PanelUsage,
  SectionSort,
} from '../../protocol/panel';
import { ROW_ACTIONS } from '../../protocol/panelAction';

/** Says words of the core in the interface's language. */
type Say = (words: Phrase) => string;

/** The user's choices about the panel. */
interface PanelView {
  readonly mode: PayloadMode;
  readonly sort: SectionSort;
}

/** The folder that is shown. */
interface PanelSource {
  readonly folder: { readonly name: string; readonly uri: { toString(): string } };
  readonly workspace: { readonly snapshot: WorkspaceSnapshot };
}

/** How texts are shown. */
interface PanelTexts {
  readonly say: Say;
  readonly maskedIn: (text: string) => MaskedKeys | undefined;
}

/** What a folder's workspace tells the panel, for one payload kind. */
export function toPanelSnapshot(
  { folder, workspace: { snapshot } }: PanelSource,
  { mode, sort }: PanelView,
  usage: PanelUsage | undefined,
  { say, maskedIn }: PanelTexts,
): PanelSnapshot {
  const { state, profile, profiles, progress, isTrusted, hasInstructions, problems, configState } = snapshot;
  const payload = snapshot.report?.payloads[mode];
  return {
    state,
    folderName: folder.name,
    folderUri: folder.uri.toString(),
    mode,
    profile,
    profiles: profiles.map(({ name }) => name),
    task: snapshot.task,
    changes: snapshot.changes,
    payload: payload && localizedPayload(panelPayload(payload), say),
    masked: payload && maskedIn(payload.text),
    cited: [],
    progress,
    isTrusted,
    hasInstructions,
    problems: localizedProblems(problems, say),
    configState,
    ...configPart(snapshot.config),
    sort,
    usage,
    relay: snapshot.relay,
    agents: snapshot.agents,
    agentNames: snapshot.agentsInUse.map(agentName),
    window: undefined,
    isWindowPending: false,
    finding: undefined,
    undo: undefined,
  };
}

/** The one thing to change first, by what is known now; undefined without a report. */
export function panelFinding(
  { report, config, problems, isTrusted, agents, agentsInUse, profile, task, changes }: WorkspaceSnapshot,
  mode: PayloadMode,
  usage: PanelUsage | undefined,
  servers: readonly WindowServer[] = [],
): Finding | undefined {
  if (!report) return undefined;
  return findingOf({
    payload: report.payloads[mode],
    problems,
    isTrusted,
    scoring: config.scoring,
    simulation: usage?.simulation,
    offer: usage?.offer,
    agents,
    myAgents: agentsInUse,
    servers,
    profile,
    hasTask: task.trim() !== '' || changes !== undefined,
  });
}

/** What an action does, where its label says too little. */
function actionTitle({ change, frees = 0 }: NonNullable<Finding['action']>, say: Say): { title?: string } {
  if (change?.kind !== 'list' || change.list !== 'on_demand') return {};
  const tooltip = say(ROW_ACTIONS.onDemand.tooltip);
  return { title: frees > 0 ? `${tooltip} · ${say(freesWords(frees))}` : tooltip };
}

/** The finding in the interface's language. */
export function saidFinding({ key, title, evidence, review, action }: Finding, say: Say): PanelFinding {
  return {
    key,
    title: say(title),
    evidence: say(evidence),
    review,
    action: action && {
      label: say(action.label),
      ...actionTitle(action, say),
      ...(action.isTask ? { isTask: true } : {}),
    },
  };
}

/** Tokens by which a payload is larger than before; undefined where nothing changed and until it is counted again. */
export function tokensChanged(
  before: ContextReport | undefined,
  now: ContextReport | undefined,
  mode: PayloadMode,
): number | undefined {
  const [old, counted] = [before?.payloads[mode].budget, now?.payloads[mode].budget];
  if (!old?.isExact || !counted?.isExact) return undefined;
  return counted.tokens - old.tokens || undefined;
}

/** What a reply cited, without what only the log needs. */
export function panelCitations(cited: readonly Citation[]): readonly PanelCitation[] {
  return cited.map(({ id, evidence, what }) => ({ id, evidence, what }));
}

/** Without texts that the panel does not show: a snapshot is copied on its way. */
function panelPayload({ mode, budget, overheadTokens, sections, leftOut }: PanelPayload): PanelPayload {
  return { mode, budget, overheadTokens, sections, leftOut };
}

/** The payload's sections with reason and explanation in the interface's language; text and notes are the agent's. */
export function localizedPayload(payload: PanelPayload, say: Say): PanelPayload {
  const sections = payload.sections.map((section) => {
    const { reason, explanation } = section.words;
    return { ...section, reason: say(reason), explanation: say(explanation) };
  });
  return { ...payload, sections };
}

/** Problems in the interface's language. */
export function localizedProblems(problems: readonly Problem[], say: Say): readonly Problem[] {
  return problems.map((problem) => ({ ...problem, message: say(problem.words) }));
}

function configPart(config: Config): Pick<PanelSnapshot, 'scoring' | 'onDemand'> {
  const { mode, threshold, window, roiThresholds } = config.scoring;
  return { scoring: { mode, threshold, window, roiThresholds }, onDemand: onDemandIds(config) };
}

/**
 * Whether the panel was told of this file of the folder, as one that an agent reads, that has a problem, or that a section
 * lists: it may ask for no other.
 */
export function isToldFile(snapshot: PanelSnapshot | undefined, path: string): boolean {
  const { agents = [], problems = [], payload } = snapshot ?? {};
  const told = [
    ...problems,
    ...agents.flatMap(({ files, unreadImports = [] }) => [...files, ...unreadImports]),
    ...(payload?.sections.flatMap(({ files = [] }) => files) ?? []),
  ];
  return told.some((each) => each.path === path);
}

/** What the panel shows while there is no workspace: `loading` with a folder, `noFolder` without. */
export function emptyPanelSnapshot(
  folder: PanelSource['folder'] | undefined,
  { mode, sort }: PanelView,
  isTrusted: boolean,
): PanelSnapshot {
  return {
    state: folder ? 'loading' : 'noFolder',
    folderName: folder?.name ?? '',
    folderUri: folder?.uri.toString() ?? '',
    mode,
    profile: '',
    profiles: [],
    task: '',
    changes: undefined,
    payload: undefined,
    masked: undefined,
    cited: [],
    progress: undefined,
    isTrusted,
    hasInstructions: true,
    problems: [],
    configState: 'defaults',
    ...configPart(DEFAULT_CONFIG),
    sort,
    usage: undefined,
    relay: undefined,
    agents: undefined,
    agentNames: [],
    window: undefined,
    isWindowPending: folder !== undefined,
    finding: undefined,
    undo: undefined,
  };
}
