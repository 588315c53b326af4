import { describe, expect, it } from 'vitest';
import { buildRelaySection } from '../../../../src/core/relay/relaySection';
import { MAX_ENTRIES_SHOWN, type RelayLook, type RelayView } from '../../../../src/core/relay/relayView';
import { DEFAULT_REPEATS, INITIAL_TRIGGER_STATE } from '../../../../src/core/relay/triggers';
import { inEnglish } from '../../../../src/core/text/phrase';
import { estimateTokens } from '../../../../src/core/tokens/lines';
import { english } from '../../../support/english';

const file = (value: unknown) => ({ path: 'x.json', bytes: new TextEncoder().encode(JSON.stringify(value)) });

function view(log: unknown, ledger?: unknown, look?: RelayLook): RelayView {
  const section = buildRelaySection({
    log: log === undefined ? undefined : file(log),
    ledger: ledger === undefined ? undefined : file(ledger),
    ...(look ? { look } : {}),
  });
  if (section.kind !== 'text') throw new Error(inEnglish(section.message));
  return section.view;
}

describe('the view of a relay log', () => {
  it('has all five essentials with where they are from, whole', () => {
    const { essentials, summary } = view(
      { relay_context: { goal: ' Ship ', constraints: ['a', 'b'], current_blockers: [] } },
      { latest_instruction: 'Go\non' },
    );
    expect(essentials.map(({ key, texts, source }) => [key, texts, source])).toEqual([
      ['goal', ['Ship'], 'relay_context'],
      ['constraints', ['a', 'b'], 'relay_context'],
      ['latest_instruction', ['Go\non'], 'ledger'],
      ['current_blockers', [], 'relay_context'],
      ['controller_route_summary', [], 'missing'],
    ]);
    expect(summary).toMatch(/^Goal: Ship\n/);
  });

  it('groups what is dropped by field and rule, with why, its place, and the first entries', () => {
    const logs = Array.from({ length: MAX_ENTRIES_SHOWN + 5 }, (_, at) => ({ status: 'done', summary: `step ${at}` }));
    const { dropped } = view({
      execution_logs: [{ status: 'running' }, ...logs],
      failure_noise: [{ stale: true, message: 'old' }],
    });
    expect(dropped.map(({ field, rule, count }) => [field, rule, count])).toEqual([
      ['execution_logs', 'finished', MAX_ENTRIES_SHOWN + 5],
      ['failure_noise', 'stale_flag', 1],
    ]);
    expect(dropped[0]?.entries).toHaveLength(MAX_ENTRIES_SHOWN);
    expect(dropped[0]?.entries[0]).toEqual({ index: 1, text: 'step 0' });
    expect(dropped[0]?.words).not.toBe('done');
  });

  it('stays small whatever the log’s size, and says what it leaves out', () => {
    const constraints = Array.from({ length: 100 }, () => 'x'.repeat(1000));
    const big = view({
      relay_context: { goal: `${'g'.repeat(19_999)}😀${'g'.repeat(300_000)}`, constraints },
      execution_logs: Array.from({ length: 5000 }, (_, at) => ({ status: 'done', detail: `${at} ${'y'.repeat(200)}` })),
      ...Object.fromEntries(Array.from({ length: 2000 }, (_, at) => [`unknown_${at}`, at])),
    });
    expect(JSON.stringify(big).length).toBeLessThan(100_000);
    expect(big.essentials[0]).toMatchObject({ texts: ['g'.repeat(19_999)], charsLeftOut: 300_002 });
    expect(big.essentials[1]).toMatchObject({ charsLeftOut: 80_000 });
    expect(big.essentials[1]?.texts).toHaveLength(20);
    expect(big.passedThrough).toHaveLength(50);
  });

  it('fires triggers once for their cause, by what was seen before and the limit of the config', () => {
    const log = {
      status_reports: Array.from({ length: 60 }, (_, at) => ({ status: `s${at}`, text: 'word '.repeat(20) })),
    };
    const settings = { maxTokens: 500, repeats: DEFAULT_REPEATS };
    const first = view(log, undefined, { state: INITIAL_TRIGGER_STATE, settings });
    expect(first.tokens).toBe(estimateTokens(JSON.stringify(log)));
    expect(first.fired.map(({ kind }) => kind)).toEqual(['length']);
    expect(view(log, undefined, { state: first.triggerState, settings }).fired).toEqual([]);
    expect(view(log).maxTokens).toBe(8000);
  });

  it('has a recovery by the log alone too, and what is wrong with the ledger', () => {
    expect(view({ state: 'STALE' }).recovery).toEqual({ state: 'STALE', since: undefined });
    const broken = buildRelaySection({
      log: file({}),
      ledger: { path: 'c/ledger.json', bytes: new TextEncoder().encode('{') },
    });
    expect(english(broken)).toMatchObject({
      view: { problem: expect.stringMatching(/^c\/ledger\.json could not be used: /) },
    });
  });
});
