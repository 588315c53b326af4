import { describe, expect, it } from 'vitest';
import { ruleGlobMatcher } from '../../../../src/core/agents/agentRules';

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
