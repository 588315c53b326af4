import { describe, expect, it } from 'vitest';
import type { SimulationResult } from '../../../../src/core/pipeline/score/simulate';
import { renderSimulation, type Simulation } from '../../../../src/core/print/simulationTable';

const RESULT: SimulationResult = {
  threshold: 0.2,
  cycles: 10,
  judgedCycles: 10,
  charsBefore: 100_000,
  charsAfter: 50_000,
  tokensBefore: 20_000,
  tokensAfter: 20_000,
  citations: 4,
  citationsKept: 3,
  lost: [{ id: 'notes', citations: 1 }],
  stubbed: [],
};

const render = (result: Partial<SimulationResult> = {}, more: Partial<Simulation> = {}, format?: 'json'): string =>
  renderSimulation(
    { mode: 'dynamic', profile: undefined, threshold: 0.3, results: [{ ...RESULT, ...result }], ...more },
    format ?? 'markdown',
  );

/** Cells of the only row. */
const row = (result: Partial<SimulationResult> = {}, more: Partial<Simulation> = {}): readonly string[] =>
  (
    render(result, more)
      .split('\n')
      .find((line) => /^\| +(?:\\\* )?\d/.test(line)) ?? ''
  )
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim());

describe('renderSimulation', () => {
  it('shows means of a cycle, the change, and what is lost', () => {
    expect(row()).toEqual(['0.20', '5,000', '−50%', '2,000', '±0%', '75%', 'notes 1', 'none']);
  });

  it('shows a rise with a plus, and no change where there was nothing before', () => {
    expect(row({ charsAfter: 150_000, tokensBefore: 0, tokensAfter: 0 }).slice(1, 5)).toEqual([
      '15,000',
      '+50%',
      '0',
      '',
    ]);
  });

  it('leaves the share of kept citations empty when there are none', () => {
    expect(row({ citations: 0, citationsKept: 0 })[5]).toBe('');
  });

  it('names three sections and counts the others', () => {
    const stubbed = ['a', 'b', 'c', 'd', 'e'].map((id, at) => ({ id, cycles: 9 - at }));
    expect(row({ stubbed })[7]).toBe('a 9, b 8, c 7, 2 more');
    expect(row({ stubbed: stubbed.slice(0, 3) })[7]).toBe('a 9, b 8, c 7');
  });

  it('shows the threshold only in the mode that uses it', () => {
    expect(render({}, { mode: 'static' })).not.toContain('Threshold');
    expect(row({}, { mode: 'static' })).toHaveLength(7);
  });

  it('marks the threshold of the config', () => {
    expect(row({ threshold: 0.3 })[0]).toBe('\\* 0.30');
    expect(render({ threshold: 0.3 })).toContain('\\* the threshold of the config');
    expect(render()).not.toContain('the threshold of the config');
  });

  it('names the profile whose limits hold', () => {
    expect(render()).toContain('Simulation of mode dynamic over 10 cycles\n');
    expect(render({}, { profile: 'small' })).toContain(
      'Simulation of mode dynamic over 10 cycles, limits of profile small\n',
    );
  });

  it('has null for no profile in JSON', () => {
    expect(JSON.parse(render({}, {}, 'json'))).toMatchObject({ profile: null, cycles: 10, judged_cycles: 10 });
  });

  it('says so when no cycle is recorded', () => {
    expect(render({ cycles: 0 })).toContain('No cycle recorded yet: there is nothing to simulate.');
  });
});
