import { describe, expect, it } from 'vitest';
import type { Observation } from '../../../../src/core/observations/observation';
import { observationFacts } from '../../../../src/core/observations/observationFacts';

let id = 0;
const observed = (summary: string, patch: Partial<Observation> = {}): Observation => ({
  id: ++id,
  ts: '2026-02-03 10:00:00',
  taskId: 'T1',
  actor: 'implementer',
  phase: 'verify',
  type: 'event',
  summary,
  detail: '',
  refs: { files: [], commands: [], urls: [] },
  ...patch,
});
const ran = (command: string) => ({ refs: { files: [], commands: [command], urls: [] } });

describe('what observations show a relay', () => {
  it('is the latest instruction of a person, with its detail', () => {
    const all = [
      observed('First', { actor: 'user' }),
      observed('Do this', { actor: ' User ', detail: 'and that' }),
      observed('tests failed'),
    ];
    expect(observationFacts(all).latestInstruction).toBe('Do this\nand that');
    expect(observationFacts([observed('x'), observed('去修复', { type: 'instruction' })]).latestInstruction).toBe(
      '去修复',
    );
    expect(observationFacts([observed('x')]).latestInstruction).toBeUndefined();
  });

  it('is failures that nothing has settled: by command, else by task and phase', () => {
    const all = [
      observed('npm test failed', ran('npm test')),
      observed('npm run lint failed', ran('npm run lint')),
      observed('ran the suite → 2 failed', { taskId: 'T2', phase: 'Verify' }),
      observed('build failed', { taskId: 'T3', phase: 'build' }),
      observed('npm test passed', ran('npm test')),
      observed('all green', { taskId: 'T2', phase: 'verify' }),
      observed('disk failure', { taskId: '' }),
      observed('verified, ok', { taskId: 'T3', phase: 'verify' }),
    ];
    expect(observationFacts(all).openFailures).toEqual([
      { what: 'npm run lint failed', where: 'npm run lint', turn: `observation ${all[1]?.id}` },
      { what: 'build failed', where: 'T3 build', turn: `observation ${all[3]?.id}` },
      { what: 'disk failure', where: 'verify', turn: `observation ${all[6]?.id}` },
    ]);
  });

  it('is the newest failure of a subject, and the newest twenty', () => {
    const all = Array.from({ length: 25 }, (_, at) => observed(`step ${at} failed`, { taskId: `T${at}` }));
    const facts = observationFacts([...all, observed('step 5 failed again', { taskId: 'T5' })]);
    expect(facts.openFailures).toHaveLength(20);
    expect(facts.openFailures.at(-1)?.what).toBe('step 5 failed again');
    expect(facts.openFailures.filter(({ where }) => where === 'T5 verify')).toHaveLength(1);
  });

  it('is summaries that come again, most often first', () => {
    const all = ['Waiting', 'a', 'waiting', 'b', 'b', 'waiting'].map((summary) => observed(summary));
    expect(observationFacts(all).repeatedStatuses).toEqual([
      { text: 'waiting', times: 3 },
      { text: 'b', times: 2 },
    ]);
  });
});
