// Which tests of Vitest wait for another thread or process: those that reach a module which starts one.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
const FOLDERS = ['test/unit', 'test/property', 'test/golden', 'test/contract'];
/** Imports of values: types are gone when a test runs. */
const IMPORT = /^(?:import|export)\s+(?!type\b)(?:[^'"]*?from\s+)?['"]([^'"]+)['"]|import\(\s*['"]([^'"]+)['"]\s*\)/gm;
const STARTS = new Set(['node:child_process', 'node:worker_threads']);

function resolved(from, specifier) {
  const base = path.resolve(path.dirname(from), specifier);
  return [base, `${base}.ts`, `${base}.tsx`, `${base}.mjs`].find(
    (file) => /\.[cm]?[jt]sx?$/.test(file) && existsSync(file),
  );
}

/** Whether a file, or one that it imports, starts threads or processes. */
function reaches(file, seen) {
  if (seen.has(file)) return false;
  seen.add(file);
  const imports = [...readFileSync(file, 'utf8').matchAll(IMPORT)].map(([, one, other]) => one ?? other);
  if (imports.some((specifier) => STARTS.has(specifier))) return true;
  const local = imports.filter((specifier) => specifier.startsWith('.')).map((specifier) => resolved(file, specifier));
  return local.some((next) => next !== undefined && reaches(next, seen));
}

/** Paths of the test files, from the project's root. */
export function waitingTests() {
  const all = FOLDERS.flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true })
      .map((name) => path.join(folder, String(name)))
      .filter((name) => name.endsWith('.test.ts')),
  );
  return all.filter((name) => reaches(path.join(root, name), new Set())).sort();
}
