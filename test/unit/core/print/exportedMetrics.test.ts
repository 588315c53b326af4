import { describe, expect, it } from 'vitest';
import { type ExportedFacts, exportedPoints, type MetricName } from '../../../../src/core/print/exportedMetrics';

const section = { id: 'acme-plan', priority: 'P2', status: 'WARN', disclosure: 'full', tokens: 30 };
const payload = (tokens: number) => ({
  budget: { tokens, budgetTokens: 1000, chars: 900, hardCapChars: 1000 },
  sections: [section, { ...section, id: 'repo-map', tokens: tokens - 30 }],
  repoMap: { filesTotal: 40, filesShown: 12 },
});
const request = {
  usage: { input: 100, cacheRead: 20, cacheWrite: 3, output: 7 },
  parts: { user: 10, mcp: { zebra: 4, quince: 6 } },
};
const session = { agent: 'codex', model: 'gpt-x', requests: [request, request], compactions: 1, findings: [] };

/** What an export is made of; only what is exported is filled in. */
const facts = {
  usage: {
    phases: [
      { mode: 'baseline', cycles: 3, tokensMean: 10.5 },
      { mode: 'dynamic', cycles: 2, tokensMean: 5 },
    ],
    sections: [{ id: 'acme-plan', loaded: 4, tokensMean: 2.5, charsMean: 9, cited: 2 }],
    findings: [{ kind: 'unusedSection', count: 3 }],
  },
  report: { payloads: { index: payload(50), expanded: payload(80) } },
  windows: [
    {
      agent: 'codex',
      windowTokens: 200_000,
      items: [
        { kind: 'mcp', fate: 'loaded', tokens: 11, exact: true },
        { kind: 'mcp', fate: 'deferred', tokens: 5, exact: true },
      ],
    },
    { agent: 'aider', windowTokens: null, items: [] },
  ],
  sessions: [session, { ...session, compactions: 2, findings: [{ rule: 'rereads' }] }],
  checks: [
    { rule: 'stale-path', level: 'warning' },
    { rule: 'stale-path', level: 'warning' },
  ],
  mapSeconds: 1.5,
} as unknown as ExportedFacts;

function valuesOf(metric: MetricName, given: ExportedFacts = facts): Readonly<Record<string, number>> {
  const points = exportedPoints(given, (id) => `hidden-${id.length}`).filter((point) => point.metric === metric);
  return Object.fromEntries(points.map(({ value, attributes }) => [Object.values(attributes).join(' '), value]));
}

describe('exportedPoints', () => {
  it('sends the recorded payloads by scoring mode, and by section', () => {
    expect(valuesOf('context_budget.usage.cycles')).toEqual({ baseline: 3, dynamic: 2 });
    expect(valuesOf('context_budget.usage.tokens')).toEqual({ baseline: 32, dynamic: 10 });
    expect(valuesOf('context_budget.usage.section.loads')).toEqual({ 'hidden-9': 4 });
    expect(valuesOf('context_budget.usage.section.tokens')).toEqual({ 'hidden-9': 10 });
    expect(valuesOf('context_budget.usage.section.characters')).toEqual({ 'hidden-9': 36 });
    expect(valuesOf('context_budget.usage.section.citations')).toEqual({ 'hidden-9': 2 });
  });

  it('sends the payloads as they are now, with the share of the limit that is closer', () => {
    expect(valuesOf('context_budget.payload.tokens')).toEqual({ index: 50, expanded: 80 });
    expect(valuesOf('context_budget.payload.limit')).toEqual({ index: 1000, expanded: 1000 });
    expect(valuesOf('context_budget.payload.utilization')).toEqual({ index: 0.9, expanded: 0.9 });
    expect(valuesOf('context_budget.section.tokens')).toEqual({
      'index hidden-9 P2 WARN full': 30,
      'index repo-map P2 WARN full': 20,
      'expanded hidden-9 P2 WARN full': 30,
      'expanded repo-map P2 WARN full': 50,
    });
    expect(valuesOf('context_budget.map.files')).toEqual({ known: 40, shown: 12 });
    expect(valuesOf('context_budget.map.duration')).toEqual({ '': 1.5 });
  });

  it('sends no files of a map that is not there', () => {
    const { index, expanded } = facts.report.payloads;
    const report = { payloads: { index, expanded: { ...expanded, repoMap: undefined } } };
    expect(valuesOf('context_budget.map.files', { ...facts, report } as unknown as ExportedFacts)).toEqual({});
  });

  it('sends of a window what is in it at the start, and its limit where that is public', () => {
    expect(valuesOf('context_budget.window.tokens')).toEqual({ 'codex mcp': 11 });
    expect(valuesOf('context_budget.window.limit')).toEqual({ codex: 200_000 });
  });

  it('adds up the sessions of an agent and model, and hides the names of servers', () => {
    expect(valuesOf('context_budget.session.count')).toEqual({ 'codex gpt-x': 2 });
    expect(valuesOf('context_budget.session.requests')).toEqual({ 'codex gpt-x': 4 });
    expect(valuesOf('context_budget.session.compactions')).toEqual({ 'codex gpt-x': 3 });
    expect(valuesOf('context_budget.session.usage')).toEqual({ 'codex gpt-x input': 492, 'codex gpt-x output': 28 });
    expect(valuesOf('context_budget.session.tokens')).toEqual({ 'codex gpt-x user': 40, 'codex gpt-x mcp': 40 });
  });

  it.each([undefined, 'a model with words', 'x'.repeat(65)])('does not send %j as a model', (model) => {
    const sessions = [{ ...session, model }] as unknown as ExportedFacts['sessions'];
    expect(valuesOf('context_budget.session.count', { ...facts, sessions })).toEqual({ codex: 1 });
  });

  it('counts findings by where they come from', () => {
    expect(valuesOf('context_budget.findings')).toEqual({
      'session rereads note': 1,
      'check stale-path warning': 2,
      'usage_log unusedSection note': 3,
    });
  });
});
