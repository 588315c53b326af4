import { describe, expect, it } from 'vitest';
import { DEFAULT_CONFIG } from '../../../../src/core/config/config';
import type { ContextReport } from '../../../../src/core/model/report';
import type { Logger } from '../../../../src/core/ports/ports';
import type { UsageRecord } from '../../../../src/core/usage/usageRecord';
import type { UsageService } from '../../../../src/core/usage/usageService';
import type { PanelUsage } from '../../../../src/protocol/panel';
import { nextMode, type PanelUsageInput, PanelUsageReader } from '../../../../src/vscode/panel/panelUsage';
import { payloadOf, sectionOf } from '../../../support/panelSnapshots';
import { until } from '../../../support/until.mjs';

/** A cycle that loaded a section that pays, at every other one, and one that nobody ever cites. */
function recordOf(cycle: number, patch: Partial<UsageRecord> = {}): UsageRecord {
  const section = (id: string, tokens: number) =>
    ({ id, chars: tokens * 4, tokens, disclosure: 'full', hash: `${id} 1` }) as const;
  return {
    cycle,
    ts: '2026-02-03 21:23:34',
    trigger: 'copy',
    profile: 'default',
    payload: 'expanded',
    sections: [section('pays', 500), section('waste', 1500)],
    cited: cycle % 2 === 0 ? [{ id: 'pays', evidence: 'id', what: 'pays' }] : [],
    ...patch,
  };
}

const cyclesTo = (last: number, patch: Partial<UsageRecord> = {}): readonly UsageRecord[] =>
  Array.from({ length: last }, (_, index) => recordOf(index + 1, patch));

function reportOf(): ContextReport {
  const sections = ['pays', 'waste'].map((id) => sectionOf({ id, priority: 'P3' }));
  const payload = payloadOf(sections);
  return {
    profile: 'default',
    payloads: { index: { ...payload, mode: 'index' }, expanded: { ...payload, mode: 'expanded' } },
    problems: [],
  };
}

/** A service that serves these records and counts how many were asked for. */
function serviceOf(records: readonly UsageRecord[]) {
  const asked: number[] = [];
  const refuse = () => Promise.reject(new Error('nothing is written here'));
  const usage: UsageService = {
    window: refuse,
    records: async (cycles) => {
      asked.push(cycles);
      return { records: records.slice(-cycles), problems: [] };
    },
    record: refuse,
    recordDrafts: refuse,
    cite: refuse,
    report: refuse,
  };
  return { usage, asked };
}

const owner = {};

function start(records: readonly UsageRecord[], scoring: Partial<typeof DEFAULT_CONFIG.scoring> = {}) {
  const service = serviceOf(records);
  const errors: string[] = [];
  const logger = { error: (message: string) => errors.push(message) } as unknown as Logger;
  let done: () => void = () => undefined;
  const reader = new PanelUsageReader(logger, () => done());
  const config = { ...DEFAULT_CONFIG, scoring: { ...DEFAULT_CONFIG.scoring, ...scoring } };
  const input: PanelUsageInput = { usage: service.usage, report: reportOf(), config, mode: 'expanded' };
  const ask = async (patch: Partial<PanelUsageInput> = {}): Promise<PanelUsage | undefined> => {
    const told = new Promise<void>((resolve) => {
      done = resolve;
    });
    const asked = { ...input, ...patch };
    reader.get(owner, asked);
    await told;
    return reader.get(owner, asked);
  };
  return { ...service, reader, input, ask, errors };
}

