import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DEFAULT_PROFILE } from '../../src/core/config/profile';
import { cleanText } from '../../src/core/text/sentence';
import { runTool } from '../../src/core/tools/runTool';
import type { ToolHost } from '../../src/core/tools/tool';
import { ToolError } from '../../src/core/tools/tool';
import { CONTEXT_TOOLS } from '../../src/core/tools/toolCatalog';
import { answerDetail, type DetailAnswer, type DetailWorld } from '../../src/core/workspace/detailResolver';
import { librarySecretScanner } from '../../src/worker/secrets/librarySecretScanner';
import { labelledSecrets } from '../fixtures/fakeSecrets';
import { anyText } from '../support/anyText';
import { createEngines } from '../support/cliWorld';
import { MemoryFiles } from '../support/memoryFiles';
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
    'never cost more than the budget, counted by %s',
    async (tokenizer) => {
      const count = COUNTERS[tokenizer];
      const countTokens = count && (async (texts: readonly string[]) => texts.map(count));
      const host: ToolHost = await openTools(FOLDER, countTokens ? { countTokens } : {});
      await fc.assert(
        fc.asyncProperty(calls, async ([name, input, budgetTokens]) => {
          try {
            const answer = await runTool(name, asJson(input), host, { ...CALL, budgetTokens });
            if (answer === undefined) throw new Error('nobody cancelled');
            expect(await costOf(host, answer)).toBeLessThanOrEqual(budgetTokens);
          } catch (error) {
            // What cannot be answered says so, and only so.
            if (!ToolError.is(error)) throw error;
            expect(['budget', 'unknown']).toContain(error.reason);
          }
        }),
        runs(6, 120),
      );
    },
  );
});

/** Secrets in each place that a tool reads: sections, code, its strings, summaries, details, tasks, the config. */
function folderWith(secrets: readonly { readonly text: string }[]): Readonly<Record<string, string>> {
  const all = secrets.map(({ text }) => text);
  return {
    'AGENTS.md': `# Rules\n\n${all.join('\n\n')}\n`,
    'memory/SOUL.md': `SUMMARY:OK:${all[0]}\n---\n${all.join('\n')}\n`,
    'src/keys.ts': all
      .map(
        (text, at) => `export function key${at}(k = '${text.replaceAll('\n', '\\n')}') {\n  return \`${text}\`;\n}\n`,
      )
      .join(''),
    '.context-budget/config.json': JSON.stringify({ [all[0] ?? '']: all[0], profile: all.at(-1) }),
    '.context-budget/observations.jsonl': eventLines(
      all.map((text, at) => ({
        id: at + 1,
        summary: text.slice(0, 400),
        task: at % 2 ? text : 'T0',
        detail: `${text}\n`,
      })),
    ),
  };
}

/** Parts of a secret that must not be seen: lines of a long one, by their first characters. */
function tracesOf(secret: string): readonly string[] {
  const lines = secret.split(/\\?\n\+?|\\n/).filter((line) => !line.includes('-----'));
  return lines.length > 1 ? lines.filter((line) => line.length >= 40).map((line) => line.slice(0, 24)) : [secret];
}

describe('answers of tools about a folder with secrets', () => {
  it('have none of them, not a line of a private key, whatever is asked', async () => {
    const keys = (seed: number) => labelledSecrets(seed).filter(({ kind }) => kind.startsWith('private key'));
    const secrets = [...labelledSecrets(11), ...keys(12)].filter(({ kind }) => kind !== 'key in notes');
    const host = await openTools(folderWith(secrets), { scanner: librarySecretScanner });
    const traces = secrets.flatMap(({ secret }) => tracesOf(secret));
    const handles = secrets.flatMap((_, at) => [String(at + 1), `sym:src/keys.ts:key${at}`]);
    const handle = fc.oneof(
      fc.constantFrom(...handles, 'section:agents-md', 'section:soul', 'section:observations', 'section:repo-map'),
      fc.integer({ min: 1, max: 400 }).map((line) => `file:src/keys.ts#L${line}-L${line + 9}`),
      fc.integer({ min: 1, max: 200 }).map((line) => `section:agents-md#L${line}`),
    );
    const inputs: Readonly<Record<string, fc.Arbitrary<object>>> = {
      ...INPUTS,
      context_detail: fc.record({ handles: fc.array(handle, { minLength: 1, maxLength: 4 }) }),
      context_timeline: fc.record({ id: fc.integer({ min: 1, max: secrets.length }) }),
      context_search: fc.record({ query: fc.constantFrom('key', 'key3', 'token', 'password') }),
    };
    const planted = fc
      .constantFrom(...CONTEXT_TOOLS.map(({ name }) => name))
      .chain((name) => fc.tuple(fc.constant(name), inputs[name]!));
    let answers = 0;
    await fc.assert(
      fc.asyncProperty(planted, async ([name, input]) => {
        const answer = await runTool(name, asJson(input), host, CALL).catch((error: unknown) => {
          if (!ToolError.is(error)) throw error;
          expect(['budget', 'unknown']).toContain(error.reason);
          return undefined;
        });
        if (answer === undefined) return;
        answers++;
        expect(traces.filter((trace) => answer.includes(trace))).toEqual([]);
      }),
      runs(15, 300),
    );
    expect(answers).toBeGreaterThan(0);
  });
});

