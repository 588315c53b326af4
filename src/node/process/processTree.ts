import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { errorCode } from '../errorCode';

type ChildrenOf = (pid: number) => readonly number[];

/**
 * Children of one process as Linux tells them, a list for each of its threads (proc(5),
 * `/proc/pid/task/tid/children`); empty for a process that is gone.
 */
function readProcChildren(pid: number): readonly number[] {
  try {
    const threads = readdirSync(`/proc/${pid}/task`);
    return threads.flatMap((thread) =>
      readFileSync(`/proc/${pid}/task/${thread}/children`, 'latin1').split(' ').map(Number).filter(isProcessId),
    );
  } catch {
    // It ended while we were looking.
    return [];
  }
}

/** The whole process table by `ps`, where there is no such file (macOS, a Linux kernel built without it). */
function readPsChildren(): ChildrenOf {
  const listed = spawnSync('/bin/ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'latin1', timeout: 2_000 });
  const children = new Map<number, number[]>();
  for (const line of (listed.stdout ?? '').split('\n')) {
    const [pid = 0, parent = 0] = line.trim().split(/\s+/).map(Number);
    if (isProcessId(pid)) children.set(parent, [...(children.get(parent) ?? []), pid]);
  }
  return (pid) => children.get(pid) ?? [];
}

function isProcessId(value: number): boolean {
  return Number.isInteger(value) && value > 1;
}

/** Everything below `root` in the process table, so that a grandchild with a session of its own is found too. */
export function listDescendants(root: number): readonly number[] {
  const childrenOf = existsSync(`/proc/self/task/${process.pid}/children`) ? readProcChildren : readPsChildren();
  const found = new Set<number>();
  const queue = [...childrenOf(root)];
  for (let pid = queue.pop(); pid !== undefined; pid = queue.pop()) {
    if (found.has(pid)) continue;
    found.add(pid);
    queue.push(...childrenOf(pid));
  }
  return [...found];
}

/** Signals one process, or with a negative id one group. True when there was anything to signal. */
export function signalProcess(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(pid, signal);
    return true;
  } catch (error) {
    // EPERM: it exists but changed its user; nothing more that we could do.
    return errorCode(error) === 'EPERM';
  }
}

/** By its full path: a bare name would be looked up in the current folder first, which is the workspace. */
function taskkill(): string {
  return path.win32.join(process.env.SystemRoot ?? 'C:\\Windows', 'System32', 'taskkill.exe');
}

/** Ends a whole tree on Windows, which has neither groups nor signals. */
export function endTreeOnWindows(pid: number): void {
  spawn(taskkill(), ['/PID', String(pid), '/T', '/F'], { stdio: 'ignore', windowsHide: true }).on('error', () => {
    // Without taskkill (a trimmed Windows) at least the child itself is ended.
    signalProcess(pid, 'SIGKILL');
  });
}

/** The same, done when it returns: for the moment our own process ends. */
export function endTreeNow(pid: number, descendants: readonly number[], platform: NodeJS.Platform): void {
  if (platform === 'win32') {
    spawnSync(taskkill(), ['/PID', String(pid), '/T', '/F'], { stdio: 'ignore', windowsHide: true, timeout: 2_000 });
    return;
  }
  signalProcess(-pid, 'SIGKILL');
  for (const descendant of descendants) signalProcess(descendant, 'SIGKILL');
}
