// Packages what was built. vsce runs in a folder with the files that .vscodeignore includes and no others: in the root it
// matches every file of the test host against every pattern, which takes nine tenths of its time.
//   node test/tools/vsix.mjs [FILE]     default: dist/context-budget.vsix (npm run package:built)
import { spawnSync } from 'node:child_process';
import { cpSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import picomatch from 'picomatch';

const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
const FOLDER = path.join(ROOT, 'dist/vsix');
const IGNORE = '.vscodeignore';
const FILE = path.resolve(process.argv[2] ?? path.join(ROOT, 'dist/context-budget.vsix'));

/** The files of a pattern whose last part alone may hold wildcards, root-relative. */
function filesOf(pattern) {
  const { dir, base } = path.posix.parse(pattern);
  const isWanted = picomatch(base);
  const names = readdirSync(path.join(ROOT, dir)).filter((name) => isWanted(name));
  if (names.length === 0) throw new Error(`${IGNORE} includes ${pattern}, which does not exist: build first`);
  return names.map((name) => path.posix.join(dir, name));
}

const lines = readFileSync(path.join(ROOT, IGNORE), 'utf8').split(/\r?\n/);
const patterns = lines.filter((line) => line.startsWith('!')).map((line) => line.slice(1));
rmSync(FOLDER, { recursive: true, force: true });
for (const file of [IGNORE, ...patterns.flatMap(filesOf)])
  cpSync(path.join(ROOT, file), path.join(FOLDER, file), { recursive: true });
const { status } = spawnSync(
  process.execPath,
  [path.join(ROOT, 'node_modules/@vscode/vsce/vsce'), 'package', '--no-dependencies', '--out', FILE],
  { cwd: FOLDER, stdio: 'inherit' },
);
process.exitCode = status ?? 1;
