import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runTool } from '../../src/core/tools/runTool';
import type { ToolHost } from '../../src/core/tools/tool';
import { ToolError } from '../../src/core/tools/tool';
import { CONTEXT_TOOLS } from '../../src/core/tools/toolCatalog';
import { runs } from '../support/runs';
import { CALL, costOf, eventLines, openTools } from '../support/toolWorld';

/** Text that costs much where it is least expected: another script, quotes that JSON escapes, lines without blanks. */
const ODD = ['上下文预算', '"\\"\\"', 'ﷺ', '🧑‍🚀', '\t\t', 'x'.repeat(300)];

const FOLDER = {
  'AGENTS.md': ODD.map((text) => `- ${text} rule\n`)
    .join('')
    .repeat(20),
  '中文.md': '# 说明\n',
  'src/quotes.ts': Array.from({ length: 40 }, (_, at) => `export function f${at}(q = "\\"${at}\\"") {}\n`).join(''),
  'src/中文.ts': 'export function 解析(文本: string) {}\n'.repeat(3),
  '.context-budget/observations.jsonl': eventLines(
    Array.from({ length: 80 }, (_, at) => ({
      id: at + 1,
      summary: `${ODD[at % ODD.length]} ${at}`.slice(0, 120),
      task: `T${at % 3}`,
      detail: `${ODD[(at + 1) % ODD.length]}\n`.repeat(at),
    })),
  ),
};

/** Tokenizers that hosts may bring, the odd ones too. */
const COUNTERS: Readonly<Record<string, (text: string) => number>> = {
  characters: (text) => text.length,
  bytes: (text) => new TextEncoder().encode(text).length,
  words: (text) => text.split(/\b/).length,
  few: (text) => Math.ceil(text.length / 9),
};

const handle = fc.oneof(
  fc.integer({ min: 1, max: 90 }).map(String),
  fc.constantFrom(
    'section:agents-md',
    'section:repo-map',
    'section:observations',
    'section:none',
    'section:agents-md#L7',
  ),
  fc.constantFrom('file:src/quotes.ts', 'file:src/中文.ts#L2', 'sym:src/quotes.ts:f7', 'file:../x', 'file:AGENTS.md'),
);
const some = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined, freq: 2 });
const query = fc.oneof(fc.constantFrom(...ODD, 'f7', 'rule', 'quotes f3'), fc.string({ minLength: 1, maxLength: 30 }));

const INPUTS: Readonly<Record<string, fc.Arbitrary<object>>> = {
  context_index: fc.record({ query: some(query), task: some(fc.constantFrom('T0', 'T1')), after: some(handle) }),
  context_timeline: fc.record({ id: fc.integer({ min: 1, max: 85 }), window: some(fc.integer({ min: 1, max: 90 })) }),
  context_detail: fc.record({ handles: fc.array(handle, { minLength: 1, maxLength: 6 }) }),
  repo_map: fc.record({ query: some(query), budget: some(fc.integer({ min: 1, max: 3000 })) }),
  context_search: fc.record({ query, after: some(handle) }),
  context_budget: fc.record({ after: some(handle) }),
};

const calls = fc
  .constantFrom(...CONTEXT_TOOLS.map(({ name }) => name))
  .chain((name) => fc.tuple(fc.constant(name), INPUTS[name]!, fc.integer({ min: 0, max: 2500 })));

/** Leaves out what is undefined, as JSON does. */
const asJson = (input: object): unknown => JSON.parse(JSON.stringify(input));

describe('answers of tools', () => {
  it.each(['o200k_base', ...Object.keys(COUNTERS)])(
    'never cost more than the budget, counted by %s, and hold what they name',
    async (tokenizer) => {
      const count = COUNTERS[tokenizer];
      const countTokens = count && (async (texts: readonly string[]) => texts.map(count));
      const host: ToolHost = await openTools(FOLDER, countTokens ? { countTokens } : {});
      await fc.assert(
        fc.asyncProperty(calls, async ([name, input, budgetTokens]) => {
          try {
            const answer = await runTool(name, asJson(input), host, { ...CALL, budgetTokens });
            if (!answer) throw new Error('nobody cancelled');
            expect(await costOf(host, answer)).toBeLessThanOrEqual(budgetTokens);
            const { next, left_out } = answer.structured as { next: string[]; left_out: number };
            if (next.length > 0) expect(left_out).toBeGreaterThan(0);
          } catch (error) {
            // What cannot be answered says so, and only so.
            if (!ToolError.is(error)) throw error;
            expect(['budget', 'unknown']).toContain(error.reason);
          }
        }),
        runs(25, 120),
      );
    },
  );
});
