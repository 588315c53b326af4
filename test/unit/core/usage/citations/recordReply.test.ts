import { describe, expect, test } from 'vitest';
import { DEFAULT_CONFIG } from '../../../../../src/core/config/config';
import type { Citation, EvidenceKind } from '../../../../../src/core/usage/usageRecord';
import { LogUsageService, payloadAnswered, recordReply } from '../../../../../src/core/usage/usageService';
import { reportOf } from '../../../../support/labelledReplies';
import { MemoryUsageLog } from '../../../../support/memoryUsageLog';

const { report } = reportOf('shop');

function open() {
  const log = new MemoryUsageLog();
  const clock = { now: () => Date.UTC(2026, 1, 3), schedule: () => ({ dispose: () => undefined }) };
  const usage = new LogUsageService({ log, path: 'usage.jsonl', scoring: () => DEFAULT_CONFIG.scoring, clock });
  const cyclesOf = async () => (await usage.records(9)).records.map(({ cycle, cited }) => [cycle, cited.length]);
  return { usage, cyclesOf };
}

function cited(evidence: EvidenceKind = 'path'): readonly Citation[] {
  return [{ id: 'memory', evidence, what: 'x' }];
}

describe('payloadAnswered', () => {
  test('is what was recorded last of the same profile', async () => {
    const { usage } = open();
    const nothing = { mode: 'expanded', given: undefined };
    expect(await payloadAnswered(undefined, report.profile)).toEqual(nothing);
    expect(await payloadAnswered(usage, report.profile)).toEqual(nothing);
    await usage.record(report, { payload: 'index', trigger: 'copy' });
    expect(await payloadAnswered(usage, report.profile)).toMatchObject({ mode: 'index', given: { cycle: 1 } });
    expect(await payloadAnswered(usage, 'another')).toEqual(nothing);
    expect(await payloadAnswered(usage, report.profile, 'expanded')).toEqual(nothing);
  });

  test('is the one that there is now after a reply to what nobody recorded', async () => {
    const { usage } = open();
    await recordReply(usage, report, cited(), { payload: 'index' });
    expect(await payloadAnswered(usage, report.profile)).toEqual({ mode: 'index', given: undefined });
  });
});

describe('recordReply', () => {
  test('belongs to the use before it, details that were copied in between or not', async () => {
    const { usage, cyclesOf } = open();
    await usage.record(report, { payload: 'index', trigger: 'copy' });
    await usage.cite(report, cited('handle'), { isFollowUp: true });
    await recordReply(usage, report, [{ id: 'soul', evidence: 'keyword', what: 'y' }]);
    expect(await cyclesOf()).toEqual([[1, 2]]);
  });

  test('is a use of its own where that has its reply, or where there is none', async () => {
    const { usage, cyclesOf } = open();
    expect(await recordReply(usage, report, cited())).toBe(1);
    expect(await recordReply(usage, report, cited())).toBe(2);
    expect(await cyclesOf()).toEqual([
      [1, 1],
      [2, 1],
    ]);
  });

  test('is checked against what the agent got, and recorded so, each time', async () => {
    const { usage } = open();
    await usage.record(report, { payload: 'index', trigger: 'tool' });
    const { given: first } = await payloadAnswered(usage, report.profile);
    for (const cycle of [1, 2, 3]) {
      expect(await recordReply(usage, report, cited())).toBe(cycle);
      const { mode, given } = await payloadAnswered(usage, report.profile);
      expect([mode, given?.cycle, given?.sections, given?.map]).toEqual(['index', cycle, first?.sections, first?.map]);
    }
  });

  test('counts a use even when nothing of it was cited, and the next reply is another use', async () => {
    const { usage, cyclesOf } = open();
    await recordReply(usage, report, []);
    expect(await cyclesOf()).toEqual([[1, 0]]);
    await recordReply(usage, report, cited());
    expect(await cyclesOf()).toEqual([
      [1, 0],
      [2, 1],
    ]);
  });

  test('judges the payload that was handed out, with its measures, even when it cites nothing', async () => {
    const { usage, cyclesOf } = open();
    await usage.record(report, { payload: 'expanded', trigger: 'tool' });
    const [before] = (await usage.records(1)).records;
    expect(before?.judged).toBe(false);
    await recordReply(usage, report, [], { responseMs: 41_000, observabilityScore: 4 });
    const [after] = (await usage.records(1)).records;
    expect(after).toMatchObject({ cycle: 1, judged: true, responseMs: 41_000, observabilityScore: 4 });
    await recordReply(usage, report, cited());
    expect(await cyclesOf()).toEqual([
      [1, 0],
      [2, 1],
    ]);
  });
});
