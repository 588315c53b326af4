import { describe, expect, it } from 'vitest';
import { ownConfig } from '../../../src/node/git/gitDirectory';
import { gitEnvironment } from '../../../src/node/git/gitEnvironment';
import { platformOf } from '../../../src/node/platform';

const LINUX = platformOf('linux');
const MACOS = platformOf('darwin');
const WINDOWS = platformOf('win32');

describe('a workspace path', () => {
  it('has no drives, streams and backslashes on Windows alone', () => {
    for (const name of ['C:/x', 'a\\..\\b', 'a.md:stream', '.git::$INDEX_ALLOCATION']) {
      expect(WINDOWS.isPlainPath(name)).toBe(false);
      expect(LINUX.isPlainPath(name)).toBe(true);
    }
  });

  it.each(['CON', 'nul', 'a/PRN', 'aux.md', 'NUL .txt', 'com1', 'LPT9.log', 'COM¹', 'CONIN$', 'conout$', 'con/a.md'])(
    'is no device of Windows: %s',
    (name) => {
      expect(WINDOWS.isPlainPath(name)).toBe(false);
      expect(LINUX.isPlainPath(name)).toBe(true);
    },
  );

  it.each(['a.md.', 'a.md ', 'a. /b', 'docs./x.md', '...'])('ends no name as Windows drops it: %j', (name) => {
    expect(WINDOWS.isPlainPath(name)).toBe(false);
    expect(LINUX.isPlainPath(name)).toBe(true);
  });

  it.each(['', 'console.md', 'nullable.ts', 'src/auxiliary', 'com10', 'lpt', '.a b/c.d', 'a/.con'])(
    'may have any other name: %j',
    (name) => {
      for (const platform of [LINUX, MACOS, WINDOWS]) expect(platform.isPlainPath(name)).toBe(true);
    },
  );

  it('never climbs, starts at the root or hides a NUL', () => {
    for (const name of ['..', 'a/../b', '/etc', './a', 'a//b', 'a\0b'])
      for (const platform of [LINUX, MACOS, WINDOWS]) expect(platform.isPlainPath(name)).toBe(false);
  });
});

describe('a real path below a root', () => {
  it.each([
    ['C:\\repo', 'C:\\repo\\src\\a.ts', 'src/a.ts'],
    ['c:\\repo', 'C:\\repo\\a.ts', 'a.ts'],
    ['C:\\repo', 'c:\\repo', ''],
    ['C:\\', 'C:\\a.ts', 'a.ts'],
    ['\\\\host\\share\\repo', '\\\\host\\share\\repo\\a.ts', 'a.ts'],
    ['C:\\repo', 'C:\\repository\\a.ts', undefined],
    ['C:\\repo', 'D:\\repo\\a.ts', undefined],
    // A folder of Windows may tell cases apart, and real paths have the case on disk.
    ['C:\\repo', 'C:\\Repo\\a.ts', undefined],
  ])('of Windows: %s, %s', (root, place, below) => {
    expect(WINDOWS.below(root, place)).toBe(below);
  });

  it('of POSIX keeps backslashes, which are letters', () => {
    expect(LINUX.below('/r', '/r/a\\b')).toBe('a\\b');
    expect(LINUX.below('/r', '/R/a')).toBeUndefined();
    expect(LINUX.below('/', '/a')).toBe('a');
    expect(LINUX.portable('a\\b')).toBe('a\\b');
    expect(WINDOWS.portable('a\\b/c')).toBe('a/b/c');
  });

  it('is inside in doubt, since what is inside runs nothing', () => {
    expect(WINDOWS.isInside('C:\\Repo', 'c:/repo/BIN')).toBe(true);
    expect(WINDOWS.isInside('C:\\repo', 'C:\\repository')).toBe(false);
    expect(WINDOWS.isInside('C:\\repo', 'D:\\repo')).toBe(false);
    expect(LINUX.isInside('/repo', '/Repo/bin')).toBe(false);
    expect(LINUX.isInside('/repo', '/repo/..bin')).toBe(true);
  });

  it('may be asked for in another case where file systems fold it', () => {
    expect([LINUX, MACOS, WINDOWS].map((each) => each.isSamePlace('/a/.git', '/A/.GIT'))).toEqual([false, true, true]);
  });
});

