// Do the tests see faults? Puts one fault at a time into a copy of `src/core` and runs the tests that it may concern: those
// that import the file first, then those of its folder, then all that depend on it. A fault that no test sees, or whose line no test runs, is missed.
//   node test/tools/mutate.mjs [--seed 16] [--count 30] [--only N,N…] [--quick] [--list]
//   node test/tools/mutate.mjs --posix     plants the POSIX assumptions of posixAssumptions.mjs instead
// `--quick` leaves out the tests that only depend on the file: what it calls missed may be seen by them.
// At most one fault a function, of operator, constant, condition and early return; the seed says which. Prints one line
// each and `N passed, N failed`; a missed fault that changes nothing anybody could see is for a reader to strike out.
import { spawn, spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { mutantsOf } from './mutants.mjs';
import { POSIX_ASSUMPTIONS } from './posixAssumptions.mjs';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
const LEFT_OUT = /[\\/](?:\.git|node_modules|dist|\.vscode-host|\.vscode-web|\.bench|shots)$/;
/** A fault may make a loop endless; then its tests have seen it. */
const LIMIT_MS = 5 * 60_000;

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '16' },
    count: { type: 'string', default: '30' },
    only: { type: 'string' },
    quick: { type: 'boolean', default: false },
    posix: { type: 'boolean', default: false },
    list: { type: 'boolean', default: false },
  },
});

/** Marsaglia's xorshift32: the same choice on every machine. */
function randomOf(seed) {
  let state = seed | 0 || 1;
  return (below) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % below;
  };
}

function filesBelow(folder, ending) {
  const names = readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' });
  return names
    .filter((name) => name.endsWith(ending))
    .map((name) => `${folder}/${name.replaceAll('\\', '/')}`)
    .sort();
}

/** One fault of each function, and of these as many as are asked for, in the order of the draw. */
function chosen() {
  const random = randomOf(Number(values.seed));
  const all = filesBelow('src/core', '.ts').flatMap((file) => {
    const text = readFileSync(path.join(root, file), 'utf8');
    return mutantsOf(text).map((mutants) => ({ file, text, ...mutants[random(mutants.length)] }));
  });
  const drawn = [];
  while (drawn.length < Number(values.count) && all.length > 0) drawn.push(...all.splice(random(all.length), 1));
  return drawn;
}

/** The planted assumptions. Throws for a text that is not in its file exactly once: it would plant nothing, or two faults. */
function planted() {
  return POSIX_ASSUMPTIONS.map(({ file, kind, from, by }) => {
    const text = readFileSync(path.join(root, file), 'utf8');
    const start = text.indexOf(from);
    if (start < 0 || text.includes(from, start + 1)) throw new Error(`${file} has not exactly one: ${from}`);
    return { file, text, kind, start, end: start + from.length, by };
  });
}

function describe({ file, text, kind, start, end, by }) {
  const before = text.slice(0, start);
  const line = before.split('\n').length;
  const from = before.lastIndexOf('\n') + 1;
  const whole = text.slice(from, text.indexOf('\n', start)).trim();
  const was = text.slice(start, end).replace(/\s+/g, ' ');
  return `${file}:${line} ${kind}: ${was} → ${by.replace(/\s+/g, ' ')} in ${whole.slice(0, 100)}`;
}

/** Test files that import the source themselves. */
function directTests(file) {
  const name = file.replace(/\.ts$/, '');
  return filesBelow('test', '.test.ts').filter((test) => {
    if (test.startsWith('test/integration/')) return false;
    const imports = readFileSync(path.join(root, test), 'utf8').matchAll(/from '(\.[^']+)'/g);
    return [...imports].some(([, to]) => path.posix.join(path.posix.dirname(test), to) === name);
  });
}

/** Ends what runs. */
const running = new Set();

/** Runs Vitest in the copy; true when a test failed. `stdio` is where it says which. */
function isSeen(copy, args, stdio = 'ignore') {
  return new Promise((resolve, reject) => {
    const vitest = path.join(root, 'node_modules/vitest/vitest.mjs');
    const child = spawn(
      process.execPath,
      [vitest, ...args, '--run', '--bail=1', '--reporter=dot', '--passWithNoTests'],
      {
        cwd: copy,
        stdio,
        detached: true,
        env: { ...process.env, NO_COLOR: '1' },
      },
    );
    // The group: a loop without end is in a process of its own.
    const end = () => {
      try {
        process.kill(-child.pid, 'SIGKILL');
      } catch {
        // It has ended.
      }
    };
    const timer = setTimeout(end, LIMIT_MS);
    const settle = (done) => {
      clearTimeout(timer);
      running.delete(end);
      done();
    };
    running.add(end);
    child.on('error', (error) => settle(() => reject(error)));
    child.on('close', (code) => settle(() => resolve(code !== 0)));
  });
}

async function seenBy(copy, mutant) {
  const target = path.join(copy, mutant.file);
  writeFileSync(target, mutant.text.slice(0, mutant.start) + mutant.by + mutant.text.slice(mutant.end));
  try {
    const direct = directTests(mutant.file);
    if (direct.length > 0 && (await isSeen(copy, direct))) return 'a test of the file';
    const beside = path.posix.dirname(mutant.file).replace(/^src/, 'test/unit');
    if (existsSync(path.join(root, beside)) && (await isSeen(copy, [`${beside}/`]))) return 'a test of the folder';
    if (values.quick) return undefined;
    return (await isSeen(copy, ['related', mutant.file])) ? 'a test of what uses it' : undefined;
  } finally {
    writeFileSync(target, mutant.text);
  }
}

function makeCopy() {
  const copy = mkdtempSync(path.join(tmpdir(), 'context-budget-mutants-'));
  cpSync(root, copy, { recursive: true, filter: (source) => !LEFT_OUT.test(source) });
  symlinkSync(path.join(root, 'node_modules'), path.join(copy, 'node_modules'), 'junction');
  // Some tests look at what is packed.
  const { status } = spawnSync(process.execPath, ['esbuild.mjs', '--production'], { cwd: copy, stdio: 'inherit' });
  if (status !== 0) throw new Error(`the copy could not be built (${status})`);
  return copy;
}

const only = values.only?.split(',').map(Number);
const mutants = (values.posix ? planted() : chosen())
  .map((mutant, at) => ({ ...mutant, number: at + 1 }))
  .filter(({ number }) => !only || only.includes(number));
if (values.list) {
  for (const mutant of mutants) console.log(`${mutant.number} ${describe(mutant)}`);
} else {
  const copy = makeCopy();
  let seen = 0;
  for (const [signal, code] of [
    ['SIGHUP', 129],
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ])
    process.once(signal, () => process.exit(code));
  process.once('exit', () => {
    for (const end of running) end();
    // What was ended may still write.
    rmSync(copy, { recursive: true, force: true, maxRetries: 10 });
  });
  // Without a fault every test has to pass, or nothing below says anything.
  const tests = [...new Set(mutants.flatMap(({ file }) => directTests(file)))];
  if (await isSeen(copy, tests, 'inherit')) throw new Error('tests fail without a fault');
  for (const mutant of mutants) {
    const by = await seenBy(copy, mutant);
    if (by) seen++;
    console.log(`${by ? 'seen  ' : 'MISSED'} ${mutant.number} ${describe(mutant)}${by ? ` (${by})` : ''}`);
  }
  console.log(`${seen} passed, ${mutants.length - seen} failed`);
  process.exitCode = seen === mutants.length ? 0 : 1;
}
