import * as fs from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import type { DirectoryEntry, DirectoryRead, FileRead, FileSource } from '../core/ports';
import type { Phrase } from '../core/text/phrase';
import { unreadable, unreadableFor } from '../core/text/unreadable';
import { errorCode } from './errorCode';

// Half the cost of `FileHandle` objects, which are made for longer lives (measured: 9,000 small files).
const openFile = promisify<string, number, number>(fs.open);
const statFile = promisify<number, fs.Stats>(fs.fstat);
const readFile = promisify(fs.read);
const closeFile = promisify(fs.close);

/** Open files at once. The thread pool works on four; more only holds descriptors, and a shell may allow just 256. */
const MAX_OPEN_FILES = 32;

/** A FIFO without a writer would block `open` for ever; links were resolved before, so one found now is a swap. */
const OPEN_FLAGS =
  fs.constants.O_RDONLY |
  (fs.constants.O_NONBLOCK ?? 0) |
  (fs.constants.O_NOFOLLOW ?? 0) |
  (fs.constants.O_NOCTTY ?? 0);

/** Whether `open` refuses a link by itself, as it does everywhere but on Windows. */
const REFUSES_LINKS = (fs.constants.O_NOFOLLOW ?? 0) !== 0;
/** A folder that is swapped for a link is noticed after this; the files of a folder are mostly read within it. */
const FOLDER_AGE_MS = 250;
const MAX_FOLDERS = 1000;

const MISSING_CODES: ReadonlySet<string | undefined> = new Set(['ENOENT', 'ENOTDIR', 'ENAMETOOLONG']);

/** What a platform says, in plain words; never with a path in them. */
function describe(code: string | undefined): Phrase {
  switch (code) {
    case 'EACCES':
    case 'EPERM':
      return unreadable('noPermission');
    case 'EISDIR':
      return unreadable('isFolder');
    case 'ELOOP':
      return unreadable('circle');
    case 'ENXIO':
    case 'ENODEV':
    case 'EOPNOTSUPP':
      return unreadable('notRegular');
    case 'EMFILE':
    case 'ENFILE':
      return unreadable('tooManyOpen');
    case 'EBUSY':
      return unreadable('heldByOther');
    default:
      return unreadableFor(code);
  }
}

function failed(error: unknown): { readonly kind: 'missing' } | { readonly kind: 'unreadable'; message: Phrase } {
  const code = errorCode(error);
  return MISSING_CODES.has(code) ? { kind: 'missing' } : { kind: 'unreadable', message: describe(code) };
}

function kindOf(entry: fs.Dirent): DirectoryEntry['kind'] {
  if (entry.isFile()) return 'file';
  if (entry.isDirectory()) return 'folder';
  return entry.isSymbolicLink() ? 'link' : 'other';
}

type Resolved =
  | { readonly kind: 'inside'; readonly absolute: string }
  | { readonly kind: 'outside' }
  | { readonly kind: 'failed'; readonly error: unknown };

/**
 * Read access to one folder of the machine, confined to it: every path is resolved to its real place before it is
 * opened, and what leads out of the root is refused.
 */
export class NodeFileSource implements FileSource {
  readonly rootName: string;
  private openFiles = 0;
  private readonly folders = new Map<string, { readonly at: number; readonly place: Promise<string | undefined> }>();
  private readonly waiting: (() => void)[] = [];

  /** `root` is absolute and real (as `realpath` gives it); see {@link openFileSource}. */
  constructor(
    private readonly root: string,
    private readonly platform: NodeJS.Platform = process.platform,
    private readonly mayBlock = false,
  ) {
    this.rootName = path.basename(root) || 'root';
  }

