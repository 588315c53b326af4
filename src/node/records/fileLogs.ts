/**
 * Logs of records as files of a workspace, through `ConfinedFolder`: what `NumberedLog` writes in place, on disk before a
 * call resolves. It decides how files are opened and replaced, not what is in them.
 */
import type { FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { CONFIG_PATH } from '../../core/config/config';
import { usageIgnoreText } from '../../core/files/usageFiles';
import { OBSERVATION_RECORDS, StoredObservationLog } from '../../core/observations/observationRecords';
import { NumberedLog } from '../../core/records/numberedLog';
import type { Rotation } from '../../core/records/recordArchive';
import {
  changedMeanwhile,
  hasOtherName,
  isInGitFolder,
  isLink,
  isNoFile,
  isNoFolder,
  leadsOut,
  type RecordKind,
} from '../../core/records/recordLog';
import {
  besideOf,
  type HeldLock,
  nameOf,
  type RecordFile,
  type RecordFolder,
  type RecordStore,
  type WrittenFile,
} from '../../core/records/recordStore';
import { messageOf, type Phrase } from '../../core/text/phrase';
import { StoredUsageLog, USAGE_RECORDS, USAGE_ROTATION } from '../../core/usage/storedUsageLog';
import { errorCode, ignoreMissing } from '../errorCode';
import { readAt } from '../readWhole';
import { ConfinedFolder } from './confinedFolder';
import { ConfinementError, type HoldWay } from './heldFolder';
import { acquireLock, LOCK_TIMES, type LockTimes } from './recordLock';

/** Where a log lies. */
interface RecordLogPlace {
  /** The folder's real path. */
  readonly realRoot: string;
  /** Workspace-relative, `/` between names, as the config gives it. */
  readonly path: string;
  readonly lockTimes?: LockTimes;
  /** How its folder is held; the best of this system unless given. */
  readonly way?: HoldWay;
}

/** What is said of a file that another program keeps open, or that may not be touched. */
const BUSY_CODES: readonly (string | undefined)[] = ['EPERM', 'EACCES', 'EBUSY'];

/** Observations as a file of the workspace. */
export class JsonlObservationLog extends StoredObservationLog {
  constructor(place: RecordLogPlace) {
    super(recordLogAt(place, OBSERVATION_RECORDS));
  }
}

/** Usage as a file of the workspace, with older files beside it. */
export class UsageLogFile extends StoredUsageLog {
  constructor(place: RecordLogPlace, rotation: Rotation = USAGE_ROTATION) {
    const isOurFolder = besideOf(CONFIG_PATH, nameOf(place.path)) === place.path;
    super(recordLogAt(place, USAGE_RECORDS, rotation), isOurFolder ? usageIgnoreText(place.path) : undefined);
  }
}

/** The log of records at a place. */
export function recordLogAt(place: RecordLogPlace, kind: RecordKind, rotation?: Rotation): NumberedLog {
  return new NumberedLog(new DiskStore(place, kind), kind, rotation);
}

class DiskStore implements RecordStore {
  constructor(
    private readonly place: RecordLogPlace,
    private readonly kind: RecordKind,
  ) {}

  get path(): string {
    return this.place.path;
  }

  async find(): Promise<RecordFolder | undefined> {
    const folder = await this.#open(false).catch(ignoreMissing);
    return folder && new DiskFolder(folder, this.place.lockTimes);
  }

  /** Makes the folder where it is missing, but never the workspace itself. */
  async make(): Promise<RecordFolder> {
    return new DiskFolder(await this.#open(true), this.place.lockTimes);
  }

  async offer(name: string, text: string): Promise<void> {
    try {
      const folder = await this.#open(false);
      await folder.createWith(name, text).finally(() => folder.close());
    } catch (error) {
      if (errorCode(error) === undefined && !ConfinementError.is(error)) throw error;
    }
  }

  refusalOf(cause: unknown): Phrase | undefined {
    return ConfinementError.is(cause) ? refusalWords(cause, this.path, this.kind) : undefined;
  }

  codeOf(cause: unknown): string {
    return errorCode(cause) ?? messageOf(cause);
  }

  #open(create: boolean): Promise<ConfinedFolder> {
    const { realRoot, way } = this.place;
    return ConfinedFolder.open(realRoot, path.posix.dirname(this.path), { create, way });
  }
}

class DiskFolder implements RecordFolder {
  constructor(
    private readonly folder: ConfinedFolder,
    private readonly times: LockTimes = LOCK_TIMES,
  ) {}

  lock(name: string): Promise<HeldLock | undefined> {
    return acquireLock(this.folder, name, this.times);
  }

  async read(name: string): Promise<RecordFile | undefined> {
    const handle = await this.folder.read(name).catch(ignoreMissing);
    return handle && fileOf(handle);
  }

  async append(name: string): Promise<WrittenFile> {
    return fileOf(await this.folder.append(name, 0o644));
  }

  list(): Promise<readonly string[]> {
    return this.folder.list();
  }

  async sizeOf(name: string): Promise<number | undefined> {
    const stat = await this.folder.stat(name).catch(ignoreMissing);
    return stat?.isFile() ? stat.size : undefined;
  }

  /** Reading the end of a file costs no more than asking for its times, which may be coarse. */
  versionOf(): Promise<undefined> {
    return Promise.resolve(undefined);
  }

  async replace(name: string, text: string): Promise<void> {
    const temp = `${name}.tmp`;
    await this.folder.overwrite(temp, text);
    try {
      await this.folder.rename(temp, name);
    } catch (error) {
      // Windows refuses while a virus scanner holds the old one; writing into it is as good under the lock.
      if (process.platform !== 'win32' || errorCode(error) === undefined) throw error;
      await this.folder.overwrite(name, text);
    }
  }

  async rename(from: string, to: string): Promise<boolean> {
    try {
      await this.folder.rename(from, to);
    } catch (error) {
      if (process.platform === 'win32' && BUSY_CODES.includes(errorCode(error))) return false;
      throw error;
    }
    return true;
  }

  async remove(name: string): Promise<boolean> {
    try {
      await this.folder.remove(name);
    } catch (error) {
      if (BUSY_CODES.includes(errorCode(error))) return false;
      ignoreMissing(error);
    }
    return true;
  }

  sync(): Promise<void> {
    return this.folder.sync();
  }

  close(): Promise<void> {
    return this.folder.close();
  }
}

/** A file that was opened, which is closed when it cannot be asked what it is. */
export async function fileOf(handle: FileHandle): Promise<WrittenFile> {
  try {
    const { dev, ino, size } = await handle.stat({ bigint: true });
    return {
      sizeBytes: Number(size),
      place: `${dev}-${ino}`,
      read: (start, length) => readAt(handle, start, length),
      append: (bytes) => handle.appendFile(bytes),
      truncate: (sizeBytes) => handle.truncate(sizeBytes),
      flush: () => handle.sync(),
      close: () => handle.close(),
    };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** What a person is told of a place that is not opened, and what to do. */
function refusalWords({ reason, path: refused }: ConfinementError, given: string, kind: RecordKind): Phrase {
  switch (reason) {
    case 'outside':
      return leadsOut(given);
    case 'git':
      return isInGitFolder(given, kind.configKey);
    case 'link':
      return isLink(refused, kind.configKey);
    case 'notFolder':
      return isNoFolder(refused, kind.configKey);
    case 'notFile':
    case 'tooLarge':
      return isNoFile(refused, kind.configKey);
    case 'hardLink':
      return hasOtherName(refused, kind.configKey);
    case 'swapped':
      return changedMeanwhile(refused);
  }
}
