import type { CollectedSection } from '../model/section';
import { phrase } from '../text/phrase';
import { joinGroup, MAX_GROUP_FILES, newestParts, orderByAge } from './fileGroup';
import type { FileReader } from './fileReader';
import type { GlobIndex } from './glob';

type Read = Pick<CollectedSection, 'body' | 'path' | 'note'>;

/** The `files` sections of one collection: those that ask for the same files share one text. */
export class FileGroups {
  readonly #globs: GlobIndex;
  readonly #reader: FileReader;
  readonly #maxChars: number;
  readonly #read = new Map<string, Promise<Read>>();

  /** @param maxChars of one section */
  constructor(globs: GlobIndex, reader: FileReader, maxChars: number) {
    this.#globs = globs;
    this.#reader = reader;
    this.#maxChars = maxChars;
  }

  /** The same object whenever the same is asked for: a worker then gets its text once. Never rejects. */
  read(pattern: string, keepRecent: number | undefined): Promise<Read> {
    const key = `${keepRecent ?? ''} ${pattern}`;
    const known = this.#read.get(key);
    if (known) return known;
    const reading = this.#readNow(pattern, keepRecent);
    this.#read.set(key, reading);
    return reading;
  }

  async #readNow(pattern: string, keepRecent: number | undefined): Promise<Read> {
    const found = await this.#globs.filesOf(pattern);
    if (!found) {
      const message = phrase('there are more globs than can be matched with so many files.');
      const failure = { kind: 'unreadable', path: pattern, message } as const;
      return { body: { kind: 'failed', failure }, path: undefined, note: undefined };
    }
    const matched = orderByAge(found);
    if (matched.length === 0) {
      const failure = { kind: 'missing', path: pattern } as const;
      return { body: { kind: 'failed', failure }, path: undefined, note: undefined };
    }
    const wanted = matched.slice(-Math.min(keepRecent ?? MAX_GROUP_FILES, MAX_GROUP_FILES));
    const parts = await newestParts(wanted, this.#maxChars, (path) => this.#reader.read(path, this.#maxChars));
    const { text, heads, note } = joinGroup(parts, matched.length, this.#maxChars);
    return { body: { kind: 'text', text, heads }, path: matched.length === 1 ? matched[0] : undefined, note };
  }
}
