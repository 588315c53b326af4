import { describe, expect, it } from 'vitest';
import { repeatedFileNames, rowName } from '../../../webview/names';

const file = (path: string) => ({ title: path, path });
const NONE: ReadonlySet<string> = new Set();

describe('names of rows', () => {
  it('are the file with its folder behind it', () => {
    expect(rowName(file('memory/MEMORY.md'), NONE)).toEqual({ main: 'MEMORY.md', rest: 'memory', isFolder: false });
    expect(rowName(file('AGENTS.md'), NONE)).toEqual({ main: 'AGENTS.md', rest: '', isFolder: false });
  });

  it('are the folder where several files have the same name', () => {
    const sections = [file('AGENTS.md'), file('packages/auth/AGENTS.md'), file('memory/SOUL.md')];
    const repeated = repeatedFileNames(sections);
    expect([...repeated]).toEqual(['AGENTS.md']);
    expect(sections.map((section) => rowName(section, repeated).main)).toEqual([
      'AGENTS.md',
      'packages/auth',
      'SOUL.md',
    ]);
    expect(rowName(file('packages/auth/AGENTS.md'), repeated).rest).toBe('AGENTS.md');
  });

  it('leave ids, patterns and odd titles whole', () => {
    expect(rowName({ title: 'memory/*.md', path: undefined }, NONE).main).toBe('memory/*.md');
    expect(rowName(file('/'), NONE).main).toBe('/');
    expect(rowName(file('/etc'), NONE).main).toBe('/etc');
  });
});
