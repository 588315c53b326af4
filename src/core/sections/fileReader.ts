import type { FileSource } from '../ports';
import { decodeText } from '../text/decode';
import { phrase } from '../text/phrase';
import { Limiter } from './limiter';
import type { SectionFailure } from './section';

/** A context file above this is a mistake: no agent could load a tenth of it. Bytes. */
export const MAX_SOURCE_BYTES = 1_000_000;

/** Files read at once. */
const CONCURRENCY = 8;

/** What a file holds, or why it holds no text. */
export type FileBody =
  | { readonly kind: 'text'; readonly text: string }
  | Extract<SectionFailure, { readonly kind: 'missing' | 'tooLarge' | 'binary' | 'unreadable' }>;

/** Reads text files once and remembers them until they are said to have changed. */
export class FileReader {
  private readonly bodies = new Map<string, Promise<FileBody>>();
  private readonly limiter = new Limiter(CONCURRENCY);

  constructor(private readonly source: FileSource) {}

  /** Never rejects. */
  read(path: string): Promise<FileBody> {
    const known = this.bodies.get(path);
    if (known) return known;
    const body = this.limiter.run(() => this.readNow(path));
    this.bodies.set(path, body);
    return body;
  }

  /** Forgets `path`, and everything below it when it is a folder. Linear in the number of files remembered. */
  forget(path: string): void {
    this.bodies.delete(path);
    for (const known of this.bodies.keys()) if (known.startsWith(`${path}/`)) this.bodies.delete(known);
  }

  forgetAll(): void {
    this.bodies.clear();
  }

  private async readNow(path: string): Promise<FileBody> {
    try {
      const read = await this.source.read(path, MAX_SOURCE_BYTES);
      switch (read.kind) {
        case 'missing':
          return { kind: 'missing', path };
        case 'tooLarge':
          return { kind: 'tooLarge', path, sizeBytes: read.sizeBytes, limitBytes: MAX_SOURCE_BYTES };
        case 'unreadable':
          return { kind: 'unreadable', path, message: read.message };
        case 'ok': {
          const decoded = decodeText(read.bytes);
          return decoded.kind === 'text' ? decoded : { kind: 'binary', path };
        }
      }
    } catch {
      // A file system that throws breaks its contract; its words could hold an absolute path, so they are not used.
      this.bodies.delete(path);
      return { kind: 'unreadable', path, message: phrase('the file system failed') };
    }
  }
}
