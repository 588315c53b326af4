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
  nameOf,
  type RecordFolder,
  type RecordStore,
  type WrittenFile,
} from '../../core/records/recordStore';
import { messageOf, type Phrase } from '../../core/text/phrase';
import { StoredUsageLog, USAGE_RECORDS, USAGE_ROTATION } from '../../core/usage/storedUsageLog';
import { errorCode, ignoreMissing } from '../errorCode';
import { HOST } from '../platform';
import { readAt } from '../readWhole';
import { ConfinedFolder } from './confinedFolder';
import { ConfinementError, type ConfinementReason, type HoldWay } from './heldFolder';
import { acquireLock, type LockTimes } from './recordLock';

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
  return new NumberedLog(diskStore(place, kind), kind, rotation);
}

function diskStore({ realRoot, path: file, way, lockTimes }: RecordLogPlace, kind: RecordKind): RecordStore {
  const open = (create: boolean): Promise<ConfinedFolder> =>
    ConfinedFolder.open(realRoot, path.posix.dirname(file), { create, way });
  return {
    path: file,
    find: async () => {
      const folder = await open(false).catch(ignoreMissing);
      return folder && diskFolder(folder, lockTimes);
    },
    // Makes the folder where it is missing, but never the workspace itself.
    make: async () => diskFolder(await open(true), lockTimes),
    offer: async (name, text) => {
      try {
        const folder = await open(false);
        await folder.createWith(name, text).finally(() => folder.close());
      } catch (error) {
        if (errorCode(error) === undefined && !ConfinementError.is(error)) throw error;
      }
    },
    refusalOf: (cause) => {
      if (!ConfinementError.is(cause)) return undefined;
      const isGiven = cause.reason === 'outside' || cause.reason === 'git';
      return REFUSALS[cause.reason](isGiven ? file : cause.path, kind.configKey);
    },
    codeOf: (cause) => errorCode(cause) ?? messageOf(cause),
  };
}

function diskFolder(folder: ConfinedFolder, times: LockTimes | undefined): RecordFolder {
  return {
    lock: (name) => acquireLock(folder, name, times),
    read: async (name) => {
      const handle = await folder.read(name).catch(ignoreMissing);
      return handle && fileOf(handle);
    },
    append: async (name) => fileOf(await folder.append(name, 0o644)),
    list: () => folder.list(),
    sizeOf: async (name) => {
      const stat = await folder.stat(name).catch(ignoreMissing);
      return stat?.isFile() ? stat.size : undefined;
    },
    // Reading the end of a file costs no more than asking for its times, which may be coarse.
    versionOf: () => Promise.resolve(undefined),
    replace: async (name, text) => {
      const temp = `${name}.tmp`;
      await folder.overwrite(temp, text);
      try {
        await folder.rename(temp, name);
      } catch (error) {
        // Windows refuses while a virus scanner holds the old one; writing into it is as good under the lock.
        if (HOST.replacesOpenFiles || errorCode(error) === undefined) throw error;
        await folder.overwrite(name, text);
      }
    },
    rename: async (from, to) => {
      try {
        await folder.rename(from, to);
      } catch (error) {
        if (HOST.isHeld(errorCode(error))) return false;
        throw error;
      }
      return true;
    },
    remove: async (name) => {
      try {
        await folder.remove(name);
      } catch (error) {
        if (BUSY_CODES.includes(errorCode(error))) return false;
        ignoreMissing(error);
      }
      return true;
    },
    sync: () => folder.sync(),
    close: () => folder.close(),
  };
}

/** A file that was opened, which is closed when it cannot be asked what it is. */
async function fileOf(handle: FileHandle): Promise<WrittenFile> {
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
const REFUSALS: Readonly<Record<ConfinementReason, (refused: string, configKey: string) => Phrase>> = {
  outside: leadsOut,
  git: isInGitFolder,
  link: isLink,
  notFolder: isNoFolder,
  notFile: isNoFile,
  tooLarge: isNoFile,
  hardLink: hasOtherName,
  swapped: changedMeanwhile,
};
