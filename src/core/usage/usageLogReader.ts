import type { NumberedLog } from '../records/numberedLog';
import { linesFromEnd, newlinesBetween, piecesOf, READ_LIMITS } from '../records/recordBytes';
import { besideOf, type RecordFile, type RecordFolder, workWith } from '../records/recordStore';
import { bytesOf } from '../text/counts';
import { type Phrase, phrase } from '../text/phrase';
import { decodeUsage } from './usageCodec';
import { mergeUsage } from './usageHistory';
import type { UsageProblem, UsageRead } from './usageLog';
import type { UsageRecord } from './usageRecord';

/** Gathers records from the newest on until there are enough cycles. */
class NewestCycles {
  readonly #lines: UsageRecord[] = [];
  /** Cycles whose own line was read; a line that only adds citations tells nothing of how far back that is. */
  readonly #cycles = new Set<number>();
  readonly #doubles = new Set<number>();

  constructor(private readonly wanted: number) {}

  /** Cycles that two writers gave: those of logs that were put together by hand or by a merge. */
  get doubles(): readonly number[] {
    return [...this.#doubles].sort((left, right) => left - right);
  }

  get isFull(): boolean {
    return this.#cycles.size >= this.wanted;
  }

  take(record: UsageRecord): void {
    this.#lines.push(record);
    if (record.sections.length === 0) return;
    if (this.#cycles.has(record.cycle)) this.#doubles.add(record.cycle);
    this.#cycles.add(record.cycle);
  }

  get records(): readonly UsageRecord[] {
    // Citations of cycles further back than was read.
    const oldest = this.isFull ? Math.min(...this.#cycles) : 0;
    const lines = this.#lines.filter(({ cycle }) => cycle >= oldest).reverse();
    return mergeUsage(lines).slice(-this.wanted);
  }
}

/** Cycles that two records claim, the first by its number. */
function doubledCycles(cycle: number, others: number): Phrase {
  if (others === 0)
    return phrase('cycle {0} is recorded twice: the first record counts, with the citations of both', cycle);
  return phrase(
    others === 1
      ? 'cycle {0} and {1} more cycle are recorded twice: the first record counts, with the citations of both'
      : 'cycle {0} and {1} more cycles are recorded twice: the first record counts, with the citations of both',
    cycle,
    others,
  );
}

/** Bad lines that are named; of more only the number is told. */
const MAX_PROBLEMS = 20;

/**
 * See `UsageLog.readNewest`.
 * @param newestBytes what is read of all files together
 */
export async function readNewest(
  { name: own, archive, store: { path } }: NumberedLog,
  folder: RecordFolder,
  cycles: number,
  newestBytes = READ_LIMITS.newestBytes,
): Promise<UsageRead> {
  const newest = new NewestCycles(cycles);
  const problems: UsageProblem[] = [];
  let left = newestBytes;
  const readBack = async (file: RecordFile, name: string): Promise<void> => {
    const size = file.sizeBytes;
    const from = Math.max(0, size - left);
    problems.push(...(await readFileBack(file, name, newest, from)));
    if (from > 0 && !newest.isFull) {
      const why = phrase('the newest {0} were read, {1} before them were not', bytesOf(size - from), bytesOf(from));
      problems.push({ path: name, line: undefined, why });
    }
    left -= size - from;
  };
  const active = await folder.read(own);
  try {
    if (cycles > 0 && active) await readBack(active, path);
    // Listed after the file was opened: what was put aside since is the opened one, or in the list.
    for (const { name } of newest.isFull ? [] : [...(await archive.list(folder))].reverse()) {
      if (newest.isFull || left <= 0) break;
      await workWith(folder, name, async (file) => {
        if (file.place === '' || file.place !== active?.place) await readBack(file, besideOf(path, name));
      });
    }
  } finally {
    await active?.close();
  }
  const [first, ...others] = newest.doubles;
  if (first !== undefined) problems.push({ path, line: undefined, why: doubledCycles(first, others.length) });
  return { records: newest.records, problems };
}

/** See `UsageLog.readAll`. A file that is put aside meanwhile is read once, as the log's own or as an old one. */
export async function* readAll({ name: own, archive }: NumberedLog, folder: RecordFolder): AsyncGenerator<Uint8Array> {
  let last = 0;
  for (;;) {
    const active = await folder.read(own);
    try {
      const older = (await archive.list(folder)).filter(({ number }) => number > last);
      if (older.length === 0) {
        if (active) yield* piecesOf(active, isRecordLine);
        return;
      }
      for (const { name, number } of older) {
        last = number;
        const file = await folder.read(name);
        if (!file) continue;
        try {
          yield* piecesOf(file, isRecordLine);
        } finally {
          await file.close();
        }
      }
    } finally {
      await active?.close();
    }
  }
}

async function readFileBack(
  file: RecordFile,
  path: string,
  newest: NewestCycles,
  from: number,
): Promise<readonly UsageProblem[]> {
  /** The first of the file, which are read last: of those behind them, only the number is told. */
  let bad: { readonly offset: number; readonly why: Phrase }[] = [];
  let count = 0;
  for await (const { line, offset, isEnded } of linesFromEnd(file, from)) {
    if (line.trim() === '') continue;
    const decoded = decodeUsage(line);
    if (decoded.kind === 'ok') newest.take(decoded.record);
    // Without its end it is being written, or was torn: the next writer tells.
    else if (isEnded) {
      count++;
      bad.push({ offset, why: decoded.why });
      if (bad.length > 2 * MAX_PROBLEMS) bad = bad.slice(-MAX_PROBLEMS);
    }
    if (newest.isFull) break;
  }
  const problems: UsageProblem[] = [];
  let at = 0;
  let line = 1;
  for (const { offset, why } of bad.reverse().slice(0, MAX_PROBLEMS)) {
    // Lines are only counted when one has to be named, and only from the beginning of a file.
    if (from === 0) line += await newlinesBetween(file, at, offset);
    at = offset;
    problems.push({ path, line: from === 0 ? line : undefined, why });
  }
  const more = count - problems.length;
  if (more === 0) return problems;
  const why = phrase(more === 1 ? '{0} more line is not a record' : '{0} more lines are not records', more);
  return [...problems, { path, line: undefined, why }];
}

function isRecordLine(line: string): boolean {
  return decodeUsage(line).kind === 'ok';
}
