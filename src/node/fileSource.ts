import { isUtf8 } from 'node:buffer';
import * as fs from 'node:fs';
import path from 'node:path';
import type { DirectoryEntry, DirectoryRead, FileRead, FileSource, FileStamp, LinkTarget } from '../core/ports/ports';
import { Limiter } from '../core/text/limiter';
import { isClosedByGit } from '../core/text/safePath';
import { errorCode } from './errorCode';
import {
  canTellPlaces,
  descriptorPath,
  placeByPath,
  placeByPathNow,
  placeOf,
  withPlace,
  withPlaceNow,
} from './openedPlace';
import { HOST, type Platform } from './platform';
import {
  failed,
  type Proof,
  REFUSES_LINKS,
  ReadBuffers,
  type Refusal,
  readWhole,
  readWholeNow,
  refused,
} from './readWhole';

/** Open files at once. The thread pool works on four; more only holds descriptors, and a shell may allow just 256. */
const MAX_OPEN_FILES = 32;
/** Of those that are held open while the caller decides whether they may be read, which lists folders and looks at links. */
const MAX_ASKED = 8;

/** How long a folder's real path is cached: its files are mostly read within this. Each file's own path is proven. */
const FOLDER_AGE_MS = 250;
const MAX_FOLDERS = 1000;

function kindOf(entry: Pick<fs.Dirent, 'isFile' | 'isDirectory' | 'isSymbolicLink'>): DirectoryEntry['kind'] {
  if (entry.isFile()) return 'file';
  if (entry.isDirectory()) return 'folder';
  return entry.isSymbolicLink() ? 'link' : 'other';
}

export function stampOf({ dev, ino, size, mtimeMs, ctimeMs }: fs.Stats): FileStamp {
  return { dev, ino, sizeBytes: size, mtimeMs, ctimeMs };
}

/** See `FileSource.read`. */
type MayRead = NonNullable<Parameters<FileSource['read']>[2]>;

/**
 * Read access to one folder of the machine, confined to it: what a path leads to is looked at before it is opened, and
 * again by what was opened, so that a folder swapped for a link in between gives nothing away. What leads out of the
 * root, or to git's own files, is refused.
 */
export class NodeFileSource implements FileSource {
  readonly rootName: string;
  private readonly open = new Limiter(MAX_OPEN_FILES - MAX_ASKED);
  /** Apart from `open`, so that reads that wait for the caller's answer leave room for what the answer needs. */
  private readonly asked = new Limiter(MAX_ASKED);
  private readonly folders = new Map<string, { readonly at: number; readonly place: Promise<string | undefined> }>();
  private readonly buffers = new ReadBuffers();
  private tellsPlaces: boolean | undefined;

  /** `root` is absolute and real (as `realpath` gives it); see {@link openFileSource}. */
  constructor(
    private readonly root: string,
    private readonly platform: Platform = HOST,
    private readonly mayBlock = false,
  ) {
    this.rootName = platform.path.basename(root) || 'root';
  }

  async list(folder: string): Promise<DirectoryRead> {
    if (!this.platform.isPlainPath(folder)) return refused('outside');
    if (isClosedByGit(folder)) return refused('ofGit');
    const found = await this.open.run(() => this.entriesOf(this.absolute(folder))).catch(failed);
    if (typeof found === 'string') return refused(found);
    if ('kind' in found) return found;
    const { entries, unnamed } = found;
    // Platforms list in any order, and nothing downstream may depend on it.
    const sorted = [...entries].sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
    return { kind: 'ok', entries: sorted, ...(unnamed.length > 0 ? { unnamed: [...unnamed].sort() } : {}) };
  }

  async read(file: string, maxBytes: number, mayRead?: MayRead): Promise<FileRead> {
    if (!this.platform.isPlainPath(file)) return refused('outside');
    if (isClosedByGit(file)) return refused('ofGit');
    const read = await (mayRead ? this.asked : this.open)
      .run(async () => {
        const beside = mayRead ? undefined : await this.readBeside(file, maxBytes);
        return beside ?? (await this.readResolved(file, maxBytes, mayRead));
      })
      .catch(failed);
    if (read === 'closed') return { kind: 'missing' };
    return typeof read === 'string' ? refused(read) : read;
  }

  reuse(bytes: Uint8Array): void {
    if (this.mayBlock) this.buffers.give(bytes);
  }