describe('a full path', () => {
  it.each(['C:\\x', 'c:/x', '\\\\host\\share', '//host/share'])('of Windows has a drive or a server: %s', (folder) => {
    expect(WINDOWS.fullPath(folder)).toBe(folder);
  });

  it.each(['\\x', '/x', 'C:x', 'x', '.', '', undefined])('does not depend on the current drive: %s', (folder) => {
    expect(WINDOWS.fullPath(folder)).toBeUndefined();
  });

  it('asks another machine when it has a server', () => {
    for (const place of ['\\\\host\\share', '//host/share']) expect(WINDOWS.isNetworkPlace(place)).toBe(true);
    expect(WINDOWS.isNetworkPlace('C:\\net\\x')).toBe(false);
    expect(LINUX.isNetworkPlace('/net/host')).toBe(true);
    expect(LINUX.isNetworkPlace('/network')).toBe(false);
  });
});

describe('a process', () => {
  it('is ended on Windows with its tree, by a program that no folder can replace', () => {
    const args = ['/PID', '42', '/T', '/F'];
    expect(WINDOWS.endTree(42, { SystemRoot: 'D:\\Win' })).toEqual({ file: 'D:\\Win\\System32\\taskkill.exe', args });
    for (const SystemRoot of [undefined, '', '.', '\\Windows', 'Windows'])
      expect(WINDOWS.endTree(42, { SystemRoot })).toEqual({ file: 'C:\\Windows\\System32\\taskkill.exe', args });
    expect(WINDOWS.hasGroups).toBe(false);
    for (const platform of [LINUX, MACOS]) {
      expect(platform.endTree(42, {})).toBeUndefined();
      expect(platform.hasGroups).toBe(true);
    }
  });

  it('takes a line as the shell of agents does', () => {
    expect(WINDOWS.shellCall('a | b').at(-1)).toBe('a | b');
    expect(LINUX.shellCall('a | b')).toEqual(['/bin/sh', '-c', 'a | b']);
  });
});

describe('a file', () => {
  it('is one file on Windows though its volume has two numbers', () => {
    expect(WINDOWS.isSameFile({ dev: 1n, ino: 5n }, { dev: 2n, ino: 5n })).toBe(true);
    expect(WINDOWS.isSameFile({ dev: 1, ino: 5 }, { dev: 1, ino: 6 })).toBe(false);
    expect(LINUX.isSameFile({ dev: 1, ino: 5 }, { dev: 2, ino: 5 })).toBe(false);
  });

  it('may be held by others on Windows, which replaces no open file', () => {
    for (const code of ['EPERM', 'EACCES', 'EBUSY']) {
      expect(WINDOWS.isHeld(code)).toBe(true);
      expect(LINUX.isHeld(code)).toBe(false);
    }
    expect(WINDOWS.isHeld('ENOSPC')).toBe(false);
    expect([WINDOWS.replacesOpenFiles, WINDOWS.syncsFolders]).toEqual([false, false]);
    expect([LINUX.replacesOpenFiles, LINUX.syncsFolders]).toEqual([true, true]);
  });
});

describe('Git', () => {
  it('ends lines on Windows as Git for Windows does, unless the folder says otherwise', () => {
    const format: [string, string] = ['core.repositoryformatversion', '0'];
    expect(ownConfig(new Map([format]), WINDOWS)).toContain('\tautocrlf = true\n');
    expect(ownConfig(new Map([format, ['core.autocrlf', 'input']]), WINDOWS)).toContain('\tautocrlf = input\n');
    expect(ownConfig(new Map([format]), LINUX)).not.toContain('autocrlf');
  });

  it('gets the folders of PATH in the form of the system, and no home that Windows does not name', () => {
    const folders = ['C:\\Git\\cmd', 'D:\\bin'];
    const env = gitEnvironment({ Path: 'x' }, folders, { isTrusted: true }, WINDOWS);
    expect(env).toMatchObject({ PATH: 'C:\\Git\\cmd;D:\\bin' });
    expect(env).not.toHaveProperty('Path');
    expect(env).not.toHaveProperty('HOME');
  });
});
