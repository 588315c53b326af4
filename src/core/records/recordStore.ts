/**
 * The port to where logs of records are kept: files of bytes in one folder, written under a lock. It hides how a host
 * writes (in place, or whole files) and what its folders need to be safe; what bytes mean is decided by `NumberedLog`.
 */
import type { Phrase } from '../text/phrase';

/** One file as it was when it was opened. */
export interface RecordFile {
  readonly sizeBytes: number;
  /** Tells this file from one that takes its place; empty where the host cannot tell. */
  readonly place: string;
  /** Bytes from `start` on, fewer than `length` at the end of the file. */
  read(start: number, length: number): Promise<Uint8Array>;
  close(): Promise<void>;
}

/** A file to write, the lock held. */
export interface WrittenFile extends RecordFile {
  append(bytes: Uint8Array): Promise<void>;
  truncate(sizeBytes: number): Promise<void>;
  /** Puts all changes on disk. Rejects with `FileChanged`, having written nothing, when others changed the file meanwhile. */
  flush(): Promise<void>;
}

/** Another program changed a file between the look and the write, where a host can only write files whole. */
export class FileChanged extends Error {
  override readonly name = 'FileChanged';
}

/** A lock that is held. */
export interface HeldLock {
  release(): Promise<void>;
}

/** The folder of a log, opened; names are those of its entries. Who opens it closes it. */
export interface RecordFolder {
  /** Waits for the lock; undefined when others held it all the time. */
  lock(name: string): Promise<HeldLock | undefined>;
  /** Undefined where there is no file. */
  read(name: string): Promise<RecordFile | undefined>;
  /** Opens a file to read it and to write at its end; makes it where there is none. */
  append(name: string): Promise<WrittenFile>;
  /** Names of all entries, in any order. */
  list(): Promise<readonly string[]>;
  /** Undefined where there is no regular file. */
  sizeOf(name: string): Promise<number | undefined>;
  /** Changes with the file's content; undefined where only reading tells. With one, files can be read after `close`. */
  versionOf(name: string): Promise<string | undefined>;
  /** Replaces a small file as a whole. */
  replace(name: string, text: string): Promise<void>;
  /** False when another program holds the file open. */
  rename(from: string, to: string): Promise<boolean>;
  /** False when the file may not be removed now. */
  remove(name: string): Promise<boolean>;
  /** Waits until new names are on disk. */
  sync(): Promise<void>;
  close(): Promise<void>;
}

/** Opens the folder of one log. */
export interface RecordStore {
  /** The log's path, workspace-relative, `/` between names. */
  readonly path: string;
  /** Undefined where there is no folder. */
  find(): Promise<RecordFolder | undefined>;
  /** Makes the folder where it is missing. */
  make(): Promise<RecordFolder>;
  /** Makes a file beside the log where there is none. That it cannot be made is no failure. */
  offer(name: string, text: string): Promise<void>;
  /** What a person is told of a place that is not opened; undefined for other failures. */
  refusalOf(cause: unknown): Phrase | undefined;
  /** The platform's code of a failure, or its message. */
  codeOf(cause: unknown): string;
}

/** Works with a file of a folder, if it is there, and closes it. */
export async function workWith<T>(
  folder: RecordFolder,
  name: string,
  work: (file: RecordFile) => Promise<T>,
): Promise<T | undefined> {
  const file = await folder.read(name);
  return file && (await work(file).finally(() => file.close()));
}

/** The name of a file in its folder. */
export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** The path of an entry of the folder that `path` is in. */
export function besideOf(path: string, name: string): string {
  return path.slice(0, path.lastIndexOf('/') + 1) + name;
}
