/**
 * The on-disk form of facts: packs of some hundred files, each file's facts under a key that its content decides. A
 * pack's head says what is in it, its body is the facts back to back. It decides the bytes only; `CacheStore` decides
 * where they live and that they come back as they were written.
 */

import { FACTS_VERSION } from '../../repomap/facts/factsCodec';
import { parseTraits } from '../../repomap/facts/languages';
import { hashBytes, hashText } from '../../text/hash';

/** Encoded facts of one file at one content. */
export interface PackEntry {
  readonly path: string;
  readonly contentHash: string;
  readonly encoded: Uint8Array;
}

/** Encoded facts under their key. */
export interface KeyedFacts {
  readonly key: string;
  readonly encoded: Uint8Array;
}

/** A pack ready to be stored. */
interface Pack {
  /** No two packs have one, not even of the same contents: see {@link encodePack}. */
  readonly name: string;
  readonly head: Uint8Array;
  readonly body: Uint8Array;
  readonly places: readonly PackPlace[];
}

/** Where facts are in a pack's body. */
export interface PackPlace {
  readonly key: string;
  readonly start: number;
  readonly end: number;
}

/** Raise when the layout of heads, bodies or keys changes. */
const PACK_VERSION = 1;
/** Begins the name of every pack that this version can read: 16 hex digits. */
const NAME_PREFIX = `${hashText(`${PACK_VERSION}/${FACTS_VERSION}`)}-`;

/**
 * What the facts of a file depend on. The path itself is no part of it, so that renamed, moved and copied files and a
 * branch that comes back are known.
 */
export function factsKey(path: string, contentHash: string): string {
  return `${contentHash}${parseTraits(path)}`;
}

/** False for packs of another version of the product. */
export function isOwnPack(name: string): boolean {
  return name.startsWith(NAME_PREFIX);
}

/**
 * Packs facts in the order given.
 * @param id unlike all others (`CacheStore.makeId`). Were packs of the same contents of one name, a process that tidies
 * up could remove, as the double it was when it was listed, what it or another process has just written again.
 */
export function encodePack(facts: readonly KeyedFacts[], id: string): Pack {
  const entries = facts.map(({ key, encoded }) => [key, encoded.length]);
  const head = new TextEncoder().encode(JSON.stringify({ version: FACTS_VERSION, id, entries }));
  const body = new Uint8Array(facts.reduce((sum, { encoded }) => sum + encoded.length, 0));
  const places: PackPlace[] = [];
  let start = 0;
  for (const { key, encoded } of facts) {
    body.set(encoded, start);
    const end = start + encoded.length;
    places.push({ key, start, end });
    start = end;
  }
  return { name: packName(head), head, body, places };
}

/** What is where in the body of the pack of that name; `undefined` for a head of another pack or version. */
export function readPackHead(name: string, head: Uint8Array): readonly PackPlace[] | undefined {
  if (name !== packName(head)) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder().decode(head));
  } catch {
    // Not a head of ours: the same as no pack.
    return undefined;
  }
  if (typeof value !== 'object' || value === null) return undefined;
  const { version, entries } = value as { readonly version?: unknown; readonly entries?: unknown };
  return version === FACTS_VERSION && Array.isArray(entries) ? placesOf(entries) : undefined;
}

function placesOf(entries: readonly unknown[]): readonly PackPlace[] | undefined {
  const places: PackPlace[] = [];
  let start = 0;
  for (const entry of entries) {
    if (!Array.isArray(entry)) return undefined;
    const [key, sizeBytes]: readonly unknown[] = entry;
    if (typeof key !== 'string' || !Number.isSafeInteger(sizeBytes) || (sizeBytes as number) < 0) return undefined;
    const end = start + (sizeBytes as number);
    places.push({ key, start, end });
    start = end;
  }
  return places;
}

function packName(head: Uint8Array): string {
  return `${NAME_PREFIX}${hashBytes(head)}`;
}
