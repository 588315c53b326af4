/**
 * Where something that was opened really lies. A path that was checked may lead elsewhere when it is opened: one of its
 * folders may be swapped for a link in between. So the place is asked again, of what is open.
 */
import * as fs from 'node:fs';
import { promisify } from 'node:util';
import { HOST, type Platform } from './platform';

const openFile = promisify<string, number, number>(fs.open);

/**
 * Linux: a descriptor that only stands for a place. Opening one touches no device and waits for no pipe. Node has no
 * name for the flag; it is the same number on every processor that Node runs on.
 */
const O_PATH = 0o10000000;

/** What tells two files apart. */
type Identity = Pick<fs.Stats, 'dev' | 'ino'>;

/** True where the system says what a descriptor stands for: Linux with `/proc`, tried on `folder`, a real path. */
export function canTellPlaces(folder: string, { name }: Platform): boolean {
  if (name !== 'linux') return false;
  try {
    const descriptor = fs.openSync(folder, O_PATH);
    try {
      return placeOf(descriptor) === folder;
    } finally {
      fs.closeSync(descriptor);
    }
  } catch {
    // No `/proc`, or one that hides this process from itself: paths are compared instead.
    return false;
  }
}

/** The real path of what is open, by the kernel's word; about 3 µs, and no file system is asked. */
export function placeOf(descriptor: number): string {
  return fs.readlinkSync(descriptorPath(descriptor));
}

/** A path that leads to what is open, wherever its own path leads by now. */
export function descriptorPath(descriptor: number): string {
  return `/proc/self/fd/${descriptor}`;
}

/** Has `use` work on what `absolute` leads to, links followed, by a descriptor that can read nothing. */
export async function withPlace<T>(
  absolute: string,
  use: (descriptor: number, place: string) => T | Promise<T>,
): Promise<T> {
  const descriptor = await openFile(absolute, O_PATH);
  try {
    return await use(descriptor, placeOf(descriptor));
  } finally {
    // There is nothing to write back, so this does not block.
    fs.closeSync(descriptor);
  }
}

/** Runs {@link withPlace} synchronously. */
export function withPlaceNow<T>(absolute: string, use: (descriptor: number, place: string) => T): T {
  const descriptor = fs.openSync(absolute, O_PATH);
  try {
    return use(descriptor, placeOf(descriptor));
  } finally {
    fs.closeSync(descriptor);
  }
}

/**
 * The real path at which `opened` lies, for systems that do not say it: where `absolute` leads now, if the same file is
 * there. Rejects when nothing is there any more.
 */
export async function placeByPath(absolute: string, opened: Identity): Promise<string | undefined> {
  const place = await fs.promises.realpath(absolute);
  return HOST.isSameFile(await fs.promises.lstat(place), opened) ? place : undefined;
}

/** Runs {@link placeByPath} synchronously. */
export function placeByPathNow(absolute: string, opened: Identity): string | undefined {
  const place = fs.realpathSync.native(absolute);
  return HOST.isSameFile(fs.lstatSync(place), opened) ? place : undefined;
}
