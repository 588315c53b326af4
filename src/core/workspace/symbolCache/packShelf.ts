/** The packs that lie in the host's cache: what is in them, reading it, writing more, and keeping them in order. */
import type { CacheStore, StoredPack } from '../../ports/ports';
import { isCountsPack } from './countCache';
import { encodePack, isOwnPack, type KeyedFacts, type PackPlace, readPackHead } from './factsPack';
import { type PackState, planUpkeep, type UpkeepPlan } from './packUpkeep';

/** Facts of so many bytes make a full pack, about 180 files: read in about a millisecond, written in two. */
export const PACK_BYTES = 512 * 1024;
/** A folder's cache may always have so much, so that other branches stay known. */
const MIN_CAP_BYTES = 16 * 1024 * 1024;
/** … and beyond that so many times what is in use. */
const CAP_PER_USED_BYTE = 3;
/** … but never more. About 100,000 files: facts of one take 800 to 1,500 bytes on disk. */
export const MAX_CAP_BYTES = 128 * 1024 * 1024;
const MAX_SMALL_PACKS = 8;
/** Far more than twice the time of tidying up: what one process puts together, none that is at it now may remove. */
const SETTLED_MS = 60 * 1000;
/** Bodies kept while files are looked up, so that neighbours need one read: 32 MiB. */
const BODIES_KEPT = 64;
const HEADS_AT_ONCE = 16;
/** Packs of another version go after a day without use: an older editor may still be open. */
const OTHER_VERSION_MS = 24 * 60 * 60 * 1000;

interface ShelvedPack extends PackState {
  readonly places: readonly PackPlace[];
}

/** The packs as they were listed, and where each key's facts are. */
class Contents {
  readonly packs = new Map<string, ShelvedPack>();
  readonly owners = new Map<string, { readonly pack: ShelvedPack; readonly place: PackPlace }>();

  /** Takes a pack in. What is there already stays where it is unless the pack `takesOver`. */
  adopt(stored: StoredPack, places: readonly PackPlace[], used: ReadonlySet<string>, takesOver: boolean): void {
    let usedBytes = 0;
    let doubleBytes = 0;
    for (const { key, start, end } of places) {
      if (used.has(key)) usedBytes += end - start;
      if (this.owners.has(key)) doubleBytes += end - start;
    }
    const pack = { ...stored, places, rawBytes: places.at(-1)?.end ?? 0, usedBytes, doubleBytes };
    this.packs.set(pack.name, pack);
    for (const place of places) {
      if (takesOver || !this.owners.has(place.key)) this.owners.set(place.key, { pack, place });
    }
  }

  forget(pack: ShelvedPack): void {
    this.packs.delete(pack.name);
    for (const { key } of pack.places) if (this.owners.get(key)?.pack === pack) this.owners.delete(key);
  }

  get usedSizeBytes(): number {
    let sum = 0;
    for (const { sizeBytes, usedBytes, rawBytes } of this.packs.values()) {
      if (usedBytes > 0) sum += (sizeBytes * usedBytes) / rawBytes;
    }
    return sum;
  }
}

/** Not safe for two writes or tidyings at once; any number of lookups may go on beside one. */
export class PackShelf {
  readonly #store: CacheStore;
  readonly #used = new Set<string>();
  /** Most recently used last. */
  readonly #bodies = new Map<string, Promise<Uint8Array | undefined>>();
  #contents: Promise<Contents> | undefined;
  #usedSizeBytes = 0;

  constructor(store: CacheStore) {
    this.#store = store;
  }

  /** True when what is in use fills the cap: more would only push out the same amount. */
  get isFull(): boolean {
    return this.#usedSizeBytes >= MAX_CAP_BYTES;
  }

  /** Facts under that key, as a view into a body that is shared. */
  async find(key: string): Promise<Uint8Array | undefined> {
    const contents = await this.#open();
    const owner = contents.owners.get(key);
    if (!owner) return undefined;
    const body = await this.#body(owner.pack);
    if (body?.length !== owner.pack.rawBytes) {
      contents.forget(owner.pack);
      return undefined;
    }
    const { pack, place } = owner;
    if (!this.#used.has(key)) {
      this.#used.add(key);
      this.#usedSizeBytes += (pack.sizeBytes * (place.end - place.start)) / pack.rawBytes;
    }
    return body.subarray(place.start, place.end);
  }

