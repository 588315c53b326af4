import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SymbolKind } from '../../src/core/ports/symbolKind';
import { encodeFacts, FactsCodecError, packFacts } from '../../src/core/repomap/facts/factsCodec';
import { scanWords } from '../../src/core/repomap/facts/identifiers';
import type { Definition, FileFacts } from '../../src/core/repomap/facts/types';
import { symbolHandles } from '../../src/core/repomap/index/indexedFile';
import { RepoIndex } from '../../src/core/repomap/index/repoIndex';
import { packWords } from '../../src/core/repomap/index/wordPostings';
import { selectMap } from '../../src/core/repomap/map/selection';
import { NO_PROJECT } from '../../src/core/repomap/project/packages';
import { orient } from '../../src/core/repomap/ranking/orientation';
import { orientationOrder } from '../../src/core/repomap/ranking/orientationOrder';
import { parseTask } from '../../src/core/repomap/ranking/query';
import { taskOrder } from '../../src/core/repomap/ranking/taskOrder';
import { TaskRanker } from '../../src/core/repomap/ranking/taskRanking';
import { decodeText } from '../../src/core/text/decode';
import { exactTokenizer } from '../support/exactTokenizer';
import { decodeFacts } from '../support/repoMapBuilders';
import { runs } from '../support/runs';

const tokenizers = [exactTokenizer('o200k_base'), exactTokenizer('cl100k_base')];

/** Words as code has them, and as it does not: other scripts, marks, slashes, line ends, nothing at all. */
const word = fc.oneof(
  fc.constantFrom('open', 'openStore', '_private', 'MAX_SIZE', 'Store', 'next', 'getUserName', '名前', 'größe', 'x'),
  fc.string({ minLength: 1, maxLength: 12 }),
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }),
);
const signature = fc
  .array(fc.oneof(word, fc.constantFrom('(a: string)', '=> {', '// x', '/', '\\n', '\u0085', '…', '😀', ';', '<T>')), {
    maxLength: 12,
  })
  // The parser folds white space; nothing else is promised about a signature.
  .map((parts) =>
    parts
      .join(' ')
      .replace(/[\s\u0085\p{Cc}]+/gu, ' ')
      .trim(),
  );

const kind = fc.constantFrom<SymbolKind>('class', 'function', 'method', 'constant', 'variable', 'namespace', 'struct');

function definitionsOf(count: number): fc.Arbitrary<readonly Definition[]> {
  return fc
    .array(
      fc.record({
        kind,
        name: word,
        signature,
        doc: fc.constant(''),
        lineStart: fc.integer({ min: 1, max: 100_000 }),
        parent: fc.nat(),
        scope: fc.option(word, { nil: undefined, freq: 8 }),
      }),
      { maxLength: count },
    )
    .map((list) =>
      list.map(({ parent, scope, ...rest }, at): Definition => {
        const own = { ...rest, lineEnd: rest.lineStart, parent: at === 0 || parent % 3 === 0 ? -1 : parent % at };
        return scope === undefined ? own : { ...own, scope };
      }),
    );
}

const path = fc.oneof(
  fc.constantFrom('src/a.ts', 'src/b.go', 'test/a.test.ts', 'lib/größe.py', 'a b/c.ts', '-x', '.github/x.ts'),
  fc.string({ minLength: 1, maxLength: 20 }),
);

const workspace: fc.Arbitrary<readonly FileFacts[]> = fc.uniqueArray(
  fc.record({
    path,
    contentHash: fc.constant('0'),
    language: fc.constantFrom('typescript', 'go', 'python', undefined),
    outcome: fc.constantFrom('parsed' as const, 'partial' as const),
    lineCount: fc.nat(1000),
    definitions: definitionsOf(12),
    references: fc.uniqueArray(fc.tuple(word, fc.integer({ min: 1, max: 50 })), {
      selector: ([name]) => name,
      maxLength: 10,
    }),
  }),
  { selector: (file) => file.path, maxLength: 8 },
);

function indexOf(files: readonly FileFacts[]): RepoIndex {
  const index = new RepoIndex();
  for (const file of files) index.upsert(packFacts(file));
  return index;
}