const ROW = {
  ...{ id: 12, type: 'run', taskId: '', ts: '2026-02-03 10:00:00', actor: '', phase: '', summary: 'a run' },
  ...{ refs: { files: [], commands: [], urls: [] }, detailTokens: 9, text: '12 | a run\n' },
};

/** Lines that no answer has room for: prose of two scripts, data, a word, a secret that only the words before it tell. */
const LONG_LINES = [
  'The clock is faked in auth, not in e2e. Why? It runs apart! '.repeat(90),
  '认证里的时钟是假的，端到端测试里不是。'.repeat(120),
  JSON.stringify(Array.from({ length: 300 }, (_, at) => ({ step: at, note: `done ${at}` }))),
  'x'.repeat(6000),
  '👩‍👩‍👧‍👦'.repeat(300),
  `${'连接数据库。'.repeat(40)}密码：Tr0ub4dor-${'9qZ7'.repeat(9)} ${'然后重启。'.repeat(60)}`,
  `curl -H "Authorization: token ghp_${'aB3dE6gH9j'.repeat(4).slice(0, 36)}" ${'https://example.com/a?b=c '.repeat(200)}`,
];

describe('a text that is read on by the handles that answers name', () => {
  const line = fc.oneof(
    fc.constantFrom(...LONG_LINES),
    anyText({ maxLength: 40 }),
    fc.constantFrom('', '/', '```', '\t'),
  );
  const texts = fc
    .array(line, { minLength: 1, maxLength: 12 })
    .map((lines) => lines.join('\n').replace(/[\0\ufeff\ufffd]/g, ''));
  const caps = fc.record({
    detailTokens: fc.oneof(fc.integer({ min: 1, max: 300 }), fc.integer({ min: 300, max: 3000 })),
    budgetTokens: fc.integer({ min: 1, max: 4000 }),
    hardCapChars: fc.integer({ min: 1, max: 9000 }),
  });
  const HANDLES = ['section:soul', 'section:topics/2026 plan', 'file:src/data.json', '12'];
  const handles = fc.constantFrom(...HANDLES);
  const worldOf = (engine: DetailWorld['engine'], text: string): DetailWorld => ({
    ...{ engine, files: new MemoryFiles({ 'src/data.json': text }), maxFileBytes: 1e6, isIndexReady: false },
    isOpenable: async () => true,
    observation: async () => ({ source: { handle: '12', title: '12', text }, row: ROW }),
    sectionText: async () => ({ title: 'memory/SOUL.md', text }),
  });

  it('ends, and has every word of it but its secrets', async () => {
    const { engine } = createEngines(undefined as never, librarySecretScanner);
    let whole = 0;
    await fc.assert(
      fc.asyncProperty(texts, handles, caps, async (text, handle, own) => {
        const world = worldOf(engine, text);
        const profile = { ...DEFAULT_PROFILE, ...own };
        const read: string[] = [];
        let next: string | undefined = handle;
        while (next !== undefined) {
          const answer: DetailAnswer = await answerDetail(world, [next], profile, 'o200k_base', { isNamed: true });
          expect(answer.unknown).toEqual([]);
          expect(answer.tokens).toBeLessThanOrEqual(own.budgetTokens);
          expect(answer.text.length).toBeLessThanOrEqual(own.hardCapChars);
          const [item] = answer.items;
          // Only what has no room for the marker lines shows nothing.
          if (!item) {
            expect(Math.min(own.detailTokens, own.budgetTokens) < 100 || own.hardCapChars < 500).toBe(true);
            return;
          }
          expect(item.tokens).toBeLessThanOrEqual(own.detailTokens);
          expect(item.text === '' && item.rest !== undefined).toBe(false);
          read.push(item.text);
          next = item.rest;
        }
        const [masked] = await engine.maskTexts([cleanText(text)]);
        expect(read.join('').replace(/\n$/, '')).toBe(masked?.text.replace(/\n$/, ''));
        whole += read.length > 1 ? 1 : 0;
      }),
      runs(40, 600),
    );
    expect(whole).toBeGreaterThan(0);
  });

  it('has no part of a secret, whichever character it is read from', async () => {
    const secret = `Tr0ub4dor-${'9qZ7'.repeat(9)}`;
    const text = `${'连接数据库。'.repeat(40)}密码：${secret} ${'然后重启。'.repeat(60)}\nend\n`;
    const world = worldOf(createEngines(undefined as never, librarySecretScanner).engine, text);
    for (const handle of HANDLES)
      for (let column = 230; column < 300; column += 3) {
        const asked = [`${handle}#L1C${column}-L2`];
        const { text: shown } = await answerDetail(world, asked, DEFAULT_PROFILE, 'o200k_base', { isNamed: true });
        expect(shown).toContain('然后重启。\nend\n');
        expect(shown).not.toMatch(/ub4|9qZ|Z79/);
      }
  });
});
