// Runs a process of a case within bounds: time, memory, and nothing left behind.
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** More than twice what any answer needs. Bytes. */
const MAX_MEMORY = 700 * 1024 ** 2;
const LOOK_MS = 500;
/** A process that is ended takes a moment to go. */
const LEAVE_MS = 1000;

function quietly(read) {
  try {
    return read();
  } catch (error) {
    // It ended while it was looked at, or belongs to somebody else.
    if (['ENOENT', 'ESRCH', 'EACCES', 'EPERM'].includes(error.code)) return '';
    throw error;
  }
}

/** Ids of the processes that work for the case of `base`: by their environment or their folder. Linux alone tells. */
export function processesOf(base) {
  if (process.platform !== 'linux') return [];
  const isOurs = (id) =>
    quietly(() => readFileSync(`/proc/${id}/environ`, 'latin1')).includes(`ATTACK_MARK=${base}\0`) ||
    `${quietly(() => readlinkSync(`/proc/${id}/cwd`))}/`.startsWith(`${base}/`);
  const isAlive = (id) => !/^State:\tZ/m.test(quietly(() => readFileSync(`/proc/${id}/status`, 'latin1')));
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((id) => isOurs(id) && isAlive(id))
    .map(Number);
}

function memoryOf(ids) {
  const kilobytes = ids.map((id) =>
    Number(/^VmRSS:\s+(\d+)/m.exec(quietly(() => readFileSync(`/proc/${id}/status`, 'latin1')))?.[1] ?? 0),
  );
  return kilobytes.reduce((sum, each) => sum + each, 0) * 1024;
}

/** Processor time of the processes and of those that they have waited for. Linux counts it in hundredths of a second. */
function processorMs(ids) {
  const ticks = ids.map((id) => {
    // The name stands in parentheses and may hold anything; utime is the twelfth field behind it.
    const fields = quietly(() => readFileSync(`/proc/${id}/stat`, 'latin1'))
      .replace(/^.*\) /s, '')
      .split(' ');
    return [11, 12, 13, 14].reduce((sum, at) => sum + Number(fields[at] ?? 0), 0);
  });
  return ticks.reduce((sum, each) => sum + each, 0) * 10;
}

function endAll(ids) {
  for (const id of ids) quietly(() => process.kill(id, 'SIGKILL'));
}

/** Ends what still works for a case. @returns how many there were, after a moment of grace */
export async function endLeftovers(base, except = []) {
  const left = () => processesOf(base).filter((id) => !except.includes(id));
  for (const end = Date.now() + LEAVE_MS; left().length > 0 && Date.now() < end; ) {
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  const ids = left();
  endAll(ids);
  return ids.length;
}

/** A machine that does other work as well may take so many times as long. */
const BUSY_FACTOR = 5;
/** Who has not worked for so long waits for what never comes. */
const IDLE_MS = 5000;

/**
 * Watches a process: ends it when it takes too much, or when the deadline has passed and it has worked for as long, or
 * waits for something. `why()` tells which, once it did.
 */
export function watch(child, base, deadlineMs, maxMemory = MAX_MEMORY) {
  const started = Date.now();
  let why;
  let worked = 0;
  let workedAt = started;
  const ours = () => [...new Set([...(child.exitCode === null ? [child.pid ?? 0] : []), ...processesOf(base)])];
  const reasonToEnd = (ids) => {
    const [age, spent, bytes] = [Date.now() - started, processorMs(ids), memoryOf(ids)];
    if (bytes > maxMemory) return `${Math.round(bytes / 1024 ** 2)} MB`;
    // What ended takes its time along: it only ever grows.
    if (spent > worked) [worked, workedAt] = [spent, Date.now()];
    const isOver = worked >= deadlineMs || Date.now() - workedAt > IDLE_MS || age > deadlineMs * BUSY_FACTOR;
    return age > deadlineMs && isOver
      ? `no end in ${Math.round(age / 1000)} s, ${Math.round(worked / 1000)} s of work`
      : undefined;
  };
  const look = setInterval(() => {
    const ids = ours();
    const reason = reasonToEnd(ids);
    if (reason === undefined) return;
    why ??= reason;
    endAll(ids.filter((id) => id > 0));
  }, LOOK_MS);
  return { why: () => why, stop: () => clearInterval(look) };
}

/**
 * Runs a program to its end.
 * @returns {Promise<{ output: string, code: number | null, hung: string | undefined, ms: number }>}
 */
export function runBounded(argv, { cwd, env, base, deadlineMs, maxMemory, input }) {
  const [program, ...args] = argv;
  const started = performance.now();
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd, env, stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'] });
    const watching = watch(child, base, deadlineMs, maxMemory);
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8');
      stream.on('data', (text) => {
        output += text;
      });
    }
    if (input !== undefined) child.stdin.end(input);
    child.once('error', (error) => {
      watching.stop();
      reject(error);
    });
    const closed = new Promise((done) => child.once('close', done));
    child.once('exit', async (code) => {
      watching.stop();
      const left = await endLeftovers(base);
      await closed;
      const hung = watching.why() ?? (left > 0 ? `${left} processes left behind` : undefined);
      resolve({ output, code, hung, ms: performance.now() - started });
    });
  });
}