function mapOf(files: readonly FileFacts[], budgetTokens: number, at: number, focusPaths: readonly string[] = []) {
  const index = indexOf(files);
  return selectMap(
    index,
    orientationOrder(orient(index, NO_PROJECT, { focusPaths })),
    { budgetTokens },
    tokenizers[at % 2]!,
  );
}

/** The same workspace with words, for a task. */
function withWords(file: FileFacts): FileFacts {
  const text = file.definitions.map(({ name, signature }) => `${name} ${signature}`).join('\n');
  const { references, words } = packWords(scanWords(text), file.definitions, 1000);
  return { ...file, references, words };
}

function taskMapOf(files: readonly FileFacts[], task: string, budgetTokens: number, at: number) {
  const index = indexOf(files.map(withWords));
  const ranking = new TaskRanker(index).rank(parseTask(task));
  return selectMap(index, taskOrder(ranking), { budgetTokens }, tokenizers[at % 2]!);
}

const taskText = fc
  .array(
    fc.oneof(
      word,
      signature,
      fc.constantFrom(
        'src/a.ts',
        '```',
        '  File "src/a.ts", line 3, in open',
        '    at open (src/a.ts:1:2)',
        'Store.open',
      ),
    ),
    { maxLength: 12 },
  )
  .map((parts) => parts.join('\n'));

const budget = fc.oneof(fc.nat(40), fc.nat(600), fc.nat(3000));

describe('a map for a task, for any workspace, task and budget', () => {
  it('is never over its budget, explains all that it shows, and is the same in any order of files', () => {
    fc.assert(
      fc.property(workspace, taskText, budget, fc.nat(1), (files, task, budgetTokens, at) => {
        const map = taskMapOf(files, task, budgetTokens, at);
        const { text, view } = map.render(map.size);
        expect(tokenizers[at]!.count(text)).toBeLessThanOrEqual(budgetTokens);
        for (const line of text.split('\n').slice(0, -1)) expect(/^\/|^\s*$/u.test(line)).toBe(false);
        const reasons = map.explain(map.size).files;
        expect(reasons.map(({ symbols }) => symbols.map(({ handle }) => handle))).toEqual(
          view.items.map(({ symbols }) => symbols.map(({ handle }) => handle)),
        );
        expect(reasons.flatMap(({ symbols }) => symbols).every(({ because }) => because.length > 0)).toBe(true);
        const again = taskMapOf([...files].reverse(), task, budgetTokens, at);
        expect(again.render(again.size).text).toBe(text);
      }),
      runs(15, 700),
    );
  });
});

