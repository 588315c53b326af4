import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseGitConfig } from '../../../../../src/core/pipeline/collect/gitConfigText';
import { tempFolder } from '../../../../support/tempFolder';

/** What git itself reads; `undefined` when it calls the file bad. */
async function readByGit(text: string): Promise<ReadonlyMap<string, string> | undefined> {
  const file = path.join(await tempFolder(), 'config');
  writeFileSync(file, text);
  const args = ['config', '--file', file, '--no-includes', '--list', '-z'];
  const { status, stdout } = spawnSync('git', args, { encoding: 'utf8' });
  if (status !== 0) return undefined;
  const entries = stdout.split('\0').filter((entry) => entry !== '');
  return new Map(
    entries.map((entry) => {
      const at = entry.indexOf('\n');
      return at < 0 ? [entry, 'true'] : [entry.slice(0, at), entry.slice(at + 1)];
    }),
  );
}

const TEXTS = [
  '',
  '[core]\n\tbare = false\n',
  '[core]\r\n\tbare = false\r\n\tworktree = ../../x y \r\n',
  '\uFEFF[core]\n\tbare=false',
  '[core] bare = true # comment\n[core]filemode=no;x\n',
  '# first\n; second\n[Core]\n  BARE\n  fileMode ; said\n',
  '[core]\n\tworktree = "a # b" ; c\n',
  '[core]\n\tworktree = a "b  c" d   \n',
  '[core]\n\tworktree = a\\\n  b\\tc\\\\d\\"e\n',
  '[core]\n\tworktree = "a\\\nb"\n',
  '[core]\n\tworktree =\n\tbare = \n',
  '[core]\n\tworktree = =x\n',
  '[filter "A b\\"c\\\\d"]\n\tClean = x\n',
  '[filter.Sub.more]\n\tclean = x\n',
  '[remote "origin"] url = x\n[remote "origin"] url = y\n',
  '[core]\n\tbare = 1\n[core]\n\tbare = 0\n',
  '[include]\n\tpath = other\n[core]\n\ta-b = c\n',
  '[core\n\tbare = true\n',
  '[core]\n\tbare = "true\n',
  '[core]\n\tbare = a\\qb\n',
  '[core]\n\t1bare = true\n',
  '[core]\n\tba re = true\n',
  'bare = true\n',
  '[core]]\n',
  '[]\n',
  '[core "a]\n\tbare = true\n',
  '[core "a"b]\n\tbare = true\n',
  '[core]\n\tbare true\n',
];

describe('parseGitConfig', () => {
  test.each(TEXTS)('reads as git does: %j', async (text) => {
    const read = parseGitConfig(text);
    expect(read && [...read]).toEqual(await readByGit(text).then((known) => known && [...known]));
  });

  // In time that grows with its square it would not end within the test's limit.
  test('a file of the largest size is read to its end, whatever is in it', () => {
    for (const part of ['[a]\n', '[a]x=y\n', '[a]\nx="', '\\', '[a "', ' ', '#\n', '[a]\nx=\\\n', '"']) {
      parseGitConfig(part.repeat(Math.floor(262_144 / part.length)));
      parseGitConfig(`[a]\nx = ${part.repeat(Math.floor(262_144 / part.length))}`);
    }
  });
});
