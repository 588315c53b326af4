import type { Disposable, Logger } from '../core/ports';
import type { SessionSnapshot } from '../core/session/session';
import { FolderWatch } from './folderWatch';
import { resourceUri, sectionIds } from './resourceRequests';
import type { ServedFolder } from './servedFolder';

/** How a client is told. */
export interface NewsSink {
  resourceUpdated(uri: string): void;
  listChanged(): void;
}

/** What stands for the content of each resource: equal as long as the content is. */
function contentKeys({ report, mapRevision }: SessionSnapshot): ReadonlyMap<string, string> {
  const keys = new Map<string, string>();
  if (!report) return keys;
  const { index, expanded } = report.payloads;
  const both = (name: string, key: string): void => {
    keys.set(resourceUri(name), key).set(resourceUri(`${name}.json`), key);
  };
  both('index', index.text);
  both('map', String(mapRevision));
  both('report', JSON.stringify(expanded.sections.map(({ text: _, ...numbers }) => numbers)));
  for (const { id, text, tokensFull } of expanded.sections) {
    keys.set(resourceUri(`section/${id}`), `${tokensFull}:${text}`);
  }
  return keys;
}

/** Tells a client which resources changed that it subscribed to, and that others came or went. Watches only meanwhile. */
export class ResourceNews implements Disposable {
  readonly #folder: ServedFolder;
  readonly #sink: NewsSink;
  readonly #logger: Logger;
  readonly #realRoot: string;
  readonly #subscribed = new Set<string>();
  #watch: FolderWatch | undefined;
  #keys: ReadonlyMap<string, string> = new Map();
  #ids: readonly string[] = [];

  constructor(folder: ServedFolder, realRoot: string, sink: NewsSink, logger: Logger) {
    this.#folder = folder;
    this.#realRoot = realRoot;
    this.#sink = sink;
    this.#logger = logger;
    folder.onDidChange((snapshot) => this.#take(snapshot));
  }

  /** Sections that the client may be told of. */
  get ids(): readonly string[] {
    return this.#ids;
  }

  /** From here on the client is told of the resource, and the folder is watched. */
  async subscribe(uri: string): Promise<void> {
    this.#subscribed.add(uri);
    await this.#folder.fresh();
    await this.#folder.look();
    if (this.#subscribed.size === 0) return;
    this.#watch ??= new FolderWatch(this.#realRoot, this.#logger, () => void this.#look());
    this.#watch.watch(this.#folder.folders);
  }

  unsubscribe(uri: string): void {
    this.#subscribed.delete(uri);
    if (this.#subscribed.size > 0) return;
    this.#watch?.dispose();
    this.#watch = undefined;
  }

  dispose(): void {
    this.#subscribed.clear();
    this.#watch?.dispose();
    this.#watch = undefined;
  }

  async #look(): Promise<void> {
    try {
      await this.#folder.look();
      this.#watch?.watch(this.#folder.folders);
    } catch (error) {
      this.#logger.error('The folder could not be looked at', error);
    }
  }

  #take(snapshot: SessionSnapshot): void {
    if (!snapshot.report?.payloads.expanded.budget.isExact) return;
    const keys = contentKeys(snapshot);
    const before = this.#keys;
    this.#keys = keys;
    const ids = sectionIds(snapshot.report);
    if (ids.join() !== this.#ids.join()) {
      this.#ids = ids;
      this.#sink.listChanged();
    }
    // Before the first complete snapshot the client has seen nothing that could have changed.
    if (before.size === 0) return;
    for (const uri of this.#subscribed) if (keys.get(uri) !== before.get(uri)) this.#sink.resourceUpdated(uri);
  }
}
