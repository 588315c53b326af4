import { describe, expect, it } from 'vitest';
import { compactRelay } from '../../../../src/core/relay/compactRelay';
import { joinFacts, ledgerWithFacts, mergeFacts } from '../../../../src/core/relay/factsInput';
import type { RelayFacts } from '../../../../src/core/transcripts/relayFacts';

const NONE: RelayFacts = { latestInstruction: undefined, openFailures: [], repeatedStatuses: [] };
const FACTS: RelayFacts = {
  latestInstruction: 'Fix the totals',
  openFailures: [{ what: 'Bash: 1 failed', where: 'npm test', turn: 't1' }],
  repeatedStatuses: [{ text: 'Waiting for CI', times: 4 }],
};

describe('joinFacts', () => {
  it('adds failures and statuses to the end of a log’s lists and leaves the rest, and the log itself, alone', () => {
    const log = Object.freeze({ goal: 1, execution_logs: Object.freeze([{ status: 'running' }]) });
    expect(joinFacts(log, FACTS)).toEqual({
      goal: 1,
      execution_logs: [
        { status: 'running' },
        { event_type: 'failure', dedup_key: 'npm test', step_id: 't1', status: 'failed', message: 'Bash: 1 failed' },
      ],
      status_reports: [
        {
          event_type: 'repeated_status',
          dedup_key: 'Waiting for CI',
          step_id: 'seen',
          message: 'Waiting for CI',
          times: 4,
        },
      ],
    });
    expect(joinFacts(log, NONE)).toEqual(log);
  });

  it('leaves what is no list to compaction, which lets it through and says so', () => {
    const { output, findings } = compactRelay(joinFacts({ execution_logs: 'none' }, FACTS));
    expect(output.execution_logs).toBe('none');
    expect(findings.passedThrough).toEqual(['execution_logs']);
  });

  it('gives entries that compaction keeps; joined again they are the same, and newer ones replace them', () => {
    const once = compactRelay(joinFacts({}, FACTS)).output;
    expect(once.execution_logs).toHaveLength(1);
    expect(compactRelay(joinFacts(once, FACTS)).output).toEqual(once);
    const more = compactRelay(joinFacts(once, { ...FACTS, repeatedStatuses: [{ text: 'Waiting for CI', times: 5 }] }));
    expect(more.output).toMatchObject({
      status_reports: [{ message: 'Waiting for CI', times: 5 }],
      repeated: [{ list: 'status_reports', index: 0, count: 1 }],
    });
  });

  it('does not believe "no blockers" where a failure is open, of log and ledger alike', () => {
    const none = { current_blockers: [] };
    for (const log of [none, { relay_context: none }]) {
      const { relay_context } = compactRelay(joinFacts(log, FACTS), {
        ledger: ledgerWithFacts(log, none, FACTS),
      }).output;
      expect(relay_context.current_blockers).toHaveLength(1);
      expect(compactRelay(joinFacts(log, NONE)).output.relay_context.current_blockers).toEqual([]);
    }
  });

  it('masks what looks like a secret', () => {
    const key = `ghp_${'a1B2'.repeat(9)}`;
    const secret = { ...FACTS, latestInstruction: `use ${key}`, openFailures: [{ what: key, where: key, turn: 't' }] };
    const all = JSON.stringify([joinFacts({}, secret), ledgerWithFacts(undefined, undefined, secret)]);
    expect(all).not.toContain(key);
  });
});

describe('facts of several places', () => {
  it('have the first one’s instruction, and all failures and statuses', () => {
    expect(mergeFacts([])).toEqual(NONE);
    const other = { ...FACTS, latestInstruction: 'Later' };
    expect(mergeFacts([{ ...FACTS, latestInstruction: undefined }, other])).toEqual({
      latestInstruction: 'Later',
      openFailures: [...FACTS.openFailures, ...FACTS.openFailures],
      repeatedStatuses: [...FACTS.repeatedStatuses, ...FACTS.repeatedStatuses],
    });
  });
});
