import { randomUUID } from 'node:crypto';
import { open, readFile, stat, unlink } from 'node:fs/promises';
import os from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { errorCode } from './errorCode';

/**
 * A lock between processes, as a file that exists while it is held. Node has no lock of the operating system, and the
 * libraries that imitate one let two processes break the same stale lock, the second breaking the first one's new lock
 * (proper-lockfile issue 121). Here a lock is broken under a lock of its own, named after the very lock to break: one
 * process at a time may remove an abandoned file, and it looks again before it does. A breaker that is killed is broken
 * the same way. The holder is a process of this machine that lives; its death is seen at once.
 */
export interface HeldLock {
  release(): Promise<void>;
}

/** How long to wait, and when a holder that cannot be asked counts as gone. Milliseconds. */
export interface LockTimes {
  /** Until `acquireLock` gives up. */
  readonly patienceMs: number;
  /** For a holder on another machine (a shared folder): hundreds of times what an append takes. */
  readonly foreignMs: number;
  /** For a holder whose process lives but has not let go: its number was given to another program, or it was stopped. */
  readonly livingMs: number;
  /** For a file without a record: its maker was killed between two system calls. */
  readonly emptyMs: number;
}

export const LOCK_TIMES: LockTimes = { patienceMs: 30_000, foreignMs: 60_000, livingMs: 120_000, emptyMs: 2_000 };

/** Waits between two looks; random, so that waiters do not move in step. */
const MIN_WAIT_MS = 1;
const MAX_WAIT_MS = 20;

interface Holder {
  /** Names this holding of the lock, or the file when it has no record. */
  readonly key: string;
  readonly pid: number | undefined;
  readonly host: string | undefined;
  readonly ageMs: number;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it lives and is somebody else's.
    return errorCode(error) === 'EPERM';
  }
}

function parseRecord(text: string): { readonly pid: number; readonly host: string; readonly key: string } | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null) return undefined;
    const { pid, host, key } = value as Readonly<Record<string, unknown>>;
    if (typeof pid !== 'number' || typeof host !== 'string' || typeof key !== 'string') return undefined;
    return /^[0-9a-f-]{36}$/.test(key) ? { pid, host, key } : undefined;
  } catch {
    // Written by half, or not yet: judged by its age.
    return undefined;
  }
}

/** Who holds the file; `undefined` when nobody does any more. */
async function readHolder(file: string): Promise<Holder | undefined> {
  try {
    const [text, { mtimeMs, ino }] = await Promise.all([readFile(file, 'utf8'), stat(file)]);
    const ageMs = Date.now() - mtimeMs;
    const record = parseRecord(text);
    return record ? { ...record, ageMs } : { key: `${ino}-${mtimeMs}`, pid: undefined, host: undefined, ageMs };
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

function isAbandoned({ pid, host, ageMs }: Holder, times: LockTimes): boolean {
  if (pid === undefined) return ageMs > times.emptyMs;
  if (host !== os.hostname()) return ageMs > times.foreignMs;
  return !isAlive(pid) || ageMs > times.livingMs;
}

async function removeFile(file: string): Promise<void> {
  try {
    await unlink(file);
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error;
  }
}

/** Makes the file with our record; `undefined` when it exists. */
async function create(file: string): Promise<string | undefined> {
  const key = randomUUID();
  try {
    const handle = await open(file, 'wx', 0o600);
    try {
      await handle.writeFile(JSON.stringify({ pid: process.pid, host: os.hostname(), key }));
    } finally {
      await handle.close();
    }
  } catch (error) {
    const code = errorCode(error);
    // Windows says EPERM or EACCES while a file of that name is being deleted.
    if (code === 'EEXIST' || (process.platform === 'win32' && (code === 'EPERM' || code === 'EACCES')))
      return undefined;
    throw error;
  }
  // Somebody may have taken us for dead between the two calls.
  return (await readHolder(file))?.key === key ? key : undefined;
}

/** One try. An abandoned lock is removed on the way, for the next try to take. */
async function tryTake(file: string, base: string, times: LockTimes): Promise<string | undefined> {
  const key = await create(file);
  if (key !== undefined) return key;
  const holder = await readHolder(file);
  if (!holder || !isAbandoned(holder, times)) return undefined;
  const claim = `${base}.${holder.key}`;
  if ((await tryTake(claim, base, times)) === undefined) return undefined;
  try {
    if ((await readHolder(file))?.key === holder.key) await removeFile(file);
  } finally {
    await removeFile(claim);
  }
  return undefined;
}

/**
 * Waits for the lock and holds it; `undefined` when others held it for all of `patienceMs`. Rejects with the platform's
 * error when the file cannot be made. `file` is absolute; its folder exists.
 */
export async function acquireLock(file: string, times: LockTimes = LOCK_TIMES): Promise<HeldLock | undefined> {
  const deadline = Date.now() + times.patienceMs;
  for (;;) {
    const key = await tryTake(file, file, times);
    if (key !== undefined) {
      return {
        release: async () => {
          if ((await readHolder(file))?.key === key) await removeFile(file);
        },
      };
    }
    if (Date.now() >= deadline) return undefined;
    await delay(MIN_WAIT_MS + Math.random() * (MAX_WAIT_MS - MIN_WAIT_MS));
  }
}