  async resolveLink(link: string): Promise<LinkTarget> {
    if (!this.platform.isPlainPath(link)) return { kind: 'outside' };
    // Not there, or gone while it was looked at, which is the same.
    const found = await this.open.run(() => this.placeAndKind(this.absolute(link))).catch(() => undefined);
    if (!found) return { kind: 'missing' };
    const realPath = this.relative(found.place);
    if (realPath === undefined) return { kind: 'outside' };
    if (!found.stat.isFile() && !found.stat.isDirectory()) return { kind: 'missing' };
    return { kind: found.stat.isFile() ? 'file' : 'folder', realPath };
  }

  /** By size, times of content and attributes, and identity: no program keeps all of them when it writes. */
  async stamp(file: string): Promise<FileStamp | undefined> {
    if (!this.platform.isPlainPath(file) || isClosedByGit(file)) return undefined;
    // Nothing is read. Where a folder leads elsewhere by now, the file has another identity, and is looked at by `read`.
    const absolute = this.absolute(file);
    try {
      const stat = this.mayBlock ? fs.lstatSync(absolute) : await this.open.run(() => fs.promises.lstat(absolute));
      if (!stat.isFile()) return undefined;
      return stampOf(stat);
    } catch {
      // Gone or closed: reading it says what is wrong.
      return undefined;
    }
  }

  private absolute(relative: string): string {
    const { sep } = this.platform.path;
    const below = sep === '/' ? relative : relative.replaceAll('/', sep);
    if (below === '') return this.root;
    return this.root.endsWith(sep) ? this.root + below : this.root + sep + below;
  }

  private get isTold(): boolean {
    this.tellsPlaces ??= canTellPlaces(this.root, this.platform);
    return this.tellsPlaces;
  }

  /** A real path as the workspace has it; undefined outside of it. */
  private relative(place: string | undefined): string | undefined {
    return place === undefined ? undefined : this.platform.below(this.root, place);
  }

  /** Why nothing is read at a real path. */
  private refusalOf(place: string | undefined): Refusal | undefined {
    const relative = this.relative(place);
    if (relative === undefined) return 'outside';
    return isClosedByGit(relative) ? 'ofGit' : undefined;
  }

  /** What lies in a folder, listed by a descriptor of it, or between two looks at where it lies. */
  private async entriesOf(absolute: string): Promise<Listed | Refusal> {
    if (this.isTold && this.mayBlock) {
      return withPlaceNow(
        absolute,
        (descriptor, place) => this.refusalOf(place) ?? entriesNowAt(descriptorPath(descriptor)),
      );
    }
    if (this.isTold) {
      return withPlace(
        absolute,
        async (descriptor, place) => this.refusalOf(place) ?? entriesAt(descriptorPath(descriptor)),
      );
    }
    const place = await fs.promises.realpath(absolute);
    const before = await fs.promises.lstat(place);
    const found = this.refusalOf(place) ?? (await entriesAt(place));
    return (await placeByPath(place, before)) === place ? found : 'outside';
  }

  private async placeAndKind(absolute: string): Promise<{ readonly place: string | undefined; stat: fs.Stats }> {
    if (this.isTold) {
      return withPlace(absolute, (descriptor, place) => ({ place, stat: fs.fstatSync(descriptor) }));
    }
    const stat = await fs.promises.stat(absolute);
    return { place: await placeByPath(absolute, stat), stat };
  }

  private async readResolved(
    file: string,
    maxBytes: number,
    mayRead: MayRead | undefined,
  ): Promise<FileRead | Refusal | 'closed'> {
    const place = await fs.promises.realpath(this.absolute(file));
    return this.refusalOf(place) ?? readWhole(place, maxBytes, this.proofOf(place, mayRead));
  }

  /**
   * Reads a file by its folder's real place, resolved once for all files that are read there together (resolving each
   * takes as long as reading it). `undefined` where that does not do: the file itself may be a link, or the folder may
   * be another by now.
   */
  private async readBeside(file: string, maxBytes: number): Promise<FileRead | undefined> {
    if (!REFUSES_LINKS) return undefined;
    const slash = file.lastIndexOf('/');
    const folder = await this.folderOf(slash < 0 ? '' : file.slice(0, slash));
    if (folder === undefined) return undefined;
    try {
      const absolute = path.join(folder, file.slice(slash + 1));
      const now = this.mayBlock ? readWholeNow(absolute, maxBytes, this.proofNowOf(absolute), this.buffers) : undefined;
      const read = now ?? (await readWhole(absolute, maxBytes, this.proofOf(absolute)));
      return typeof read === 'string' ? undefined : read;
    } catch (error) {
      if (errorCode(error) === 'ELOOP' || errorCode(error) === 'EMLINK') return undefined;
      throw error;
    }
  }

