import { describe, expect, it } from 'vitest';
import { readAgentFile } from '../../../../../src/core/agents/agentFile';
import { pathMentions } from '../../../../../src/core/agents/stale/pathMentions';
import { IS_LONG } from '../../../../support/extent.mjs';
import { some } from '../../../../support/runs';

const CHARS = IS_LONG ? 1_000_000 : 300_000;

/** Whoever opens a folder has not chosen what is in its AGENTS.md: each of these took minutes at 1 MB, or threw. */
const UNITS = [
  '\n',
  '`a` ',
  '`src/a.ts` ',
  '[a](b) ',
  '`',
  '`` ` ',
  '[',
  '<!-- ',
  '<!-- context-budget-ignore ',
  '`a`\n',
  '- ',
  '# ',
  '> ',
  '@a ',
  '@a\n',
  '## #',
];

describe('a long hostile instruction file', () => {
  it.each(some(UNITS, 5))('of %j is read to its end', (unit) => {
    const text = unit.repeat(Math.floor(CHARS / unit.length));
    expect(pathMentions(text).length).toBeLessThanOrEqual(5000);
    expect(readAgentFile('AGENTS.md', new TextEncoder().encode(text)).mentions.length).toBeLessThanOrEqual(500);
  });

  it('has its names found beside a line that is data', () => {
    const text = `Run \`src/tools/run.ts\` first.\n${'x'.repeat(6000)} \`src/data/x.ts\`\nSee \`src/tools/see.ts\`.\n`;
    expect(pathMentions(text).map(({ line }) => line)).toEqual([1, 3]);
  });
});
