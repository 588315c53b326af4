/**
 * Public reports of skills that lost their place in an agent's list: with the inputs of the report, the same skills lose it.
 * Texts are made to the lengths that a report gives; where it gives only their sum, to their mean.
 */
import { describe, expect, it } from 'vitest';
import { AGENT_WINDOWS } from '../../../../../src/core/agents/agentWindows';
import type { AgentId } from '../../../../../src/core/model/agent';
import { WindowFiles } from '../../../../../src/core/window/loaded/homeFiles';
import { type ListedRow, listedRows } from '../../../../../src/core/window/loaded/listedFiles';
import { MemoryFiles } from '../../../../support/memoryFiles';

interface Report {
  readonly folder: string;
  /** Length of each description by the name of its skill. */
  readonly skills: readonly (readonly [name: string, length: number])[];
  readonly windowTokens?: number;
  readonly charactersPerToken?: number;
}

async function listed(agent: AgentId, report: Report): Promise<ReadonlyMap<string, ListedRow>> {
  const files = report.skills.map(([name, length]) => [
    `${report.folder}/${name}/SKILL.md`,
    `---\nname: ${name}\ndescription: ${'d'.repeat(length)}\n---\n`,
  ]);
  const { windowTokens = 200_000, charactersPerToken = 4 } = report;
  const rows = await listedRows(
    AGENT_WINDOWS[agent]!,
    new WindowFiles(new MemoryFiles(Object.fromEntries(files)), undefined),
    { windowTokens, charactersPerToken },
    { root: '/w', home: '/home/jo' },
  );
  return new Map(rows.map((row) => [row.id.slice('skill:'.length), row]));
}

/** `count` skills of a length; their names are in the order of the alphabet. */
const many = (count: number, length: number, prefix = 's'): Report['skills'] =>
  Array.from({ length: count }, (_, at) => [`${prefix}${String(at).padStart(3, '0')}`, length] as const);

/** Characters of the description that stay in the list. */
const kept = ({ text }: ListedRow): number => /d{2,}/.exec(text)?.[0].length ?? 0;
const withText = (rows: ReadonlyMap<string, ListedRow>): readonly string[] =>
  [...rows].flatMap(([name, row]) => (kept(row) > 0 ? [name] : [])).sort();

describe('Claude Code', () => {
  const folder = '.claude/skills';

  it('anthropics/claude-code#81081: a long one early stays, a longer list is full, and a short one late still fits', async () => {
    // 36 skills with 17.7k characters: the 5th has 642, the 13th 265, the 24th about 100; 9 keep their text, others unknown.
    const known = new Map<number, number>([
      ...([8, 9, 10, 11] as const).map((at) => [at, 700] as const),
      ...([0, 1, 2, 3, 5, 6, 7] as const).map((at) => [at, 505] as const),
      ...([[4, 642] as const, [12, 265] as const, [23, 100] as const] as const),
    ]);
    const skills = Array.from(
      { length: 36 },
      (_, at) => [`p${String(at).padStart(2, '0')}`, known.get(at) ?? 470] as const,
    );
    const rows = await listed('claude-code', { folder, skills, windowTokens: 268_150 });
    const whole = withText(rows);
    expect(whole).toHaveLength(9);
    expect(whole).toContain('p04');
    expect(whole).not.toContain('p12');
    expect(whole).toContain('p23');
    expect(rows.get('p12')).toMatchObject({ fate: 'cut', text: '- p12\n' });
    // What stays is a beginning of the list and short ones behind it; the names of all others stay.
    expect(rows.size).toBe(36);
    expect([...rows.values()].every(({ text }) => text.startsWith('- p'))).toBe(true);
  });

  it.each([
    [25, 12_274],
    [56, 8_311],
  ])(
    'anthropics/claude-code#64606: %i skills with %i characters are over a window of 200k, names stay',
    async (count, chars) => {
      const rows = await listed('claude-code', { folder, skills: many(count, Math.floor(chars / count)) });
      expect(withText(rows).length).toBeLessThan(count);
      expect(rows.size).toBe(count);
      expect([...rows.values()].every(({ fate }) => fate === 'listed' || fate === 'cut')).toBe(true);
    },
  );

  it('danielmiessler/LifeOS#1307: four descriptions over 1,536 characters are cut there, whatever the window is', async () => {
    const long = [
      ['ISA', 2207],
      ['BeCreative', 1873],
      ['Third', 1600],
      ['Fourth', 1537],
    ] as const;
    for (const windowTokens of [200_000 * 5, 1_000_000 * 5]) {
      const rows = await listed('claude-code', { folder, skills: [...long, ['Edge', 1536]], windowTokens });
      expect(long.map(([name]) => [rows.get(name)?.fate, kept(rows.get(name)!)])).toEqual(
        long.map(() => ['cut', 1536]),
      );
      expect(rows.get('Edge')?.fate).toBe('listed');
    }
  });
});

