/**
 * Which packs of a cache to throw away and which to rewrite: it keeps the cache under its cap, free of doubles and
 * in packs of a good size. It only plans; `packShelf.ts` does it.
 */

/** How a pack stands. All sizes in bytes. */
export interface PackState {
  readonly name: string;
  /** On disk, compressed. */
  readonly sizeBytes: number;
  /** Of the facts in it. */
  readonly rawBytes: number;
  /** Of the facts that this process found or made. */
  readonly usedBytes: number;
  /** Of the facts that another pack has too. */
  readonly doubleBytes: number;
  readonly idleMs: number;
}

interface UpkeepLimits {
  /** A pack is full from here. */
  readonly packBytes: number;
  /** So many packs less than half full are put together. */
  readonly maxSmallPacks: number;
  /** On disk, of all packs. */
  readonly maxBytes: number;
  /** A younger pack is neither a double nor small: the process that wrote it may be removing what it stands for. */
  readonly settledMs: number;
}

export interface UpkeepPlan {
  readonly drop: ReadonlySet<string>;
  /** Facts of these that no other pack has go into new packs. */
  readonly rewrite: ReadonlySet<string>;
  /** The cap leaves no room for facts that are not in use. */
  readonly keepsOnlyUsed: boolean;
}

/** A pack is rewritten when at least one byte of so many is a double. */
const DOUBLE_SHARE = 4;

/** Least recently used packs go first, those with facts in use last. Equal states give equal plans in every process. */
export function planUpkeep(packs: readonly PackState[], limits: UpkeepLimits): UpkeepPlan {
  const isSettled = (pack: PackState): boolean => pack.idleMs >= limits.settledMs;
  const drop = new Set(packs.filter((pack) => isSettled(pack) && pack.doubleBytes >= pack.rawBytes).map(nameOf));
  const byIdleness = packs
    .filter((pack) => !drop.has(pack.name))
    .sort((a, b) => b.idleMs - a.idleMs || (a.name < b.name ? -1 : 1));
  let excess = byIdleness.reduce((sum, pack) => sum + pack.sizeBytes, -limits.maxBytes);
  for (const pack of byIdleness) {
    if (excess <= 0) break;
    if (pack.usedBytes > 0) continue;
    drop.add(pack.name);
    excess -= pack.sizeBytes;
  }
  const keepsOnlyUsed = excess > 0;
  const kept = byIdleness.filter((pack) => !drop.has(pack.name));
  const settled = kept.filter(isSettled);
  const rewrite = new Set(settled.filter((pack) => pack.doubleBytes * DOUBLE_SHARE >= pack.rawBytes).map(nameOf));
  const small = settled.filter((pack) => pack.rawBytes * 2 < limits.packBytes);
  if (small.length >= limits.maxSmallPacks) for (const pack of small) rewrite.add(pack.name);
  for (const pack of kept) {
    if (excess <= 0) break;
    if (pack.usedBytes >= pack.rawBytes) continue;
    rewrite.add(pack.name);
    excess -= pack.sizeBytes * (1 - pack.usedBytes / pack.rawBytes);
  }
  for (const pack of kept) {
    if (excess <= 0) break;
    if (rewrite.has(pack.name)) continue;
    drop.add(pack.name);
    excess -= pack.sizeBytes;
  }
  return { drop, rewrite, keepsOnlyUsed };
}

function nameOf(pack: PackState): string {
  return pack.name;
}
