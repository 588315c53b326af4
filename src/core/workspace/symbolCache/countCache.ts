/**
 * Token counts of earlier processes, for the engine: read before the first report, written after those that counted
 * something. What is remembered decides `tokens/knownCounts.ts`, where the bytes live `CacheStore`.
 */
import type { ContextEngine } from '../../engine/engine';
import type { CacheStore, Logger, TokenizerName } from '../../ports/ports';

/** Raise when the form of the bytes or the hash changes. */
const VERSION = 1;
/** Each save adds a pack of what is new; so many are put into one. */
const MAX_PACKS = 8;
const NO_HEAD = new Uint8Array();

/** Whether a pack of the host's cache holds counts that this version can read. */
export function isCountsPack(name: string): boolean {
  return name.startsWith(`counts${VERSION}-`);
}

function prefixOf(tokenizer: TokenizerName): string {
  return `counts${VERSION}-${tokenizer.replaceAll('_', '-')}-`;
}

/** One engine's counts on disk. Losing them costs time, never correctness. */
export class CountCache {
  readonly #loads = new Map<TokenizerName, Promise<void>>();
  /** Packs whose counts the engine has. */
  readonly #packs = new Map<TokenizerName, readonly string[]>();

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
  load(tokenizer: TokenizerName): Promise<void> {
    const { store } = this;
    if (!store) return Promise.resolve();
    const known = this.#loads.get(tokenizer);
    if (known) return known;
    const loading = this.#quietly(() => this.#load(store, tokenizer));
    this.#loads.set(tokenizer, loading);
    return loading;
  }

  /** Writes what was counted since the last save; call it when what was counted for is done. Never rejects. */
  async save(tokenizer: TokenizerName): Promise<void> {
    const { store } = this;
    if (store) await this.#quietly(() => this.#save(store, tokenizer));
  }

  async #load(store: CacheStore, tokenizer: TokenizerName): Promise<void> {
    const prefix = prefixOf(tokenizer);
    const listed = (await store.list()).filter(({ name }) => name.startsWith(prefix));
    // The largest first: it is the one that others were put into, and its seed is everyone's.
    const sorted = listed.toSorted((a, b) => b.sizeBytes - a.sizeBytes || (a.name < b.name ? -1 : 1));
    const names = sorted.map(({ name }) => name);
    const bodies = await Promise.all(names.map((name) => store.readBody(name)));
    // Copies that nothing else uses: they move to the worker.
    const packs = bodies.flatMap((body) => (body ? [{ tokenizer, bytes: new Uint8Array(body) }] : []));
    if (packs.length > 0) await this.engine.loadCounts(packs);
    this.#packs.set(tokenizer, names);
  }

  async #save(store: CacheStore, tokenizer: TokenizerName): Promise<void> {
    const packs = this.#packs.get(tokenizer) ?? [];
    const isWhole = packs.length >= MAX_PACKS;
    const body = await this.engine.saveCounts({ tokenizer, what: isWhole ? 'all' : 'new' });
    if (!body) return;
    const name = `${prefixOf(tokenizer)}${store.makeId()}`;
    const saved = await store.save(name, NO_HEAD, body);
    if (saved === undefined) return;
    this.#packs.set(tokenizer, isWhole ? [name] : [...packs, name]);
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
