import { describe, expect, it } from 'vitest';
import { parseConfig } from '../../../../src/core/config/config';
import { type ConfigChange, ConfigEditError, editConfig } from '../../../../src/core/config/configEdit';
import { BUILTIN_PROFILES } from '../../../../src/core/config/profile';

const pin = (sectionId: string, isListed = true): ConfigChange => ({
  kind: 'list',
  list: 'pinned',
  sectionId,
  isListed,
});

const WRITTEN = `// The team's caps.
{
  "version": 1,
  "pinned": [
    "soul", // she asked for it
    "git" /* until the release */
  ],
  "x-mine": [1,2],   // ours
  "sections": [
    { "id": "ports", "command": ["bash", "ports.sh"], "on_demand": true },
  ],
}
`;

function failure(text: string, change: ConfigChange): string {
  try {
    editConfig(text, change);
  } catch (error) {
    if (ConfigEditError.is(error)) return `${error.reason}: ${error.message}`;
    throw error;
  }
  return 'no error';
}

describe('editConfig', () => {
  it('makes a small commented file where there is none', () => {
    const text = editConfig('', pin('soul'));
    expect(text).toMatch(/^\/\/ Context Budget: .*\n\/\/ .*\n\{\n {2}"version": 1,\n {2}"pinned": \["soul"\]\n\}\n$/);
    expect(parseConfig(text)).toMatchObject({ config: { pinned: ['soul'] }, problems: [] });
  });

  it('makes none to say what holds without it', () => {
    expect(editConfig('', pin('soul', false))).toBe('');
    expect(editConfig('', { kind: 'scoring', mode: 'baseline' })).toBe('');
  });

  it('keeps the comments of a file that holds nothing else', () => {
    expect(editConfig('// mine\r\n', pin('soul'))).toBe(
      '// mine\r\n{\r\n  "version": 1,\r\n  "pinned": ["soul"]\r\n}\r\n',
    );
  });

  it('adds a line beside the lines that are there, and leaves a comment with what it is about', () => {
    expect(editConfig(WRITTEN, pin('ports'))).toBe(
      WRITTEN.replace('"git" /* until the release */', '"git", /* until the release */\n    "ports"'),
    );
  });

  it('writes the limit and the agent of a profile, where the file has it or not', () => {
    const limit: ConfigChange = { kind: 'profile', name: 'default', budgetTokens: 9000 };
    expect(editConfig('{ "version": 1 }', limit)).toBe(
      '{ "version": 1, "profiles": { "default": { "budget_tokens": 9000 } } }',
    );
    const mine = '{ "profiles": { "mine": { "budget_tokens": 5000 } } }';
    const agent: ConfigChange = { kind: 'profile', name: 'mine', agent: 'codex' };
    expect(editConfig(mine, agent)).toBe('{ "profiles": { "mine": { "budget_tokens": 5000, "agent": "codex" } } }');
    expect(editConfig(mine, { ...agent, agent: undefined, budgetTokens: 5000 }), 'holds already').toBe(mine);
    expect(failure('{}', { kind: 'profile', name: 'default', budgetTokens: 0 })).toMatch(/^refused/);
  });

  it('puts what an empty list gets behind its comment, on a line of its own where the comment has one', () => {
    const below = '{\n  "pinned": [\n    // nothing yet\n  ]\n}\n';
    expect(editConfig(below, pin('soul'))).toBe('{\n  "pinned": [\n    // nothing yet\n    "soul"\n  ]\n}\n');
    expect(editConfig('{ "pinned": [ /* none */ ] }', pin('soul'))).toBe('{ "pinned": [ /* none */ "soul" ] }');
  });

  it.each(BUILTIN_PROFILES.map((profile) => [profile.name, profile] as const))(
    'keeps the caps of the built-in profile %s that the file did not name',
    (name, { description: _, ...profile }) => {
      const { config, problems } = parseConfig(editConfig('', { kind: 'profile', name, agent: 'codex' }));
      expect(problems).toEqual([]);
      expect(config?.profiles.find((each) => each.name === name)).toMatchObject({ ...profile, agent: 'codex' });
    },
  );

  it('takes a section off with its comma, and leaves its comment', () => {
    const without = editConfig(WRITTEN, pin('soul', false));
    expect(without).toContain('[\n    // she asked for it\n    "git" /* until the release */\n  ]');
  });

  it('keeps lists on one line that are on one line', () => {
    const text = '{ "pinned": ["a", "b"] }';
    expect(editConfig(text, pin('c'))).toBe('{ "pinned": ["a", "b", "c"] }');
    expect(editConfig(text, pin('a', false))).toBe('{ "pinned": ["b"] }');
    expect(editConfig(text, pin('b', false))).toBe('{ "pinned": ["a"] }');
  });

  it('uses the indentation of the file', () => {
    expect(editConfig('{\n\t"version": 1\n}\n', { kind: 'scoring', mode: 'dynamic' })).toBe(
      '{\n\t"version": 1,\n\t"scoring": { "mode": "dynamic" }\n}\n',
    );
    expect(editConfig('{\n\t"scoring": {}\n}\n', { kind: 'scoring', threshold: 0.35 })).toBe(
      '{\n\t"scoring": {\n\t\t"threshold": 0.35\n\t}\n}\n',
    );
  });

  it('sets mode and threshold in place', () => {
    const text = '{ "scoring": { "mode": "off" /* for now */, "threshold": 0.3 } }';
    expect(editConfig(text, { kind: 'scoring', mode: 'static', threshold: 0.45 })).toBe(
      '{ "scoring": { "mode": "static" /* for now */, "threshold": 0.45 } }',
    );
  });

  it('turns a section’s own on_demand off, which would outlive the list', () => {
    const change = { kind: 'list', list: 'on_demand', sectionId: 'ports', isListed: false } as const;
    const text = editConfig(WRITTEN, change);
    expect(text).toBe(WRITTEN.replace('"on_demand": true', '"on_demand": false'));
    expect(parseConfig(text).config?.sections[0]?.onDemand).toBe(false);
  });

  it('changes the one of doubled keys that counts', () => {
    const text = '{ "pinned": ["a"], "pinned": ["b"] }';
    expect(editConfig(text, pin('a'))).toBe('{ "pinned": ["a"], "pinned": ["b", "a"] }');
  });

  it('removes an id as often as it is written', () => {
    expect(editConfig('{ "pinned": ["a", "b", "a"] }', pin('a', false))).toBe('{ "pinned": ["b"] }');
  });

  it('takes an emptied list away with its key, but not what somebody wrote about it', () => {
    const onDemand = (isListed: boolean) => ({ kind: 'list', list: 'on_demand', sectionId: 'a', isListed }) as const;
    const written = '{\n  "version": 1\n}\n';
    expect(editConfig(editConfig(written, onDemand(true)), onDemand(false))).toBe(written);
    expect(editConfig('{ "on_demand": ["a"], "version": 1 }', onDemand(false))).toBe('{ "version": 1 }');
    expect(editConfig('{ "on_demand": ["a" /* why */] }', onDemand(false))).toBe('{ "on_demand": [/* why */] }');
    // Of doubled keys the last one counts: without it the other would.
    const doubled = editConfig('{ "on_demand": ["a"], "on_demand": ["a"] }', onDemand(false));
    expect(doubled).toBe('{ "on_demand": ["a"], "on_demand": [] }');
  });

  it('does not touch a broken config, and says where it is broken and what to do', () => {
    expect(failure('{\n  "pinned": ["a"\n', pin('b'))).toMatch(
      /^broken: \.context-budget\/config\.json, line \d: not valid JSON: .*Fix it first; nothing was changed\.$/,
    );
    expect(failure('{\n  "pinned": "a"\n}', pin('b'))).toMatch(/^broken: .*line 2: pinned must be .*is "a"\. Fix it/);
    expect(failure('[]', pin('b'))).toMatch(/^broken: /);
  });

  it('does not write what would not be valid', () => {
    expect(failure('{}', pin('No Id'))).toMatch(/^refused: .*pinned\[0\] must be an id/);
    expect(failure('{}', { kind: 'scoring', threshold: 7 })).toMatch(/^refused: .*scoring\.threshold must be/);
  });
});
