import { mkdir, rename, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { FolderState } from '../../../src/mcp/folderState';
import { openFileSource } from '../../../src/node/fileSource';
import { tempFolder } from '../../support/tempFolder';
import { until } from '../../support/until.mjs';

/** Before anything was made, and long after. */
const LONG_AGO = 0;
const LATER = Date.now() + 3_600_000;

/** A time after which only what is changed from now on was changed, for a first look. Milliseconds. */
async function laterThan(file: string): Promise<number> {
  const { ctimeMs } = await stat(file);
  const openedMs = ctimeMs + 200;
  await until('that time has come', () => Date.now() > openedMs + 50);
  return openedMs;
}

/** Waits until what is written has a later time than `file` has: clocks of file systems are coarse. */
async function tick(file: string): Promise<void> {
  const { ctimeMs } = await stat(file);
  const probe = path.join(await tempFolder(), 'probe');
  await until('the clock of the file system goes on', async () => {
    await writeFile(probe, '');
    return (await stat(probe)).ctimeMs > ctimeMs;
  });
}

const nobodys = (): boolean => false;

async function open(files: Readonly<Record<string, string>>) {
  const folder = await tempFolder(files);
  const { files: source, realRoot } = await openFileSource(folder);
  const state = new FolderState(source, realRoot);
  return { state, at: (file: string) => path.join(folder, file), look: () => state.look(LATER, [], nobodys) };
}

describe('FolderState', () => {
  it('sees what was written, added and removed since the last look, and nothing else', async () => {
    const { look, at } = await open({ 'a.md': 'a', 'b.md': 'b', 'src/c.md': 'c' });
    expect(await look()).toEqual({ changed: [], removed: [], isGitChanged: false, isUnknown: false });
    expect(await look()).toMatchObject({ changed: [], removed: [] });
    await writeFile(at('a.md'), 'longer');
    await writeFile(at('src/d.md'), 'd');
    await rm(at('b.md'));
    expect(await look()).toMatchObject({ changed: ['a.md', 'src/d.md'], removed: ['b.md'], isUnknown: false });
    expect(await look()).toMatchObject({ changed: [], removed: [] });
  });

  it('sees a file of another content whose time of change was set back', async () => {
    const { look, at } = await open({ 'a.md': 'one' });
    await utimes(at('a.md'), 1, 1);
    await look();
    await tick(at('a.md'));
    await writeFile(at('a.md'), 'two');
    await utimes(at('a.md'), 1, 1);
    expect((await look()).changed).toEqual(['a.md']);
  });

  it('knows with its first look that something changed since the folder was opened: written, removed or renamed', async () => {
    const { state } = await open({ 'a.md': 'a' });
    expect((await state.look(LONG_AGO, [], nobodys)).isUnknown).toBe(true);
    const quiet = await open({ 'a.md': 'a' });
    expect((await quiet.state.look(LATER, [], nobodys)).isUnknown).toBe(false);
    const own = await open({ '.context-budget/usage.jsonl': '' });
    // Everything there is the product's own.
    expect((await own.state.look(LONG_AGO, [], () => true)).isUnknown).toBe(false);
  });

  it('looks at files that git ignores when it is told of them, and at git', async () => {
    const repository = { '.git/HEAD': 'ref: refs/heads/main', '.git/objects/x': '', '.git/refs/x': '' };
    const { state, at } = await open({ '.gitignore': 'log\n', log: 'one', ...repository });
    const look = () => state.look(LATER, ['log', 'none'], nobodys);
    await look();
    await writeFile(at('log'), 'one more');
    await mkdir(at('.git/logs'), { recursive: true });
    await writeFile(at('.git/logs/HEAD'), 'commit');
    expect(await look()).toMatchObject({ changed: ['log'], removed: [], isGitChanged: true });
    await rename(at('log'), at('gone'));
    expect(await look()).toMatchObject({ changed: ['gone'], removed: ['log'], isGitChanged: false });
  });

  it.each([
    ['the only file of a folder', 'lib/only.md'],
    ['a folder beside folders alone', 'packages/gone'],
  ])('knows with its first look that %s was removed', async (_what, gone) => {
    const { state, at } = await open({
      'a.md': 'a',
      'lib/only.md': 'o',
      'packages/gone/b.md': 'b',
      'packages/c/c.md': 'c',
    });
    // Clocks of file systems are coarse: everything above must be older than the opening.
    const openedMs = await laterThan(at('packages/gone/b.md'));
    await rm(at(gone), { recursive: true });
    expect((await state.look(openedMs, [], nobodys)).isUnknown).toBe(true);
  });

  it('knows that the folder itself is gone, with its first look and later', async () => {
    const [early, late] = [await open({ 'a.md': 'a' }), await open({ 'a.md': 'a' })];
    await late.look();
    for (const { at } of [early, late]) await rm(at('.'), { recursive: true });
    expect((await early.look()).isUnknown).toBe(true);
    expect(await late.look()).toMatchObject({ removed: ['a.md'], isUnknown: true });
  });

  it('looks at nothing behind a link that leads outside', async () => {
    const outside = await tempFolder({ 'usage.jsonl': '', 'deep/usage.jsonl': '' });
    const { state, at } = await open({ 'a.md': 'a' });
    await symlink(outside, at('.context-budget'));
    const logs = ['.context-budget/usage.jsonl', '.context-budget/deep/usage.jsonl', '.context-budget/none.jsonl'];
    const look = () => state.look(LATER, logs, nobodys);
    await look();
    await writeFile(path.join(outside, 'usage.jsonl'), 'longer');
    expect(await look()).toMatchObject({ changed: [], removed: [], isUnknown: false });
  });
});
