import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compactRelay } from '../../src/core/relay/compactRelay';
import { RULED_FIELDS } from '../../src/core/relay/dropRules';
import { ESSENTIAL_TITLES, ESSENTIALS, RelayError } from '../../src/core/relay/relayContext';
import { IS_LONG } from '../support/extent.mjs';
import { RELAY_LISTS, randomContext } from '../support/relayContexts';
import { NOISE, type PlantedLog, plantedLog, Random } from '../support/relayLogs';
import { oracleEssential, oracleIsAlarm, oracleKept } from '../support/relayOracle';
import { runs } from '../support/runs';

const PROBES = IS_LONG ? 2000 : 100;
/** Entries of a log; 115,000, which only the long run comes to, are about 10 MB. */
const sizeOf = (seed: number): number =>
  seed % 667 === 0 ? 115_000 : seed % 100 === 0 ? 2000 : 5 + new Random(seed ^ 0x5eed).below(120);

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
    const gone = findings.dropped.filter((item) => item.field === field && item.rule !== 'stack_lines').length;
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

/** What is wrong with the compaction of one random context, by the oracle's reading of DESIGN. */
function misread(seed: number): readonly string[] {
  const { input, ledger } = randomContext(seed);
  const before = JSON.stringify(input);
  const { output, findings } = compactRelay(input, { ledger });
  const wrong: string[] = [];
  const expectThat = (isRight: boolean, what: string) => void (isRight || wrong.push(what));
  for (const key of ESSENTIALS) {
    const right = oracleEssential([input.relay_context, input, ledger], key);
    const got = output.relay_context[key];
    expectThat(JSON.stringify(got) === JSON.stringify(right), `${key}: ${JSON.stringify(got)}`);
    const isNone = output.summary.includes(`${ESSENTIAL_TITLES[key]}: none`);
    expectThat(isNone === (Array.isArray(got) && got.length === 0), `${key} is said to be none`);
  }
  const alarms: string[] = [];
  for (const list of RELAY_LISTS) {
    const entries = input[list] as readonly unknown[];
    const left = output[list] as readonly unknown[];
    const right = oracleKept(list, entries);
    const got = left.map((entry) => entries.lastIndexOf(entry));
    const isSame = left.length === right.length && left.every((entry, at) => Object.is(entry, entries[right[at]!]));
    expectThat(isSame, `${list}: ${got.join()} is not ${right.join()}`);
    left.forEach((entry, at) => void (oracleIsAlarm(list, entry) && alarms.push(`${list} ${at}`)));
    const repeats = findings.dropped.filter((item) => item.field === list && item.rule.startsWith('duplicate'));
    const records = output.repeated.filter((record) => record.list === list);
    const counted = records.reduce((total, { count }) => total + count, 0);
    expectThat(counted === repeats.length, `${list} repeats ${counted} of ${repeats.length}`);
    expectThat(
      records.every(({ index }) => index < left.length),
      `${list} records`,
    );
  }
  const listed = output.alarms.map(({ list, index }) => `${list} ${index}`);
  expectThat([...listed].sort().join() === alarms.sort().join(), 'alarms');
  expectThat(alarms.length === 0 || /^Alarms/m.test(output.summary), 'alarms in the summary');
  expectThat(output.user_profile === input.user_profile && output.updated_at === input.updated_at, 'carried through');
  const text = JSON.stringify(output);
  expectThat(JSON.stringify(compactRelay(JSON.parse(text), { ledger }).output) === text, 'idempotent');
  expectThat(JSON.stringify(compactRelay(JSON.parse(text)).output) === text, 'idempotent without the ledger');
  const again = compactRelay(JSON.parse(text), { ledger }).findings.dropped;
  expectThat(
    again.every(({ field }) => field.startsWith('ledger.')),
    'nothing dropped twice',
  );
  expectThat(JSON.stringify(input) === before, 'input untouched');
  return wrong;
}

describe('compaction', () => {
  it('keeps of random contexts what another reading of DESIGN keeps', () => {
    const failures: string[] = [];
    const many = IS_LONG ? 20_000 : 200;
    for (let seed = 1; seed <= many; seed++) {
      const wrong = misread(seed);
      if (wrong.length > 0) failures.push(`${seed}: ${wrong.join('; ')}`);
    }
    expect(failures.slice(0, 10)).toEqual([]);
  });

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
          const isMoved = (ESSENTIALS as readonly string[]).includes(name) && name in output.relay_context;
          if (!isListed && !isMoved && input[name] !== null) expect(Object.hasOwn(output, name), name).toBe(true);
        }
        expect(Object.getPrototypeOf(output)).toBe(Object.prototype);
      }),
      runs(75, 2000),
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
