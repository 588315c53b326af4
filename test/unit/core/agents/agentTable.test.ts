import { describe, expect, it } from 'vitest';
import { AGENT_TABLE, agentName } from '../../../../src/core/agents/agentTable';
import { AGENT_IDS } from '../../../../src/core/model/agent';
import { isAgentPath, namedPaths } from '../../../../src/core/workspace/agentPaths';

describe('AGENT_TABLE', () => {
  it('has every agent once, in order, with a name of its own and its sources', () => {
    expect(AGENT_TABLE.map(({ agent }) => agent)).toEqual(AGENT_IDS);
    expect(new Set(AGENT_TABLE.map(({ name }) => name)).size).toBe(AGENT_IDS.length);
    for (const { sources } of AGENT_TABLE) {
      expect(sources.length).toBeGreaterThan(0);
      for (const source of sources) expect(new URL(source).protocol).toBe('https:');
    }
    expect(agentName('claude-code')).toBe('Claude Code');
  });

  it('has a bound for every limit', () => {
    const limits = AGENT_TABLE.flatMap(({ rules }) => rules.flatMap(({ limit }) => limit ?? []));
    expect(limits.every(({ bytes, characters, lines }) => (bytes ?? characters ?? lines ?? 0) > 0)).toBe(true);
  });
});

describe('isAgentPath', () => {
  it.each([
    'AGENTS.md',
    'a/b/AGENTS.override.md',
    '.claude/CLAUDE.md',
    'a/.cursor/rules/deep/x.mdc',
    '.clinerules',
    '.clinerules/x.txt',
    '.roo/rules-code/x.md',
    '.roo/rules/deep/style',
    '.roorules-code',
    'a/.clinerules-ask',
    '.github/instructions/a/b.instructions.md',
    'memory/MEMORY.md',
  ])('knows %s', (path) => {
    expect(isAgentPath(path)).toBe(true);
  });

  it.each([
    'README.md',
    'agents.md',
    'XAGENTS.md',
    'rules/x.md',
    '.cursor/rules/x.md',
    '.clinerules/hooks/x.md',
    '.windsurf/rules/deep/x.md',
    '.roo/rules-code.md',
    '.roo/rules/x.log',
    '.roo/rules/.DS_Store',
    '.roorules-code/x.md',
    'x.roorules-code',
    '.github/instructions/b.md',
  ])('does not know %s', (path) => {
    expect(isAgentPath(path)).toBe(false);
  });
});

describe('namedPaths', () => {
  it('lists names of the root, and of each folder those that are read there', () => {
    const paths = namedPaths(['', 'a']);
    expect(paths).toContain('CLAUDE.local.md');
    expect(paths).toContain('a/CLAUDE.local.md');
    expect(paths).toContain('.rules');
    expect(paths).not.toContain('a/.rules');
    expect(new Set(paths).size).toBe(paths.length);
  });
});
