/**
 * Logs of records in a host that can only write files whole: `vscode.workspace.fs`. They are the same files as those of
 * the Node hosts (`src/node/records/fileLogs.ts`), so that a folder can be used by both. It decides how nothing of
 * another writer is lost; what a log is, `NumberedLog` says.
 */
import { CONFIG_PATH } from '../../core/config/config';
import { usageIgnoreText } from '../../core/files/usageFiles';
import { OBSERVATION_RECORDS, StoredObservationLog } from '../../core/observations/observationRecords';
import type { Clock } from '../../core/ports/ports';
import { NumberedLog } from '../../core/records/numberedLog';
import { encode, fileOfBytes, NO_BYTES } from '../../core/records/recordBytes';
import { isLink, isNoFile, type RecordKind } from '../../core/records/recordLog';
import {
  besideOf,
  FileChanged,
  type HeldLock,
  nameOf,
  type RecordFolder,
  type RecordStore,
  type WrittenFile,
} from '../../core/records/recordStore';
import { joinBytes } from '../../core/text/bytes';
import { messageOf, phrase } from '../../core/text/phrase';
import { StoredUsageLog, USAGE_RECORDS, USAGE_ROTATION } from '../../core/usage/storedUsageLog';
import type { FileStamp, WholeFiles } from './wholeFiles';

// The lock of a log, as a file beside it, understood by the Node hosts (`src/node/records/recordLock.ts`): they wait while it is
// there, and this waits for theirs. A host that writes files whole cannot make a file only if there is none, so two that
// come within the same few milliseconds may both believe that they hold it; a log looks again before it writes.

/** Until `acquireFileLock` gives up, as the Node hosts do. Milliseconds. */
const PATIENCE_MS = 30_000;
/** A holder that has not let go for so long is gone: an append takes milliseconds. */
const ABANDONED_MS = 15_000;
const WAIT_MS = 50;
/** Stands where a Node host writes its machine's name: no process number of another machine means anything. */
const HOST_NAME = 'web-extension-host';

/** Waits for the lock and holds it; `undefined` when others held it for all of 30 s. Rejects as `files` do. */
export async function acquireFileLock(
  files: WholeFiles,
  path: string,
  clock: Clock,
  makeKey: () => string,
): Promise<HeldLock | undefined> {
  const deadline = clock.now() + PATIENCE_MS;
  let holder = '';
  let since = clock.now();
  for (;;) {
    const found = await textOf(files, path);
    if (found === undefined || (found === holder && clock.now() - since >= ABANDONED_MS)) {
      const record = JSON.stringify({ pid: 0, host: HOST_NAME, key: makeKey() });
      await files.write(path, new TextEncoder().encode(record));
      if ((await textOf(files, path)) === record) return { release: () => release(files, path, record) };
    } else if (found !== holder) {
      holder = found;
      since = clock.now();
    }
    if (clock.now() >= deadline) return undefined;
    await new Promise<void>((resolve) => clock.schedule(resolve, WAIT_MS));
  }
}

async function release(files: WholeFiles, path: string, record: string): Promise<void> {
  // Another writer may have taken us for gone.
  if ((await textOf(files, path)) === record) await files.remove(path);
}

async function textOf(files: WholeFiles, path: string): Promise<string | undefined> {
  const bytes = await files.read(path);
  return bytes && new TextDecoder().decode(bytes);
}

/** What a log works with. */
export interface WholeFileLogOptions {
  readonly files: WholeFiles;
  /** Relative to the folder, as the config gives it. */
  readonly path: string;
  readonly clock: Clock;
  /** Gives a word that no other call gives, anywhere: a UUID. */
  readonly makeKey: () => string;
}

/** Observations as a file that is written whole. */
export class WholeFileObservationLog extends StoredObservationLog {
  constructor(options: WholeFileLogOptions) {
    super(new NumberedLog(wholeFileStore(options, OBSERVATION_RECORDS), OBSERVATION_RECORDS));
  }
}

