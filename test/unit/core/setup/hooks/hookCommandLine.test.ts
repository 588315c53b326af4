import { describe, expect, it } from 'vitest';
import { hookCommandLine, parseOwnLine } from '../../../../../src/core/setup/hooks/hookCommandLine';

const line = (path: string): string => hookCommandLine({ kind: 'file', path }, 'PreCompact', 'claude-code');

describe('hookCommandLine', () => {
  it('quotes only what a shell would take apart', () => {
    expect(line('/opt/context-budget/dist/cli.js')).toBe(
      'node /opt/context-budget/dist/cli.js hook PreCompact --agent claude-code',
    );
    expect(line("/Users/Ana's Mac/$x/`y`/cli.js")).toBe(
      "node '/Users/Ana'\\''s Mac/$x/`y`/cli.js' hook PreCompact --agent claude-code",
    );
  });

  it('writes paths of Windows so that cmd, PowerShell and Git Bash read them alike', () => {
    expect(line('C:\\Users\\Ana B\\dist\\cli.js')).toBe(
      'node "C:/Users/Ana B/dist/cli.js" hook PreCompact --agent claude-code',
    );
    for (const path of ['C:\\100%\\cli.js', 'C:\\$x\\cli.js', 'C:\\`\\cli.js'])
      expect(() => line(path)).toThrow(/shells/);
  });

  it('refuses a path with a line break', () => {
    expect(() => line('/a\nb/cli.js')).toThrow(/control characters/);
  });

  it('never lets npx fetch a package of that name', () => {
    expect(hookCommandLine({ kind: 'package' }, 'SessionStart', 'vscode')).toBe(
      'npx --no --offline -- context-budget hook SessionStart --agent vscode',
    );
  });
});

describe('parseOwnLine', () => {
  it.each([
    '/opt/dist/cli.js',
    "/Users/Ana's Mac/cli.js",
    'C:\\Users\\Ana B\\dist\\cli.js',
    '/home/ana/globalStorage/context-budget.cjs',
  ])('knows the line with %s again', (path) => {
    expect(parseOwnLine(line(path))).toEqual({ event: 'PreCompact', agent: 'claude-code' });
  });

  it('knows the package again', () => {
    const own = hookCommandLine({ kind: 'package' }, 'SessionStart', 'vscode');
    expect(parseOwnLine(own)).toEqual({ event: 'SessionStart', agent: 'vscode' });
  });

  it.each([
    'npm test',
    'echo hook PreCompact --agent claude-code',
    'node my-cli.js hook PreCompact --agent claude-code',
    'node cli.js hook Stop --agent claude-code',
    'node cli.js hook PreCompact --agent claude-code && rm x',
    undefined,
    7,
  ])('leaves %s to others', (other) => {
    expect(parseOwnLine(other)).toBeUndefined();
  });
});
