// npm run package:built: makes dist/context-budget.vsix of what was built. vsce runs in a folder that holds what .vscodeignore
// lets in and nothing else: in the root it holds every file of the test host against every pattern, which takes
// nine tenths of its time.
import { spawnSync } from 'node:child_process';
import { cpSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import picomatch from 'picomatch';

const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
const FOLDER = path.join(ROOT, 'dist/vsix');
const IGNORE = '.vscodeignore';

/** The files of a pattern whose last part alone may hold wildcards, root-relative. */
function filesOf(pattern) {
  const { dir, base } = path.posix.parse(pattern);
  const isWanted = picomatch(base);
  const names = readdirSync(path.join(ROOT, dir)).filter((name) => isWanted(name));
  if (names.length === 0) throw new Error(`${IGNORE} lets in ${pattern}, which does not exist: build first`);
  return names.map((name) => path.posix.join(dir, name));
}

const lines = readFileSync(path.join(ROOT, IGNORE), 'utf8').split('\n');
const patterns = lines.filter((line) => line.startsWith('!')).map((line) => line.slice(1));
rmSync(FOLDER, { recursive: true, force: true });
for (const file of [IGNORE, ...patterns.flatMap(filesOf)])
  cpSync(path.join(ROOT, file), path.join(FOLDER, file), { recursive: true });
const { status } = spawnSync(
  process.execPath,
  [
    path.join(ROOT, 'node_modules/@vscode/vsce/vsce'),
    'package',
    '--no-dependencies',
    '--out',
    '../context-budget.vsix',
  ],
  { cwd: FOLDER, stdio: 'inherit' },
);
process.exitCode = status ?? 1;
