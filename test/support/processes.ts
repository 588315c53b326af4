import { existsSync, readFileSync } from 'node:fs';
import { until } from './until.mjs';
import { wholeLines } from './wholeLines.mjs';

/** An orphan may stay a zombie where process 1 does not reap; it is dead all the same. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !/^State:\s+[ZX]/m.test(
      existsSync(`/proc/${pid}/status`) ? readFileSync(`/proc/${pid}/status`, 'utf8') : '',
    );
  } catch {
    return false;
  }
}

export async function whenGone(pid: number): Promise<void> {
  await until(`process ${pid} ends`, () => !isAlive(pid));
}

/** The id that a process writes into a file as a line. */
export async function pidIn(file: string): Promise<number> {
  const { value } = await until(`${file} has an id`, () =>
    existsSync(file) ? wholeLines(readFileSync(file, 'utf8'))[0] : undefined,
  );
  return Number(value);
}
