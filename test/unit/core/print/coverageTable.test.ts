import { expect, test } from 'vitest';
import type { CoveredFile } from '../../../../src/core/agents/agentCoverage';
import { renderCoverage } from '../../../../src/core/print/coverageTable';
import { phrase } from '../../../../src/core/text/phrase';
import { TABLE_COLUMNS } from '../../../../src/core/text/textTable';

const WHY =
  'the sum of all files of this agent is more than it reads, so this one and those behind it are left out whole, from the first to the last line';

test('a long reason stands below its row, within the table', () => {
  const file: CoveredFile = {
    path: 'docs/AGENTS.md',
    fate: 'dropped',
    bytes: 12_000,
    lines: 300,
    bytesLost: 12_000,
    cutLine: undefined,
    importedBy: undefined,
    why: phrase(WHY),
    isDoubtful: false,
  };
  const agents = [{ agent: 'codex' as const, name: 'Codex', files: [file], bytesLoaded: 0, bytesLost: 12_000 }];
  const lines = renderCoverage({ activePath: undefined, agents }, 'text').split('\n');
  const row = lines.findIndex((line) => line.startsWith('dropped'));
  const below = lines.slice(row + 1).filter((line) => line !== '');
  expect(below.length).toBeGreaterThan(1);
  expect(below.map((line) => line.trim()).join(' ')).toBe(WHY);
  for (const line of below) {
    expect(line).toMatch(/^ {15}(?: {2})?\S/);
    expect(line.length).toBeLessThanOrEqual(TABLE_COLUMNS);
  }
});