describe('what the panel says of the log', () => {
  it('draws one payload kind, and cycles of other programs only where there are no others', async () => {
    const mixed = Array.from({ length: 20 }, (_, at) =>
      recordOf(at + 1, { payload: at % 4 === 0 ? 'index' : 'expanded' }),
    );
    const { ask } = start(mixed);
    expect((await ask())?.cycles.map(({ cycle }) => cycle)).toEqual(
      mixed.filter(({ payload }) => payload === 'expanded').map(({ cycle }) => cycle),
    );
    expect((await ask({ mode: 'index' }))?.cycles.map(({ cycle }) => cycle)).toEqual([1, 5, 9, 13, 17]);
    const foreign = start(cyclesTo(12, { payload: undefined }));
    expect((await foreign.ask())?.cycles).toHaveLength(12);
  });

  it('is nothing before it was read, then history, prefix and simulation', async () => {
    const { reader, input, ask } = start(cyclesTo(120));
    expect(reader.get(owner, undefined)).toBeUndefined();
    const usage = await ask();
    expect(usage?.cycles).toHaveLength(50);
    expect(usage?.cycles.at(-1)).toEqual({ cycle: 120, chars: 8000, tokens: 2000 });
    expect(usage?.prefix).toMatchObject({ cycle: 120, how: 'changed' });
    expect(usage?.simulation?.cycles).toBe(50);
    expect(usage?.simulation?.points.map(({ threshold }) => threshold)).toHaveLength(21);
    expect(reader.get({}, undefined), 'another session').toBeUndefined();
    expect(reader.get(owner, input)).toBe(usage);
  });

  it('simulates what thresholds cost and lose: none at 0, waste first, never less than before it', async () => {
    const points = (await start(cyclesTo(120)).ask())?.simulation?.points ?? [];
    expect(points[0]).toMatchObject({ threshold: 0, tokensBefore: 2000, tokensAfter: 2000, lost: [], stubbed: [] });
    const first = points.find(({ stubbed }) => stubbed.length > 0);
    expect(first?.stubbed).toEqual(['waste']);
    expect(first).toMatchObject({ citationsTotal: 25, citationsKept: 25 });
    expect(first?.tokensAfter).toBeLessThan(700);
    for (const [index, { tokensAfter }] of points.entries())
      expect(tokensAfter).toBeLessThanOrEqual(points[index - 1]?.tokensAfter ?? 2000);
  });

  it('has a point for a threshold between two steps', async () => {
    const usage = await start(cyclesTo(20), { threshold: 0.33 }).ask();
    expect(usage?.simulation?.points.map(({ threshold }) => threshold)).toContain(0.33);
    expect(usage?.simulation?.cycles).toBe(20);
  });

  it('does not simulate below ten cycles, and knows no prefix without a record of the kind', async () => {
    const usage = await start(cyclesTo(9)).ask({ mode: 'index' });
    expect(usage).toMatchObject({ simulation: undefined, prefix: undefined, offer: undefined });
    expect(usage?.cycles).toEqual([]);
    expect((await start([]).ask())?.cycles).toEqual([]);
  });

  it('reads the newest cycle alone while nothing was recorded', async () => {
    const { ask, asked } = start(cyclesTo(120));
    await ask();
    expect(asked).toEqual([1, 100]);
    await ask({ report: reportOf() });
    expect(asked).toEqual([1, 100, 1]);
  });

  it('reads all again after a citation was added to an older cycle, which the report tells', async () => {
    const { ask, asked, input } = start(cyclesTo(120));
    await ask();
    const { expanded } = input.report.payloads;
    const sections = expanded.sections.map((section) => ({ ...section, citations: section.citations + 1 }));
    const payloads = { ...input.report.payloads, expanded: { ...expanded, sections } };
    await ask({ report: { ...input.report, payloads } });
    expect(asked).toEqual([1, 100, 1, 100]);
  });

  it('asks nothing for what it was asked before', async () => {
    const { ask, asked, reader, input } = start(cyclesTo(12));
    await ask();
    reader.get(owner, input);
    reader.get(owner, undefined);
    await until('both are asked', () => asked.length >= 2);
    expect(asked).toEqual([1, 100]);
  });

  it('is absent where the log cannot be read, which is logged', async () => {
    const { ask, errors } = start([]);
    const usage = { ...serviceOf([]).usage, records: () => Promise.reject(new Error('gone')) };
    expect(await ask({ usage })).toBeUndefined();
    expect(errors).toHaveLength(1);
  });

  it('offers the next mode with its effect', async () => {
    const offer = (await start(cyclesTo(120)).ask())?.offer;
    expect(offer).toMatchObject({ mode: 'static', cycles: 50 });
    expect(offer?.effect?.tokensBefore).toBe(2000);
    const dynamic = (await start(cyclesTo(120, { mode: 'static' }), { mode: 'static' }).ask())?.offer;
    expect(dynamic?.mode).toBe('dynamic');
    expect(dynamic?.effect?.tokensAfter).toBeLessThan(700);
    // Static rules leave P3 as it is; what they do is what the next mode is compared with.
    const { simulation } = (await start(cyclesTo(120, { mode: 'static' }), { mode: 'static' }).ask()) ?? {};
    expect([simulation?.tokensNow, dynamic?.effect?.tokensBefore]).toEqual([2000, 2000]);
  });
});

describe('the next mode', () => {
  it('comes after 50 cycles in the present one, step by step, and never out of off', () => {
    expect(nextMode('baseline', cyclesTo(49))).toBeUndefined();
    expect(nextMode('baseline', cyclesTo(50))).toBe('static');
    expect(nextMode('static', cyclesTo(50))).toBeUndefined();
    expect(nextMode('static', [...cyclesTo(20), ...cyclesTo(50, { mode: 'static' })])).toBe('dynamic');
    expect(nextMode('dynamic', cyclesTo(60, { mode: 'dynamic' }))).toBeUndefined();
    expect(nextMode('off', cyclesTo(60, { mode: 'off' }))).toBeUndefined();
  });
});
