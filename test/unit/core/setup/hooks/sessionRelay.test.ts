import { describe, expect, it } from 'vitest';
import { compactSession, keptSummary } from '../../../../../src/core/setup/hooks/sessionRelay';
import type { RelayFacts } from '../../../../../src/core/transcripts/relayFacts';

const FACTS: RelayFacts = {
  latestInstruction: 'Fix the totals',
  openFailures: [{ what: 'Bash: 1 failed', where: 'npm test', turn: 't1' }],
  repeatedStatuses: [],
};
const compact = (log: unknown, facts: RelayFacts | null = FACTS) =>
  compactSession({ log, ledger: undefined, facts: facts ?? undefined, sessionId: 's1' })?.output;

describe('compactSession', () => {
  it('takes from the transcript what neither log nor ledger has', () => {
    expect(compact({ relay_context: { latest_instruction: 'Ship' } })?.relay_context).toEqual({
      latest_instruction: 'Ship',
      current_blockers: ['Bash: 1 failed (npm test)'],
    });
    expect(
      compact({ ledger: { latest_instruction: 'Review', current_blockers: ['CI is down'] } })?.relay_context,
    ).toEqual({
      latest_instruction: 'Review',
      current_blockers: ['CI is down'],
    });
  });

  it('has nothing where there is neither', () => {
    expect(compact(undefined, null)).toBeUndefined();
    expect(
      compact(undefined, { latestInstruction: undefined, openFailures: [], repeatedStatuses: [] }),
    ).toBeUndefined();
    expect(compact({}, null)?.self_check.missing).toHaveLength(5);
  });

  it('keeps whole first lines of a message that is mostly pasted', () => {
    const pasted = `Why does this fail?\n${'at f (a.js:1)\n'.repeat(5_000)}`;
    const compacted = compact(undefined, { ...FACTS, latestInstruction: pasted });
    const kept = String(compacted?.relay_context.latest_instruction);
    expect(kept.length).toBeLessThanOrEqual(20_000);
    expect(kept.startsWith('Why does this fail?\nat f (a.js:1)\n')).toBe(true);
    expect(kept.endsWith('at f (a.js:1)')).toBe(true);
  });

  it('masks what looks like a secret in a transcript, and leaves the log as its author wrote it', () => {
    const facts = { ...FACTS, latestInstruction: 'use password=hunter22', openFailures: [] };
    expect(compact(undefined, facts)?.relay_context.latest_instruction).toBe('use password=[redacted]');
    expect(compact({ relay_context: { goal: 'rotate password=hunter22' } }, facts)?.relay_context.goal).toContain(
      'hunter22',
    );
  });
});

describe('keptSummary', () => {
  it('is the summary of the same session, or of a file that nobody owns', () => {
    expect(keptSummary('{"summary": "Goal: x", "session_id": "s1"}', 's1')).toBe('Goal: x');
    expect(keptSummary('{"summary": "Goal: x"}', 's1')).toBe('Goal: x');
    expect(keptSummary('{"summary": "Goal: x", "session_id": "s2"}', 's1')).toBe('');
    expect(keptSummary('{"summary": "Goal: x", "session_id": "s1"}', undefined)).toBe('');
  });

  it.each(['[]', 'null', '{}', '{"summary": 3}'])('is empty for %s', (text) => {
    expect(keptSummary(text, 's1')).toBe('');
  });
});
