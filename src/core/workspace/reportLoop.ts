/**
 * One round of the report loop, from reading to the snapshots that are shown. It decides what a report is made of and when
 * an estimate comes first; `scheduler.ts` decides when a round is due.
 */
import { markLoaded } from '../agents/agentFile';
import { withCaps } from '../config/profile';
import type { Problem } from '../model/problem';
import { makeProblem } from '../model/problem';
import type { ContextReport, GivenDisclosures, ReportRequest } from '../model/report';
import type { CollectedSection } from '../model/section';
import { changeKey } from '../repomap/ranking/changedOrder';
import { errorWords, inEnglish, type Phrase, phrase } from '../text/phrase';
import type { AgentQueries } from './agentQueries';
import type { ChangeQueries, ReadChangeSet } from './changeQueries';
import type { EditorSymbolIndexer } from './indexing/editorSymbolSource';
import type { ProjectReader } from './indexing/projectReader';
import type { SymbolIndexing } from './indexing/symbolIndexing';
import type { InstructionQueries } from './instructionQueries';
import type { MapFiles } from './mapFiles';
import type { WorkspaceReader } from './reading/workspaceReader';
import type { CountCache } from './symbolCache/countCache';
import type { UsageQueries } from './usageQueries';
import type { IndexProgress, WorkspacePorts, WorkspaceSnapshot } from './workspaceState';
import { Emitter, type WorkspaceState } from './workspaceState';

/** How long sections may take before the rest is shown without them. */
const PATIENCE_MS = 250;
/** For who waits for all of them: the longest time that a timer takes. */
const NO_HURRY_MS = 0x7fff_ffff;

/** What reports are made of. */
export interface ReportParts {
  readonly reader: WorkspaceReader;
  readonly mapFiles: MapFiles;
  readonly indexing: SymbolIndexing;
  readonly project: ProjectReader;
  readonly changes: ChangeQueries;
  readonly editorSymbols: EditorSymbolIndexer;
  readonly usage: UsageQueries;
  readonly agents: AgentQueries;
  readonly instructions: InstructionQueries;
  readonly counts: CountCache;
}

/** What a caller may set in a snapshot; the rest is as it is now. */
type Change = Partial<Pick<WorkspaceSnapshot, 'state' | 'report' | 'problems'>>;

export class ReportLoop {
  /** Fires after each new snapshot. */
  readonly didChange = new Emitter<WorkspaceSnapshot>();
  #snapshot: WorkspaceSnapshot;
  #shownMap = '';
  /** A counted report was shown: after that, an estimate would only take the number back. */
  #isCounted = false;

