/**
 * A lock between processes, as a file that exists while it is held. Node has no lock of the operating system, and the
 * libraries that imitate one let two processes break the same stale lock, the second breaking the first one's new lock
 * (proper-lockfile issue 121). Here a lock is broken under a lock of its own, named after the very lock to break: one
 * process at a time may remove an abandoned file, and it looks again before it does. A breaker that is killed is broken
 * the same way. The holder is a process of this machine that lives; its death is seen at once.
 */

import { randomUUID } from 'node:crypto';
import os from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import type { HeldLock } from '../../core/records/recordStore';
import { isRecord } from '../../core/text/jsonRecord';
import { errorCode, ignoreMissing } from '../errorCode';
import { HOST } from '../platform';
import type { ConfinedFolder } from './confinedFolder';

/** How long to wait, and when a holder that cannot be asked counts as gone. Milliseconds. */
export interface LockTimes {
  /** Until `acquireLock` gives up. */
  readonly patienceMs: number;
  /** For a holder on another machine (a shared folder): hundreds of times what an append takes. */
  readonly foreignMs: number;
  /** For the same holder on another machine, watched by us: its clock may differ, and its file may be shipped. */
  readonly foreignStillMs: number;
  /** For a holder whose process lives but has not let go: its number was given to another program, or it was stopped. */
  readonly livingMs: number;
  /** For a file without a record: its maker was killed between two system calls. */
  readonly emptyMs: number;
}

export const LOCK_TIMES: LockTimes = {
  patienceMs: 30_000,
  foreignMs: 60_000,
  foreignStillMs: 4_000,
  livingMs: 120_000,
  emptyMs: 2_000,
};

/** Waits between two looks; random, so that waiters do not move in step. */
const MIN_WAIT_MS = 1;
const MAX_WAIT_MS = 20;

/** A record has about a hundred and a host's name. */
const MAX_RECORD_BYTES = 4096;

/** Breakers that were killed while they broke one another's locks. A folder could be shipped with a ring of them. */
const MAX_CLAIMS = 8;

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
    // EPERM: it lives and belongs to another user.
    return errorCode(error) === 'EPERM';
  }
}

function parseRecord(text: string): { readonly pid: number; readonly host: string; readonly key: string } | undefined {
  try {
    const value: unknown = JSON.parse(text);
    const { pid, host, key } = isRecord(value) ? value : {};
    if (typeof pid !== 'number' || typeof host !== 'string' || typeof key !== 'string') return undefined;
    return /^[0-9a-f-]{36}$/.test(key) ? { pid, host, key } : undefined;
  } catch {
    // Written by half, or not yet: judged by its age.
    return undefined;
  }
}

/** The holder of the file; `undefined` when there is none any more. */
async function readHolder(folder: ConfinedFolder, name: string): Promise<Holder | undefined> {
  const start = await folder.readStart(name, MAX_RECORD_BYTES).catch(ignoreMissing);
  if (!start) return undefined;
  const { bytes, modifiedMs, ino } = start;
  // A time of the future is as old as it is far away: a folder can be shipped with any.
  const ageMs = Math.abs(Date.now() - modifiedMs);
  const record = parseRecord(bytes.toString('utf8'));
  return record ? { ...record, ageMs } : { key: `${ino}-${modifiedMs}`, pid: undefined, host: undefined, ageMs };
}

/** Holders that one call has met: when it met each first, on its own clock. Milliseconds. */
type Met = Map<string, number>;

function isAbandoned({ key, pid, host, ageMs }: Holder, times: LockTimes, met: Met): boolean {
  if (pid === undefined) return ageMs > times.emptyMs;
  if (host !== os.hostname()) {
    const now = performance.now();
    const since = met.get(key) ?? now;
    met.set(key, since);
    return ageMs > times.foreignMs || now - since > times.foreignStillMs;
  }
  return !isAlive(pid) || ageMs > times.livingMs;
}

/** Makes the file with our record; `undefined` when it exists. */
async function create(folder: ConfinedFolder, name: string): Promise<string | undefined> {
  const key = randomUUID();
  try {
    await folder.createWith(name, JSON.stringify({ pid: process.pid, host: os.hostname(), key }), 0o600);
  } catch (error) {
    const code = errorCode(error);
    // It may be held because a file of that name is being deleted.
    if (code === 'EEXIST' || HOST.isHeld(code)) return undefined;
    throw error;
  }
  // Another process may have taken us for dead between the two calls.
  return (await readHolder(folder, name))?.key === key ? key : undefined;
}

/** What one try gave: a key of ours, nothing yet, or files that no writer of ours leaves. */
type Try = { readonly kind: 'taken'; readonly key: string } | { readonly kind: 'held' } | { readonly kind: 'knotted' };

/** One try. An abandoned lock is removed on the way, for the next try to take. */
async function tryTake(
  folder: ConfinedFolder,
  name: string,
  { base, times, met }: { readonly base: string; readonly times: LockTimes; readonly met: Met },
  depth = 0,
): Promise<Try> {
  const key = await create(folder, name);
  if (key !== undefined) return { kind: 'taken', key };
  const holder = await readHolder(folder, name);
  if (!holder || !isAbandoned(holder, times, met)) return { kind: 'held' };
  if (depth === MAX_CLAIMS) return { kind: 'knotted' };
  const claim = `${base}.${holder.key}`;
  const claimed = await tryTake(folder, claim, { base, times, met }, depth + 1);
  if (claimed.kind !== 'taken') return claimed;
  try {
    if ((await readHolder(folder, name))?.key === holder.key) await folder.remove(name).catch(ignoreMissing);
  } finally {
    await folder.remove(claim).catch(ignoreMissing);
  }
  return { kind: 'held' };
}

/**
 * Waits for the lock and holds it; `undefined` when others held it for all of `patienceMs`. Rejects with the platform's
 * error when the file cannot be made, or with a `ConfinementError` when something else lies there.
 */
export async function acquireLock(
  folder: ConfinedFolder,
  name: string,
  times: LockTimes = LOCK_TIMES,
): Promise<HeldLock | undefined> {
  const deadline = Date.now() + times.patienceMs;
  const met: Met = new Map();
  for (;;) {
    const tried = await tryTake(folder, name, { base: name, times, met });
    if (tried.kind === 'taken') {
      return {
        release: async () => {
          if ((await readHolder(folder, name))?.key === tried.key) await folder.remove(name).catch(ignoreMissing);
        },
      };
    }
    if (tried.kind === 'knotted' || Date.now() >= deadline) return undefined;
    await delay(MIN_WAIT_MS + Math.random() * (MAX_WAIT_MS - MIN_WAIT_MS));
  }
}
