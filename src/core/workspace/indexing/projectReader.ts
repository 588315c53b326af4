/**
 * Tells the engine what a folder says of itself besides its code: its packages, and what the last commits did to
 * which files. Both are read when a map needs them first and again when they may have changed; the history once a commit.
 */
import { readHead, readHistory } from '../../pipeline/collect/gitSource';
import {
  type History,
  isProjectFile,
  NO_HISTORY,
  NO_PROJECT,
  type Project,
  readPackages,
} from '../../repomap/project/packages';
import { isRecord } from '../../text/jsonRecord';
import type { MapFiles } from '../mapFiles';
import type { WorkspaceEvent, WorkspacePorts, WorkspaceState } from '../workspaceState';

/** Manifests and READMEs that are larger say nothing at their beginning either. */
const MAX_FILE_BYTES = 512 * 1024;

/** Raise when the form of the stored history changes. */
const PREFIX = 'churn3-';

/** Whether a pack of the host's cache holds a history that this version can read. */
export function isHistoryPack(name: string): boolean {
  return name.startsWith(PREFIX);
}

type ProjectPorts = Pick<WorkspacePorts, 'files' | 'engine' | 'processes' | 'cache' | 'logger'>;

export class ProjectReader {
  #isStale = true;
  #isHistoryStale = true;
  #refreshing: Promise<void> | undefined;
  /** What the engine knows, and as JSON. */
  #project = NO_PROJECT;
  #known = JSON.stringify(NO_PROJECT);
  #history: { readonly head: string; readonly history: History } | undefined;
  #revision = 0;

  constructor(
    private readonly ports: ProjectPorts,
    private readonly state: WorkspaceState,
    private readonly mapFiles: Pick<MapFiles, 'all'>,
  ) {}

  /** Increases when maps may differ. */
  get revision(): number {
    return this.#revision;
  }

  take(event: WorkspaceEvent): void {
    const isFiles = event.kind === 'files' && [...event.changed, ...event.removed].some(isProjectFile);
    if (isFiles || event.kind === 'git' || event.kind === 'rescan') this.outdate();
  }

  /** What it read may have changed. */
  outdate(): void {
    this.#isStale = this.#isHistoryStale = true;
  }

  /** The engine is empty again. */
  reset(): void {
    this.#project = NO_PROJECT;
    this.#known = JSON.stringify(NO_PROJECT);
    this.outdate();
  }

  /** Brings the engine up to date. Files have to be listed. */
  async refresh(signal: AbortSignal): Promise<void> {
    await this.#refresh(signal, () => this.#isStale, true);
  }

  /** The same with the history alone: a map that is asked for a task needs no packages, whose manifests take a while. */
  async refreshHistory(signal: AbortSignal): Promise<void> {
    await this.#refresh(signal, () => this.#isHistoryStale, false);
  }

  async #refresh(signal: AbortSignal, isStale: () => boolean, withPackages: boolean): Promise<void> {
    while (this.#refreshing) await this.#refreshing;
    if (!isStale() || signal.aborted) return;
    this.#isHistoryStale = false;
    if (withPackages) this.#isStale = false;
    this.#refreshing = this.#read(signal, withPackages)
      .catch((cause: unknown) => {
        this.outdate();
        throw cause;
      })
      .finally(() => {
        this.#refreshing = undefined;
      });
    await this.#refreshing;
  }

  async #read(signal: AbortSignal, withPackages: boolean): Promise<void> {
    const [packages, history] = await Promise.all([
      withPackages ? this.#readPackages() : this.#project.packages,
      this.#readHistory(signal),
    ]);
    const project = { packages, ...history };
    const known = JSON.stringify(project);
    if (signal.aborted || known === this.#known) return;
    await this.ports.engine.setProject(project);
    this.#project = project;
    this.#known = known;
    this.#revision++;
  }

  #readPackages(): Promise<Project['packages']> {
    return readPackages(this.mapFiles.all(), async (path) => {
      const read = await this.ports.files.read(path, MAX_FILE_BYTES);
      return read.kind === 'ok' ? new TextDecoder().decode(read.bytes) : undefined;
    });
  }

  async #readHistory(signal: AbortSignal): Promise<History> {
    const { processes } = this.ports;
    const head = await readHead(processes, this.state.preferences.isTrusted, signal);
    if (head === undefined || !processes) return NO_HISTORY;
    if (this.#history?.head !== head) {
      const stored = await this.#load(head);
      const history = stored ?? (await readHistory(processes, signal));
      if (signal.aborted) return NO_HISTORY;
      this.#history = { head, history };
      if (!stored && history.churn.length > 0) await this.#save(head, history);
    }
    return this.#history.history;
  }

  async #load(head: string): Promise<History | undefined> {
    const { cache } = this.ports;
    for (const { name } of (await cache?.list()) ?? []) {
      if (!isHistoryPack(name)) continue;
      const found = await cache?.readHead(name);
      if (!found || new TextDecoder().decode(found) !== head) continue;
      const body = await cache?.readBody(name);
      const history = body && parsed(new TextDecoder().decode(body));
      if (isHistory(history)) return history;
    }
    return undefined;
  }

  async #save(head: string, history: History): Promise<void> {
    const { cache } = this.ports;
    if (!cache) return;
    const old = (await cache.list()).flatMap(({ name }) => (isHistoryPack(name) ? [name] : []));
    const encoder = new TextEncoder();
    const saved = await cache.save(
      `${PREFIX}${cache.makeId()}`,
      encoder.encode(head),
      encoder.encode(JSON.stringify(history)),
    );
    if (saved !== undefined) await cache.remove(old);
  }
}

/** `undefined` for what is no JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isListOf(value: unknown, isPair: (first: unknown, second: unknown) => boolean): boolean {
  return Array.isArray(value) && value.every((pair) => Array.isArray(pair) && isPair(pair[0], pair[1]));
}

function isHistory(value: unknown): value is History {
  if (!isRecord(value)) return false;
  const { churn, messages } = value;
  return (
    isListOf(churn, (path, commits) => typeof path === 'string' && typeof commits === 'number') &&
    isListOf(messages, (title, files) => typeof title === 'string' && Array.isArray(files))
  );
}
