/**
 * Holds on to one folder below a root while work is done in it, so that a link put in its place meanwhile is not followed.
 * Linux can name what lies in an open folder (`/proc/self/fd/<number>/<name>`), which makes the hold exact. Elsewhere the
 * folder is looked at before and after each step: what was done in between is noticed, not prevented.
 */

import { constants } from 'node:fs';
import * as fs from 'node:fs/promises';
import path from 'node:path';
import { errorClass } from '../../core/text/phrase';
import { errorCode } from '../errorCode';
import { canTellPlaces, descriptorPath } from '../openedPlace';
import { HOST } from '../platform';

/** Why a place in a folder is not opened. */
export type ConfinementReason =
  /** The path is not plain: it is absolute, or has `..` or empty names. */
  | 'outside'
  /** It lies in git's own folder. */
  | 'git'
  /** It, or a folder on the way, is a link. */
  | 'link'
  /** A folder on the way is something else. */
  | 'notFolder'
  /** It is a folder, a pipe, a socket or a device. */
  | 'notFile'
  /** The file has another name too, and writing it would change that one. */
  | 'hardLink'
  /** It became something else while it was opened. */
  | 'swapped'
  /** The file has more bytes than one of its kind can have. */
  | 'tooLarge';

/** A refusal of {@link ConfinedFolder}. Its users have the words for people. */
export class ConfinementError extends errorClass<ConfinementReason>('ConfinementError') {
  /** @param path what was refused, workspace-relative */
  constructor(
    reason: ConfinementReason,
    readonly path: string,
    options?: ErrorOptions,
  ) {
    super(reason, `${path} is refused (${reason})`, options);
  }
}

/** How a folder is held; see the top of the file. */
export type HoldWay = 'descriptor' | 'path';

/** One folder, held. Names are of its own entries. */
export interface HeldFolder {
  /** True when `at` leads into this very folder, whatever lies at its path by now. */
  readonly isExact: boolean;
  /** Absolute path of an entry, valid until `close`; of the folder itself without a name. */
  at(name?: string): string;
  /** Rejects when another folder, or a link, has taken the place of one on the way. */
  verify(): Promise<void>;
  close(): Promise<void>;
}

const FOLDER_FLAGS =
  constants.O_RDONLY | (constants.O_DIRECTORY ?? 0) | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** What `open` says of a link or of anything else that is no folder. */
const NO_FOLDER_CODES: ReadonlySet<string | undefined> = new Set(['ENOTDIR', 'ELOOP', 'EMLINK']);

let standardWay: HoldWay | undefined;

/** What this system can do; looked up once a process. A container may lack `/proc`. */
export function bestWay(): HoldWay {
  standardWay ??= canTellPlaces('/', HOST) ? 'descriptor' : 'path';
  return standardWay;
}

function entryOf(folder: fs.FileHandle, name = ''): string {
  return `${descriptorPath(folder.fd)}/${name}`;
}

/**
 * Holds the folder at `segments` below `root`; neither it nor a folder on the way may be a link. `create` makes missing
 * ones, each after the one above was checked. Rejects with a `ConfinementError` or the platform's error.
 */
export function holdFolder(
  root: string,
  segments: readonly string[],
  { create, way }: { readonly create: boolean; readonly way: HoldWay },
): Promise<HeldFolder> {
  return way === 'descriptor' ? holdByDescriptor(root, segments, create) : holdByPath(root, segments, create);
}

async function holdByDescriptor(root: string, segments: readonly string[], create: boolean): Promise<HeldFolder> {
  let held = await openFolder(root, '.');
  for (const [depth, segment] of segments.entries()) {
    const above = held;
    try {
      held = await enter(entryOf(above, segment), segments.slice(0, depth + 1).join('/'), create);
    } finally {
      await above.close();
    }
  }
  return {
    isExact: true,
    at: (name) => entryOf(held, name),
    verify: () => Promise.resolve(),
    close: () => held.close(),
  };
}

async function enter(folder: string, shown: string, create: boolean): Promise<fs.FileHandle> {
  try {
    return await openFolder(folder, shown);
  } catch (error) {
    if (!create || errorCode(error) !== 'ENOENT') throw error;
  }
  await makeFolder(folder);
  return openFolder(folder, shown);
}

async function openFolder(folder: string, shown: string): Promise<fs.FileHandle> {
  try {
    return await fs.open(folder, FOLDER_FLAGS);
  } catch (cause) {
    if (!NO_FOLDER_CODES.has(errorCode(cause))) throw cause;
    const isLink = (await fs.lstat(folder)).isSymbolicLink();
    throw new ConfinementError(isLink ? 'link' : 'notFolder', shown, { cause });
  }
}

/** Another process may have made it first: what lies there is looked at next. */
async function makeFolder(folder: string): Promise<void> {
  try {
    await fs.mkdir(folder);
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
  }
}

/** A folder on the way, as it was found. */
interface Level {
  readonly absolute: string;
  readonly shown: string;
  readonly dev: bigint;
  readonly ino: bigint;
}

async function holdByPath(root: string, segments: readonly string[], create: boolean): Promise<HeldFolder> {
  const levels: Level[] = [await lookAt(root, '.')];
  for (const depth of segments.keys()) {
    const names = segments.slice(0, depth + 1);
    levels.push(await lookOrMake(path.join(root, ...names), names.join('/'), create, () => verify(levels)));
  }
  const own = path.join(root, ...segments);
  return {
    isExact: false,
    at: (name) => (name === undefined ? own : path.join(own, name)),
    verify: () => verify(levels),
    close: () => Promise.resolve(),
  };
}

async function lookOrMake(
  absolute: string,
  shown: string,
  create: boolean,
  verifyAbove: () => Promise<void>,
): Promise<Level> {
  try {
    return await lookAt(absolute, shown);
  } catch (error) {
    if (!create || errorCode(error) !== 'ENOENT') throw error;
  }
  await verifyAbove();
  await makeFolder(absolute);
  await verifyAbove();
  return lookAt(absolute, shown);
}

async function lookAt(absolute: string, shown: string): Promise<Level> {
  const stat = await fs.lstat(absolute, { bigint: true });
  // A junction of Windows counts as a link too.
  if (stat.isSymbolicLink()) throw new ConfinementError('link', shown);
  if (!stat.isDirectory()) throw new ConfinementError('notFolder', shown);
  return { absolute, shown, dev: stat.dev, ino: stat.ino };
}

async function verify(levels: readonly Level[]): Promise<void> {
  const now = await Promise.all(levels.map(({ absolute, shown }) => lookAt(absolute, shown)));
  for (const [at, { dev, ino, shown }] of levels.entries()) {
    if (now[at]?.dev !== dev || now[at]?.ino !== ino) throw new ConfinementError('swapped', shown);
  }
}