  private proofOf(absolute: string): Proof<Promise<Refusal | undefined>>;
  private proofOf(absolute: string, mayRead: MayRead | undefined): Proof<Promise<Refusal | 'closed' | undefined>>;
  private proofOf(absolute: string, mayRead?: MayRead): Proof<Promise<Refusal | 'closed' | undefined>> {
    return async (descriptor, stat) => {
      const place = this.isTold ? placeOf(descriptor) : await placeByPath(absolute, stat);
      const why = this.refusalOf(place);
      if (why !== undefined || mayRead === undefined) return why;
      return (await mayRead(this.relative(place) ?? '')) ? undefined : 'closed';
    };
  }

  private proofNowOf(absolute: string): Proof<Refusal | undefined> {
    return (descriptor, stat) => this.refusalOf(this.isTold ? placeOf(descriptor) : placeByPathNow(absolute, stat));
  }

  /** In one go where that is allowed: a tenth of the processor time, and thousands of folders add up. */
  private async realPathOf(absolute: string): Promise<string> {
    return this.isTold && this.mayBlock ? withPlaceNow(absolute, (_, place) => place) : fs.promises.realpath(absolute);
  }

  /** The real place of a folder inside of the root, at most `FOLDER_AGE_MS` old. */
  private folderOf(relative: string): Promise<string | undefined> {
    const now = performance.now();
    const known = this.folders.get(relative);
    if (known && now - known.at < FOLDER_AGE_MS) return known.place;
    if (this.folders.size >= MAX_FOLDERS) this.folders.clear();
    const place = this.realPathOf(this.absolute(relative)).then(
      (found) => (this.refusalOf(found) === 'outside' ? undefined : found),
      // What is wrong with it is told by the way that looks at the file itself.
      () => undefined,
    );
    this.folders.set(relative, { at: now, place });
    return place;
  }
}

/** What a folder has. */
interface Listed {
  readonly entries: readonly DirectoryEntry[];
  readonly unnamed: readonly string[];
}

/** Stands in a name for bytes that are not UTF-8. */
const REPLACEMENT = '\ufffd';

function entryOf(entry: fs.Dirent): DirectoryEntry {
  return { name: entry.name, kind: kindOf(entry) };
}

/** Lists a folder by the bytes of its names, where one may not be UTF-8. */
function listedBytes(found: readonly fs.Dirent<Buffer>[]): Listed {
  return {
    entries: found.flatMap((entry) =>
      isUtf8(entry.name) ? [{ name: entry.name.toString(), kind: kindOf(entry) }] : [],
    ),
    unnamed: found.flatMap(({ name }) => (isUtf8(name) ? [] : [name.toString()])),
  };
}

function hasOddName(found: readonly fs.Dirent[]): boolean {
  return found.some(({ name }) => name.includes(REPLACEMENT));
}

function entriesNowAt(folder: string): Listed {
  const found = fs.readdirSync(folder, { withFileTypes: true });
  if (hasOddName(found)) return listedBytes(fs.readdirSync(folder, { withFileTypes: true, encoding: 'buffer' }));
  return { entries: found.map(entryOf), unnamed: [] };
}

async function entriesAt(folder: string): Promise<Listed> {
  const found = await fs.promises.readdir(folder, { withFileTypes: true });
  if (hasOddName(found)) {
    return listedBytes(await fs.promises.readdir(folder, { withFileTypes: true, encoding: 'buffer' }));
  }
  return { entries: found.map(entryOf), unnamed: [] };
}

/**
 * A source for `folder`, whatever links lead to it, and the folder's real path. One that `mayBlock` reads faster, for a
 * process that does nothing else; never an editor's. Rejects with the platform's error when it is no readable folder.
 */
export async function openFileSource(
  folder: string,
  { mayBlock = false }: { readonly mayBlock?: boolean } = {},
): Promise<{ readonly files: NodeFileSource; realRoot: string }> {
  const realRoot = await fs.promises.realpath(folder);
  // `realpath` is content with a file, and with a folder that may not be listed.
  await (await fs.promises.opendir(realRoot)).close();
  return { files: new NodeFileSource(realRoot, HOST, mayBlock), realRoot };
}
