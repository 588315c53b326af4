/**
 * Token counts of earlier processes, and in which texts they found no secret, for the engine: read before the first report,
 * written after those that counted something. What is remembered decides `tokens/knownCounts.ts`, where the bytes live `CacheStore`.
 */
import type { ContextEngine } from '../../engine/engine';
import type { CountsName } from '../../engine/report';
import type { CacheStore, Logger, StoredPack, TokenizerName } from '../../ports/ports';

/** Raise when the form of the bytes, the hash or the store's layout changes. */
const VERSION = 3;
/** Each save adds a pack of what is new; so many are put into one. */
const MAX_PACKS = 8;
const NO_HEAD = new Uint8Array();

/** Whether a pack of the host's cache holds counts that this version can read. */
export function isCountsPack(name: string): boolean {
  return name.startsWith(`counts${VERSION}-`);
}

function prefixOf(of: CountsName): string {
  return `counts${VERSION}-${of.replaceAll('_', '-')}-`;
}

/** What a report with that tokenizer asks for. */
function namesFor(tokenizer: TokenizerName): readonly CountsName[] {
  return [tokenizer, 'secrets'];
}

/** One engine's counts on disk. Losing them costs time, never correctness. */
export class CountCache {
  readonly #loads = new Map<TokenizerName, Promise<unknown>>();
  /** Packs whose counts the engine has. */
  readonly #packs = new Map<CountsName, readonly string[]>();

  /** Without a store nothing is kept. */
  constructor(
    private readonly store: CacheStore | undefined,
    private readonly engine: Pick<ContextEngine, 'loadCounts' | 'saveCounts'>,
    private readonly logger: Logger,
  ) {}

  /** The engine was started again and knows nothing. */
  reset(): void {
    this.#loads.clear();
    this.#packs.clear();
  }

  /** Gives the engine what is there, once. Never rejects. */
  async load(tokenizer: TokenizerName): Promise<void> {
    const { store } = this;
    if (!store) return;
    const load = () =>
      this.#quietly(async () => {
        const listed = await store.list();
        await Promise.all(namesFor(tokenizer).map((name) => this.#quietly(() => this.#load(store, name, listed))));
      });
    const loading = this.#loads.get(tokenizer) ?? load();
    this.#loads.set(tokenizer, loading);
    await loading;
  }

  /** Writes what was counted since the last save; call it when what was counted for is done. Never rejects. */
  async save(tokenizer: TokenizerName): Promise<void> {
    const { store } = this;
    if (!store) return;
    for (const name of namesFor(tokenizer)) await this.#quietly(() => this.#save(store, name));
  }

  async #load(store: CacheStore, of: CountsName, listed: readonly StoredPack[]): Promise<void> {
    const prefix = prefixOf(of);
    const own = listed.filter(({ name }) => name.startsWith(prefix));
    // The largest first: it is the one that others were put into, and its seed is everyone's.
    const sorted = own.toSorted((a, b) => b.sizeBytes - a.sizeBytes || (a.name < b.name ? -1 : 1));
    const names = sorted.map(({ name }) => name);
    const bodies = await Promise.all(names.map((name) => store.readBody(name)));
    // Copies that nothing else uses: they move to the worker.
    const packs = bodies.flatMap((body) => (body ? [{ of, bytes: new Uint8Array(body) }] : []));
    if (packs.length > 0) await this.engine.loadCounts(packs);
    this.#packs.set(of, names);
  }

  async #save(store: CacheStore, of: CountsName): Promise<void> {
    const packs = this.#packs.get(of) ?? [];
    const isWhole = packs.length >= MAX_PACKS;
    const body = await this.engine.saveCounts({ of, what: isWhole ? 'all' : 'new' });
    if (!body) return;
    const name = `${prefixOf(of)}${store.makeId()}`;
    const saved = await store.save(name, NO_HEAD, body);
    if (saved === undefined) return;
    this.#packs.set(of, isWhole ? [name] : [...packs, name]);
    if (isWhole) await store.remove(packs);
  }

  async #quietly(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (cause) {
      // An engine that ended tells it with the next call that matters.
      this.logger.debug(`Token counts were not kept: ${String(cause)}`);
    }
  }
}
