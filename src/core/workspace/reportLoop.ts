/**
 * The reports of a session: one round of its report loop, from reading to the snapshots that are shown. It decides what a
 * report is made of and when an estimate comes first; when a round is due, `sessionWork.ts` decides.
 */
import { markLoaded } from '../agents/agentFile';
import { capChars } from '../config/profile';
import type { Problem } from '../model/problem';
import { makeProblem } from '../model/problem';
import type { ContextReport, ReportRequest } from '../model/report';
import type { CollectedSection } from '../model/section';
import type { Disposable } from '../ports/ports';
import type { WorkingQuery } from '../repomap/ranking/workingQuery';
import { errorWords, inEnglish, type Phrase, phrase } from '../text/phrase';
import type { AgentQueries } from './agentQueries';
import type { SessionEditorSymbols } from './indexing/editorSymbolSource';
import type { SymbolIndexing } from './indexing/symbolIndexing';
import type { InstructionQueries } from './instructionQueries';
import { WorkingFocus } from './reading/workingFocus';
import type { WorkspaceReader } from './reading/workspaceReader';
import type { SnapshotStream } from './snapshotStream';
import type { UsageQueries } from './usageQueries';
import type { WorkspacePorts, WorkspaceSnapshot, WorkspaceState } from './workspace';

/** How long sections may take before the rest is shown without them. */
const PATIENCE_MS = 250;

/** What reports are made of, and where they go. */
interface Parts {
  readonly reader: WorkspaceReader;
  readonly indexing: SymbolIndexing;
  readonly editorSymbols: SessionEditorSymbols;
  readonly usage: UsageQueries;
  readonly agents: AgentQueries;
  readonly instructions: InstructionQueries;
  readonly snapshots: SnapshotStream;
}

/** What the session does for its reports. */
interface Owner {
  state(): WorkspaceState;
  problems(): readonly Problem[];
  /** Another round is due. */
  requestReport(): void;
  /** A round is due once `late` is there. */
  follow(late: Promise<unknown>): void;
}

/** What a snapshot may say anew; the rest is as it is now. */
type Change = Partial<Pick<WorkspaceSnapshot, 'state' | 'report' | 'problems'>>;

export class ReportLoop implements Disposable {
  readonly #ports: WorkspacePorts;
  readonly #parts: Parts;
  readonly #owner: Owner;
  readonly #signal: AbortSignal;
  readonly #working: WorkingFocus;
  #sections: readonly CollectedSection[] = [];
  /** A counted report was shown: after that, an estimate would only take the number back. */
  #isCounted = false;

  /** @param signal fires when the session was disposed */
  constructor(ports: WorkspacePorts, parts: Parts, owner: Owner, signal: AbortSignal) {
    this.#ports = ports;
    this.#parts = parts;
    this.#owner = owner;
    this.#signal = signal;
    this.#working = new WorkingFocus(ports.clock, () => owner.requestReport());
  }

  /** As they were read last. */
  get sections(): readonly CollectedSection[] {
    return this.#sections;
  }

  /** What is being worked on, for maps without a task. */
  get workingQuery(): WorkingQuery {
    return this.#working.current;
  }

  /** Maps follow what is being worked on without waiting; true when that changed something. */
  settle(): boolean {
    return this.#working.settle();
  }

  /** Reads what is stale and publishes a counted report; an estimate before the first. */
  async refresh(): Promise<void> {
    const { reader, usage, agents, snapshots } = this.#parts;
    const { preferences } = this.#owner.state();
    const readUsage = usage.refresh();
    const readAgents = agents.refresh(reader.files, preferences.activePath);
    if (!snapshots.current.report) await this.#publish(reader.pending(), true);
    const { isTrusted } = this.#owner.state().preferences;
    const { sections, late } = await reader.read(isTrusted, PATIENCE_MS, this.#signal);
    if (late) this.#owner.follow(late);
    this.#sections = sections;
    this.#working.offer(reader.work);
    if (!this.#isCounted) await this.#publish(sections, true);
    await Promise.all([readUsage, readAgents, this.#readInstructions()]);
    await this.#publish(sections, false);
  }

  /** The report of what was read last with its secrets, for who asked for them; no snapshot has it. */
  unmasked(): Promise<ContextReport> {
    return this.#build(this.#sections, { isUnmasked: true });
  }

  /** Gives a new snapshot of what is known now. */
  emit(change: Change): void {
    const { reader, indexing, agents, instructions, snapshots } = this.#parts;
    const { config, profile, preferences } = this.#owner.state();
    const { report, problems } = snapshots.current;
    snapshots.emit({
      report,
      problems,
      profile: profile.name,
      profiles: config.profiles,
      isTrusted: preferences.isTrusted,
      hasInstructions: reader.hasInstructions,
      configState: reader.configState,
      config,
      relay: reader.relay,
      agents: agents.coverage,
      notices: [...agents.notices, ...instructions.notices],
      task: preferences.task ?? '',
      index: indexing.status.current,
      mapKey: this.#mapKey,
      ...change,
    });
  }

  /** Tells of work that failed for good; what was shown stays. */
  fail(what: Phrase, cause: unknown, why = errorWords(cause)): void {
    if (this.#signal.aborted) return;
    this.#ports.logger.error(inEnglish(what), cause);
    const problem = makeProblem('index', 'error', phrase('{0}: {1}. Refresh tries again.', what, why));
    this.emit({ problems: [...this.#owner.problems(), problem] });
  }

  dispose(): void {
    this.#working.dispose();
  }

  /** What a map depends on. */
  get #mapKey(): string {
    const { indexing, editorSymbols } = this.#parts;
    const { profile, preferences, query } = this.#owner.state();
    const isReady = indexing.isReadyFor(query);
    return JSON.stringify([
      indexing.revision,
      editorSymbols.revision,
      isReady,
      query,
      profile.mapTokens,
      preferences.tokenizer,
    ]);
  }

  /** Paths that instruction files name and the folder does not have. */
  #readInstructions(): Promise<void> {
    const { reader, instructions } = this.#parts;
    return instructions.refresh({
      files: reader.files,
      links: reader.links,
      isIgnored: (path, isFolder) => reader.isIgnored(path, isFolder),
    });
  }

  async #publish(sections: readonly CollectedSection[], isEstimate: boolean): Promise<void> {
    const { indexing } = this.#parts;
    const asked = this.#owner.state().query;
    if (!isEstimate && indexing.isReadyFor(asked)) await indexing.prepare(asked);
    if (this.#signal.aborted) return;
    const report = await this.#build(sections, { isEstimate });
    if (this.#signal.aborted) return;
    this.#isCounted ||= !isEstimate;
    this.emit({ state: 'ready', report, problems: report.problems });
  }

  #build(
    sections: readonly CollectedSection[],
    kind: Pick<ReportRequest, 'isEstimate' | 'isUnmasked'>,
  ): Promise<ContextReport> {
    const { indexing, agents, usage } = this.#parts;
    const { preferences, query, config, profile: asConfigured } = this.#owner.state();
    const { trigger, tokenizer, maxChars } = preferences;
    const { window } = usage;
    const profile = capChars(asConfigured, maxChars);
    return this.#ports.engine.buildReport(
      {
        profile,
        tokenizer,
        sections: markLoaded(sections, profile.agent, agents.coverage),
        ...query,
        scoring: config.scoring,
        ...(window ? { usage: window } : {}),
        ...(trigger === undefined ? {} : { trigger }),
        isIndexReady: indexing.isReadyFor(query),
        problems: this.#owner.problems(),
        ...kind,
      },
      this.#signal,
    );
  }
}
