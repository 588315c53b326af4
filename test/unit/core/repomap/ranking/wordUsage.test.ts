import { describe, expect, it } from 'vitest';
import { packFacts } from '../../../../../src/core/repomap/facts/packedFacts';
import type { FileFacts } from '../../../../../src/core/repomap/facts/types';
import { RepoIndex } from '../../../../../src/core/repomap/index/repoIndex';
import { wordStandings } from '../../../../../src/core/repomap/ranking/wordUsage';

function file(path: string, defined: readonly string[], used: readonly string[]): FileFacts {
  return {
    path,
    contentHash: path,
    language: 'typescript',
    outcome: 'parsed',
    lineCount: 1,
    definitions: defined.map((name) => ({
      kind: 'function',
      name,
      signature: name,
      doc: '',
      lineStart: 1,
      lineEnd: 1,
      parent: -1,
    })),
    references: used.map((name) => [name, 1] as const),
  };
}

describe('wordStandings', () => {
  const index = new RepoIndex();
  index.upsert(packFacts(file('src/a.ts', ['loadAll'], ['saveAll', 'max_file_bytes'])));
  index.upsert(packFacts(file('AGENTS.md', ['Heading'], ['dropAll', 'loadAll'])));

  it('tells defined, used and unknown apart', () => {
    expect(wordStandings(index, ['loadAll', 'saveAll', 'nothing'])).toEqual(['defined', 'used', 'unknown']);
  });

  it('does not take prose for code', () => {
    expect(wordStandings(index, ['dropAll', 'Heading'])).toEqual(['unknown', 'unknown']);
  });

  it('takes another way of writing a name for it', () => {
    expect(wordStandings(index, ['maxFileBytes', 'MAX_FILE_BYTES', 'save_all'])).toEqual(['used', 'used', 'used']);
  });

  it('forgets what a file no longer has', () => {
    const changing = new RepoIndex();
    changing.upsert(packFacts(file('a.ts', ['gone'], [])));
    changing.upsert(packFacts(file('a.ts', ['here'], [])));
    expect(wordStandings(changing, ['gone', 'here'])).toEqual(['unknown', 'defined']);
  });
});
