/** When numbers are sent from the editor, and what is told when they could not be. */
import { describe, expect, it } from 'vitest';
import type { Clock } from '../../../../src/core/ports/ports';
import { type LastExport, MetricSchedule, type WantedMetrics } from '../../../../src/vscode/report/metricSchedule';
import { RecordingLogger } from '../../../support/recordingLogger';

const MINUTE_MS = 60_000;
const OPTIONS = { endpoint: '', withNames: false, intervalMs: 60 * MINUTE_MS };
const SENT = { kind: 'exited', stdout: 'Sent 57 numbers to http://localhost:4318/v1/metrics.\n', stderr: '' } as const;
const REFUSED = {
  kind: 'exited',
  stdout: '',
  stderr: 'warning: a section is not measured\nerror: http://x did not take the metrics (HTTP 400).\n',
} as const;

/** What was promised has come. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

/** A clock that tests move, with what is scheduled. */
class TestClock implements Clock {
  nowMs = 1_000_000;
  readonly waiting: { readonly atMs: number; readonly run: () => void }[] = [];

  now(): number {
    return this.nowMs;
  }

  schedule(run: () => void, delayMs: number) {
    const timer = { atMs: this.nowMs + delayMs, run };
    this.waiting.push(timer);
    return {
      dispose: () => void this.waiting.splice(this.waiting.indexOf(timer), this.waiting.includes(timer) ? 1 : 0),
    };
  }

  async pass(ms: number): Promise<void> {
    const end = this.nowMs + ms;
    for (;;) {
      const next = this.waiting.filter(({ atMs }) => atMs <= end).sort((a, b) => a.atMs - b.atMs)[0];
      if (!next) break;
      this.nowMs = next.atMs;
      this.waiting.splice(this.waiting.indexOf(next), 1);
      next.run();
      await settled();
    }
    this.nowMs = end;
  }
}

type Outcome = Awaited<ReturnType<ConstructorParameters<typeof MetricSchedule>[0]>>;

function world(
  answer: (signal: AbortSignal) => Outcome | Promise<Outcome> = () => SENT,
  kept = new Map<string, LastExport>(),
) {
  const clock = new TestClock();
  const logger = new RecordingLogger();
  const sent: { readonly root: string; readonly endpoint: string; readonly atMs: number; signal: AbortSignal }[] = [];
  const last = {
    get: (root: string) => kept.get(root),
    set: (root: string, at: LastExport) => void kept.set(root, at),
  };
  const schedule = new MetricSchedule(
    async (root, { endpoint }, signal) => {
      sent.push({ root, endpoint, atMs: clock.nowMs, signal });
      return answer(signal);
    },
    last,
    clock,
    logger,
  );
  const look = (more: Partial<WantedMetrics> = {}): void =>
    schedule.look({ root: '/app', report: {}, options: OPTIONS, ...more });
  return { clock, logger, sent, schedule, look, kept };
}

