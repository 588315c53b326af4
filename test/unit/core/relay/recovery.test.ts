import { describe, expect, it } from 'vitest';
import { isForwardOnly, recoveryOf } from '../../../../src/core/relay/relaySummary';

describe('a recovery', () => {
  it('is the ledger’s to say, then the log’s, then the last report’s', () => {
    const log = { state: 'stale', status_reports: [{ status: 'WARNING', ts: '2026-02-03 10:00' }] };
    expect(recoveryOf(log, { state: 'lease takeover' })).toEqual({ state: 'LEASE_TAKEOVER', since: undefined });
    expect(recoveryOf({ ...log, ledger: { state: 'warning' } }, undefined)?.state).toBe('WARNING');
    expect(recoveryOf(log, {})?.state).toBe('STALE');
    expect(recoveryOf({ status_reports: log.status_reports }, undefined)).toEqual({
      state: 'WARNING',
      since: '2026-02-03 10:00',
    });
  });

  it('is what a compaction’s ledger said, until a ledger says otherwise', () => {
    const log = { ledger_state: 'STALE', status_reports: [{ status: 'running' }] };
    expect(recoveryOf(log, undefined)).toEqual({ state: 'STALE', since: undefined });
    expect(recoveryOf(log, { tasks: [] })?.state).toBe('STALE');
    expect(recoveryOf(log, { state: 'running' })).toBeUndefined();
    expect(recoveryOf({ ...log, ledger: { state: 'running' } }, undefined)).toBeUndefined();
    const stale = { ledger_state: 'RUNNING', status_reports: [{ status: 'STALE' }] };
    expect(recoveryOf(stale, undefined)?.state).toBe('STALE');
    expect(recoveryOf({ ...stale, ledger: { state: 'LEASE_TAKEOVER' } }, undefined)?.state).toBe('LEASE_TAKEOVER');
  });

  const taken = { event_type: 'LEASE_TAKEOVER', message: 'B took the lease', ts: '2026-02-03 10:05' };
  it.each([
    ['without a report', [taken], [], 'LEASE_TAKEOVER'],
    ['before a report', [taken], [{ status: 'running', ts: '2026-02-03 10:06' }], undefined],
    ['after a report', [taken], [{ status: 'running', ts: '2026-02-03 10:00' }], 'LEASE_TAKEOVER'],
    ['beside a report without a time', [taken], [{ status: 'running' }], undefined],
    ['that is resolved', [{ ...taken, resolved: true }], [], undefined],
    ['and a later line', [{ status: 'stale' }, { status: 'running' }], [], 'STALE'],
    ['that only warns', [{ level: 'WARNING', message: 'deprecated' }], [], undefined],
  ])('is an alarm of the execution logs %s: %j, %j', (_when, execution_logs, status_reports, state) => {
    expect(recoveryOf({ execution_logs, status_reports }, undefined)?.state).toBe(state);
  });

  it('is none where the first record that names a state names another', () => {
    expect(recoveryOf({ state: 'STALE' }, { state: 'running' })).toBeUndefined();
    expect(recoveryOf({ state: 'running', status_reports: [{ status: 'stale' }] }, undefined)).toBeUndefined();
    expect(recoveryOf({}, undefined)).toBeUndefined();
  });

  it('says since when, but does not take the time of a file for it', () => {
    expect(recoveryOf({ state: 'STALE', state_since: ' 2026-02-03\n14:05 ' }, undefined)?.since).toBe(
      '2026-02-03 14:05',
    );
    expect(recoveryOf({}, { state: 'STALE', recovery_since: 'cycle 7' })?.since).toBe('cycle 7');
    expect(recoveryOf({ state: 'STALE', ts: '2026-02-03', since: 7 }, undefined)?.since).toBeUndefined();
  });

  it('leaves nothing but forwarding where the work is another’s to recover', () => {
    expect([undefined, 'WARNING', 'STALE', 'LEASE_TAKEOVER'].map((state) => isForwardOnly(state as never))).toEqual([
      false,
      false,
      true,
      true,
    ]);
  });
});
