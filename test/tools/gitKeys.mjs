// Writes `test/attack/gitKeys.json`: every configuration key that git documents, from `Documentation/config` of git's own
// repository. Usage: node test/tools/gitKeys.mjs FOLDER COMMIT. Which of them run a program or connect is chosen by hand in
// `test/attack/gitFuzz.mjs`, which fails for a choice that git does not document.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const [folder, commit] = process.argv.slice(2);
if (!folder || !commit) throw new Error('Usage: node test/tools/gitKeys.mjs FOLDER COMMIT');
const keys = new Set();
for (const name of readdirSync(folder)) {
  for (const line of readFileSync(path.join(folder, name), 'utf8').split('\n')) {
    if (!/::\s*$/.test(line)) continue;
    const plain = line.replaceAll(/[`_]|\{[^}]*\}|\([^)]*\)|::\s*$/g, '');
    for (const key of plain.split(',')) {
      const found = /^[A-Za-z][\w-]*(?:\.[\w<>*-]+)+$/.exec(key.trim());
      if (found) keys.add(found[0]);
    }
  }
}
const table = { source: 'https://github.com/git/git, Documentation/config', commit, keys: [...keys].sort() };
writeFileSync('test/attack/gitKeys.json', `${JSON.stringify(table, null, 2)}\n`);
