import { type Config, DEFAULT_CONFIG } from '../../core/config/config';
import type { Problem } from '../../core/model/problem';
import type { PayloadMode } from '../../core/model/section';
import type { Phrase } from '../../core/text/phrase';
import type { WorkspaceSnapshot } from '../../core/workspace/workspace';
import type { MaskedKeys, PanelPayload, PanelSnapshot, PanelUsage, SectionSort } from '../../protocol/panel';
import { taskLine } from '../base/taskText';

/** Says words of the core in the interface's language. */
type Say = (words: Phrase) => string;

/** The user's choices about the panel. */
interface PanelView {
  readonly mode: PayloadMode;
  readonly sort: SectionSort;
}

/** The part of a workspace's snapshot that the panel shows, for one payload kind. */
export function toPanelSnapshot(
  snapshot: WorkspaceSnapshot,
  { mode, sort }: PanelView,
  usage: PanelUsage | undefined,
  say: Say,
  maskedIn: (text: string) => MaskedKeys | undefined,
): PanelSnapshot {
  const { state, folderName, profile, profiles, progress, isTrusted, hasInstructions, problems, configState } =
    snapshot;
  const payload = snapshot.report?.payloads[mode];
  return {
    state,
    folderName,
    mode,
    profile,
    profiles: profiles.map(({ name }) => name),
    task: taskLine(snapshot.task),
    isTaskCut: taskLine(snapshot.task) !== snapshot.task,
    payload: payload && localizedPayload(panelPayload(payload), say),
    masked: payload && maskedIn(payload.text),
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
  };
}

/** Without texts that the panel does not show: a snapshot is copied on its way. */
function panelPayload({ mode, budget, overheadTokens, sections }: PanelPayload): PanelPayload {
  return { mode, budget, overheadTokens, sections };
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

/** Whether the panel was told of this file of the folder: it may ask for no other. */
export function isCoveredFile(snapshot: PanelSnapshot | undefined, path: string): boolean {
  const coverage = snapshot?.agents ?? [];
  return coverage.some(({ files, unreadImports = [] }) =>
    [...files, ...unreadImports].some((each) => each.path === path),
  );
}

/** Sections that the config wants on demand: by its list, or by their own rule. */
export function onDemandIds({ onDemand, sections }: Config): readonly string[] {
  const own = sections.filter((section) => section.onDemand).map(({ id }) => id);
  return [...new Set([...onDemand, ...own])];
}

/** What the panel shows while there is no workspace: `loading` with a folder, `noFolder` without. */
export function emptyPanelSnapshot(
  folderName: string | undefined,
  { mode, sort }: PanelView,
  isTrusted: boolean,
): PanelSnapshot {
  return {
    state: folderName === undefined ? 'noFolder' : 'loading',
    folderName: folderName ?? '',
    mode,
    profile: '',
    profiles: [],
    task: '',
    isTaskCut: false,
    payload: undefined,
    masked: undefined,
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
  };
}
