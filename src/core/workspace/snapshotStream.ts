import type { ContextReport } from '../model/report';
import type { IndexProgress, WorkspaceSnapshot } from './workspace';
import { Emitter, type WorkspaceState } from './workspaceState';

/** The newest snapshot of a workspace, and its listeners. It decides revisions, not what is said. */
export class SnapshotStream {
  /** Fires after each new snapshot. */
  readonly didChange = new Emitter<WorkspaceSnapshot>();
  #current: WorkspaceSnapshot;
  #mapKey = '';

  constructor(folderName: string, { config, profile, preferences }: WorkspaceState, index: IndexProgress) {
    this.#current = {
      revision: 0,
      folderName,
      state: 'loading',
      report: undefined,
      profile: profile.name,
      profiles: config.profiles,
      progress: undefined,
      isTrusted: preferences.isTrusted,
      hasInstructions: true,
      configState: 'defaults',
      config,
      problems: [],
      relay: undefined,
      agents: undefined,
      notices: [],
      task: preferences.task ?? '',
      mapRevision: 0,
      index,
    };
  }

  get current(): WorkspaceSnapshot {
    return this.#current;
  }

  /** Keeps the progress of the index up to date, without a new revision. */
  setIndex(index: IndexProgress): void {
    this.#current = { ...this.#current, index };
  }

  /** @param mapKey what a map depends on; a new `mapRevision` when it is not as before */
  emit(mapKey: string, change: Partial<WorkspaceSnapshot>): void {
    const isSameMap = mapKey === this.#mapKey;
    this.#mapKey = mapKey;
    const next = { ...this.#current, ...change };
    this.#current = {
      ...next,
      mapRevision: this.#current.mapRevision + (isSameMap ? 0 : 1),
      progress: progressOf(next.report),
      revision: this.#current.revision + 1,
    };
    this.didChange.fire(this.#current);
  }
}

/** Sections counted so far while any is not. */
function progressOf(report: ContextReport | undefined): WorkspaceSnapshot['progress'] {
  if (!report) return undefined;
  const { sections, budget } = report.payloads.expanded;
  const done = sections.filter((section) => !section.isPending).length;
  return budget.isExact ? undefined : { done, total: sections.length };
}
