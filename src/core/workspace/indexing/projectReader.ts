/**
 * Tells the engine what a folder says of itself besides its code: its packages, and how often the last commits touched
 * each file. Both are read when a map needs them first and again when they may have changed; the history once a commit.
 */
import { type Churn, readChurn, readHead } from '../../pipeline/collect/gitSource';
import { isProjectFile, NO_PROJECT, readPackages } from '../../repomap/project/packages';
import type { MapFiles } from '../mapFiles';
import type { WorkspaceEvent, WorkspacePorts, WorkspaceState } from '../workspaceState';

/** Manifests and READMEs that are larger say nothing at their beginning either. */
const MAX_FILE_BYTES = 512 * 1024;

/** Raise when the form of the stored history changes. */
const PREFIX = 'churn1-';

/** Whether a pack of the host's cache holds a history that this version can read. */
export function isHistoryPack(name: string): boolean {
  return name.startsWith(PREFIX);
}

type ProjectPorts = Pick<WorkspacePorts, 'files' | 'engine' | 'processes' | 'cache' | 'logger'>;

export class ProjectReader {
  #isStale = true;
  #refreshing: Promise<void> | undefined;
  /** What the engine knows, as JSON. */
  #known = JSON.stringify(NO_PROJECT);
  #churn: { readonly head: string; readonly churn: Churn } | undefined;
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
    this.#isStale = true;
  }

  /** The engine is empty again. */
  reset(): void {
    this.#known = JSON.stringify(NO_PROJECT);
    this.#isStale = true;
  }

  /** Brings the engine up to date. Files have to be listed. */
  async refresh(signal: AbortSignal): Promise<void> {
    while (this.#refreshing) await this.#refreshing;
    if (!this.#isStale || signal.aborted) return;
    this.#isStale = false;
    this.#refreshing = this.#read(signal)
      .catch((cause: unknown) => {
        this.#isStale = true;
        throw cause;
      })
      .finally(() => {
        this.#refreshing = undefined;
      });
    await this.#refreshing;
  }

  async #read(signal: AbortSignal): Promise<void> {
    const [packages, churn] = await Promise.all([
      readPackages(this.mapFiles.all(), async (path) => {
        const read = await this.ports.files.read(path, MAX_FILE_BYTES);
        return read.kind === 'ok' ? new TextDecoder().decode(read.bytes) : undefined;
      }),
      this.#readChurn(signal),
    ]);
    const project = { packages, churn };
    const known = JSON.stringify(project);
    if (signal.aborted || known === this.#known) return;
    await this.ports.engine.setProject(project);
    this.#known = known;
    this.#revision++;
  }

  async #readChurn(signal: AbortSignal): Promise<Churn> {
    const { processes } = this.ports;
    const head = await readHead(processes, this.state.preferences.isTrusted, signal);
    if (head === undefined || !processes) return [];
    if (this.#churn?.head !== head) {
      const stored = await this.#load(head);
      const churn = stored ?? (await readChurn(processes, signal));
      if (signal.aborted) return [];
      this.#churn = { head, churn };
      if (!stored && churn.length > 0) await this.#save(head, churn);
    }
    return this.#churn.churn;
  }

  async #load(head: string): Promise<Churn | undefined> {
    const { cache } = this.ports;
    for (const { name } of (await cache?.list()) ?? []) {
      if (!isHistoryPack(name)) continue;
      const found = await cache?.readHead(name);
      if (!found || new TextDecoder().decode(found) !== head) continue;
      const body = await cache?.readBody(name);
      const churn = body && parsed(new TextDecoder().decode(body));
      if (isChurn(churn)) return churn;
    }
    return undefined;
  }

  async #save(head: string, churn: Churn): Promise<void> {
    const { cache } = this.ports;
    if (!cache) return;
    const old = (await cache.list()).flatMap(({ name }) => (isHistoryPack(name) ? [name] : []));
    const encoder = new TextEncoder();
    const saved = await cache.save(
      `${PREFIX}${cache.makeId()}`,
      encoder.encode(head),
      encoder.encode(JSON.stringify(churn)),
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

function isChurn(value: unknown): value is Churn {
  return (
    Array.isArray(value) &&
    value.every((entry) => Array.isArray(entry) && typeof entry[0] === 'string' && typeof entry[1] === 'number')
  );
}
