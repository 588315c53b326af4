import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { packFacts } from '../../../../src/core/repomap/facts/factsCodec';
import { scanWords } from '../../../../src/core/repomap/facts/identifiers';
import type { FileFacts } from '../../../../src/core/repomap/facts/types';
import { RepoIndex } from '../../../../src/core/repomap/index/repoIndex';
import { packUnownedWords, packWords } from '../../../../src/core/repomap/index/wordPostings';
import { parseTask } from '../../../../src/core/repomap/ranking/query';
import { TaskRanker, WHOLE_FILES } from '../../../../src/core/repomap/ranking/taskRanking';
import { definition, facts } from '../../../support/repoMapBuilders';
import { runs } from '../../../support/runs';

const NAMES = ['open', 'close', 'Store', 'readRow', 'writeRow', 'parse'];

/** A file that defines some names, one a line, each line mentioning others. */
function fileOf(path: string, defined: readonly number[], mentioned: readonly number[]): FileFacts {
  const names = defined.map((at) => NAMES[at] as string);
  const words = mentioned.map((at) => NAMES[at] as string);
  const text = names.map((name, line) => `${name} ${words.filter((_, at) => at % names.length === line).join(' ')}`);
  const definitions = names.map((name, line) => definition(name, { lineStart: line + 1, lineEnd: line + 1 }));
  const packed = packWords(scanWords(`${text.join('\n')}\n${words.join(' ')}`), definitions, names.length + 1);
  return facts(path, definitions, {}, packed);
}

const at = fc.nat({ max: NAMES.length - 1 });
const change = fc.record({
  file: fc.nat({ max: 4 }),
  /** Most saves leave the definitions alone. */
  defined: fc.option(fc.array(at, { maxLength: 3 }), { nil: undefined, freq: 3 }),
  mentioned: fc.array(at, { maxLength: 6 }),
});
const QUERY = parseTask('Rows are lost: `readRow` opens the store twice before it writes a row');

/** Scores of everything, by path. */
function ranksOf(index: RepoIndex, ranker: TaskRanker) {
  const task = ranker.rank(QUERY);
  return {
    own: [...task.own],
    walked: [...task.walked],
    files: index.files.length,
  };
}

describe('ranking after a change', () => {
  it('is the same as ranking from nothing, whatever was taken over', () => {
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 12 }), (changes) => {
        const index = new RepoIndex();
        const ranker = new TaskRanker(index);
        const held = new Map<number, readonly number[]>();
        for (const { file, defined, mentioned } of changes) {
          const names = defined ?? held.get(file) ?? [file];
          held.set(file, names);
          index.upsert(packFacts(fileOf(`src/f${file}.ts`, names, mentioned)));
          expect(ranksOf(index, ranker)).toEqual(ranksOf(index, new TaskRanker(index)));
        }
      }),
      runs(20, 200),
    );
  });
});

/** The same file before it was parsed. */
function scannedOf({ references, words, ...head }: FileFacts): FileFacts {
  const text = [...references.flatMap(([name, count]) => Array<string>(count).fill(name)), ...(words?.others ?? [])];
  const unowned = packUnownedWords(scanWords(text.join('\n')));
  return { ...head, outcome: 'scanned', definitions: [], references: [], words: unowned };
}

describe('a map for a task', () => {
  it('is the same whatever of a large folder is parsed', () => {
    const files = Array.from({ length: WHOLE_FILES + 60 }, (_, file) =>
      fileOf(`src/f${file}.ts`, [file % 6, (file * 5) % 6], [(file * 3) % 5, (file * file) % 6]),
    );
    const byPath = new Map(files.map((file) => [file.path, file]));
    /** What a host does: parses what counts until nothing is missing. */
    const ranked = (isParsed: (at: number) => boolean) => {
      const index = new RepoIndex();
      for (const [at, file] of files.entries()) index.upsert(packFacts(isParsed(at) ? file : scannedOf(file)));
      const ranker = new TaskRanker(index);
      let rounds = 0;
      for (; ranker.rank(QUERY).unparsed.length > 0; rounds++)
        for (const path of ranker.rank(QUERY).unparsed) index.upsert(packFacts(byPath.get(path) as FileFacts));
      const { corpus, order } = ranker.rank(QUERY);
      const places = [...order()].map(({ fileAt, index, score }) => [corpus.files[fileAt]?.file.path, index, score]);
      return { rounds, places };
    };
    const whole = ranked(() => true);
    expect(whole.rounds).toBe(0);
    expect(whole.places.length).toBeGreaterThan(160);
    expect(whole.places.length).toBeLessThan(2 * files.length);
    const none = ranked(() => false);
    expect(none.rounds).toBeGreaterThan(0);
    expect(none.places).toEqual(whole.places);
    fc.assert(
      fc.property(fc.array(fc.boolean(), { minLength: files.length, maxLength: files.length }), (parsed) => {
        expect(ranked((at) => parsed[at] === true).places).toEqual(whole.places);
      }),
      runs(4, 20),
    );
  });
});
