import { mkdir, symlink } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { platformOf } from '../../../../src/node/platform';
import { resolveExecutable, searchFolders } from '../../../../src/node/process/resolveExecutable';
import { tempFolder } from '../../../support/tempFolder';

const LINUX = platformOf('linux');
const WINDOWS = platformOf('win32');

const onDisk =
  (...files: readonly string[]) =>
  (candidate: string) =>
    files.includes(candidate);

describe('searchFolders', () => {
  it.each([
    ['', []],
    ['.:/usr/bin::node_modules/.bin:/opt/x:', ['/usr/bin', '/opt/x']],
    ['./bin:../bin', []],
  ])('takes absolute entries of PATH alone: %j', (value, folders) => {
    expect(searchFolders({ PATH: value }, LINUX, '/opened')).toEqual(folders);
  });

  it('looks at the standard places without a PATH, and on Windows at quoted ones of any spelling', () => {
    expect(searchFolders({}, LINUX, '/opened')).toEqual(['/usr/bin', '/bin']);
    const value = '.;C:\\Tools;;bin;C:drive;\\rooted;/rooted;"C:\\Program Files\\Git\\cmd";\\\\host\\tools';
    expect(searchFolders({ Path: value }, WINDOWS, 'C:\\opened')).toEqual([
      'C:\\Tools',
      'C:\\Program Files\\Git\\cmd',
      '\\\\host\\tools',
    ]);
    expect(searchFolders({}, WINDOWS, 'C:\\opened')).toEqual([]);
  });

  it('leaves out what is inside the opened folder, by name or through a link', async () => {
    const folder = await tempFolder();
    const outside = await tempFolder();
    await mkdir(path.join(folder, 'bin'));
    await symlink(path.join(folder, 'bin'), path.join(outside, 'link'));
    const env = { PATH: [path.join(folder, 'bin'), path.join(outside, 'link'), folder, outside].join(':') };
    expect(searchFolders(env, LINUX, folder)).toEqual([outside]);
  });
});

describe('searchFolders on Windows', () => {
  it('leaves out an excluded folder in any case and with either separator', () => {
    const env = { PATH: 'c:\\REPO\\bin;C:/repo/tools;C:\\repository;C:\\repo;D:\\repo' };
    expect(searchFolders(env, WINDOWS, 'C:\\Repo')).toEqual(['C:\\repository', 'D:\\repo']);
  });
});

describe('resolveExecutable', () => {
  it('looks along the folders alone, everywhere', () => {
    const exists = onDisk('git', './git', '/b/git', '/c/git');
    expect(resolveExecutable('git', ['/a', '/b', '/c'], LINUX, exists)).toBe('/b/git');
    expect(resolveExecutable('git', ['/a'], LINUX, exists)).toBeUndefined();
  });

  it('finds programs, not folders or files that cannot be run', async () => {
    const folder = await tempFolder({ 'data/tool': 'x', 'other/tool/x': 'x' });
    expect(resolveExecutable('tool', [path.join(folder, 'data'), path.join(folder, 'other')], LINUX)).toBeUndefined();
  });

  it('adds the endings of programs on Windows', () => {
    const exists = onDisk('git.exe', '.\\git.exe', 'C:\\Git\\cmd\\git.exe');
    expect(resolveExecutable('git', ['C:\\Tools', 'C:\\Git\\cmd'], WINDOWS, exists)).toBe('C:\\Git\\cmd\\git.exe');
  });

  it('starts programs only: a script would need a shell', () => {
    const folders = ['C:\\Tools'];
    expect(resolveExecutable('npm', folders, WINDOWS, onDisk('C:\\Tools\\npm.cmd'))).toBeUndefined();
    expect(resolveExecutable('x.exe', folders, WINDOWS, onDisk('C:\\Tools\\x.exe'))).toBe('C:\\Tools\\x.exe');
  });

  it('takes a name with a folder in it as it is', () => {
    expect(resolveExecutable('plugins\\check.exe', [], WINDOWS, () => false)).toBe('plugins\\check.exe');
    expect(resolveExecutable('./check.sh', [], LINUX, () => false)).toBe('./check.sh');
  });
});
