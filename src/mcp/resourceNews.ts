import type { Cancel, Disposable, Logger } from '../core/ports/ports';
import { formatCount } from '../core/text/numbers';
import type { SessionSnapshot } from '../core/workspace/workspace';
import { FolderWatch } from './folderWatch';
import { noSuchResource, resourceUri, sectionIds, sectionOf } from './resourceRequests';
import { RPC, RpcError } from './rpcError';
import type { ServedFolder } from './servedFolder';

/** How a client is told. */
export interface NewsSink {
  resourceUpdated(uri: string): void;
  listChanged(): void;
}

/** What is watched of the folder that is served. */
type WatchedFolder = Pick<ServedFolder, 'fresh' | 'look' | 'folders' | 'onDidChange'>;

/** Far more than a client follows at once; sections come and go, and each that was subscribed to is kept. */
const MAX_SUBSCRIPTIONS = 500;

/** What stands for the content of each resource: equal as long as the content is. */
function contentKeys({ report, mapRevision }: SessionSnapshot): ReadonlyMap<string, string> {
  const keys = new Map<string, string>();
  if (!report) return keys;
  const { index, expanded } = report.payloads;
  const both = (name: string, key: string): void => {
    keys.set(resourceUri(name), key).set(resourceUri(`${name}.json`), key);
  };
  both('index', index.text + JSON.stringify([report.profile, index.budget]));
  both('map', String(mapRevision));
  const numbers = expanded.sections.map(({ text: _, ...each }) => each);
  both('report', JSON.stringify([report.profile, expanded.budget, expanded.notes, numbers]));
  for (const { id, text, tokensFull } of expanded.sections) {
    keys.set(resourceUri(`section/${id}`), `${tokensFull}:${text}`);
  }
  return keys;
}

/** Tells a client which resources changed that it subscribed to, and that others came or went. Watches only meanwhile. */
export class ResourceNews implements Disposable {
  readonly #folder: WatchedFolder;
  readonly #sink: NewsSink;
  readonly #logger: Logger;
  readonly #realRoot: string;
  readonly #most: number;
  readonly #subscribed = new Set<string>();
  #watch: FolderWatch | undefined;
  #keys: ReadonlyMap<string, string> = new Map();
  #ids: readonly string[] = [];

  /** @param most subscriptions at once */
  constructor(folder: WatchedFolder, realRoot: string, sink: NewsSink, logger: Logger, most = MAX_SUBSCRIPTIONS) {
    this.#folder = folder;
    this.#realRoot = realRoot;
    this.#sink = sink;
    this.#logger = logger;
    this.#most = most;
    folder.onDidChange((snapshot) => this.#take(snapshot));
  }

  /** Sections that the client may be told of. */
  get ids(): readonly string[] {
    return this.#ids;
  }

  /** Resources that the client is told of. */
  get subscriptions(): number {
    return this.#subscribed.size;
  }

  /**
   * From here on the client is told of the resource, and the folder is watched.
   * @throws RpcError for a section that does not exist, and for one subscription too many
   */
  async subscribe(uri: string, cancel: Cancel): Promise<void> {
    const isNew = !this.#subscribed.has(uri);
    if (isNew && this.#subscribed.size >= this.#most) {
      const most = formatCount(this.#most);
      throw new RpcError(RPC.invalidParams, `No more than ${most} resources can be subscribed to: unsubscribe first.`);
    }
    this.#subscribed.add(uri);
    try {
      await this.#open(uri, cancel);
    } catch (error) {
      // One that was there stays: its section may come back.
      if (isNew) this.unsubscribe(uri);
      throw error;
    }
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

  /** Opens the folder, and makes sure that it has the section. */
  async #open(uri: string, cancel: Cancel): Promise<void> {
    const { session } = await this.#folder.fresh();
    // What changes while sections are still being read is seen as well: watching comes before the look.
    this.#follow();
    await this.#folder.look();
    this.#follow();
    const id = sectionOf(uri);
    if (id === undefined) return;
    const { report } = await session.whenCollected(cancel);
    if (!report?.payloads.expanded.sections.some((section) => section.id === id)) throw noSuchResource();
  }

  /** Watches the folders that are known, unless nobody wants to be told any more. */
  #follow(): void {
    if (this.#subscribed.size === 0) return;
    this.#watch ??= new FolderWatch(this.#realRoot, this.#logger, () => void this.#look());
    this.#watch.watch(this.#folder.folders);
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
