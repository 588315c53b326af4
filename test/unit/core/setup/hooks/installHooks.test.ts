import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { HookError } from '../../../../../src/core/setup/hooks/hookEvent';
import { HOOK_AGENTS, HOOK_TARGETS, type HookTarget } from '../../../../../src/core/setup/hooks/hookTarget';
import { installHooks, removeHooks } from '../../../../../src/core/setup/hooks/installHooks';

const OLD = { kind: 'file', path: '/ext-0.1.0/dist/cli.js' } as const;
const NEW = { kind: 'file', path: '/ext-0.2.0/dist/cli.js' } as const;
const target = (path: string): HookTarget => {
  const found = HOOK_TARGETS.find((each) => each.path === path);
  if (!found) throw new Error(`no target ${path}`);
  return found;
};
const CLAUDE = target('.claude/settings.json');
const VSCODE = target('.github/hooks/context-budget.json');

/** Settings as people have them, and what they become. Text files, so that no formatter tidies them. */
const GOLDEN = path.resolve(import.meta.dirname, '../../../../golden/hooks');
const golden = (name: string): string => readFileSync(path.join(GOLDEN, name), 'utf8');

describe.each(HOOK_AGENTS)('the settings of %s', (agent) => {
  const [local, shared] = ['local', 'shared'].map((scope) =>
    HOOK_TARGETS.find((each) => each.agent === agent && each.scope === scope),
  );
  if (!local || !shared) throw new Error(`${agent} has no files`);
  const before = golden(`${agent}.before.txt`);

  it('are made where there are none, and taken away again', () => {
    const made = installHooks(undefined, local, OLD);
    expect(made).toBe(golden(`${agent}.made.txt`));
    expect(removeHooks(made, local)).toBeUndefined();
  });

  it('get our hooks beside others, and are as before without them', () => {
    const after = installHooks(before, local, OLD);
    expect(after).toBe(golden(`${agent}.after.txt`));
    expect(removeHooks(after, local)).toBe(before);
  });

  it('are left alone where they have ours, but for a program that moved', () => {
    const after = golden(`${agent}.after.txt`);
    expect(installHooks(after, local, OLD)).toBe(after);
    expect(installHooks(after, shared, { kind: 'package' })).toBe(
      after.replaceAll('node /ext-0.1.0/dist/cli.js', 'npx --no --offline -- context-budget'),
    );
  });

  it.each([before.slice(0, before.lastIndexOf('}')), '[features]\ncodex_hooks = true\n'])(
    'that are broken are refused',
    (broken) => {
      expect(() => installHooks(broken, local, OLD)).toThrow(HookError);
      expect(() => removeHooks(broken, local)).toThrow(HookError);
    },
  );
});

describe('installHooks', () => {
  it('makes a file of groups for Claude Code, with an index where the transcript has none yet', () => {
    expect(JSON.parse(installHooks(undefined, CLAUDE, OLD))).toEqual({
      hooks: {
        SessionStart: [
          {
            matcher: 'startup|clear|compact',
            hooks: [
              {
                type: 'command',
                command: 'node /ext-0.1.0/dist/cli.js hook SessionStart --agent claude-code',
                timeout: 30,
              },
            ],
          },
        ],
        PreCompact: [
          {
            hooks: [
              {
                type: 'command',
                command: 'node /ext-0.1.0/dist/cli.js hook PreCompact --agent claude-code',
                timeout: 30,
              },
            ],
          },
        ],
      },
    });
  });

  it('makes a file of flat commands for VS Code, run in the folder', () => {
    const { hooks } = JSON.parse(installHooks(undefined, VSCODE, { kind: 'package' }));
    expect(hooks.PreCompact).toEqual([
      {
        type: 'command',
        command: 'npx --no --offline -- context-budget hook PreCompact --agent vscode',
        timeout: 30,
        cwd: '.',
      },
    ]);
  });

  it('keeps comments with what they are about', () => {
    const before = '{\n\t"model": "opus", // the large one\n\t"hooks": {\n\t\t"Stop": [] // none yet\n\t}\n}\n';
    const lines = installHooks(before, CLAUDE, OLD).split('\n');
    expect(lines[1]).toBe('\t"model": "opus", // the large one');
    expect(lines[3]).toBe('\t\t"Stop": [], // none yet');
    expect(lines[4]).toBe('\t\t"SessionStart": [');
  });

  it('gives entries of an older version the new command line, and leaves what somebody changed around it', () => {
    const edited = installHooks(undefined, CLAUDE, OLD).replace('"timeout": 30', '"timeout": 5');
    const renewed = installHooks(edited, CLAUDE, NEW);
    expect(renewed).toBe(edited.replaceAll('/ext-0.1.0/', '/ext-0.2.0/'));
    expect(removeHooks(renewed, CLAUDE)).toBeUndefined();
  });

  it('uses the last of doubled keys, which is the one that counts', () => {
    const doubled = '{"hooks": {"Stop": []}, "hooks": {}}';
    expect(installHooks(doubled, CLAUDE, OLD)).toMatch(/^\{"hooks": \{"Stop": \[\]\}, "hooks": \{"SessionStart"/);
  });

  it.each([
    ['', 'badFile: .claude/settings.json: it is empty. Put {} into it, or remove it.'],
    [
      '[]',
      'badFile: .claude/settings.json: it must contain an object, but contains a list. Put {} into it, or remove it.',
    ],
    [
      'true',
      'badFile: .claude/settings.json: it must contain an object, but contains a boolean. Put {} into it, or remove it.',
    ],
    ['{\n"a": }', 'badFile: .claude/settings.json, line 2: not valid JSON: a value is expected here.'],
    ['{"hooks": []}', 'badFile: .claude/settings.json, line 1: hooks must be an object. Fix it first.'],
    [
      '{"hooks": {\n"PreCompact": {}}}',
      'badFile: .claude/settings.json, line 2: hooks.PreCompact must be a list. Fix it first.',
    ],
  ])('refuses %j', (text, expected) => {
    let said = '';
    try {
      installHooks(text, CLAUDE, OLD);
    } catch (error) {
      if (HookError.is(error)) said = `${error.reason}: ${error.message}`;
    }
    expect(said).toBe(expected);
  });
});

describe('removeHooks', () => {
  it('takes our command out of a group that somebody shares with it', () => {
    const ours = 'node /x/cli.js hook PreCompact --agent claude-code';
    const group = (commands: readonly string[]) =>
      JSON.stringify({ hooks: { PreCompact: [{ matcher: 'auto', hooks: commands.map((command) => ({ command })) }] } });
    expect(removeHooks(group(['a', ours, 'b', ours]), CLAUDE)).toBe(group(['a', 'b']));
  });

  it('leaves hooks of the other agent and of other programs', () => {
    const text = installHooks(undefined, VSCODE, OLD);
    expect(removeHooks(text, CLAUDE)).toBe(text);
  });

  it('keeps a file that somebody has put something into', () => {
    const text = installHooks(undefined, VSCODE, OLD).replace('{\n', '{\n  // ours too\n');
    expect(removeHooks(text, VSCODE)).toContain('// ours too');
  });
});
