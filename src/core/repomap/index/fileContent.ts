/** Contents of files, and how they travel between threads. */

/** A file, and the hash of what is in it. */
export interface FileContent {
  readonly path: string;
  readonly contentHash: string;
  /** Its words are enough, where its definitions are not known. */
  readonly wordsDo?: boolean;
}

const NUL = '\0';

/** Files as one text, which goes to another thread in a fifth of the time that objects take. */
export function joinContents(files: readonly FileContent[]): string {
  return files.map(({ path, contentHash, wordsDo }) => [path, contentHash, wordsDo ? 1 : ''].join(NUL)).join(NUL);
}

/** The inverse of `joinContents`. */
export function splitContents(text: string): readonly FileContent[] {
  const parts = text === '' ? [] : text.split(NUL);
  return Array.from({ length: parts.length / 3 }, (_, at) => ({
    path: parts[3 * at] as string,
    contentHash: parts[3 * at + 1] as string,
    wordsDo: parts[3 * at + 2] !== '',
  }));
}
