// Runs a process of a case within bounds: time, memory, and nothing left behind.
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** More than twice what any answer needs. Bytes. */
const MAX_MEMORY = 700 * 1024 ** 2;
const LOOK_MS = 100;
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

/** Watches a process: ends it when it takes too long or too much. `why()` tells which, once it did. */
export function watch(child, base, deadlineMs, maxMemory = MAX_MEMORY) {
  let why;
  const end = (reason) => {
    why ??= reason;
    endAll([...processesOf(base), ...(child.pid === undefined || child.exitCode !== null ? [] : [child.pid])]);
  };
  const deadline = setTimeout(() => end(`no end within ${Math.round(deadlineMs / 1000)} s`), deadlineMs);
  const look = setInterval(() => {
    const bytes = memoryOf(child.pid === undefined ? [] : [...new Set([child.pid, ...processesOf(base)])]);
    if (bytes > maxMemory) end(`${Math.round(bytes / 1024 ** 2)} MB`);
  }, LOOK_MS);
  return {
    why: () => why,
    stop: () => {
      clearTimeout(deadline);
      clearInterval(look);
    },
  };
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