/** Usage as a file that is written whole, with older files beside it. What is put aside is kept; a Node host prunes it. */
export class WholeFileUsageLog extends StoredUsageLog {
  constructor(options: WholeFileLogOptions, maxFileBytes = USAGE_ROTATION.maxFileBytes) {
    const { path } = options;
    const rotation = { ...USAGE_ROTATION, maxFileBytes, keepBytes: Number.POSITIVE_INFINITY };
    const log = new NumberedLog(wholeFileStore(options, USAGE_RECORDS), USAGE_RECORDS, rotation);
    super(log, besideOf(CONFIG_PATH, nameOf(path)) === path ? usageIgnoreText(path) : undefined);
  }
}

function wholeFileStore(options: WholeFileLogOptions, kind: RecordKind): RecordStore {
  const { files, path } = options;
  /** Rejects when a link on the way may lead out of the folder, or when the log is no file. */
  const find = async (): Promise<RecordFolder> => {
    const names = path.split('/');
    for (let depth = 1; depth <= names.length; depth++) {
      const part = names.slice(0, depth).join('/');
      const stamp = await files.stat(part);
      if (!stamp) break;
      if (stamp.kind === 'link') throw kind.fail('notALog', isLink(part, kind.configKey));
      if (depth === names.length && stamp.kind !== 'file') throw kind.fail('notALog', isNoFile(part, kind.configKey));
    }
    return wholeFileFolder(options);
  };
  return {
    path,
    find,
    make: async () => {
      if (files.isWritable) return find();
      const words = phrase('{0} cannot be written: the folder is read-only here. Nothing was recorded.', path);
      throw kind.fail('unwritable', words);
    },
    offer: async (name, text) => {
      const beside = besideOf(path, name);
      try {
        if (!(await files.stat(beside))) await files.write(beside, encode(text));
      } catch {
        // The file system refuses; the records are written all the same.
      }
    },
    refusalOf: () => undefined,
    codeOf: messageOf,
  };
}

function wholeFileFolder({ files, path, clock, makeKey }: WholeFileLogOptions): RecordFolder {
  const at = (name: string): string => besideOf(path, name);
  return {
    lock: (name) => acquireFileLock(files, at(name), clock, makeKey),
    read: async (name) => {
      const bytes = await files.read(at(name));
      return bytes && fileOfBytes(bytes);
    },
    append: (name) => openWhole(files, at(name)),
    list: () => files.list(at('').replace(/\/$/, '')),
    sizeOf: async (name) => {
      const stamp = await files.stat(at(name));
      return stamp?.kind === 'file' ? stamp.sizeBytes : undefined;
    },
    // Undefined where a file system tells no times.
    versionOf: async (name) => {
      const stamp = await files.stat(at(name));
      return stamp && stamp.mtimeMs > 0 ? `${stamp.mtimeMs}-${stamp.sizeBytes}` : undefined;
    },
    replace: (name, text) => files.write(at(name), encode(text)),
    rename: async (from, to) => {
      await files.rename(at(from), at(to));
      return true;
    },
    remove: async (name) => {
      await files.remove(at(name));
      return true;
    },
    // What is written whole is there.
    sync: () => Promise.resolve(),
    close: () => Promise.resolve(),
  };
}

/** A file whose changes are kept in memory until it is written as a whole, if it still is as it was. */
async function openWhole(files: WholeFiles, path: string): Promise<WrittenFile> {
  const stamp = await files.stat(path);
  let bytes = (await files.read(path)) ?? NO_BYTES;
  return {
    sizeBytes: bytes.length,
    place: '',
    read: async (start, length) => bytes.slice(start, start + length),
    append: async (more) => {
      bytes = joinBytes([bytes, more]);
    },
    truncate: async (sizeBytes) => {
      bytes = bytes.subarray(0, sizeBytes);
    },
    flush: async () => {
      if (!isSame(await files.stat(path), stamp)) throw new FileChanged();
      await files.write(path, bytes);
    },
    close: async () => undefined,
  };
}

function isSame(left: FileStamp | undefined, right: FileStamp | undefined): boolean {
  return left?.sizeBytes === right?.sizeBytes && left?.mtimeMs === right?.mtimeMs;
}
