import { describe, expect, it } from 'vitest';
import { AGENT_TRACES, agentsInUse, agentsWithTraces } from '../../../../src/core/agents/agentsInUse';

describe('agentsInUse', () => {
  it("takes the config's agents, else the chosen ones, else all that were found, in the table's order", () => {
    const found = { installed: ['cline', 'codex'], withFiles: ['cursor', 'codex'] } as const;
    expect(agentsInUse({ ...found, configured: ['zed', 'amp'], chosen: ['aider'] })).toEqual(['zed', 'amp']);
    expect(agentsInUse({ ...found, configured: [], chosen: ['aider'] })).toEqual(['aider']);
    expect(agentsInUse({ ...found, configured: [], chosen: [] })).toEqual(['codex', 'cursor', 'cline']);
    expect(agentsInUse({ withFiles: [] })).toEqual([]);
  });
});

describe('agentsWithTraces', () => {
  it('finds agents by any of their extensions, and by their places in the home folder, each by its own kind', () => {
    expect(agentsWithTraces('extensions', (id) => id === 'sst-dev.opencode-v2')).toEqual(['opencode']);
    expect(agentsWithTraces('homes', (path) => path === '.claude' || path === '.codex')).toEqual([
      'codex',
      'claude-code',
    ]);
    expect(agentsWithTraces('extensions', (id) => id === '.claude')).toEqual([]);
  });

  it('knows traces that no two agents share, written as they are compared', () => {
    const all = Object.values(AGENT_TRACES).flatMap(({ extensions = [], homes = [] }) => [...extensions, ...homes]);
    expect(new Set(all).size).toBe(all.length);
    for (const { extensions = [], homes = [] } of Object.values(AGENT_TRACES)) {
      for (const id of extensions) expect(id).toMatch(/^[a-z0-9-]+\.[a-z0-9-]+$/);
      for (const path of homes) expect(path).toMatch(/^\.[a-z][\w./-]*$/);
    }
  });
});
