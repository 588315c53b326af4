import { describe, expect, it } from 'vitest';
import { scanWords } from '../../../../../src/core/repomap/facts/identifiers';
import {
  doubledTotalOf,
  NO_OWNER,
  ownersOfLines,
  PostingReader,
  packUnownedWords,
  packWords,
} from '../../../../../src/core/repomap/index/wordPostings';
import { lexisOf } from '../../../../support/lexerOf';
import { definition } from '../../../../support/repoMapBuilders';

const span = (name: string, lineStart: number, lineEnd: number) => definition(name, { lineStart, lineEnd });

/** Word → definition → counts in code, comments, strings. */
function unpack(packed: ReturnType<typeof packWords>): Record<string, Record<string, readonly number[]>> {
  const reader = new PostingReader();
  reader.open(packed.words.postings);
  const held: Record<string, Record<string, readonly number[]>> = {};
  for (const word of [...packed.references.map(([name]) => name), ...packed.words.others]) {
    const own: Record<string, readonly number[]> = {};
    reader.nextWord();
    while (reader.next()) own[reader.owner] = [reader.code, reader.comment, reader.string];
    held[word] = own;
  }
  return held;
}

describe('ownersOfLines', () => {
  it('gives each line to the innermost definition, and a comment right above to what follows it', () => {
    const definitions = [span('A', 2, 7), span('m', 5, 6), span('b', 9, 9)];
    const owners = ownersOfLines(definitions, 10, new Set([0, 3, 7]));
    expect([...owners].slice(0, 10)).toEqual([0, 0, 0, 1, 1, 1, 0, 2, 2, NO_OWNER]);
  });

  it('does so in whatever order definitions come; of two with the same lines the later one is inner', () => {
    const inner = [span('last', 9, 9), span('m', 5, 6), span('first', 2, 3), span('A', 2, 7)];
    expect([...ownersOfLines(inner, 10, new Set())].slice(0, 9)).toEqual([NO_OWNER, 2, 2, 3, 1, 1, 3, NO_OWNER, 0]);
    const same = [span('get', 2, 3), span('set', 2, 3), span('whole', 1, 4)];
    expect([...ownersOfLines(same, 4, new Set())].slice(0, 4)).toEqual([2, 1, 1, 2]);
  });
});

describe('packWords', () => {
  it('counts each word by definition and field', () => {
    const scan = scanWords('one\none two\ntwo two\n');
    expect(unpack(packWords(scan, [span('a', 2, 2), span('b', 3, 3)], 3))).toEqual({
      one: { '-1': [1, 0, 0], 0: [1, 0, 0] },
      two: { 0: [1, 0, 0], 1: [2, 0, 0] },
    });
  });

  it('keeps counts in several fields, large counts and far definitions', () => {
    const many = 300;
    const scan = scanWords(`${'\n'.repeat(199)}${'code '.repeat(many)}"code" /* said said */`, lexisOf('go'));
    const definitions = Array.from({ length: 200 }, (_, at) => span(`d${at}`, at + 1, at + 1));
    expect(unpack(packWords(scan, definitions, 200))).toEqual({
      code: { 199: [many, 0, 1] },
      said: { 199: [0, 2, 0] },
    });
  });

  it('names what is only in comments, strings or the language apart from references', () => {
    const scan = scanWords('if go');
    expect(packWords(scan, [], 1, new Set(['if']))).toMatchObject({
      references: [['go', 1]],
      words: { others: ['if'] },
    });
  });

  it('gives all words to the file itself before it is parsed', () => {
    const words = packUnownedWords(scanWords('a(go, go) // go if', lexisOf('go')));
    expect(unpack({ references: [], words })).toEqual({ go: { '-1': [2, 1, 0] }, if: { '-1': [0, 1, 0] } });
  });

  it('sums all words without looking who holds them, those in strings by their weight', () => {
    const scan = scanWords(`one two ${'two '.repeat(200)}\n"one three" /* one one */\n"one"`, lexisOf('go'));
    const packed = packWords(scan, [span('a', 2, 2)], 3).words.postings;
    // In code 202, in comments 2, in strings 3.
    expect(doubledTotalOf(packed, 1.5)).toBe(2 * (202 + 2) + 3 * 3);
    expect(doubledTotalOf(new Uint8Array(), 1.5)).toBe(0);
    for (const bytes of [[200], [5, 255, 255, 255, 255, 255], [3, 6]])
      expect(doubledTotalOf(Uint8Array.from(bytes), 1.5)).toBeGreaterThanOrEqual(0);
  });

  it('reads cut and foreign bytes to their end', () => {
    const reader = new PostingReader();
    for (const bytes of [[], [200], [5, 255, 255, 255, 255, 255], [3, 6]]) {
      reader.open(Uint8Array.from(bytes));
      let postings = 0;
      for (let word = 0; word < 3; word++) {
        reader.nextWord();
        while (reader.next()) postings++;
      }
      expect(postings).toBeLessThan(10);
    }
  });
});
