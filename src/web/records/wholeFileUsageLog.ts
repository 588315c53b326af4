import { CONFIG_PATH } from '../../core/config/config';
import { isUsageFile, usageIgnoreText } from '../../core/files/usageFiles';
import type { LineMaker } from '../../core/records/recordKind';
import type { Phrase } from '../../core/text/phrase';
import { NewestCycles } from '../../core/usage/newestCycles';
import { decodeUsage } from '../../core/usage/usageCodec';
import { citationLine, haveOrigins, originOf, unrecordedLines, usageLines } from '../../core/usage/usageLines';
import type { UsageAppend, UsageLog, UsageProblem, UsageRead } from '../../core/usage/usageLog';
import { doubledCycles, moreBadLines } from '../../core/usage/usageProblemWords';
import type { Citation, UsageDraft } from '../../core/usage/usageRecord';
import { USAGE_RECORDS } from '../../core/usage/usageRecords';
import { lineNumberAt, linesBackwards } from './recordBytes';
import { WholeFileLog, type WholeFileLogOptions } from './wholeFileLog';
import type { WholeFiles } from './wholeFiles';

/** As for the Node hosts (`USAGE_ROTATION`): about 3,000 cycles. What is put aside is kept; a Node host prunes it. */
const MAX_FILE_BYTES = 8 * 1024 * 1024;
/** Pieces of a file that is read whole. */
const PIECE_BYTES = 1 << 18;
/** Bad lines that are named; of more only the number is told. */
const MAX_PROBLEMS = 20;
const ARCHIVE_DIGITS = 6;
const NEWLINE = 10;

type Options = Omit<WholeFileLogOptions, 'kind' | 'rotation'>;

/** `UsageLog` as a file of JSON Lines that is written whole, with older files beside it. */
export class WholeFileUsageLog implements UsageLog {
  readonly #files: WholeFiles;
  readonly #path: string;
  readonly #log: WholeFileLog;

