import type { FileHandle } from 'node:fs/promises';
import path from 'node:path';
import type { Phrase } from '../../core/text/phrase';
import { NewestCycles } from '../../core/usage/newestCycles';
import { decodeUsage } from '../../core/usage/usageCodec';
import type { UsageProblem, UsageRead } from '../../core/usage/usageLog';
import { doubledCycles, moreBadLines, notAllRead } from '../../core/usage/usageProblemWords';
import { ignoreMissing } from '../errorCode';
import type { ConfinedFolder } from './confinedFolder';
import type { ArchivedFile, RecordArchive } from './recordArchive';
import { NEWLINE, READ_LIMITS, type RecordLine, readAt, TOO_LONG } from './recordFile';

/** What is read of the end at once: fifty cycles of twenty sections have about 100 KB. */
const BLOCK_BYTES = 1 << 17;
/** Pieces of a file that is read whole. Larger ones are no faster, and copying one holds a host's thread for long. */
const PIECE_BYTES = 1 << 18;
/** Bad lines that are named; of more only the number is told. */
const MAX_PROBLEMS = 20;

/**
 * The lines of a file from its end, each once; first what follows the last `\n`, if anything does. Reads no more than is
 * taken, and nothing before `from`.
 */
export async function* linesFromEnd(file: FileHandle, size: number, from = 0): AsyncGenerator<RecordLine> {
  let end = size;
  let block = BLOCK_BYTES;
  /** What is read and not yet given: the beginning of a line may be missing. */
  let held: Buffer = Buffer.alloc(0);
  while (end > from) {
    const start = Math.max(from, end - block);
    const bytes = Buffer.concat([await readAt(file, start, end - start), held]);
    end = start;
    const first = start === 0 ? 0 : bytes.indexOf(NEWLINE) + 1;
    if (start > 0 && first === 0) {
      // A line longer than a block.
      block *= 2;
      held = bytes;
      continue;
    }
    yield* linesBackwards(bytes, first, start);
    held = bytes.subarray(0, first);
  }
}

function* linesBackwards(bytes: Buffer, from: number, start: number): Generator<RecordLine> {
  let stop = bytes.length;
  while (stop > from) {
    const isEnded = bytes[stop - 1] === NEWLINE;
    const last = isEnded ? stop - 1 : stop;
    const begin = last === from ? from : Math.max(from, bytes.lastIndexOf(NEWLINE, last - 1) + 1);
    yield { line: bytes.toString('utf8', begin, last), offset: start + begin, end: start + stop, isEnded };
    stop = begin;
  }
}

/** A line that is no record, by where it begins. */
interface BadLine {
  readonly offset: number;
  readonly why: Phrase;
}

/** Reads a usage log of one file and older ones beside it, whatever others write meanwhile. */
export class UsageLogReader {
  readonly #path: string;
  readonly #own: string;
  readonly #archive: RecordArchive;
  readonly #newestBytes: number;

  /**
   * @param logPath workspace-relative
   * @param newestBytes what is read of all files together for the newest cycles
   */
  constructor(logPath: string, archive: RecordArchive, newestBytes = READ_LIMITS.newestBytes) {
    this.#path = logPath;
    this.#own = path.posix.basename(logPath);
    this.#archive = archive;
    this.#newestBytes = newestBytes;
  }

