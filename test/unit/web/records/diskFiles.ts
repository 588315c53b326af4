import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { FileStamp, WholeFiles } from '../../../../src/web/records/wholeFiles';

/** The same interface over a folder on disk, to share it with the Node hosts. */
export class DiskFiles implements WholeFiles {
  readonly isWritable = true;

  constructor(private readonly root: string) {}

  async stat(name: string): Promise<FileStamp | undefined> {
    const found = await stat(this.#of(name)).catch(() => undefined);
    return found && { sizeBytes: found.size, mtimeMs: found.mtimeMs, kind: found.isFile() ? 'file' : 'folder' };
  }

  async read(name: string): Promise<Uint8Array | undefined> {
    const bytes = await readFile(this.#of(name)).catch(() => undefined);
    return bytes && new Uint8Array(bytes);
  }

  async write(name: string, bytes: Uint8Array): Promise<void> {
    await mkdir(path.dirname(this.#of(name)), { recursive: true });
    await writeFile(this.#of(name), bytes);
  }

  rename(from: string, to: string): Promise<void> {
    return rename(this.#of(from), this.#of(to));
  }

  remove(name: string): Promise<void> {
    return rm(this.#of(name), { force: true });
  }

  list(folder: string): Promise<readonly string[]> {
    return readdir(this.#of(folder)).catch(() => []);
  }

  #of(name: string): string {
    return path.join(this.root, ...name.split('/'));
  }
}
