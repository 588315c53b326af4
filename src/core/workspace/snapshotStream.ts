import { DEFAULT_CONFIG, profileOf } from '../config/config';
import type { ContextReport } from '../model/report';
import type { Disposable } from '../ports/ports';
import type { IndexProgress, WorkspacePreferences, WorkspaceSnapshot } from './workspace';

/** What the next snapshot says; `problems` and `report` stay as they were where it is silent. */
export type SnapshotChange = Omit<
  WorkspaceSnapshot,
  'revision' | 'folderName' | 'progress' | 'mapRevision' | 'state'
> & {
  readonly state?: WorkspaceSnapshot['state'];
  /** What a map depends on; a new `mapRevision` when it is not as before. */
  readonly mapKey: string;
};

/** The newest snapshot of a session and who wants to know of the next. It decides revisions, not what is said. */
export class SnapshotStream {
  readonly #listeners = new Set<(snapshot: WorkspaceSnapshot) => void>();
  #current: WorkspaceSnapshot;
  #mapKey = '';

  constructor(folderName: string, preferences: WorkspacePreferences, index: IndexProgress) {
    this.#current = {
      revision: 0,
      folderName,
      state: 'loading',
      report: undefined,
      profile: profileOf(DEFAULT_CONFIG, preferences.profile).name,
      profiles: DEFAULT_CONFIG.profiles,
      progress: undefined,
      isTrusted: preferences.isTrusted,
      hasInstructions: true,
      configState: 'defaults',
      config: DEFAULT_CONFIG,
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

  /** Calls `listener` after each new snapshot; disposing the result stops it. */
  onDidChange(listener: (snapshot: WorkspaceSnapshot) => void): Disposable {
    this.#listeners.add(listener);
    return { dispose: () => this.#listeners.delete(listener) };
  }

  /** Keeps the progress of the index up to date, without a new revision. */
  setIndex(index: IndexProgress): void {
    this.#current = { ...this.#current, index };
  }

  emit({ mapKey, ...change }: SnapshotChange): void {
    const isSameMap = mapKey === this.#mapKey;
    this.#mapKey = mapKey;
    this.#current = {
      ...this.#current,
      ...change,
      mapRevision: this.#current.mapRevision + (isSameMap ? 0 : 1),
      progress: progressOf(change.report),
      revision: this.#current.revision + 1,
    };
    for (const listener of [...this.#listeners]) listener(this.#current);
  }

  /** Forgets all listeners. */
  close(): void {
    this.#listeners.clear();
  }
}

/** Sections counted so far while any is not. */
function progressOf(report: ContextReport | undefined): WorkspaceSnapshot['progress'] {
  if (!report) return undefined;
  const { sections, budget } = report.payloads.expanded;
  const done = sections.filter((section) => !section.isPending).length;
  return budget.isExact ? undefined : { done, total: sections.length };
}
