import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { UsageAggregator } from '../../src/core/usage/report/usageAggregator';
import type { UsageReport } from '../../src/core/usage/report/usageReport';
import { encodeUsage } from '../../src/core/usage/usageCodec';
import type { UsageDraft } from '../../src/core/usage/usageRecord';
import { anyText } from '../support/anyText';
import { runs } from '../support/runs';
import { naiveReport } from './usageNaive';

const encoder = new TextEncoder();

/** Few ids, so that they meet; some that JSON or UTF-8 writes in several ways. */
const id = fc.oneof(
  { weight: 30, arbitrary: fc.constantFrom('soul', 'memory', 'git', 'AGENTS.md', 'repo-map', '记忆', 'é') },
  fc.constantFrom('a"b', 'tab\there'),
);
const disclosure = fc.constantFrom('full', 'summary', 'stub', 'omitted');
const evidence = fc.constantFrom('handle', 'id', 'path', 'keyword', 'tag');
const what = fc.oneof(
  fc.constantFrom('src/a.ts', 'lease, takeover', '', ' two  blanks ', 'quoted "x"', '租约', 'x'.repeat(130)),
  anyText({ maxLength: 12 }),
);
const size = fc.oneof(
  { weight: 30, arbitrary: fc.nat({ max: 9_000 }) },
  fc.constantFrom(0, 999_999_999_999, 1_000_000_000_001),
);
const ts = fc
  .tuple(fc.integer({ min: 0, max: 2 ** 31 }), fc.boolean())
  .map(([seconds]) => new Date(seconds * 1000).toISOString().slice(0, 19).replace('T', ' '));

const draft: fc.Arbitrary<UsageDraft> = fc.record(
  {
    ts,
    trigger: fc.oneof(fc.constant('copy'), anyText({ maxLength: 20 })),
    profile: fc.constantFrom('default', 'planner'),
    sections: fc.array(
      fc.record(
        {
          id,
          chars: size,
          tokens: fc.nat({ max: 9_000 }),
          disclosure,
          priority: fc.constantFrom('P0', 'P2', 'P4'),
          charsFull: fc.nat(),
          tokensFull: fc.nat(),
          hash: fc.oneof(
            { weight: 20, arbitrary: fc.constantFrom('00ff00ff00ff00ff', 'abababababababab', '') },
            fc.constant('ü'),
          ),
        },
        { requiredKeys: ['id', 'chars', 'tokens', 'disclosure'] },
      ),
      { maxLength: 5 },
    ),
    cited: fc.array(fc.record({ id, evidence, what }), { maxLength: 4 }),
    mode: fc.constantFrom('off', 'baseline', 'static', 'dynamic'),
    payload: fc.constantFrom('index', 'expanded'),
    overheadTokens: fc.nat({ max: 99 }),
    overheadChars: fc.nat({ max: 400 }),
    responseMs: fc.oneof(fc.nat({ max: 90_000 }), fc.double({ min: 0, max: 1e5, noNaN: true })),
    observabilityScore: fc.oneof(fc.nat({ max: 100 }), fc.double({ min: 0, max: 1, noNaN: true })),
    judged: fc.constant(false),
    origin: fc.string({ maxLength: 10 }),
  },
  { requiredKeys: ['ts', 'trigger', 'profile', 'sections', 'cited'] },
) as fc.Arbitrary<UsageDraft>;

/** Mostly one cycle after another, some told again, some far away. */
const cycle = fc.oneof(
  { weight: 8, arbitrary: fc.integer({ min: 1, max: 60 }) },
  fc.integer({ min: 1, max: 5000 }),
  fc.constantFrom(1025, Number.MAX_SAFE_INTEGER),
);

const canonical = fc.tuple(cycle, draft).map(([number, each]) => encodeUsage(number, each).slice(0, -1));

/** As other programs write it: blanks, other orders, escapes, null. */
const foreign = fc
  .tuple(canonical, fc.constantFrom('spaced', 'reversed', 'escaped', 'nulls', 'doubled'))
  .map(([line, how]) => {
    const value = JSON.parse(line) as Record<string, unknown>;
    switch (how) {
      case 'spaced':
        return JSON.stringify(value, null, 1)
          .replace(/\n\s*/g, ' ')
          .replaceAll('{ ', '{')
          .replaceAll('[ ', '[')
          .replaceAll(' }', '}')
          .replaceAll(' ]', ']');
      case 'reversed':
        return JSON.stringify(Object.fromEntries(Object.entries(value).reverse()));
      case 'escaped':
        return line.replace(/[^\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
      case 'nulls':
        return JSON.stringify({ response_ms: null, observability_score: null, mode: null, ...value });
      default:
        return line.replace(/}$/, ',"cycle":7}');
    }
  });

/** Any line that is nearly one: a byte of it changed, cut out or put in. */
const damaged = fc
  .tuple(
    canonical,
    fc.nat(),
    fc.constantFrom('cut', 'drop', 'put', 'change'),
    fc.constantFrom(...'{}[]",:\\0.-e1 tn\t'),
  )
  .map(([line, where, how, by]) => {
    const at = where % line.length;
    if (how === 'cut') return line.slice(0, at);
    const rest = line.slice(how === 'put' ? at : at + 1);
    return line.slice(0, at) + (how === 'drop' ? '' : by) + rest;
  });

const anyLine = fc.oneof(
  { weight: 12, arbitrary: canonical },
  { weight: 3, arbitrary: foreign },
  { weight: 2, arbitrary: damaged },
  fc.constantFrom('', '   ', '{}', '[1]', 'null', '\u0000', '{"schema_version":"usage.v1","cycle":1}'),
);

function comparable(report: UsageReport) {
  const count = (kind: string): number =>
    report.findings.filter((finding) => finding.kind === kind).reduce((total, finding) => total + finding.count, 0);
  return {
    cycles: report.cycles,
    firstCycle: report.firstCycle,
    lastCycle: report.lastCycle,
    sections: report.sections,
    phases: report.phases,
    history: report.history.map(({ cycles, charsMean, tokensMean }) => ({ cycles, charsMean, tokensMean })),
    counts: Object.fromEntries(['unreadable', 'repeated', 'clock', 'orphaned'].map((kind) => [kind, count(kind)])),
  };
}

describe('usage report', () => {
  it('is what a plain implementation over decoded records gives, however the bytes are cut', () => {
    fc.assert(
      fc.property(
        fc.array(anyLine, { maxLength: 80 }),
        fc.integer({ min: 1, max: 4000 }),
        fc.boolean(),
        (lines, piece, ends) => {
          // Contents are told apart in unit tests: here no section takes over the past of another.
          const plain = lines.map((line) => line.replace(/"hash": ?"[^"]*"/g, '"hash":""'));
          const last = plain.length > 0 && !ends ? '' : '\n';
          const bytes = encoder.encode(plain.join('\n') + last);
          const aggregator = new UsageAggregator();
          for (let at = 0; at < bytes.length; at += piece) aggregator.add(bytes.subarray(at, at + piece));
          expect(comparable(aggregator.finish())).toEqual(naiveReport(plain));
        },
      ),
      runs(75, 1000),
    );
  });
});
