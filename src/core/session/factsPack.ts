/**
 * The on-disk form of the symbol index: one blob per folder that maps (path, content hash) to encoded facts.
 * It decides the bytes only; `CacheStore` decides where they live and that they are written atomically.
 *
 * Layout: 4 bytes magic, 4 bytes little-endian header length, header (JSON in UTF-8), then the facts back to back.
 */
import { FACTS_VERSION } from '../repomap/factsCodec';

/** Encoded facts of one file at one content. */
export interface PackEntry {
  readonly path: string;
  readonly contentHash: string;
  readonly encoded: Uint8Array;
}

const MAGIC = [0x43, 0x42, 0x46, 0x31];
const PREFIX_BYTES = 8;

interface PackHeader {
  readonly version: string;
  readonly entries: readonly (readonly [path: string, contentHash: string, sizeBytes: number])[];
}

function isHeader(value: unknown): value is PackHeader {
  if (typeof value !== 'object' || value === null) return false;
  const { version, entries } = value as Partial<PackHeader>;
  return typeof version === 'string' && Array.isArray(entries) && entries.every((entry) => Array.isArray(entry));
}

/** Packs entries in the order given. */
export function encodePack(entries: readonly PackEntry[]): Uint8Array {
  const header: PackHeader = {
    version: String(FACTS_VERSION),
    entries: entries.map(({ path, contentHash, encoded }) => [path, contentHash, encoded.length]),
  };
  const headerBytes = new TextEncoder().encode(JSON.stringify(header));
  const size = entries.reduce((sum, entry) => sum + entry.encoded.length, PREFIX_BYTES + headerBytes.length);
  const bytes = new Uint8Array(size);
  bytes.set(MAGIC);
  new DataView(bytes.buffer).setUint32(MAGIC.length, headerBytes.length, true);
  bytes.set(headerBytes, PREFIX_BYTES);
  let offset = PREFIX_BYTES + headerBytes.length;
  for (const { encoded } of entries) {
    bytes.set(encoded, offset);
    offset += encoded.length;
  }
  return bytes;
}

/**
 * Reads a pack. Anything that is not a whole pack of this version is an empty map: a cache that cannot be trusted is
 * made again. The entries are views into `bytes`.
 */
export function decodePack(bytes: Uint8Array): ReadonlyMap<string, PackEntry> {
  const none = new Map<string, PackEntry>();
  if (bytes.length < PREFIX_BYTES || MAGIC.some((byte, i) => bytes[i] !== byte)) return none;
  const headerSize = new DataView(bytes.buffer, bytes.byteOffset).getUint32(MAGIC.length, true);
  if (PREFIX_BYTES + headerSize > bytes.length) return none;
  let header: unknown;
  try {
    header = JSON.parse(new TextDecoder().decode(bytes.subarray(PREFIX_BYTES, PREFIX_BYTES + headerSize)));
  } catch {
    // Torn or foreign bytes: the same as no cache.
    return none;
  }
  if (!isHeader(header) || header.version !== String(FACTS_VERSION)) return none;
  const entries = new Map<string, PackEntry>();
  let offset = PREFIX_BYTES + headerSize;
  for (const [path, contentHash, sizeBytes] of header.entries) {
    if (!Number.isSafeInteger(sizeBytes) || sizeBytes < 0 || offset + sizeBytes > bytes.length) return none;
    entries.set(path, { path, contentHash, encoded: bytes.subarray(offset, offset + sizeBytes) });
    offset += sizeBytes;
  }
  return offset === bytes.length ? entries : none;
}
