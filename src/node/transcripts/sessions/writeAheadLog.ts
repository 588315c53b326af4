/**
 * The pages that a database's open writer has not copied into it yet, laid over a copy of the database: SQLite compiled to
 * WebAssembly sees one file only (https://www.sqlite.org/fileformat2.html#the_write_ahead_log).
 */

const HEADER_BYTES = 32;
const FRAME_HEADER_BYTES = 24;
/** First number of logs whose checksums are over little-endian numbers; big-endian logs have one more. */
const MAGIC = 0x377f0682;
/** In the database's header: 2 for databases with such a log, 1 for those without. */
const FORMAT_OFFSETS = [18, 19];

type Sums = readonly [number, number];

function checksum(bytes: Buffer, [first, second]: Sums, isLittle: boolean): Sums {
  let a = first;
  let b = second;
  for (let at = 0; at + 8 <= bytes.length; at += 8) {
    const left = isLittle ? bytes.readUInt32LE(at) : bytes.readUInt32BE(at);
    const right = isLittle ? bytes.readUInt32LE(at + 4) : bytes.readUInt32BE(at + 4);
    a = (a + left + b) >>> 0;
    b = (b + right + a) >>> 0;
  }
  return [a, b];
}

function hasSums(bytes: Buffer, at: number, [a, b]: Sums): boolean {
  return bytes.readUInt32BE(at) === a && bytes.readUInt32BE(at + 4) === b;
}

/** Pages of whole transactions by number, and the number of pages of the database; undefined when there are none. */
function committed(log: Buffer): { readonly pages: ReadonlyMap<number, Buffer>; readonly count: number } | undefined {
  if (log.length < HEADER_BYTES) return undefined;
  const magic = log.readUInt32BE(0);
  const isLittle = magic === MAGIC;
  if (!isLittle && magic !== MAGIC + 1) return undefined;
  const pageBytes = pageSize(log.readUInt32BE(8));
  let sums = checksum(log.subarray(0, 24), [0, 0], isLittle);
  if (pageBytes === undefined || !hasSums(log, 24, sums)) return undefined;
  const pages = new Map<number, Buffer>();
  const open = new Map<number, Buffer>();
  let count: number | undefined;
  for (let at = HEADER_BYTES; at + FRAME_HEADER_BYTES + pageBytes <= log.length; at += FRAME_HEADER_BYTES + pageBytes) {
    const page = log.subarray(at + FRAME_HEADER_BYTES, at + FRAME_HEADER_BYTES + pageBytes);
    // What follows the end was written before the log began again.
    if (!log.subarray(at + 8, at + 16).equals(log.subarray(16, 24))) break;
    sums = checksum(page, checksum(log.subarray(at, at + 8), sums, isLittle), isLittle);
    if (!hasSums(log, at + 16, sums)) break;
    open.set(log.readUInt32BE(at), page);
    const total = log.readUInt32BE(at + 4);
    // 0: the transaction goes on.
    if (total === 0) continue;
    for (const [number, each] of open) pages.set(number, each);
    open.clear();
    count = total;
  }
  return count === undefined ? undefined : { pages, count };
}

function pageSize(bytes: number): number | undefined {
  return bytes >= 512 && bytes <= 65_536 && (bytes & (bytes - 1)) === 0 ? bytes : undefined;
}

/**
 * The database with the transactions of its log, as one that needs no log.
 * @param maxBytes the largest database that is made
 * @throws RangeError when it would be larger
 */
export function withWriteAheadLog(database: Buffer, log: Buffer | undefined, maxBytes: number): Buffer {
  const found = log && committed(log);
  const pageBytes = found?.pages.values().next().value?.length ?? 0;
  if (found && found.count * pageBytes > maxBytes) throw new RangeError('The log makes the database too large');
  const whole = found ? Buffer.alloc(found.count * pageBytes) : database;
  if (found) database.copy(whole);
  for (const [number, page] of found?.pages ?? []) {
    if (number >= 1 && number * pageBytes <= whole.length) page.copy(whole, (number - 1) * pageBytes);
  }
  for (const at of FORMAT_OFFSETS) if (whole[at] === 2) whole[at] = 1;
  return whole;
}