describe('a map, for any workspace and budget', () => {
  it('is never over its budget, has no blank line and none that starts with a slash', () => {
    fc.assert(
      fc.property(workspace, budget, fc.nat(1), (files, budgetTokens, at) => {
        const map = mapOf(files, budgetTokens, at);
        const { text } = map.render(map.size);
        expect(tokenizers[at]!.count(text)).toBeLessThanOrEqual(budgetTokens);
        expect(text === '' || text.endsWith('\n')).toBe(true);
        for (const line of text.split('\n').slice(0, -1)) expect(/^\/|^\s*$/u.test(line)).toBe(false);
      }),
      runs(25, 1500),
    );
  });

  it('adds up: the lines’ counts sum to the whole', () => {
    fc.assert(
      fc.property(workspace, fc.nat(1), (files, at) => {
        const { text } = mapOf(files, 100_000, at).render(Number.POSITIVE_INFINITY);
        const sum = text.split(/(?<=\n)/).reduce((total, line) => total + tokenizers[at]!.count(line), 0);
        expect(sum).toBe(tokenizers[at]!.count(text));
      }),
      runs(15, 700),
    );
  });

  it('only grows with the number of items shown, in lines and in tokens', () => {
    fc.assert(
      fc.property(workspace, budget, (files, budgetTokens) => {
        const map = mapOf(files, budgetTokens, 0);
        let before: readonly string[] = [];
        let tokens = 0;
        for (let n = 0; n <= map.size; n++) {
          const { text, view } = map.render(n);
          const lines = text.split('\n');
          for (const line of before) expect(lines).toContain(line);
          expect(tokenizers[0]!.count(text)).toBeGreaterThanOrEqual(tokens);
          expect(view.items.length).toBe(view.filesShown);
          expect(n === 0).toBe(text === '');
          before = lines;
          tokens = tokenizers[0]!.count(text);
        }
      }),
      runs(10, 300),
    );
  });

  it('is the same whatever the order in which files came', () => {
    fc.assert(
      fc.property(workspace, budget, fc.nat(), (files, budgetTokens, seed) => {
        const focus = files.slice(0, 2).map((file) => file.path);
        const shuffled = [...files].sort((a, b) => ((a.path.length * seed) % 7) - ((b.path.length * seed) % 7));
        const [one, other] = [mapOf(files, budgetTokens, 0, focus), mapOf(shuffled.reverse(), budgetTokens, 0, focus)];
        expect(other.render(other.size)).toEqual(one.render(one.size));
      }),
      runs(10, 300),
    );
  });

  it('uses at least 95 % of the budget when there is enough to show', () => {
    fc.assert(
      fc.property(fc.integer({ min: 400, max: 4000 }), fc.integer({ min: 1, max: 30 }), (budgetTokens, perFile) => {
        const files = Array.from(
          { length: Math.ceil(1000 / perFile) },
          (_, file): FileFacts => ({
            path: `src/module${file}/part.ts`,
            contentHash: '0',
            language: 'typescript',
            outcome: 'parsed',
            lineCount: 100,
            definitions: Array.from({ length: perFile }, (_, i) => ({
              kind: 'function' as const,
              name: `doThing${file}x${i}`,
              signature: `export function doThing${file}x${i}(${'argument: string, '.repeat(i % 5)}last: number): void`,
              doc: '',
              lineStart: i + 1,
              lineEnd: i + 1,
              parent: -1,
            })),
            references: [],
          }),
        );
        const map = mapOf(files, budgetTokens, 0);
        expect(tokenizers[0]!.count(map.render(map.size).text)).toBeGreaterThanOrEqual(0.95 * budgetTokens);
      }),
      runs(8, 25),
    );
  });
});

describe('handles', () => {
  it('stay the same while path, qualified name and kind do, whatever else is edited', () => {
    fc.assert(
      fc.property(path, definitionsOf(12), definitionsOf(6), (file, definitions, added) => {
        const known = new Set(definitions.map(({ name }) => name));
        const unrelated = added
          .filter(({ name }) => !known.has(name))
          .map((one): Definition => ({ ...one, parent: -1 }));
        const moved = definitions.map((one) => ({
          ...one,
          lineStart: one.lineStart + 7,
          signature: `${one.signature} edited`,
          parent: one.parent < 0 ? -1 : one.parent + unrelated.length,
        }));
        const before = symbolHandles(file, definitions);
        const after = symbolHandles(file, [...unrelated, ...moved]).slice(unrelated.length);
        const scoped = new Set(unrelated.map(({ name, scope }) => (scope === undefined ? name : `${scope}.${name}`)));
        fc.pre(![...scoped].some((name) => known.has(name) || name.includes('.')));
        expect(after).toEqual(before);
      }),
      runs(40, 500),
    );
  });
});

describe('facts', () => {
  it('survive encoding', () => {
    fc.assert(
      fc.property(workspace, (files) => {
        for (const file of files) expect(decodeFacts(encodeFacts(file))).toEqual(file);
      }),
      runs(10, 300),
    );
  });

  it('are refused with a typed error, or are facts, for any damage of one byte', () => {
    fc.assert(
      fc.property(workspace, fc.nat(), fc.nat(255), (files, at, byte) => {
        for (const file of files) {
          const bytes = encodeFacts(file);
          bytes[at % bytes.length] = byte;
          try {
            decodeFacts(bytes);
          } catch (error) {
            expect(FactsCodecError.is(error)).toBe(true);
          }
        }
      }),
      runs(40, 500),
    );
  });
});

describe('decodeText', () => {
  it('gives text or binary for any bytes, and back what was UTF-8', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        expect(['text', 'binary']).toContain(decodeText(bytes).kind);
      }),
    );
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme' }).filter((text) => !/^\uFEFF|\0|\uFFFD/u.test(text)),
        (text) => {
          expect(decodeText(new TextEncoder().encode(text))).toEqual({ kind: 'text', text });
        },
      ),
    );
  });
});
