import { mkdir, realpath, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { FolderState } from '../../../src/mcp/folderState';
import { gitFiles, gitFolders } from '../../../src/mcp/gitState';
import { openFileSource } from '../../../src/node/fileSource';
import { tempFolder } from '../../support/tempFolder';

const LATER = Date.now() + 3_600_000;

/** A repository with a linked work tree `tree` and a submodule `sub`, as git lays them out. */
async function makeRepository() {
  const folder = await realpath(
    await tempFolder({
      'main/.git/HEAD': 'ref: refs/heads/main\n',
      'main/.git/index': 'i',
      'main/.git/refs/remotes/origin/main': 'one\n',
      'main/.git/worktrees/tree/HEAD': 'ref: refs/heads/feat\n',
      'main/.git/objects/info/packs': '',
      'main/.git/worktrees/tree/commondir': '../..\n',
      'main/.git/modules/sub/HEAD': 'ref: refs/heads/main\n',
      'main/.git/modules/sub/config': '[core]\n\tworktree = ../../../sub\n',
      'main/.git/modules/sub/objects/info/packs': '',
      'main/.git/modules/sub/refs/heads/main': 'one\n',
      'main/packages/one/a.md': 'a',
      'main/sub/.git': 'gitdir: ../.git/modules/sub\n',
      'main/sub/s.md': 's',
      'tree/t.md': 't',
    }),
  );
  const at = (file: string) => path.join(folder, file);
  await writeFile(at('tree/.git'), `gitdir: ${at('main/.git/worktrees/tree')}\n`);
  await writeFile(at('main/.git/worktrees/tree/gitdir'), `${at('tree/.git')}\n`);
  return at;
}

describe('gitFolders', () => {
  it.each([true, false])(
    'finds the folders of a repository, a part of it, a work tree and a submodule, trusted: %s',
    async (isTrusted) => {
      const at = await makeRepository();
      const main = { own: at('main/.git'), shared: at('main/.git') };
      expect(await gitFolders(at('main'), isTrusted)).toMatchObject(main);
      expect(await gitFolders(at('main/packages/one'), isTrusted)).toMatchObject(main);
      expect(await gitFolders(at('tree'), isTrusted)).toMatchObject({
        own: at('main/.git/worktrees/tree'),
        shared: at('main/.git'),
      });
      const sub = at('main/.git/modules/sub');
      expect(await gitFolders(at('main/sub'), isTrusted)).toMatchObject({ own: sub, shared: sub });
    },
  );
});

describe('gitFiles', () => {
  it('has where the branch is at its remotes, which is all that a push changes', async () => {
    const at = await makeRepository();
    const filesOf = async (root: string) => {
      const folders = await gitFolders(root, false);
      return folders && gitFiles(folders);
    };
    const [main, tree] = [await filesOf(at('main')), await filesOf(at('tree'))];
    expect(main).toContain(at('main/.git/refs/remotes/origin/main'));
    expect(tree).toContain(at('main/.git/refs/remotes/origin/feat'));
    expect(tree).toContain(at('main/.git/worktrees/tree/index'));
  });
});

describe('FolderState', () => {
  it.each([
    ['a repository that was pushed', 'main', 'main/.git/refs/remotes/origin/main'],
    ['a repository with new refs', 'main', 'main/.git/FETCH_HEAD'],
    ['a part of a repository', 'main/packages/one', 'main/.git/index'],
    ['a work tree', 'tree', 'main/.git/worktrees/tree/index'],
    ['a submodule', 'main/sub', 'main/.git/modules/sub/logs/HEAD'],
  ])('sees that git changed in %s', async (_what, root, file) => {
    const at = await makeRepository();
    const { files, realRoot } = await openFileSource(at(root));
    const state = new FolderState(files, realRoot);
    const look = () => state.look(LATER, [], () => false);
    await look();
    await mkdir(path.dirname(at(file)), { recursive: true });
    await writeFile(at(file), 'something new\n');
    expect(await look()).toMatchObject({ changed: [], removed: [], isGitChanged: true });
    expect(await look()).toMatchObject({ isGitChanged: false });
  });
});
