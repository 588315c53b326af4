import { describe, expect, it } from 'vitest';
import { AGENT_WINDOWS, homePlaces } from '../../../../src/core/agents/agentWindows';

describe('homePlaces', () => {
  it('has the files, and the folders with a slash, that an agent reads in the home folder', () => {
    const places = homePlaces(['claude-code']);
    expect(places).toContain('~/.claude/CLAUDE.md');
    expect(places).toContain('~/.claude/skills/');
    expect(places).toContain('~/.claude/agents/');
    expect(places).toContain('~/.claude.json');
  });

  it('has no place of the workspace, and none twice', () => {
    const agents = Object.keys(AGENT_WINDOWS) as (keyof typeof AGENT_WINDOWS)[];
    const places = homePlaces(agents);
    expect(places.filter((place) => !place.startsWith('~/'))).toEqual([]);
    expect(new Set(places).size).toBe(places.length);
  });

  it('has none without agents', () => {
    expect(homePlaces([])).toEqual([]);
  });
});