  async list(folder: string): Promise<DirectoryRead> {
    const resolved = await this.resolve(folder);
    if (resolved.kind === 'outside') return { kind: 'unreadable', message: unreadable('outside') };
    if (resolved.kind === 'failed') return failed(resolved.error);
    try {
      const found = await fs.promises.readdir(resolved.absolute, { withFileTypes: true });
      const entries = found.map((entry) => ({ name: entry.name, kind: kindOf(entry) }));
      // Platforms list in any order, and nothing downstream may depend on it.
      return { kind: 'ok', entries: entries.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0)) };
    } catch (error) {
      return failed(error);
    }
  }

  async read(file: string, maxBytes: number): Promise<FileRead> {
    await this.acquire();
    try {
      return (await this.readBeside(file, maxBytes)) ?? (await this.readResolved(file, maxBytes));
    } catch (error) {
      return failed(error);
    } finally {
      this.release();
    }
  }

  async resolveLink(
    link: string,
  ): Promise<
    { readonly kind: 'file' | 'folder'; readonly realPath: string } | { readonly kind: 'outside' | 'missing' }
  > {
    const resolved = await this.resolve(link);
    if (resolved.kind === 'outside') return { kind: 'outside' };
    if (resolved.kind === 'failed') return { kind: 'missing' };
    try {
      const stat = await fs.promises.stat(resolved.absolute);
      if (!stat.isFile() && !stat.isDirectory()) return { kind: 'missing' };
      const realPath = path.relative(this.root, resolved.absolute).split(path.sep).join('/');
      return { kind: stat.isFile() ? 'file' : 'folder', realPath };
    } catch {
      // Gone between the two calls: the same as if it had never been there.
      return { kind: 'missing' };
    }
  }

  private async readResolved(file: string, maxBytes: number): Promise<FileRead> {
    const resolved = await this.resolve(file);
    if (resolved.kind === 'outside') return { kind: 'unreadable', message: unreadable('outside') };
    if (resolved.kind === 'failed') return failed(resolved.error);
    return readWhole(resolved.absolute, maxBytes);
  }

  /**
   * Reads a file by its folder's real place, resolved once for all files that are read there together (resolving each
   * takes as long as reading it). `undefined` where that does not do: the file itself may be a link.
   */
  private async readBeside(file: string, maxBytes: number): Promise<FileRead | undefined> {
    if (!REFUSES_LINKS || !isPlainPath(file, this.platform)) return undefined;
    const slash = file.lastIndexOf('/');
    const folder = await this.folderOf(slash < 0 ? '' : file.slice(0, slash));
    if (folder === undefined) return undefined;
    try {
      const absolute = path.join(folder, file.slice(slash + 1));
      return (this.mayBlock ? readWholeNow(absolute, maxBytes) : undefined) ?? (await readWhole(absolute, maxBytes));
    } catch (error) {
      if (errorCode(error) === 'ELOOP' || errorCode(error) === 'EMLINK') return undefined;
      throw error;
    }
  }

  /** The real place of a folder inside of the root, at most `FOLDER_AGE_MS` old. */
  private folderOf(relative: string): Promise<string | undefined> {
    const now = performance.now();
    const known = this.folders.get(relative);
    if (known && now - known.at < FOLDER_AGE_MS) return known.place;
    if (this.folders.size >= MAX_FOLDERS) this.folders.clear();
    const place = this.resolve(relative).then((resolved) =>
      resolved.kind === 'inside' ? resolved.absolute : undefined,
    );
    this.folders.set(relative, { at: now, place });
    return place;
  }

  /** The real place of a workspace path, checked to be inside the root. */
  private async resolve(relative: string): Promise<Resolved> {
    if (!isPlainPath(relative, this.platform)) return { kind: 'outside' };
    try {
      const absolute = await fs.promises.realpath(path.join(this.root, ...relative.split('/')));
      return isInside(this.root, absolute) ? { kind: 'inside', absolute } : { kind: 'outside' };
    } catch (error) {
      return { kind: 'failed', error };
    }
  }

  private acquire(): Promise<void> {
    if (this.openFiles < MAX_OPEN_FILES) {
      this.openFiles++;
      return Promise.resolve();
    }
    return new Promise((resolve) => this.waiting.push(resolve));
  }

  private release(): void {
    const next = this.waiting.shift();
    if (next) next();
    else this.openFiles--;
  }
}

