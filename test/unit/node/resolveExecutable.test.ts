import { describe, expect, it } from 'vitest';
import { resolveExecutable } from '../../../src/node/resolveExecutable';

const ENV = { Path: '.;C:\\Tools;"C:\\Program Files\\Git\\cmd"' };
const onDisk =
  (...files: readonly string[]) =>
  (candidate: string) =>
    files.includes(candidate);

describe('resolveExecutable', () => {
  it('leaves names to the system everywhere but on Windows', () => {
    expect(resolveExecutable('git', {}, 'linux', () => false)).toBe('git');
  });

  it('looks along PATH on Windows, quoted folders too, never in the current folder', () => {
    const exists = onDisk('git.exe', '.\\git.exe', 'C:\\Program Files\\Git\\cmd\\git.exe');
    expect(resolveExecutable('git', ENV, 'win32', exists)).toBe('C:\\Program Files\\Git\\cmd\\git.exe');
  });

  it('starts programs only: a script would need a shell', () => {
    expect(resolveExecutable('npm', ENV, 'win32', onDisk('C:\\Tools\\npm.cmd'))).toBeUndefined();
    expect(resolveExecutable('x.exe', ENV, 'win32', onDisk('C:\\Tools\\x.exe'))).toBe('C:\\Tools\\x.exe');
  });

  it('takes a name with a folder in it as it is', () => {
    expect(resolveExecutable('plugins\\check.exe', ENV, 'win32', () => false)).toBe('plugins\\check.exe');
  });
});