  /** Stores facts as one pack; false when that failed. */
  async write(facts: readonly KeyedFacts[]): Promise<boolean> {
    const contents = await this.#open();
    const { name, head, body, places } = encodePack(facts, this.#store.makeId());
    const sizeBytes = await this.#store.save(name, head, body);
    if (sizeBytes === undefined) return false;
    for (const { key } of facts) this.#used.add(key);
    this.#usedSizeBytes += sizeBytes;
    contents.adopt({ name, sizeBytes, idleMs: 0 }, places, this.#used, true);
    return true;
  }

  /** Brings the packs in order: those of other processes and versions too. */
  async tidy(): Promise<void> {
    const listed = await this.#store.list();
    const contents = await this.#readHeads(listed);
    this.#contents = Promise.resolve(contents);
    this.#usedSizeBytes = contents.usedSizeBytes;
    const plan = planUpkeep([...contents.packs.values()], {
      packBytes: PACK_BYTES,
      maxSmallPacks: MAX_SMALL_PACKS,
      settledMs: SETTLED_MS,
      maxBytes: Math.min(MAX_CAP_BYTES, Math.max(MIN_CAP_BYTES, CAP_PER_USED_BYTE * this.#usedSizeBytes)),
    });
    const isRewritten = await this.#rewrite(contents, plan);
    const gone = isRewritten ? new Set([...plan.drop, ...plan.rewrite]) : plan.drop;
    const packs = [...gone].flatMap((name) => contents.packs.get(name) ?? []);
    for (const pack of packs) contents.forget(pack);
    const isOld = (name: string): boolean => !isOwnPack(name) && !isCountsPack(name);
    const old = listed.filter(({ name, idleMs }) => isOld(name) && idleMs > OTHER_VERSION_MS);
    await this.#store.remove([...packs, ...old].map(({ name }) => name));
  }

  /** Gives up what lookups keep in memory. */
  release(): void {
    this.#bodies.clear();
  }

  #open(): Promise<Contents> {
    this.#contents ??= this.#store.list().then((listed) => this.#readHeads(listed));
    return this.#contents;
  }

  /** In order of name, so that every process takes the same one of two packs for the double. */
  async #readHeads(listed: readonly StoredPack[]): Promise<Contents> {
    const contents = new Contents();
    const own = listed.filter(({ name }) => isOwnPack(name)).sort((a, b) => (a.name < b.name ? -1 : 1));
    // In slices: thousands of keys at once would hold the host's thread up.
    for (let at = 0; at < own.length; at += HEADS_AT_ONCE) {
      const slice = own.slice(at, at + HEADS_AT_ONCE);
      const heads = await Promise.all(slice.map(({ name }) => this.#store.readHead(name)));
      for (const [i, stored] of slice.entries()) {
        const head = heads[i];
        const places = head && readPackHead(stored.name, head);
        if (places) contents.adopt(stored, places, this.#used, false);
      }
    }
    return contents;
  }

  #body({ name }: ShelvedPack): Promise<Uint8Array | undefined> {
    const body = this.#bodies.get(name) ?? this.#store.readBody(name);
    this.#bodies.delete(name);
    this.#bodies.set(name, body);
    for (const oldest of this.#bodies.keys()) {
      if (this.#bodies.size <= BODIES_KEPT) break;
      this.#bodies.delete(oldest);
    }
    return body;
  }

  /** Puts what is worth keeping into new packs; false when it could not be written, and the old ones must stay. */
  async #rewrite(contents: Contents, plan: UpkeepPlan): Promise<boolean> {
    let facts: KeyedFacts[] = [];
    let sizeBytes = 0;
    for (const name of [...plan.rewrite].sort()) {
      const pack = contents.packs.get(name);
      const body = await this.#store.readBody(name);
      if (!pack || body?.length !== pack.rawBytes) continue;
      for (const { key, start, end } of pack.places) {
        if (contents.owners.get(key)?.pack !== pack || (plan.keepsOnlyUsed && !this.#used.has(key))) continue;
        facts.push({ key, encoded: body.subarray(start, end) });
        sizeBytes += end - start;
        if (sizeBytes < PACK_BYTES) continue;
        if (!(await this.write(facts))) return false;
        facts = [];
        sizeBytes = 0;
      }
    }
    return facts.length === 0 || (await this.write(facts));
  }
}
