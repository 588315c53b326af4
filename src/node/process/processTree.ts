/** Finds the processes of a run: below its child in the process table, and those that left it. It ends none. */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';

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

/** Variable that each process of a run has in its environment, unless it takes it out. */
export const RUN_VARIABLE = 'CONTEXT_BUDGET_RUN';

/** Processes whose environment says that they are of a run, wherever they are in the process table; Linux alone tells. */
function readMarked(run: string): readonly number[] {
  const own = `${RUN_VARIABLE}=${run}\0`;
  try {
    return readdirSync('/proc')
      .map(Number)
      .filter((pid) => isProcessId(pid) && pid !== process.pid && isMarked(pid, own));
  } catch {
    // There is no such folder.
    return [];
  }
}

function isMarked(pid: number, own: string): boolean {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'latin1').includes(own);
  } catch {
    // It ended, or is another user's.
    return false;
  }
}

/**
 * Everything below `root` in the process table, so that a grandchild with a POSIX session of its own is found too, and
 * what left it but is still marked as of the run.
 */
export function listDescendants(root: number, run: string): readonly number[] {
  const childrenOf = existsSync(`/proc/self/task/${process.pid}/children`) ? readProcChildren : readPsChildren();
  const found = new Set<number>();
  const queue = [...childrenOf(root)];
  for (let pid = queue.pop(); pid !== undefined; pid = queue.pop()) {
    if (found.has(pid)) continue;
    found.add(pid);
    queue.push(...childrenOf(pid));
  }
  for (const pid of readMarked(run)) if (pid !== root) found.add(pid);
  return [...found];
}
