import { describe, expect, it } from 'vitest';
import type { SessionPage, SessionStep } from '../../../../src/core/window/sessions/sessionPage';
import { bandTokens, keyRows } from '../../../../webview/session/bands';
import { chartView, peakOf, stepAt, xOf } from '../../../../webview/session/chart';

const NONE = ['instructions', 'user', 'search', 'command', 'edit', 'subagent', 'web', 'assistant', 'thinking'];

function step(number: number, read: number, more: Partial<SessionStep> = {}): SessionStep {
  const plain = Object.fromEntries(NONE.map((part) => [part, 0]));
  const parts = { ...plain, read, summary: 0, mcp: {}, residual: 100 } as unknown as SessionStep['parts'];
  return { number, turn: number, requests: 1, parts, tokens: read + 100, isCompacted: false, cacheBreaks: 0, ...more };
}

function pageOf(steps: readonly SessionStep[], more: Partial<SessionPage> = {}): SessionPage {
  return { steps, windowTokens: 1_000, compactedAt: [], ...more } as SessionPage;
}

describe('steps of the chart', () => {
  it('lie between the edges, and a place leads back to its step', () => {
    for (const count of [2, 3, 22, 400])
      for (let at = 0; at < count; at++) expect(stepAt(xOf(at, count), count)).toBe(at);
    expect([xOf(0, 1), xOf(-0.5, 3), xOf(2.5, 3)]).toEqual([50, 0, 100]);
    expect([stepAt(-20, 5), stepAt(120, 5)]).toEqual([0, 4]);
  });

  it('begin at the largest window, the first of equals', () => {
    expect(peakOf([step(1, 5), step(2, 9), step(3, 9)])).toBe(1);
    expect(peakOf([])).toBe(0);
  });
});

describe('the chart', () => {
  it('stacks bands from the bottom and leaves out those that no step has', () => {
    const { areas, top, hasLimit } = chartView(pageOf([step(1, 100), step(2, 400)]));
    expect([top, hasLimit]).toEqual([1_000, true]);
    expect(areas).toEqual([
      { band: 'before', path: 'M0 90L100 90L100 100L0 100Z' },
      { band: 'files', path: 'M0 80L100 50L100 90L0 90Z' },
    ]);
  });

  it('is as wide as the page for one step, and ends at a round number where the window is unknown', () => {
    const { areas, top, hasLimit } = chartView(pageOf([step(1, 0)], { windowTokens: undefined }));
    expect([top, hasLimit]).toEqual([100, false]);
    expect(areas.map(({ path }) => path)).toEqual(['M0 0L100 0L100 100L0 100Z']);
  });

  it('labels marks that are close to each other once, with their number', () => {
    const steps = Array.from({ length: 101 }, (_, at) =>
      step(at + 1, at, { cacheBreaks: [3, 4, 50].includes(at) ? 1 : 0 }),
    );
    const { marks } = chartView(pageOf(steps, { compactedAt: [90.5] }));
    expect(marks.map(({ kind, x, count }) => [kind, x, count])).toEqual([
      ['compacted', 90.5, 1],
      ['break', 3, 2],
      ['break', 4, 0],
      ['break', 50, 1],
    ]);
  });

  it.each([1, 2, 6, 7, 22, 63, 400])(
    'has ticks for %i steps that do not touch, the first and the last among them',
    (count) => {
      const steps = Array.from({ length: count }, (_, at) => step(at + 1, 1));
      const { ticks } = chartView(pageOf(steps));
      expect(ticks[0]?.number).toBe(1);
      expect(ticks.at(-1)?.number).toBe(count);
      const gaps = ticks.slice(1).map(({ x }, at) => x - (ticks[at]?.x ?? 0));
      expect(Math.min(100, ...gaps)).toBeGreaterThan(5);
      expect(ticks.length).toBeLessThanOrEqual(13);
    },
  );
});

describe('bands', () => {
  it('hold every part once', () => {
    const mcp = { github: 7, db: 0 };
    const names = [...NONE, 'read', 'summary', 'residual'];
    const parts = {
      ...Object.fromEntries(names.map((name, at) => [name, at + 1])),
      mcp,
    } as unknown as SessionStep['parts'];
    const sum = names.reduce((all, _, at) => all + at + 1, 7);
    expect(keyRows(parts).reduce((all, { tokens }) => all + tokens, 0)).toBe(sum);
    expect(keyRows(parts)).toHaveLength(names.length + 1);
    expect(bandTokens(parts, 'mcp')).toBe(7);
  });
});
