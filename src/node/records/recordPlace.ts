import path from 'node:path';
import {
  changedMeanwhile,
  hasOtherName,
  isInGitFolder,
  isLink,
  isNoFile,
  isNoFolder,
  leadsOut,
} from '../../core/records/recordFailures';
import type { RecordKind } from '../../core/records/recordKind';
import type { Phrase } from '../../core/text/phrase';
import { ignoreMissing } from '../errorCode';
import { ConfinedFolder } from './confinedFolder';
import type { ConfinementError } from './confinementError';
import type { HoldWay } from './heldFolder';
import type { LockTimes } from './recordLock';

/** Where a log lies. */
export interface RecordLogPlace {
  /** The folder's real path. */
  readonly realRoot: string;
  /** Workspace-relative, `/` between names, as the config gives it. */
  readonly path: string;
  readonly lockTimes?: LockTimes;
  /** How its folder is held; the best of this system unless given. */
  readonly way?: HoldWay;
}

/** Opens the folder that a log lies in; undefined where there is none. */
export async function findRecordFolder({
  realRoot,
  path: given,
  way,
}: RecordLogPlace): Promise<ConfinedFolder | undefined> {
  try {
    return await ConfinedFolder.open(realRoot, path.posix.dirname(given), { way });
  } catch (error) {
    return ignoreMissing(error);
  }
}

/** Opens the folder that a log lies in and makes it where it is missing, but never the workspace itself. */
export function makeRecordFolder({ realRoot, path: given, way }: RecordLogPlace): Promise<ConfinedFolder> {
  return ConfinedFolder.open(realRoot, path.posix.dirname(given), { create: true, way });
}

/** What a person is told of a place that is not opened, and what to do. */
export function refusalWords({ reason, path: refused }: ConfinementError, given: string, kind: RecordKind): Phrase {
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
