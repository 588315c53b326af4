import { describe, expect, it } from 'vitest';
import { offeredModels } from '../../../../src/core/agents/modelTable';

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
