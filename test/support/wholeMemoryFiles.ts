import type { FileStamp, WholeFiles } from '../../src/web/records/wholeFiles';

/** Files in memory, as a virtual file system has them. Each change has a time of its own. */
export class MemoryFiles implements WholeFiles {
  readonly files = new Map<string, { readonly bytes: Uint8Array; readonly mtimeMs: number }>();
  readonly links = new Set<string>();
  isWritable = true;
  /** Called before each operation, to come in between. */
  before: (operation: 'stat' | 'read' | 'write' | 'rename' | 'remove', path: string) => void = () => undefined;
  #now = 0;

  put(path: string, text: string): void {
    this.files.set(path, { bytes: new TextEncoder().encode(text), mtimeMs: ++this.#now });
  }

  text(path: string): string | undefined {
    const found = this.files.get(path);
    return found && new TextDecoder().decode(found.bytes);
  }

  async stat(path: string): Promise<FileStamp | undefined> {
    this.before('stat', path);
    if (this.links.has(path)) return { sizeBytes: 0, mtimeMs: 0, kind: 'link' };
    const found = this.files.get(path);
    if (found) return { sizeBytes: found.bytes.length, mtimeMs: found.mtimeMs, kind: 'file' };
    const isFolder = [...this.files.keys()].some((name) => name.startsWith(`${path}/`));
    return isFolder ? { sizeBytes: 0, mtimeMs: 0, kind: 'folder' } : undefined;
  }

  async read(path: string): Promise<Uint8Array | undefined> {
    this.before('read', path);
    return this.files.get(path)?.bytes.slice();
  }

  async write(path: string, bytes: Uint8Array): Promise<void> {
    this.before('write', path);
    this.files.set(path, { bytes: bytes.slice(), mtimeMs: ++this.#now });
  }

  async rename(from: string, to: string): Promise<void> {
    this.before('rename', from);
    const found = this.files.get(from);
    if (!found || this.files.has(to)) throw new Error('FileExists');
    this.files.set(to, found);
    this.files.delete(from);
  }

  async remove(path: string): Promise<void> {
    this.before('remove', path);
    this.files.delete(path);
  }

  async list(folder: string): Promise<readonly string[]> {
    const prefix = folder === '' ? '' : `${folder}/`;
    const below = [...this.files.keys()].filter((path) => path.startsWith(prefix));
    return [...new Set(below.map((path) => path.slice(prefix.length).split('/')[0] ?? ''))];
  }
}
