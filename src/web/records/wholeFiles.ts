/** What a file is, as far as a log asks. */
export interface FileStamp {
  readonly sizeBytes: number;
  /** 0 where the file system does not say. */
  readonly mtimeMs: number;
  readonly kind: 'file' | 'folder' | 'link' | 'other';
}

/**
 * Files of one folder in a host that reads and writes them whole and no other way. Paths are relative to the folder, `/`
 * between names. Every method rejects with an `Error` whose message is a short code without any path.
 */
export interface WholeFiles {
  readonly isWritable: boolean;
  /** `undefined` when there is nothing. Of a link itself, where the file system tells. */
  stat(path: string): Promise<FileStamp | undefined>;
  /** `undefined` when there is nothing. */
  read(path: string): Promise<Uint8Array | undefined>;
  /** Makes the folders above the file as well. */
  write(path: string, bytes: Uint8Array): Promise<void>;
  rename(from: string, to: string): Promise<void>;
  /** Nothing happens when there is nothing. */
  remove(path: string): Promise<void>;
  /** Names; empty when there is no such folder. */
  list(folder: string): Promise<readonly string[]>;
}