describe('Codex', () => {
  const folder = '.agents/skills';

  it('redhat-et/ripwire#49: all 18 long descriptions end at the same count, and none is lost', async () => {
    // 18,455 characters; six had over 1,024. Other skills took the rest of the room, so that 350 of each stayed.
    const ripwire = Array.from({ length: 18 }, (_, at) => [`ripwire-${at}`, at < 6 ? 1_100 : 988] as const);
    const others = many(40, 350, 'z');
    const rows = await listed('codex', { folder, skills: [...ripwire, ...others], windowTokens: 272_000 });
    const lengths = new Set(ripwire.map(([name]) => kept(rows.get(name)!)));
    expect(lengths.size).toBe(1);
    expect([...lengths][0]).toBeGreaterThanOrEqual(335);
    expect([...lengths][0]).toBeLessThanOrEqual(365);
    expect(ripwire.map(([name]) => rows.get(name)?.fate)).toEqual(ripwire.map(() => 'cut'));
  });

  it('openai/codex#24299: of 119 skills 103 are shortened and none is omitted', async () => {
    const skills = [...many(103, 380, 'long'), ...many(16, 100, 'short')];
    const rows = await listed('codex', { folder, skills, windowTokens: 272_000 });
    const fates = [...rows.values()].map(({ fate }) => fate);
    expect(fates.filter((fate) => fate === 'cut')).toHaveLength(103);
    expect(fates.filter((fate) => fate === 'dropped')).toHaveLength(0);
    const lost = skills.map(([name, length]) => length - kept(rows.get(name)!)).reduce((sum, each) => sum + each, 0);
    // The report says 232 a shortened skill.
    expect(lost / 103).toBeGreaterThan(200);
    expect(lost / 103).toBeLessThan(260);
  });
});

describe('Copilot CLI', () => {
  const folder = '.github/skills';

  it('github/copilot-cli#2314: the first 25 of 201 fit into 15,000 characters, the others lose their text', async () => {
    // A block has 98 characters beside its description.
    const rows = await listed('copilot-cli', { folder, skills: many(201, 490) });
    expect(withText(rows)).toEqual(many(25, 0).map(([name]) => name));
    expect(rows.get('s200')?.text).toBe('s200, ');
  });

  it('github/copilot-cli#1464: the first 32 of 63 by name; one at position 36 is not among them', async () => {
    const rows = await listed('copilot-cli', { folder, skills: many(63, 364) });
    expect(withText(rows)).toEqual(many(32, 0).map(([name]) => name));
    expect(rows.get('s035')?.fate).toBe('cut');
  });

  it('github/copilot-cli#2314: it stops at the first that does not fit, so that no shorter one follows', async () => {
    const rows = await listed('copilot-cli', { folder, skills: [...many(30, 500), ['zz', 5]] });
    expect(rows.get('zz')?.text).toBe('zz, ');
  });
});
