import { expect, it } from 'vitest';
import { packFacts } from '../../../../../src/core/repomap/facts/factsCodec';
import { scanWords } from '../../../../../src/core/repomap/facts/identifiers';
import type { Definition, FileFacts } from '../../../../../src/core/repomap/facts/types';
import { RepoIndex } from '../../../../../src/core/repomap/index/repoIndex';
import { packWords } from '../../../../../src/core/repomap/index/wordPostings';
import { isInTests } from '../../../../../src/core/repomap/ranking/mentions';
import { usesOf } from '../../../../../src/core/repomap/ranking/uses';
import { definition, facts } from '../../../../support/repoMapBuilders';

/** A file of functions of one line each: their names, and the words in each. */
function file(path: string, functions: Readonly<Record<string, string>>): FileFacts {
  const definitions = Object.keys(functions).map((name, at) =>
    definition(name, { lineStart: at + 1, lineEnd: at + 1 }),
  );
  const text = Object.values(functions).map((words) => `${words}\n`);
  const { references, words } = packWords(scanWords(text.join('')), definitions, definitions.length);
  return { ...facts(path, definitions), references, words };
}

/** The uses of the first definition of the first file. */
function uses(first: FileFacts, ...others: readonly FileFacts[]) {
  const index = new RepoIndex();
  for (const each of [first, ...others]) index.upsert(packFacts(each));
  const own = index.fileAt(first.path);
  if (!own) throw new Error(`${first.path} is not in the index`);
  return usesOf(index, { file: own, index: 0 });
}

const PARSER = file('src/parser.ts', { parseDates: 'parseDates' });

it('names the test after the file first, then those that mention it most', () => {
  const found = uses(
    PARSER,
    file('test/a.test.ts', { one: 'parseDates' }),
    file('test/b.test.ts', { one: 'parseDates', two: 'parseDates', three: 'parseDates' }),
    file('test/c.test.ts', { one: 'parseDates', two: 'parseDates' }),
    file('test/parser.test.ts', { one: 'parseDates' }),
  );
  expect(found?.tests).toBe('tests: test/parser.test.ts, test/b.test.ts +2');
});

it('tells the surest callers first, those as sure by path', () => {
  const found = uses(
    file('src/parser.ts', { parseDates: 'parseDates', own: 'parseDates' }),
    file('src/z.ts', { last: 'parseDates' }),
    file('src/b.ts', { first: 'parseDates' }),
  );
  expect(found?.callers).toBe('3 callers in 3 files');
  expect(found?.places.map(({ path, name }) => `${path} ${name}`)).toEqual([
    'src/parser.ts own',
    'src/b.ts first',
    'src/z.ts last',
  ]);
});

it('tells what stands in a module of tests, as Rust has it, wherever that is', () => {
  const around = (name: string, kind: Definition['kind']) => [
    definition(name, { kind }),
    definition('works', { parent: 0 }),
    definition('inner', { parent: 1 }),
  ];
  const isIn = (definitions: readonly Definition[], at: number) =>
    isInTests({ definitions } as Parameters<typeof isInTests>[0], at);
  expect([1, 2].map((at) => isIn(around('tests', 'module'), at))).toEqual([true, true]);
  expect(isIn(around('tests', 'module'), 0)).toBe(false);
  expect(isIn(around('tests', 'class'), 1)).toBe(false);
  expect(isIn(around('contests', 'module'), 1)).toBe(false);
});
