// One stage of `npm test`: a process whose output goes to a log of its own, and whose tests are counted. Node's own
// modules only, since it runs before anything is installed.
import { spawn } from 'node:child_process';
import { createWriteStream, mkdirSync, mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { freemem } from 'node:os';
import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { root } from './setup.mjs';

/** Logs and results of the stages, one of each a stage. */
const LOGS = path.join(root, 'dist/test-logs');

/** Linux's file system in memory: a disk takes milliseconds to remove a folder, and tests make thousands. */
const MEMORY = '/dev/shm';
/** What all stages together never need. Bytes. */
const ROOM = 4 * 1024 ** 3;

/** Folders of stages that run. */
const inMemory = new Set();
const removeFolder = (folder) => rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
process.once('exit', () => inMemory.forEach(removeFolder));
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(130));

/** Whether programs may be run in the memory's file system, and it has room. A container's often has 64 MB. */
function isMemoryOfUse() {
  try {
    const mount = readFileSync('/proc/mounts', 'utf8')
      .split('\n')
      .find((line) => line.startsWith(`tmpfs ${MEMORY} `));
    const { bavail, bsize } = statfsSync(MEMORY);
    return mount !== undefined && !mount.includes('noexec') && Math.min(bavail * bsize, freemem()) > ROOM;
  } catch {
    return false;
  }
}

/** A folder in memory for a stage's temporary files; undefined where the system's own is used. */
function folderInMemory() {
  if (!isMemoryOfUse()) return undefined;
  const folder = mkdtempSync(path.join(MEMORY, 'stage-'));
  inMemory.add(folder);
  return folder;
}

/** What something still writes into goes when this process ends. */
function removeAtOnce(folder) {
  try {
    removeFolder(folder);
    inMemory.delete(folder);
  } catch {}
}

/**
 * @typedef {{ title: string, state: string, ms?: number, error?: string, picture?: string }} TestResult
 * @typedef {{ name: string, tests: readonly TestResult[], ms: number, log: string, why?: string }} StageResult `why`: the
 *   stage broke off, and this is the reason
 */

/** What the stage itself wrote of its tests (`results.mjs`). */
function ofStage(file) {
  return JSON.parse(readFileSync(file, 'utf8'));
}

/** What Vitest's JSON report says. Nothing is skipped silently: a skipped test is none that passed. */
export function ofVitest(file) {
  const { testResults } = JSON.parse(readFileSync(file, 'utf8'));
  return testResults.flatMap(({ name, status, message, assertionResults }) => {
    const of = path.relative(root, name);
    if (assertionResults.length === 0 && status === 'failed') return [{ title: of, state: 'failed', error: message }];
    return assertionResults.map(({ fullName, status: state, duration, failureMessages }) => ({
      title: `${of}: ${fullName}`,
      state,
      ms: duration ?? 0,
      error: failureMessages?.join('\n'),
    }));
  });
}

/**
 * Runs a stage to its end; whatever happens, it resolves. Without `read` the stage is one test, by its exit code.
 * @param {{ name: string, command: readonly string[], env: NodeJS.ProcessEnv, read?: ((file: string) => readonly TestResult[]) | null }} stage
 *   `read`: of a stage that leaves its results in the file that `STAGE_RESULTS` names; null for one that is a single check
 * @returns {Promise<StageResult>}
 */
export function runStage({ name, command: [program, ...args], env, read = ofStage }) {
  mkdirSync(LOGS, { recursive: true });
  const log = path.join(LOGS, `${name}.log`);
  const file = path.join(LOGS, `${name}.json`);
  rmSync(file, { force: true });
  const started = performance.now();
  const out = createWriteStream(log);
  let lost;
  const temporary = folderInMemory();
  const end = (tests, why = lost) =>
    new Promise((resolve) => {
      if (temporary !== undefined) removeAtOnce(temporary);
      out.end(() => resolve({ name, tests, ms: performance.now() - started, log: path.relative(root, log), why }));
    });
  return new Promise((resolve) => {
    const shell = process.platform === 'win32';
    const stageEnv = { ...env, ...(temporary && { TMPDIR: temporary }), STAGE_RESULTS: file };
    const child = spawn(program, args, { cwd: root, env: stageEnv, stdio: ['ignore', 'pipe', 'pipe'], shell });
    for (const stream of [child.stdout, child.stderr]) stream.pipe(out, { end: false });
    // A full disk, say: the stage goes on, unheard, and fails.
    out.on('error', (error) => {
      lost = `its log could not be written: ${error.message}`;
      for (const stream of [child.stdout, child.stderr]) stream.resume();
    });
    child.on('error', (error) => resolve(end([], `it could not start: ${error.message}`)));
    child.on('close', (code, signal) => {
      const ended = `it ended with ${signal ?? code}`;
      if (read === null) {
        resolve(end([{ title: name, state: code === 0 ? 'passed' : 'failed', error: code === 0 ? undefined : ended }]));
        return;
      }
      try {
        const tests = read(file);
        // A stage that fails without a failed test, or passes without a test, has failed.
        const hasFailed = tests.some(({ state }) => state !== 'passed');
        const why = tests.length === 0 ? 'it ran no tests' : ended;
        resolve(end(tests, tests.length === 0 || (code !== 0 && !hasFailed) ? why : undefined));
      } catch (error) {
        resolve(end([], `${ended} and left no results (${error.message})`));
      }
    });
  });
}

/** A stage that was never begun. @returns {StageResult} */
export function notRun(name, why, log) {
  return { name, tests: [], ms: 0, log, why };
}

/** How many tests passed and failed; a stage that broke off is one failed test more. */
export function countsOf({ tests, why }) {
  const passed = tests.filter(({ state }) => state === 'passed').length;
  return { passed, failed: tests.length - passed + (why === undefined ? 0 : 1) };
}

/** The last lines of a log, without colours. */
export function tailOf(log, lines) {
  try {
    const text = stripVTControlCharacters(readFileSync(path.join(root, log), 'utf8'));
    return text.trimEnd().split('\n').slice(-lines).join('\n');
  } catch (error) {
    return `(no log: ${error.message})`;
  }
}
