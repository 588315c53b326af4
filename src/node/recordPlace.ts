import * as fs from 'node:fs/promises';
import path from 'node:path';
import type { RecordKind } from '../core/records/recordKind';
import { noFileWords } from '../core/records/recordWords';
import { phrase } from '../core/text/phrase';
import { isInside } from './fileSource';
import { ignoreMissing } from './recordArchive';
import type { LockTimes } from './recordLock';

/** Where a log lies. */
export interface RecordLogPlace {
  /** The folder's real path. */
  readonly realRoot: string;
  /** Workspace-relative, `/` between names, as the config gives it. */
  readonly path: string;
  readonly lockTimes?: LockTimes;
}

/** Absolute path of the log's file. */
export function placeFile({ realRoot, path: given }: RecordLogPlace): string {
  return path.join(realRoot, ...given.split('/'));
}

/** A path of a config must not lead out of the folder by a link. Rejects with an error of the log's kind. */
export async function checkPlace(place: RecordLogPlace, kind: RecordKind): Promise<void> {
  const { realRoot, path: given } = place;
  const file = placeFile(place);
  const folder = await fs.realpath(path.dirname(file));
  const found = await fs.lstat(file).catch(ignoreMissing);
  const target = found?.isSymbolicLink() ? await fs.realpath(file) : folder;
  if (!isInside(realRoot, folder) || !isInside(realRoot, target)) {
    throw kind.fail('notALog', phrase('{0} leads out of the folder. Name a file inside it.', given));
  }
  // A pipe without a writer would block for ever.
  if (found && !(found.isSymbolicLink() ? await fs.stat(target) : found).isFile()) {
    throw kind.fail('notALog', noFileWords(given, kind));
  }
}
