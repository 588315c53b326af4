import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compactRelay } from '../../src/core/relay/compactRelay';
import { RULED_FIELDS } from '../../src/core/relay/dropRules';
import { ESSENTIALS, RelayError } from '../../src/core/relay/relayContext';
import { IS_LONG } from '../support/extent.mjs';
import { NOISE, type PlantedLog, plantedLog, Random } from '../support/relayLogs';
import { runs } from '../support/runs';

const PROBES = IS_LONG ? 2000 : 200;
/** Entries of a log; 110,000, which only the long run comes to, are about 10 MB. */
const sizeOf = (seed: number): number =>
  seed % 667 === 0 ? 110_000 : seed % 100 === 0 ? 2000 : 5 + new Random(seed ^ 0x5eed).below(120);

function marksIn(value: unknown): readonly string[] {
  return [...(JSON.stringify(value) ?? '').matchAll(/KEEP-\d+\./g)].map(([mark]) => mark);
}

/** What is wrong with the compaction of one planted log; and its sizes in characters of JSON. */
function probe({ input, ledger, facts, kept }: PlantedLog): {
  readonly wrong: string[];
  readonly ratio: number;
  readonly size: number;
} {
  const before = JSON.stringify(input);
  const { output, findings } = compactRelay(input, { ledger });
  const text = JSON.stringify(output);
  const wrong: string[] = [];
  const expectThat = (isRight: boolean, what: string) => void (isRight || wrong.push(what));
  expectThat(JSON.stringify(output.relay_context) === JSON.stringify(facts), 'facts');
  expectThat(output.self_check.complete && output.self_check.missing.length === 0, 'self_check');
  for (const field of RULED_FIELDS) {
    expectThat(marksIn(output[field]).join() === (kept[field] ?? []).join(), `kept in ${field}`);
    expectThat(!JSON.stringify(output[field]).includes(NOISE), `noise in ${field}`);
    const gone = findings.dropped.filter((item) => item.field === field).length;
    const was = (input[field] as readonly unknown[]).length;
    expectThat(gone + (output[field] as readonly unknown[]).length === was, `${field} adds up`);
  }
  expectThat(!JSON.stringify(output.relay_context).includes(NOISE), 'noise in relay_context');
  expectThat(output.session === input.session, 'pass-through');
  expectThat(output.summary.split('\n').length <= 10, 'summary');
  expectThat(JSON.stringify(compactRelay(output, { ledger }).output) === text, 'idempotent');
  expectThat(JSON.stringify(compactRelay(JSON.parse(text)).output) === text, 'idempotent without the ledger');
  expectThat(JSON.stringify(compactRelay(JSON.parse(before), { ledger }).output) === text, 'deterministic');
  expectThat(JSON.stringify(input) === before, 'input untouched');
  return { wrong, ratio: text.length / before.length, size: before.length };
}

describe('compaction', () => {
  it('keeps every planted fact of any log, drops all planted noise, twice is once', () => {
    const ratios: number[] = [];
    const failures: string[] = [];
    let largest = 0;
    for (let seed = 1; seed <= PROBES; seed++) {
      const { wrong, ratio, size } = probe(plantedLog(seed, sizeOf(seed)));
      if (wrong.length > 0) failures.push(`${seed}: ${wrong.join('; ')}`);
      ratios.push(ratio);
      largest = Math.max(largest, size);
    }
    ratios.sort((a, b) => a - b);
    const median = ratios[PROBES / 2]!;
    console.log(
      `relay probes: ${PROBES}, median size ratio ${median.toFixed(3)}, largest ${(largest / 1e6).toFixed(1)} M characters`,
    );
    expect(failures).toEqual([]);
    if (IS_LONG) expect(largest).toBeGreaterThan(10e6);
    expect(median).toBeLessThan(0.6);
  });

  const key = fc.oneof(
    fc.constantFrom(
      'relay_context',
      'ledger',
      'self_check',
      'summary',
      '__proto__',
      'constructor',
      ...RULED_FIELDS,
      ...ESSENTIALS,
    ),
    fc.string(),
  );
  const anything = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      fc.jsonValue(),
      fc.constantFrom<unknown>('done', 'Traceback x', '<p>', Number.NaN, 1n, undefined, Symbol('s')),
      fc.array(tie('value'), { maxLength: 4 }),
      tie('record'),
    ),
    record: fc
      .array(
        fc.tuple(
          fc.oneof(key, fc.constantFrom('status', 'stale', 'dedup_key', 'event_type', 'step_id', 'code')),
          tie('value'),
        ),
        { maxLength: 6 },
      )
      .map((pairs) => Object.fromEntries(pairs)),
  }));

  it('takes any object, is idempotent, writes as JSON and loses nothing unlisted', () => {
    fc.assert(
      fc.property(anything.record, anything.value, (given, ledger) => {
        const input = given as Readonly<Record<string, unknown>>;
        const { output, findings } = compactRelay(input, { ledger });
        const text = JSON.stringify(output);
        expect(JSON.stringify(compactRelay(output, { ledger }).output)).toBe(text);
        expect(output.summary.split('\n').length).toBeLessThanOrEqual(10);
        expect(
          Object.keys(output.relay_context).every((name) => (ESSENTIALS as readonly string[]).includes(name)),
        ).toBe(true);
        for (const name of Object.keys(input)) {
          const isListed = findings.dropped.some(({ field }) => field === name || field.startsWith(`${name}.`));
          if (!isListed && input[name] !== null) expect(Object.hasOwn(output, name), name).toBe(true);
        }
        expect(Object.getPrototypeOf(output)).toBe(Object.prototype);
      }),
      runs(300, 2000),
    );
  });

  it('refuses what is no object, in words', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null), fc.array(fc.anything())),
        (input) => {
          try {
            compactRelay(input);
            expect.unreachable();
          } catch (error) {
            expect(RelayError.is(error, 'notAnObject')).toBe(true);
          }
        },
      ),
    );
  });
});
