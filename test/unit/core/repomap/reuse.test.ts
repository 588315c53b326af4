import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { packFacts } from '../../../../src/core/repomap/facts/factsCodec';
import { scanWords } from '../../../../src/core/repomap/facts/identifiers';
import type { FileFacts } from '../../../../src/core/repomap/facts/types';
import { RepoIndex } from '../../../../src/core/repomap/index/repoIndex';
import { packWords } from '../../../../src/core/repomap/index/wordPostings';
import { parseTask } from '../../../../src/core/repomap/ranking/query';
import { TaskRanker } from '../../../../src/core/repomap/ranking/taskRanking';
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
      runs(40, 200),
    );
  });
});