/** True when `absolute` is `root` or below it; both real. */
export function isInside(root: string, absolute: string): boolean {
  const relative = path.relative(root, absolute);
  return relative !== '..' && !relative.startsWith(`..${path.sep}`) && !path.isAbsolute(relative);
}

/** True for a workspace path as `FileSource` defines it; on Windows without drives, streams and backslashes. */
export function isPlainPath(relative: string, platform: NodeJS.Platform): boolean {
  if (relative === '') return true;
  if (relative.includes('\0') || (platform === 'win32' && /[\\:]/.test(relative))) return false;
  return relative.split('/').every((segment) => segment !== '' && segment !== '.' && segment !== '..');
}

/** Opens, checks and reads in one go, so that what was checked is what is read. Rejects with the platform's error. */
export async function readWhole(absolute: string, maxBytes: number): Promise<FileRead> {
  const descriptor = await openFile(absolute, OPEN_FLAGS);
  try {
    const stat = await statFile(descriptor);
    if (stat.isDirectory()) return { kind: 'unreadable', message: describe('EISDIR') };
    if (!stat.isFile()) return { kind: 'unreadable', message: describe('ENXIO') };
    if (stat.size > maxBytes) return { kind: 'tooLarge', sizeBytes: stat.size };
    return await readToEnd(descriptor, stat.size, maxBytes);
  } finally {
    await closeFile(descriptor);
  }
}

/**
 * The same in one go, at a fifth of the processor time. A file that changes its size meanwhile is read as far as it was
 * when it was opened. `undefined` for a file without a size: it may be an odd one.
 */
function readWholeNow(absolute: string, maxBytes: number): FileRead | undefined {
  const descriptor = fs.openSync(absolute, OPEN_FLAGS);
  try {
    const stat = fs.fstatSync(descriptor);
    if (stat.isDirectory()) return { kind: 'unreadable', message: describe('EISDIR') };
    if (!stat.isFile()) return { kind: 'unreadable', message: describe('ENXIO') };
    if (stat.size > maxBytes) return { kind: 'tooLarge', sizeBytes: stat.size };
    if (stat.size === 0) return undefined;
    const buffer = new Uint8Array(stat.size);
    let length = 0;
    for (let count = 1; count > 0 && length < buffer.length; length += count) {
      count = fs.readSync(descriptor, buffer, length, buffer.length - length, null);
    }
    return { kind: 'ok', bytes: buffer.subarray(0, length) };
  } finally {
    fs.closeSync(descriptor);
  }
}

/** Reads on while the file grows or had no size (some file systems say 0), and stops as soon as it is over the limit. */
async function readToEnd(descriptor: number, sizeBytes: number, maxBytes: number): Promise<FileRead> {
  let buffer = new Uint8Array(Math.min(sizeBytes, maxBytes) + 1);
  let length = 0;
  for (;;) {
    const { bytesRead } = await readFile(descriptor, buffer, length, buffer.length - length, null);
    length += bytesRead;
    if (length > maxBytes) return { kind: 'tooLarge', sizeBytes: Math.max(length, (await statFile(descriptor)).size) };
    const isAtEnd = bytesRead === 0 || (length === sizeBytes && length < buffer.length);
    if (isAtEnd) return { kind: 'ok', bytes: buffer.subarray(0, length) };
    if (length === buffer.length) {
      const larger = new Uint8Array(Math.min(buffer.length * 2, maxBytes + 1));
      larger.set(buffer);
      buffer = larger;
    }
  }
}

/**
 * A source for `folder`, whatever links lead to it, and the folder's real path. One that `mayBlock` reads faster, for a
 * process that serves nobody else; never an editor's. Rejects with the platform's error when
 * it is no readable folder.
 */
export async function openFileSource(
  folder: string,
  { mayBlock = false }: { readonly mayBlock?: boolean } = {},
): Promise<{ readonly files: NodeFileSource; realRoot: string }> {
  const realRoot = await fs.promises.realpath(folder);
  // `realpath` is content with a file, and with a folder that may not be listed.
  await (await fs.promises.opendir(realRoot)).close();
  return { files: new NodeFileSource(realRoot, process.platform, mayBlock), realRoot };
}
