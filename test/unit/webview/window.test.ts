import { describe, expect, it } from 'vitest';
import type { PanelWindow, PanelWindowItem } from '../../../src/protocol/panel';
import { windowBarView, windowPartView } from '../../../webview/window';

function item(name: string, tokens: number, patch: Partial<PanelWindowItem> = {}): PanelWindowItem {
  const base = { key: name, name, path: undefined, tokens, isExact: true, fate: 'loaded' as const };
  return { ...base, why: undefined, isCertain: true, actions: [], items: [], ...patch };
}

const WINDOW: PanelWindow = {
  name: 'Codex',
  model: null,
  windowTokens: 272_000,
  tokens: 3_000,
  isExact: false,
  hasHome: false,
  categories: [
    {
      kind: 'instructions',
      tokens: 1_000,
      isExact: true,
      actions: [],
      items: [item('AGENTS.md', 1_000, { path: 'AGENTS.md' })],
    },
    {
      kind: 'mcp',
      tokens: 2_000,
      isExact: false,
      actions: ['measure'],
      items: [
        item('silent', 0, { fate: 'unmeasured' }),
        item('talker', 2_000, {
          items: [item('speak', 1_900), item('instructions', 100, { key: 'a#instructions b' })],
        }),
      ],
    },
  ],
};

const counted = (tokens: number) => ({ tokens, isExact: true });

describe('the window bar', () => {
  it('has a piece a category and one for the payload, in shares of the window', () => {
    const { label, note, pieces } = windowBarView(WINDOW, counted(1_360));
    expect(label).toBe('Codex · 272k');
    expect(note).toBe('≈3k (1%) before the first word · 1.4k payload');
    expect(pieces.map(({ kind, share }) => [kind, Number(share.toFixed(4))])).toEqual([
      ['instructions', 0.0037],
      ['mcp', 0.0074],
      ['payload', 0.005],
    ]);
  });

  it('fills the bar where the window is not public or too small, and never past its end', () => {
    for (const windowTokens of [null, 2_000]) {
      const { pieces } = windowBarView({ ...WINDOW, windowTokens }, counted(1_000));
      expect(pieces.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(1, 10);
    }
  });

  it('says an estimate as one to those who hear it', () => {
    expect(windowBarView(WINDOW).spoken).toBe(
      'Show Before the First Word: Instructions 1,000, MCP servers about 2,000, Payload 0, of 272,000 tokens',
    );
  });

  it('says the payload as an estimate while it is counted', () => {
    const { note, pieces, spoken } = windowBarView(WINDOW, { tokens: 6_919, isExact: false });
    expect(note).toBe('≈3k (1%) before the first word · ≈6.9k payload');
    expect(pieces.at(-1)?.title).toBe('Payload: ≈6,900 tokens');
    expect(spoken).toContain('Payload about 6,919');
    const exact = windowBarView(WINDOW, counted(6_919));
    expect([exact.pieces.at(-1)?.title, exact.note]).toEqual([
      'Payload: 6,919 tokens',
      '≈3k (1%) before the first word · 6.9k payload',
    ]);
  });
});

describe('Before the First Word', () => {
  it('has the largest first, down to the tools of a server, whose own text is no tool', () => {
    const { summary, rows } = windowPartView(WINDOW);
    expect(summary).toBe('1 not measured');
    expect(rows.map(({ name, note, tokens }) => [name, note, tokens])).toEqual([
      ['MCP servers', '1 of 2 not measured', '≈2k'],
      ['Instructions', '1 file', '1k'],
    ]);
    const [talker, silent] = rows[0]?.rows ?? [];
    expect([talker?.note, talker?.rows.map(({ name }) => name)]).toEqual([
      '1 tool',
      ['speak', 'Server’s instructions'],
    ]);
    expect([silent?.tokens, silent?.note, silent?.isWarning]).toEqual(['–', 'not measured', true]);
    expect(rows.map((row) => row.actions)).toEqual([['measure'], []]);
  });

  it('says why a server has no figure, and opens a server with tools by its own action', () => {
    const items = [
      item('late', 0, {
        fate: 'unmeasured',
        why: 'it did not finish within 60 s',
        path: 'a',
        actions: ['measure', 'open'],
      }),
      item('talker', 20, { path: 'a', actions: ['measure', 'open'], items: [item('speak', 20)] }),
    ];
    const categories = [{ kind: 'mcp' as const, tokens: 20, isExact: false, actions: [], items }];
    const [row] = windowPartView({ ...WINDOW, categories }).rows;
    expect(row?.rows.map(({ note, path, actions }) => [note, path, actions])).toEqual([
      ['1 tool', undefined, ['measure', 'open']],
      ['it did not finish within 60 s', 'a', ['measure']],
    ]);
  });

  it('gives no number where no server of a category was measured', () => {
    const [mcp] = WINDOW.categories.filter(({ kind }) => kind === 'mcp');
    const only = { kind: 'mcp' as const, tokens: 0, isExact: false, actions: [], items: mcp?.items.slice(0, 1) ?? [] };
    expect(windowPartView({ ...WINDOW, categories: [only] }).rows[0]?.tokens).toBe('–');
  });

  it('says what becomes of a skill, and leads to the file that can be opened', () => {
    const skills = [
      item('long', 30, { fate: 'cut', path: '.claude/skills/long/SKILL.md', actions: ['open'] }),
      item('lost', 0, { fate: 'dropped', isCertain: false }),
    ];
    const categories = [{ kind: 'skills' as const, tokens: 30, isExact: true, actions: [], items: skills }];
    const [row] = windowPartView({ ...WINDOW, isExact: true, tokens: 30, categories }).rows;
    expect(row?.note).toBe('2, 2 shortened');
    expect(row?.rows.map(({ note, path, isMuted }) => [note, path, isMuted])).toEqual([
      ['shortened', '.claude/skills/long/SKILL.md', false],
      ['left out, unconfirmed', undefined, true],
    ]);
  });
});
