import { mkdir, symlink } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { resolveExecutable, searchFolders } from '../../../../src/node/process/resolveExecutable';
import { tempFolder } from '../../../support/tempFolder';

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
    expect(searchFolders({ PATH: value }, 'linux')).toEqual(folders);
  });

  it('looks at the standard places without a PATH, and on Windows at quoted ones of any spelling', () => {
    expect(searchFolders({}, 'linux')).toEqual(['/usr/bin', '/bin']);
    const value = '.;C:\\Tools;;bin;C:drive;"C:\\Program Files\\Git\\cmd"';
    expect(searchFolders({ Path: value }, 'win32')).toEqual(['C:\\Tools', 'C:\\Program Files\\Git\\cmd']);
    expect(searchFolders({}, 'win32')).toEqual([]);
  });

  it('leaves out what is inside an untrusted folder, by name or through a link', async () => {
    const folder = await tempFolder();
    const outside = await tempFolder();
    await mkdir(path.join(folder, 'bin'));
    await symlink(path.join(folder, 'bin'), path.join(outside, 'link'));
    const env = { PATH: [path.join(folder, 'bin'), path.join(outside, 'link'), folder, outside].join(':') };
    expect(searchFolders(env, 'linux', folder)).toEqual([outside]);
    expect(searchFolders(env, 'linux')).toHaveLength(4);
  });
});

describe('resolveExecutable', () => {
  it('looks along the folders alone, everywhere', () => {
    const exists = onDisk('git', './git', '/b/git', '/c/git');
    expect(resolveExecutable('git', ['/a', '/b', '/c'], 'linux', exists)).toBe('/b/git');
    expect(resolveExecutable('git', ['/a'], 'linux', exists)).toBeUndefined();
  });

  it('finds programs, not folders or files that cannot be run', async () => {
    const folder = await tempFolder({ 'data/tool': 'x', 'other/tool/x': 'x' });
    expect(resolveExecutable('tool', [path.join(folder, 'data'), path.join(folder, 'other')], 'linux')).toBeUndefined();
  });

  it('adds the endings of programs on Windows', () => {
    const exists = onDisk('git.exe', '.\\git.exe', 'C:\\Git\\cmd\\git.exe');
    expect(resolveExecutable('git', ['C:\\Tools', 'C:\\Git\\cmd'], 'win32', exists)).toBe('C:\\Git\\cmd\\git.exe');
  });

  it('starts programs only: a script would need a shell', () => {
    const folders = ['C:\\Tools'];
    expect(resolveExecutable('npm', folders, 'win32', onDisk('C:\\Tools\\npm.cmd'))).toBeUndefined();
    expect(resolveExecutable('x.exe', folders, 'win32', onDisk('C:\\Tools\\x.exe'))).toBe('C:\\Tools\\x.exe');
  });

  it('takes a name with a folder in it as it is', () => {
    expect(resolveExecutable('plugins\\check.exe', [], 'win32', () => false)).toBe('plugins\\check.exe');
    expect(resolveExecutable('./check.sh', [], 'linux', () => false)).toBe('./check.sh');
  });
});