describe('MetricSchedule', () => {
  it('sends what changed, once an interval at most, and nothing twice', async () => {
    const { clock, sent, look, logger } = world();
    const report = {};
    for (let second = 0; second < 60; second++) {
      look({ report });
      await clock.pass(1000);
    }
    expect(sent).toHaveLength(1);
    await clock.pass(10 * 60 * MINUTE_MS);
    expect(sent).toHaveLength(1);
    // Changes without end don't put an export off, and make no more of them.
    for (let minute = 0; minute < 180; minute++) {
      look();
      await clock.pass(MINUTE_MS);
    }
    expect(sent).toHaveLength(4);
    const times = sent.map(({ atMs }) => atMs);
    for (const [at, time] of times.slice(1).entries())
      expect(time - (times[at] ?? 0)).toBeGreaterThanOrEqual(60 * MINUTE_MS);
    expect(logger.lines.filter((line) => line.startsWith('warn'))).toEqual([]);
  });

  it('keeps the interval over a restart, and folders apart; other settings are tried at once', async () => {
    const first = world();
    first.look();
    await first.clock.pass(MINUTE_MS);
    const second = world(undefined, first.kept);
    second.clock.nowMs = first.clock.nowMs;
    second.look();
    await second.clock.pass(30 * MINUTE_MS);
    expect(second.sent).toEqual([]);
    second.look({ root: '/other' });
    await second.clock.pass(MINUTE_MS);
    second.look({ options: { ...OPTIONS, endpoint: 'http://new' } });
    await second.clock.pass(MINUTE_MS);
    expect(second.sent.map(({ root, endpoint }) => [root, endpoint])).toEqual([
      ['/other', ''],
      ['/app', 'http://new'],
    ]);
  });

  it('tells a failure in one line and sends the same again after the interval', async () => {
    const answers: Outcome[] = [REFUSED, { kind: 'timedOut', stdout: '', stderr: '' }, SENT];
    const { clock, sent, look, logger } = world(() => answers.shift() ?? SENT);
    look();
    await clock.pass(59 * MINUTE_MS);
    expect(sent).toHaveLength(1);
    await clock.pass(10 * 60 * MINUTE_MS);
    expect(sent).toHaveLength(3);
    expect(logger.lines).toEqual([
      'warn: OpenTelemetry: http://x did not take the metrics (HTTP 400).',
      'warn: OpenTelemetry: timedOut',
      `info: OpenTelemetry: ${SENT.stdout.trim()}`,
    ]);
  });

  it('is one at a time, also where an export takes longer than the interval', async () => {
    let end = (): void => undefined;
    const { clock, sent, look } = world(() => new Promise((resolve) => (end = () => resolve(SENT))));
    look();
    await clock.pass(MINUTE_MS);
    look();
    await clock.pass(5 * 60 * MINUTE_MS);
    expect(sent).toHaveLength(1);
    end();
    await settled();
    await clock.pass(MINUTE_MS);
    expect(sent).toHaveLength(2);
  });

  it('goes on with what is under way while another folder is opened, and with the first one after its interval', async () => {
    let end = (): void => undefined;
    const { clock, sent, look, schedule, logger } = world(() => new Promise((resolve) => (end = () => resolve(SENT))));
    look();
    await clock.pass(MINUTE_MS);
    schedule.look(undefined);
    end();
    await settled();
    look({ root: '/other' });
    await clock.pass(MINUTE_MS);
    look();
    end();
    await settled();
    await clock.pass(60 * MINUTE_MS);
    expect(sent.map(({ root, signal }) => [root, signal.aborted])).toEqual([
      ['/app', false],
      ['/other', false],
      ['/app', false],
    ]);
    const [first, , second] = sent.map(({ atMs }) => atMs);
    expect((second ?? 0) - (first ?? 0)).toBe(60 * MINUTE_MS);
    expect(logger.lines).toEqual(Array(2).fill(`info: OpenTelemetry: ${SENT.stdout.trim()}`));
  });

  it('ends what is under way once nothing may be sent, and sends nothing more until it may', async () => {
    const { clock, sent, look, schedule, logger, kept } = world(
      (signal) =>
        new Promise((resolve) =>
          signal.addEventListener('abort', () => resolve({ kind: 'cancelled', stdout: '', stderr: '' })),
        ),
    );
    look();
    await clock.pass(MINUTE_MS);
    look();
    schedule.stop();
    await clock.pass(10 * 60 * MINUTE_MS);
    expect(sent).toHaveLength(1);
    expect(sent[0]?.signal.aborted).toBe(true);
    expect(kept, 'what was not sent does not put the next off').toEqual(new Map());
    expect(clock.waiting).toEqual([]);
    expect(logger.lines).toEqual([]);
    look();
    schedule.dispose();
    expect(clock.waiting).toEqual([]);
  });

  it('goes on after a host that cannot run anything', async () => {
    const { clock, sent, look, logger } = world(() => Promise.reject(new Error('no thread')));
    look();
    await clock.pass(MINUTE_MS);
    expect(logger.lines).toEqual(['warn: OpenTelemetry: Error: no thread']);
    await clock.pass(60 * MINUTE_MS);
    expect(sent).toHaveLength(2);
  });
});