  constructor(options: Options, maxFileBytes = MAX_FILE_BYTES) {
    this.#files = options.files;
    this.#path = options.path;
    const rotation = { maxFileBytes, putAside: () => this.#putAside() };
    this.#log = new WholeFileLog({ ...options, kind: USAGE_RECORDS, rotation });
  }

  async append(drafts: readonly UsageDraft[]): Promise<UsageAppend> {
    const lines = usageLines(drafts);
    if (!haveOrigins(lines)) return this.#append(lines);
    return this.#append(lines, async (log) =>
      unrecordedLines(lines, [...(await this.#archivedOrigins()), ...originsOf(log)]),
    );
  }

  async amend(cycle: number, profile: string, ts: string, cited: readonly Citation[]): Promise<void> {
    if (cited.length === 0) return;
    await this.#append([citationLine(cycle, profile, ts, cited)]);
  }

  async readNewest(cycles: number): Promise<UsageRead> {
    const newest = new NewestCycles(cycles);
    const problems: UsageProblem[] = [];
    if (cycles > 0) problems.push(...readBack(await this.#log.read(), this.#path, newest));
    try {
      for (const path of newest.isFull ? [] : [...(await this.#archived())].reverse()) {
        if (newest.isFull) break;
        problems.push(...readBack(await this.#files.read(path), path, newest));
      }
    } catch (cause) {
      throw this.#log.failure('unreadable', cause);
    }
    return { records: newest.records, problems: [...problems, ...doubleProblem(this.#path, newest.doubles)] };
  }

  async *readAll(): AsyncGenerator<Uint8Array> {
    try {
      for (const path of await this.#archived()) yield* piecesOf(await this.#files.read(path));
    } catch (cause) {
      throw this.#log.failure('unreadable', cause);
    }
    yield* piecesOf(await this.#log.read());
  }

  async #append(
    makers: readonly LineMaker[],
    choose?: (log: Uint8Array) => Promise<readonly LineMaker[]>,
  ): Promise<UsageAppend> {
    const outcome = await this.#log.append(makers, { choose });
    if (outcome.kind === 'moved') return { cycles: [], repairs: [] };
    await this.#keepOutOfGit(outcome.numbers);
    return { cycles: outcome.numbers, repairs: outcome.repairs };
  }

  /** Once, and never over a file that is there: its owner decides. */
  async #keepOutOfGit(numbers: readonly number[]): Promise<void> {
    const [folder] = splitPath(this.#path);
    if (numbers[0] !== 1 || `${folder}config.json` !== CONFIG_PATH) return;
    const path = `${folder}.gitignore`;
    if (!(await this.#files.stat(path)))
      await this.#files.write(path, new TextEncoder().encode(usageIgnoreText(this.#path)));
  }

  /** Older files, oldest first. */
  async #archived(): Promise<readonly string[]> {
    const [folder, stem, extension] = splitPath(this.#path);
    const prefix = `${stem}.`;
    const number = (name: string): string => name.slice(prefix.length, name.length - extension.length);
    return (await this.#files.list(folder.replace(/\/$/, '')))
      .filter((name) => isUsageFile(this.#path, `${folder}${name}`))
      .filter((name) => name.startsWith(prefix) && name.endsWith(extension) && /^\d+$/.test(number(name)))
      .sort((left, right) => Number(number(left)) - Number(number(right)))
      .map((name) => `${folder}${name}`);
  }

  async #putAside(): Promise<void> {
    const [folder, stem, extension] = splitPath(this.#path);
    const newest = (await this.#archived()).at(-1);
    const digits = newest?.slice(folder.length + stem.length + 1, newest.length - extension.length);
    const next = String(Number(digits ?? 0) + 1).padStart(ARCHIVE_DIGITS, '0');
    await this.#files.rename(this.#path, `${folder}${stem}.${next}${extension}`);
  }

  async #archivedOrigins(): Promise<readonly string[]> {
    const origins: string[] = [];
    for (const path of await this.#archived()) origins.push(...originsOf(await this.#files.read(path)));
    return origins;
  }
}

/** Folder with its `/`, name without its extension, and the extension with its dot. */
function splitPath(path: string): readonly [folder: string, stem: string, extension: string] {
  const [, folder = '', stem = '', extension = ''] = /^((?:.*\/)?)(.[^/]*?)(\.[^./]*)?$/.exec(path) ?? [];
  return [folder, stem, extension];
}

function originsOf(bytes: Uint8Array | undefined): readonly string[] {
  const origins: string[] = [];
  for (const { text } of linesBackwards(bytes ?? new Uint8Array())) {
    const origin = originOf(text);
    if (origin !== undefined) origins.push(origin);
  }
  return origins;
}

function readBack(bytes: Uint8Array | undefined, path: string, newest: NewestCycles): readonly UsageProblem[] {
  if (!bytes) return [];
  const bad: { readonly offset: number; readonly why: Phrase }[] = [];
  for (const { text, offset, isEnded } of linesBackwards(bytes)) {
    if (text.trim() === '') continue;
    const decoded = decodeUsage(text);
    if (decoded.kind === 'ok') newest.take(decoded.record);
    // Without its end it is being written, or was torn: the next writer tells.
    else if (isEnded) bad.push({ offset, why: decoded.why });
    if (newest.isFull) break;
  }
  const named = bad.reverse().slice(0, MAX_PROBLEMS);
  const more = bad.length - named.length;
  return [
    ...named.map(({ offset, why }) => ({ path, line: lineNumberAt(bytes, offset), why })),
    ...(more > 0 ? [{ path, line: undefined, why: moreBadLines(more) }] : []),
  ];
}

function doubleProblem(path: string, [first, ...others]: readonly number[]): readonly UsageProblem[] {
  if (first === undefined) return [];
  return [{ path, line: undefined, why: doubledCycles(first, others.length) }];
}

/** Whole lines in pieces; a last line that only lacks its end gets it, a torn one is left out. */
function* piecesOf(bytes: Uint8Array | undefined): Generator<Uint8Array> {
  if (!bytes) return;
  const whole = bytes.lastIndexOf(NEWLINE) + 1;
  for (let at = 0; at < whole; ) {
    const cut = at + PIECE_BYTES >= whole ? whole : bytes.indexOf(NEWLINE, at + PIECE_BYTES - 1) + 1;
    yield bytes.subarray(at, cut);
    at = cut;
  }
  const rest = new TextDecoder().decode(bytes.subarray(whole));
  if (rest !== '' && decodeUsage(rest).kind === 'ok') yield new TextEncoder().encode(`${rest}\n`);
}
