/** Git locks the index of a repository to note what it saw there, which is nobody's business but the user's. */
import { type FSWatcher, watch } from 'node:fs';
import { readFile, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { CliWorld } from '../../support/cliWorld';
import { tempFolder } from '../../support/tempFolder';
import { until } from '../../support/until.mjs';
import { commit, git } from '../node/git/gitWorld';

const watchers: FSWatcher[] = [];
afterEach(() => {
  for (const watcher of watchers.splice(0)) watcher.close();
});

// Linux tells of every file, however short it is there.
describe.runIf(process.platform === 'linux')('the lock of the index', () => {
  it.each([['not trusted'], ['trusted', '--trust']])(
    'is never made in a folder that is %s',
    async (_what, ...trust) => {
      const root = await tempFolder({ 'src/a.ts': 'export const a = 1;\n', 'AGENTS.md': '# Rules\n' });
      git(root, 'init', '-q', '--template=');
      commit(root, 'first');
      const seen: (string | null)[] = [];
      watchers.push(watch(path.join(root, '.git'), (_event, name) => void seen.push(name)));
      // The index has another time of the file: whoever looks may note the new one.
      await utimes(path.join(root, 'src/a.ts'), 1e9, 1e9);
      const index = await readFile(path.join(root, '.git/index'));
      const world = await CliWorld.create();
      for (const argv of [['budget'], ['payload', '--expanded'], ['map', '--changed'], ['stale']])
        await world.run([...argv, ...trust], { cwd: root });
      // Events come in their order.
      await writeFile(path.join(root, '.git/after'), '');
      await until('all events came', () => seen.includes('after'));
      expect(seen).not.toContain('index.lock');
      expect((await readFile(path.join(root, '.git/index'))).equals(index)).toBe(true);
      // What is watched for happens.
      git(root, 'status');
      await until('plain Git locks it', () => seen.includes('index.lock'));
    },
  );
});
