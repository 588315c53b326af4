import { link, mkdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type * as vscode from 'vscode';
import { WorkspaceFile } from '../../../../src/node/records/workspaceFile';
import { FolderFiles } from '../../../../src/vscode/base/folderFiles';
import { FILES } from '../../../support/fakeVscode';
import { tempFolder } from '../../../support/tempFolder';

vi.mock('vscode', () => import('../../../support/fakeVscode'));

const SETTINGS = '.claude/settings.local.json';
const files = new FolderFiles(async (folder, file) => new WorkspaceFile(folder, file));
const folderAt = (fsPath: string, scheme = 'file') =>
  ({ uri: { scheme, fsPath, path: fsPath } }) as unknown as vscode.WorkspaceFolder;

let root: string;
let outside: string;

describe('files that the editor changes on a disk', () => {
  beforeEach(async () => {
    FILES.clear();
    root = await tempFolder({ '.git/config': '[core]\n' });
    outside = await tempFolder({ 'settings.local.json': 'theirs' });
  });

  it('are made with their folders, changed as a whole and removed, and VS Code writes none', async () => {
    const folder = folderAt(root);
    expect(await files.read(folder, SETTINGS)).toBeUndefined();
    await files.write(folder, SETTINGS, '\ufeff{}\n');
    expect(await files.read(folder, SETTINGS)).toBe('\ufeff{}\n');
    await files.write(folder, SETTINGS, undefined);
    await expect(stat(path.join(root, SETTINGS))).rejects.toThrow('ENOENT');
    expect([...FILES]).toEqual([]);
  });

  it.each([
    [
      'the file',
      async () => {
        await mkdir(path.join(root, '.claude'));
        await symlink(path.join(outside, 'settings.local.json'), path.join(root, SETTINGS));
      },
    ],
    ['its folder', () => symlink(outside, path.join(root, '.claude'))],
    [
      'a hard link',
      async () => {
        await mkdir(path.join(root, '.claude'));
        await link(path.join(outside, 'settings.local.json'), path.join(root, SETTINGS));
      },
    ],
  ])('are not reached through a link: %s', async (_what, lay) => {
    await lay();
    const folder = folderAt(root);
    await expect(files.read(folder, SETTINGS)).rejects.toThrow('was not touched');
    await expect(files.write(folder, SETTINGS, 'ours')).rejects.toThrow('was not touched');
    await expect(files.write(folder, SETTINGS, undefined)).rejects.toThrow('was not touched');
    expect(await readFile(path.join(outside, 'settings.local.json'), 'utf8')).toBe('theirs');
  });

  it('are never those of Git', async () => {
    await expect(files.write(folderAt(root), '.git/config', 'ours')).rejects.toThrow('Git folder');
    expect(await readFile(path.join(root, '.git/config'), 'utf8')).toBe('[core]\n');
  });

  it('are left alone when they are no text', async () => {
    await writeFile(path.join(root, 'bytes'), Buffer.from([0xff, 0xfe, 0xfd]));
    await expect(files.read(folderAt(root), 'bytes')).rejects.toThrow('not UTF-8');
  });

  it('are those of VS Code in a virtual folder', async () => {
    const folder = folderAt('/virtual', 'memfs');
    await files.write(folder, SETTINGS, '{}');
    expect([FILES.get(`/virtual/${SETTINGS}`), await files.read(folder, SETTINGS)]).toEqual(['{}', '{}']);
    await files.write(folder, SETTINGS, undefined);
    expect([...FILES]).toEqual([]);
  });
});