  /** See `UsageLog.readNewest`. */
  async newest(folder: ConfinedFolder, cycles: number): Promise<UsageRead> {
    const active = await folder.read(this.#own).catch(ignoreMissing);
    try {
      return await this.#newest(folder, active, cycles);
    } finally {
      await active?.close();
    }
  }

  async #newest(folder: ConfinedFolder, active: FileHandle | undefined, cycles: number): Promise<UsageRead> {
    const newest = new NewestCycles(cycles);
    const problems: UsageProblem[] = [];
    let left = this.#newestBytes;
    const readBack = async (file: FileHandle, name: string): Promise<void> => {
      const { size } = await file.stat();
      const from = Math.max(0, size - left);
      problems.push(...(await this.#readBack(file, name, newest, from)));
      if (from > 0 && !newest.isFull)
        problems.push({ path: name, line: undefined, why: notAllRead(size - from, from) });
      left -= size - from;
    };
    if (cycles > 0 && active) await readBack(active, this.#path);
    const opened = active && (await active.stat());
    // Listed after the file was opened: what was put aside since is the opened one, or in the list.
    for (const { name } of newest.isFull ? [] : [...(await this.#archive.list(folder))].reverse()) {
      if (newest.isFull || left <= 0) break;
      const handle = await folder.read(name).catch(ignoreMissing);
      if (!handle) continue;
      try {
        const { dev, ino } = await handle.stat();
        if (opened?.dev === dev && opened.ino === ino) continue;
        await readBack(handle, path.posix.join(path.posix.dirname(this.#path), name));
      } finally {
        await handle.close();
      }
    }
    return { records: newest.records, problems: [...problems, ...this.#doubleProblem(newest.doubles)] };
  }

  /** See `UsageLog.readAll`. A file that is put aside meanwhile is read once, as the log's own or as an old one. */
  async *all(folder: ConfinedFolder): AsyncGenerator<Uint8Array> {
    let last = 0;
    for (;;) {
      const active = await folder.read(this.#own).catch(ignoreMissing);
      try {
        const older: readonly ArchivedFile[] = (await this.#archive.list(folder)).filter(({ number }) => number > last);
        if (older.length === 0) {
          if (active) yield* piecesOf(active);
          return;
        }
        for (const { name, number } of older) {
          last = number;
          const handle = await folder.read(name).catch(ignoreMissing);
          if (!handle) continue;
          try {
            yield* piecesOf(handle);
          } finally {
            await handle.close();
          }
        }
      } finally {
        await active?.close();
      }
    }
  }

  #doubleProblem([first, ...others]: readonly number[]): readonly UsageProblem[] {
    if (first === undefined) return [];
    return [{ path: this.#path, line: undefined, why: doubledCycles(first, others.length) }];
  }

  async #readBack(
    file: FileHandle,
    name: string,
    newest: NewestCycles,
    from: number,
  ): Promise<readonly UsageProblem[]> {
    /** The first of the file: of those that come before, only the number. */
    let bad: BadLine[] = [];
    let count = 0;
    for await (const { line, offset, isEnded } of linesFromEnd(file, (await file.stat()).size, from)) {
      if (line.trim() === '') continue;
      const decoded = decodeUsage(line);
      if (decoded.kind === 'ok') newest.take(decoded.record);
      // Without its end it is being written, or was torn: the next writer tells.
      else if (isEnded) {
        count++;
        bad.push({ offset, why: decoded.why });
      }
      if (bad.length > 2 * MAX_PROBLEMS) bad = bad.slice(-MAX_PROBLEMS);
      if (newest.isFull) break;
    }
    return count === 0 ? [] : problemsOf(file, name, bad.reverse(), count, from);
  }
}

/** Lines are only counted when one has to be named, and only from the beginning of a file. */
async function problemsOf(
  file: FileHandle,
  name: string,
  bad: readonly BadLine[],
  count: number,
  from: number,
): Promise<readonly UsageProblem[]> {
  const problems: UsageProblem[] = [];
  let at = 0;
  let line = 1;
  for (const { offset, why } of bad.slice(0, MAX_PROBLEMS)) {
    if (from === 0) line += await newlinesBetween(file, at, offset);
    at = offset;
    problems.push({ path: name, line: from === 0 ? line : undefined, why });
  }
  const more = count - problems.length;
  if (more > 0)
    problems.push({
      path: name,
      line: undefined,
      why: moreBadLines(more),
    });
  return problems;
}

async function newlinesBetween(file: FileHandle, start: number, end: number): Promise<number> {
  let count = 0;
  for (let at = start; at < end; at += PIECE_BYTES) {
    const bytes = await readAt(file, at, Math.min(PIECE_BYTES, end - at));
    for (let found = bytes.indexOf(NEWLINE); found >= 0; found = bytes.indexOf(NEWLINE, found + 1)) count++;
  }
  return count;
}

/** Whole lines in pieces; a last line that only lacks its end gets it, a torn one is left out. */
async function* piecesOf(file: FileHandle): AsyncGenerator<Uint8Array> {
  const { size } = await file.stat();
  let rest: Buffer = Buffer.alloc(0);
  let isTooLong = false;
  for (let at = 0; at < size; at += PIECE_BYTES) {
    const bytes = Buffer.concat([rest, await readAt(file, at, Math.min(PIECE_BYTES, size - at))]);
    const end = bytes.lastIndexOf(NEWLINE) + 1;
    const begin = isTooLong ? bytes.indexOf(NEWLINE) + 1 : 0;
    if (isTooLong && end > 0) yield Buffer.from(`${TOO_LONG}\n`);
    if (end > begin) yield bytes.subarray(begin, end);
    if (end > 0) isTooLong = false;
    rest = bytes.subarray(end);
    // A line that is longer than any record is given as one that is none, so that lines keep their numbers.
    isTooLong ||= rest.length > READ_LIMITS.lineBytes;
    if (isTooLong) rest = Buffer.alloc(0);
  }
  if (rest.length > 0 && decodeUsage(rest.toString('utf8')).kind === 'ok')
    yield Buffer.concat([rest, Buffer.from('\n')]);
}
