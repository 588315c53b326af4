import { describe, expect, it } from 'vitest';
import type { AgentCoverage } from '../../../../src/core/agents/agentCoverage';
import { emptyPanelSnapshot, isCoveredFile } from '../../../../src/vscode/panel/panelSnapshot';

const EMPTY = emptyPanelSnapshot('folder', { mode: 'index', sort: 'size' }, true);

const COVERAGE: AgentCoverage = {
  agent: 'codex',
  name: 'Codex',
  files: [
    {
      path: 'docs/AGENTS.md',
      fate: 'loaded',
      bytes: 1,
      lines: 1,
      bytesLost: 0,
      cutLine: undefined,
      importedBy: undefined,
      why: undefined,
      isDoubtful: false,
    },
  ],
  bytesLoaded: 1,
  bytesLost: 0,
  unreadImports: [{ path: 'CLAUDE.md', line: 3, target: 'gone.md', reason: 'missing' }],
};

describe('isCoveredFile', () => {
  it('lets the panel open the files that it was told of, and no other', () => {
    const told = { ...EMPTY, agents: [COVERAGE] };
    expect(isCoveredFile(told, 'docs/AGENTS.md')).toBe(true);
    expect(isCoveredFile(told, 'CLAUDE.md')).toBe(true);
    for (const path of ['gone.md', 'docs/../docs/AGENTS.md', '../secret', '', 'AGENTS.md'])
      expect(isCoveredFile(told, path)).toBe(false);
    expect(isCoveredFile(EMPTY, 'docs/AGENTS.md')).toBe(false);
    expect(isCoveredFile(undefined, 'docs/AGENTS.md')).toBe(false);
  });
});

describe('emptyPanelSnapshot', () => {
  it('says where the classes of return begin, as the defaults have it', () => {
    expect(EMPTY.scoring.roiThresholds).toEqual({ waste: 0.5, med: 2 });
  });
});
