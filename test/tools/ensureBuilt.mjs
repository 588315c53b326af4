// Builds the product for tests that run it as processes, once for all of them: test files run beside each other, and a
// build under a running process would pull its files away.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, rmdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
const LOCK = path.join(root, 'dist/.building');
const OUTPUTS = ['dist/cli.js', 'dist/worker.js', 'dist/processes.js', 'dist/transcripts.js'];
const INPUTS = ['src', 'build', 'grammars', 'esbuild.mjs', 'package.json'];
/** A build takes seconds; a lock that old belongs to a run that was killed. */
const LOCK_AGE_MS = 60_000;

function changedMs(relative) {
  const file = path.join(root, relative);
  const stat = statSync(file);
  if (!stat.isDirectory()) return stat.mtimeMs;
  return Math.max(
    0,
    ...readdirSync(file)
      .filter((name) => !name.endsWith('.wasm.br'))
      .map((name) => changedMs(path.join(relative, name))),
  );
}

function isFresh() {
  const outputs = OUTPUTS.map((file) => path.join(root, file));
  if (!outputs.every((file) => existsSync(file))) return false;
  const oldest = Math.min(...outputs.map((file) => statSync(file).mtimeMs));
  return INPUTS.every((input) => changedMs(input) < oldest);
}

function lock() {
  mkdirSync(path.dirname(LOCK), { recursive: true });
  for (;;) {
    try {
      mkdirSync(LOCK);
      return;
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
    }
    const made = statSync(LOCK, { throwIfNoEntry: false })?.mtimeMs;
    if (made !== undefined && Date.now() - made > LOCK_AGE_MS) rmdirSync(LOCK);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50);
  }
}

/** `dist` as the sources are now. */
export function ensureBuilt() {
  lock();
  try {
    if (!isFresh()) execFileSync(process.execPath, ['esbuild.mjs'], { cwd: root });
  } finally {
    rmdirSync(LOCK);
  }
}
