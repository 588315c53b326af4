/**
 * Names of contents as Git has them. What Git's index says of a file's content holds while the file system says of the
 * file what the index says of it, so a file of a fresh clone is known without being read. Git's own judgement is not asked
 * for: it overlooks what `update-index --assume-unchanged`, `core.trustctime` or a file monitor tell it to overlook.
 */
import { createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { gitRequest } from '../../core/pipeline/collect/gitQuestions';
import type {
  ContentNames,
  FileStamp,
  GitDirectorySource,
  Logger,
  ProcessRunner,
  UnreadContents,
} from '../../core/ports/ports';
import { codeOrUnknown } from '../errorCode';
import { findRepository, statItself } from './gitRepository';

/** Half of a blob's id; its other part is the size. */
const ID_DIGITS = 16;

/**
 * The size is the file's own. Git's conversions of line ends change it, so a blob's id with the size of a converted file
 * is the name of no content.
 */
function nameOf(blob: string, sizeBytes: number): string {
  return blob.slice(0, ID_DIGITS) + sizeBytes.toString(16).padStart(8, '0');
}

/** What the index has of a file: of its content, and of the file in the moment in which it had that content. */
interface IndexEntry {
  readonly name: string;
  readonly ino: number;
  readonly sizeBytes: number;
  readonly mtimeMs: number;
  readonly ctimeMs: number;
}

/** `100644 51fc7d1e9d2d0640e68e2ff66c3a0d0f66b15b61 0`, a tab and the path: a plain file that is not in conflict. */
const FILE = /^100(?:644|755) ([0-9a-f]{40}) 0\t(.+)$/su;

/** git-ls-files(1), `--debug`. Its form may change, and nothing is known then. */
const STATE =
  /^ {2}ctime: (\d+):(\d+)\n {2}mtime: (\d+):(\d+)\n {2}dev: \d+\tino: (\d+)\n {2}uid: \d+\tgid: \d+\n {2}size: (\d+)\tflags: [0-9a-f]+\n/u;

/** As Node makes one number of both, so that equal times are equal numbers. */
function milliseconds(seconds: string | undefined, nanoseconds: string | undefined): number {
  return Number(seconds) * 1e3 + Number(nanoseconds) / 1e6;
}

/** Reads `ls-files --stage --debug -z`: what is said of a file follows the NUL behind its path. */
export function parseIndex(output: string): ReadonlyMap<string, IndexEntry> {
  const entries = new Map<string, IndexEntry>();
  const fields = output.split('\0');
  let head = fields[0] ?? '';
  for (const field of fields.slice(1)) {
    const state = STATE.exec(field);
    if (!state) return new Map();
    const [whole, ctime, ctimeNs, mtime, mtimeNs, ino, size] = state;
    const [, blob, file] = FILE.exec(head) ?? [];
    head = field.slice(whole.length);
    if (blob === undefined || file === undefined) continue;
    const sizeBytes = Number(size);
    entries.set(file, {
      name: nameOf(blob, sizeBytes),
      ino: Number(ino),
      sizeBytes,
      mtimeMs: milliseconds(mtime, mtimeNs),
      ctimeMs: milliseconds(ctime, ctimeNs),
    });
  }
  return entries;
}

/** What the file system says of the index file. */
interface IndexFile {
  readonly dev: number;
  readonly mtimeMs: number;
}

/** The contents that one state of the index tells. */
class IndexContents implements UnreadContents {
  constructor(
    private readonly entries: ReadonlyMap<string, IndexEntry>,
    private readonly index: IndexFile,
  ) {}

  nameOf(file: string, is: FileStamp): string | undefined {
    const entry = this.entries.get(file);
    if (!entry) return undefined;
    const isSame =
      // The index has 32 bits of it.
      is.ino % 2 ** 32 === entry.ino &&
      is.sizeBytes === entry.sizeBytes &&
      is.mtimeMs === entry.mtimeMs &&
      is.ctimeMs === entry.ctimeMs;
    // A file that was written when the index was may have been written again in the same tick of the clock, as Git has it
    // (gitformat-index and racy-git in its documentation). Another disk may have another clock.
    const isRacy = Math.max(is.mtimeMs, is.ctimeMs) >= this.index.mtimeMs || is.dev !== this.index.dev;
    return isSame && !isRacy ? entry.name : undefined;
  }
}

/** What is needed to ask Git. */
interface TrackedContentsOptions {
  /** The folder's real path. */
  readonly realRoot: string;
  readonly processes: ProcessRunner;
  readonly gitDirectories: GitDirectorySource;
  readonly logger: Logger;
}

export class TrackedContents implements ContentNames {
  constructor(private readonly options: TrackedContentsOptions) {}

  nameOf(bytes: Uint8Array): string {
    const blob = createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex');
    return nameOf(blob, bytes.length);
  }

  async openUnread(signal: AbortSignal): Promise<UnreadContents | undefined> {
    try {
      return await this.#open(signal);
    } catch (error) {
      this.options.logger.debug(`Git's index was not read (${codeOrUnknown(error)}); this costs time only`);
      return undefined;
    }
  }

  async #open(signal: AbortSignal): Promise<UnreadContents | undefined> {
    const { realRoot, processes, gitDirectories } = this.options;
    const found = await findRepository(realRoot, false);
    if (found.kind !== 'found') return undefined;
    const { own, shared } = found.repository;
    // Our own git directory has no attributes, and these may name a filter.
    if (await statItself(path.join(shared, 'info', 'attributes'))) return undefined;
    // Most entries of a split index are as old as its larger part.
    if ((await readdir(own)).some((name) => name.startsWith('sharedindex.'))) return undefined;
    // Before it is read: one that is written meanwhile is newer.
    const index = await statItself(path.join(own, 'index'));
    if (!index?.isFile()) return undefined;
    // Also where the folder is trusted: its own git directory runs nothing and asks for no owner.
    const directory = await gitDirectories.open();
    if (directory.kind !== 'ready') return undefined;
    // The machine's attributes count: they name filters, which are not run here.
    const variables = { ...directory.variables, GIT_ATTR_NOSYSTEM: '0' };
    const request = gitRequest('contents', { ...directory, variables });
    const outcome = request && (await processes.run(request, signal));
    if (outcome?.kind !== 'exited' || outcome.exitCode !== 0) return undefined;
    return new IndexContents(parseIndex(outcome.stdout), index);
  }
}
