import type { SectionFailure } from '../model/section';
import type { FileSource } from '../ports/ports';
import { decodeText } from '../text/decode';
import { Limiter } from '../text/limiter';
import { phrase } from '../text/phrase';

/** A context file above this is a mistake: no agent could load a tenth of it. Bytes. */
const MAX_SOURCE_BYTES = 1_000_000;

/** What all files and globs of a folder may have together: more than a hundred times what an agent can load. */
const MAX_TOTAL_CHARS = 64_000_000;

/** What is remembered of files; beyond it the oldest are read again when they are needed. */
const MAX_REMEMBERED_CHARS = 4 * MAX_TOTAL_CHARS;

/** A folder may have as much as so many files: each of its files has a row, whether there is room for its text or not. */
export const FOLDER_SHARES = 8;

/** Characters that each file may have beside so many files and folders: by their number alone, so that nothing depends on timing. */
export function sectionLimit(files: number, folders: number): number {
  return Math.min(MAX_SOURCE_BYTES, Math.floor(MAX_TOTAL_CHARS / Math.max(1, files + FOLDER_SHARES * folders)));
}

/** Files read at once. */
const CONCURRENCY = 8;

/** What a file holds, or why it holds no text. */
export type FileBody =
  | { readonly kind: 'text'; readonly text: string }
  | Extract<SectionFailure, { readonly kind: 'missing' | 'tooLarge' | 'binary' | 'unreadable' }>;

interface Remembered {
  readonly body: Promise<FileBody>;
  readonly maxBytes: number;
  chars: number;
}

/** Reads text files once and remembers them until they are said to have changed. */
export class FileReader {
  private readonly bodies = new Map<string, Remembered>();
  private readonly limiter = new Limiter(CONCURRENCY);
  private chars = 0;

  constructor(private readonly source: FileSource) {}

  /** Never rejects. A file of more than `maxBytes` is too large. */
  read(path: string, maxBytes: number): Promise<FileBody> {
    const known = this.bodies.get(path);
    if (known?.maxBytes === maxBytes) return known.body;
    this.drop(path);
    const body = this.limiter.run(() => this.readNow(path, maxBytes));
    const remembered: Remembered = { body, maxBytes, chars: 0 };
    this.bodies.set(path, remembered);
    void body.then((read) => this.count(path, remembered, read));
    return body;
  }

  /** Forgets `path`, and everything below it when it is a folder. Linear in the number of files remembered. */
  forget(path: string): void {
    this.drop(path);
    for (const known of this.bodies.keys()) if (known.startsWith(`${path}/`)) this.drop(known);
  }

  forgetAll(): void {
    this.bodies.clear();
    this.chars = 0;
  }

  private drop(path: string): void {
    this.chars -= this.bodies.get(path)?.chars ?? 0;
    this.bodies.delete(path);
  }

  private count(path: string, remembered: Remembered, read: FileBody): void {
    if (read.kind !== 'text' || this.bodies.get(path) !== remembered) return;
    remembered.chars = read.text.length;
    this.chars += remembered.chars;
    for (const oldest of this.bodies.keys()) {
      if (this.chars <= MAX_REMEMBERED_CHARS || oldest === path) break;
      this.drop(oldest);
    }
  }

  private async readNow(path: string, maxBytes: number): Promise<FileBody> {
    try {
      const read = await this.source.read(path, maxBytes);
      switch (read.kind) {
        case 'missing':
          return { kind: 'missing', path };
        case 'tooLarge':
          return { kind: 'tooLarge', path, sizeBytes: read.sizeBytes, limitBytes: maxBytes };
        case 'unreadable':
          return { kind: 'unreadable', path, message: read.message };
        case 'ok': {
          const decoded = decodeText(read.bytes);
          return decoded.kind === 'text' ? decoded : { kind: 'binary', path };
        }
      }
    } catch {
      // A file system that throws breaks its contract; its words could hold an absolute path, so they are not used.
      this.drop(path);
      return { kind: 'unreadable', path, message: phrase('the file system failed') };
    }
  }
}