  /** @param signal fires when the workspace was disposed */
  constructor(
    private readonly ports: WorkspacePorts,
    private readonly state: WorkspaceState,
    private readonly parts: ReportParts,
    private readonly signal: AbortSignal,
  ) {
    this.#snapshot = {
      ...this.#known,
      revision: 0,
      folderName: ports.files.rootName,
      state: 'loading',
      report: undefined,
      progress: undefined,
      hasInstructions: true,
      problems: [],
      mapRevision: 0,
    };
  }

  /** Whether other symbols make another report: not where the first waits for them. */
  get followsIndex(): boolean {
    return this.#isCounted || !this.state.preferences.isOneReport;
  }

  /** The newest. */
  get snapshot(): WorkspaceSnapshot {
    return this.#snapshot;
  }

  /** Keeps the progress of the index up to date, without a new revision. */
  setIndex(index: IndexProgress): void {
    this.#snapshot = { ...this.#snapshot, index };
  }

  /** What is wrong now, before the next snapshot says so. */
  get problems(): readonly Problem[] {
    const { reader, mapFiles, indexing, usage, changes, agents, instructions } = this.parts;
    // Both read most of the same files: that there are too many is said once.
    const ofFiles = agents.problems.length > 0 ? agents : instructions;
    return [reader, mapFiles, indexing, usage, changes, ofFiles].flatMap(({ problems }) => problems);
  }

  /**
   * Reads what is stale and publishes a counted report; an estimate before the first.
   * @param follow told of sections that are still being read when the round goes on without them
   */
  async refresh(follow: (late: Promise<unknown>) => void): Promise<void> {
    const { reader, usage, agents, counts, indexing, project, changes } = this.parts;
    const state = this.state;
    const { tokenizer, isOneReport = false } = state.preferences;
    const readUsage = usage.refresh();
    const loadCounts = counts.load(tokenizer);
    const readProject = project.refresh(this.signal);
    const readChanges = changes.refresh(this.signal);
    const { files, listing } = reader;
    const { links, repositories } = listing;
    const readAgents = agents.refresh({ files, links, repositories }, state.preferences.activePath);
    if (!isOneReport && !this.#snapshot.report) await this.#publish(reader.pending(), true);
    const patienceMs = isOneReport ? NO_HURRY_MS : PATIENCE_MS;
    const { sections, late } = await reader.read(state.preferences.isTrusted, patienceMs, this.signal);
    if (late) follow(late);
    state.sections = sections;
    state.focus.offer(reader.work);
    if (!isOneReport && !this.#isCounted) await this.#publish(sections, true);
    await Promise.all([readUsage, readAgents, readProject, readChanges, loadCounts, this.#readInstructions()]);
    if (isOneReport) await indexing.idle();
    await this.#publish(sections, false);
    if (!this.signal.aborted) await counts.save(tokenizer);
  }

  /** The report of what was read last with its secrets; no snapshot has it. */
  unmasked(): Promise<ContextReport> {
    return this.#build(this.state.sections, { isUnmasked: true });
  }

  /** The report of what was read last, with the sections hidden that a recorded payload hid; no snapshot has it. */
  asGiven(given: GivenDisclosures): Promise<ContextReport> {
    return this.#build(this.state.sections, { given });
  }

  /** Gives a new snapshot of what is known now; a new `mapRevision` when what a map depends on is not as before. */
  emit(change: Change): void {
    const mapKey = this.#mapKey;
    const isSameMap = mapKey === this.#shownMap;
    this.#shownMap = mapKey;
    const next = { ...this.#snapshot, ...this.#known, ...change };
    this.#snapshot = {
      ...next,
      mapRevision: next.mapRevision + (isSameMap ? 0 : 1),
      progress: progressOf(next.report),
      revision: next.revision + 1,
    };
    this.didChange.fire(this.#snapshot);
  }

  /** Tells of work that failed for good; what was shown stays. */
  fail(what: Phrase, cause: unknown, why = errorWords(cause)): void {
    if (this.signal.aborted) return;
    this.ports.logger.error(inEnglish(what), cause);
    const problem = makeProblem('index', 'error', phrase('{0}: {1}. Refresh to try again.', what, why));
    this.emit({ problems: [...this.problems, problem] });
  }

  /** What the parts say of themselves. */
  get #known() {
    const { reader, indexing, agents, instructions, changes } = this.parts;
    const { config, profile, preferences } = this.state;
    return {
      profile: profile.name,
      profiles: config.profiles,
      isTrusted: preferences.isTrusted,
      hasInstructions: reader.hasInstructions,
      configState: reader.configState,
      config,
      relay: reader.relay,
      agents: agents.coverage,
      agentsInUse: reader.agents,
      notices: [...agents.noticesFor(reader.agents), ...instructions.notices],
      isHistoryRead: instructions.isHistoryRead,
      task: preferences.task ?? '',
      changes: preferences.showsChanges ? changesShown(changes.shown) : undefined,
      index: indexing.status.current,
    };
  }

  /** What a map depends on. */
  get #mapKey(): string {
    const { indexing, project, editorSymbols } = this.parts;
    const { profile, preferences, query } = this.state;
    const { changes, ...work } = query;
    const isReady = indexing.isReadyFor(query);
    return JSON.stringify([
      indexing.revision,
      project.revision,
      editorSymbols.revision,
      isReady,
      work,
      changeKey(changes),
      profile.mapTokens,
      preferences.tokenizer,
    ]);
  }

  /** Paths that instruction files name and the folder does not have, where the preferences want them. */
  async #readInstructions(): Promise<void> {
    const { reader, instructions } = this.parts;
    if (!this.state.preferences.hasStalePaths) {
      instructions.clear();
      return;
    }
    const { files, listing } = reader;
    const isIgnored = (path: string, isFolder: boolean): boolean => listing.isIgnored(path, isFolder);
    await instructions.refresh({ files, links: listing.links, isIgnored });
  }

  async #publish(sections: readonly CollectedSection[], isEstimate: boolean): Promise<void> {
    const { indexing } = this.parts;
    const asked = this.state.query;
    if (!isEstimate && indexing.isReadyFor(asked)) await indexing.prepare(asked);
    if (this.signal.aborted) return;
    const report = await this.#build(sections, { isEstimate });
    if (this.signal.aborted) return;
    this.#isCounted ||= !isEstimate;
    this.emit({ state: 'ready', report, problems: report.problems });
  }

  #build(
    sections: readonly CollectedSection[],
    kind: Pick<ReportRequest, 'isEstimate' | 'isUnmasked' | 'given'>,
  ): Promise<ContextReport> {
    const { indexing, agents, usage } = this.parts;
    const { preferences, query, config, profile: asConfigured } = this.state;
    const { trigger, tokenizer } = preferences;
    const { window } = usage;
    const profile = withCaps(asConfigured, preferences);
    return this.ports.engine.buildReport(
      {
        profile,
        tokenizer,
        sections: markLoaded(sections, profile.agent, agents.coverage),
        ...query,
        scoring: config.scoring,
        ...(window ? { usage: window } : {}),
        ...(trigger === undefined ? {} : { trigger }),
        isIndexReady: indexing.isReadyFor(query),
        agents: this.parts.reader.agents,
        uncollected: this.parts.reader.leftOut,
        problems: this.problems,
        ...kind,
      },
      this.signal,
    );
  }
}

function changesShown(read: ReadChangeSet | undefined): WorkspaceSnapshot['changes'] {
  return { base: read?.base, files: read?.changes.files.length ?? 0 };
}

/** Sections counted so far while any is not. */
function progressOf(report: ContextReport | undefined): WorkspaceSnapshot['progress'] {
  if (!report) return undefined;
  const { sections, budget } = report.payloads.expanded;
  const done = sections.filter((section) => !section.isPending).length;
  return budget.isExact ? undefined : { done, total: sections.length };
}
