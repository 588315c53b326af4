import { describe, expect, it } from 'vitest';
import { ruleGlobMatcher } from '../../../../src/core/agents/agentRules';
import { offeredModels } from '../../../../src/core/agents/modelTable';
import { homePlaces, WINDOW_TABLE } from '../../../../src/core/agents/windowTable';

describe('homePlaces', () => {
  it('has the files, and the folders with a slash, that an agent reads in the home folder', () => {
    const places = homePlaces(['claude-code']);
    expect(places).toContain('~/.claude/CLAUDE.md');
    expect(places).toContain('~/.claude/skills/');
    expect(places).toContain('~/.claude/agents/');
    expect(places).toContain('~/.claude.json');
  });

  it('has no place of the workspace, and none twice', () => {
    const agents = Object.keys(WINDOW_TABLE) as (keyof typeof WINDOW_TABLE)[];
    const places = homePlaces(agents);
    expect(places.filter((place) => !place.startsWith('~/'))).toEqual([]);
    expect(new Set(places).size).toBe(places.length);
  });

  it('has none without agents', () => {
    expect(homePlaces([])).toEqual([]);
  });
});

describe('offeredModels', () => {
  it.each([
    ['claude-code', /^claude/],
    ['codex', /^gpt/],
    ['gemini-cli', /^gemini/],
  ] as const)('offers %s the models of its vendor alone', (agent, own) => {
    const models = offeredModels(agent);
    expect(models.length).toBeGreaterThan(0);
    expect(models.filter((name) => !own.test(name))).toEqual([]);
  });

  it('offers an agent of several vendors every model', () => {
    expect(offeredModels('cursor')).toEqual(
      expect.arrayContaining(['claude-opus-5-5', 'gpt-5.5', 'gemini-2.5-pro', 'qwen3-coder-plus']),
    );
  });
});

describe('ruleGlobMatcher', () => {
  it.each([
    ['a folder stands for the files in it', 'src/', 'src/a/b.ts', true],
    ['a folder does not stand for one that begins alike', 'src/', 'srcs/a.ts', false],
    ['a pattern of extreme length holds for nothing', 'a'.repeat(100_000), 'a'.repeat(100_000), false],
    ['a leading slash is the root', '/a.ts', 'a.ts', true],
    ['a leading slash is no other folder', '/a.ts', 'x/a.ts', false],
    ['a name holds at any depth', 'a.ts', 'x/a.ts', true],
  ])('%s', (_, glob, path, holds) => {
    expect(ruleGlobMatcher(glob, { isAtAnyDepth: true })(path)).toBe(holds);
  });
});
