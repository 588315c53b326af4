import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { packFacts } from '../../../../../src/core/repomap/facts/factsCodec';
import { Vocabulary } from '../../../../../src/core/repomap/index/vocabulary';
import { hashRange } from '../../../../../src/core/text/hash';
import { facts, unpackFacts } from '../../../../support/repoMapBuilders';
import { runs } from '../../../../support/runs';

/** Words as files have them, many of them twice, with any text of valid Unicode. */
const word = fc.oneof(
  fc.constantFrom('load', 'loadAll', 'größe', '名前', '\uFEFFload', ''),
  fc.string({ unit: 'grapheme', maxLength: 40 }),
);
const texts = fc.array(word, { maxLength: 60 });

function packed(words: readonly string[]) {
  return packFacts({ ...facts('a.ts', []), references: words.map((name) => [name, 1] as const) }).packed;
}

/** The words of a vocabulary whose numbers are picked, as a process writes them. */
function listOf(words: readonly string[], isPicked: (number: number) => boolean) {
  const numbers = words.flatMap((_, number) => (isPicked(number) ? [number] : []));
  const texts = numbers.map((number) => Buffer.from(words[number] as string));
  let bytes = 0;
  const ends = texts.map((text) => (bytes += text.length));
  return {
    text: new Uint8Array(Buffer.concat(texts)),
    ends: Uint32Array.from(ends),
    numbers: Uint32Array.from(numbers),
  };
}

describe('Vocabulary', () => {
  it('takes an empty list over, and then words', () => {
    const vocabulary = new Vocabulary(1);
    expect(vocabulary.adopt({ text: new Uint8Array(), ends: new Uint32Array() })).toBe('as they are');
    expect([vocabulary.idOf('load'), vocabulary.idOf('größe'), vocabulary.wordOf(1)]).toEqual([0, 1, 'größe']);
  });

  it('numbers words in the order in which they come, whether as text or as bytes', () => {
    fc.assert(
      fc.property(texts, texts, (first, second) => {
        const vocabulary = new Vocabulary();
        const ids = [...vocabulary.idsOf(packed(first)), ...second.map((each) => vocabulary.idOf(each))];
        const distinct = [...new Set([...first, ...second])];
        expect(ids).toEqual([...first, ...second].map((each) => distinct.indexOf(each)));
        expect(distinct.map((_, id) => vocabulary.wordOf(id))).toEqual(distinct);
        expect(vocabulary.size).toBe(distinct.length);
        for (const [id, each] of distinct.entries()) expect(vocabulary.find(each)).toBe(id);
      }),
    );
  });

  it('finds the words of a term whether they are searched as one text or all taken apart', () => {
    const part = fc.constantFrom('error', 'er', 'rOr', 'Queries', 'query', 'größe', '名前', 'ſ', 'K', 'k', '_', 'x');
    const words = fc.array(
      fc.array(part, { minLength: 1, maxLength: 3 }).map((parts) => parts.join('')),
      { maxLength: 40 },
    );
    const terms = ['error', 'er', 'ror', 'query', 'queries', 'größe', '名前', 's', 'k', 'x', 'xer'];
    // So many that taking all apart is cheaper.
    const others = Array.from({ length: 300 }, (_, at) => `other${at}`);
    fc.assert(
      fc.property(words, words, (first, second) => {
        const [searched, apart] = [new Vocabulary(), new Vocabulary()];
        for (const some of [first, second]) {
          for (const vocabulary of [searched, apart]) vocabulary.idsOf(packed(some));
          expect(searched.wordsOf(terms)).toEqual(apart.wordsOf([...terms, ...others]).slice(0, terms.length));
        }
        expect(searched.strings()).toEqual([...new Set([...first, ...second])]);
      }),
    );
  });

  it('takes lists of one vocabulary by their numbers, in any order, with gaps and with words in several', () => {
    const picks = fc.array(fc.array(fc.boolean(), { maxLength: 60 }), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(fc.uniqueArray(word, { maxLength: 60 }), picks, texts, (words, picked, later) => {
        const lists = picked.map((isIn) => listOf(words, (number) => isIn[number] ?? false));
        const vocabulary = new Vocabulary(5);
        const own = vocabulary.adoptNumbered(lists);
        const held = new Set(lists.flatMap(({ numbers }) => [...numbers].map((number) => words[number] as string)));
        expect(vocabulary.size).toBe(held.size);
        for (const list of lists)
          expect([...(own?.get(list) ?? [])].map((id) => vocabulary.wordOf(id))).toEqual(
            [...list.numbers].map((number) => words[number]),
          );
        for (const each of held) expect(vocabulary.wordOf(vocabulary.find(each) as number)).toBe(each);
        const ids = later.map((each) => vocabulary.idOf(each));
        expect(ids.map((id) => vocabulary.wordOf(id))).toEqual(later);
        expect(vocabulary.size).toBe(new Set([...held, ...later]).size);
      }),
      runs(100, 2000),
    );
  });

  it('takes no lists whose numbers cannot be of one vocabulary, and is empty as before', () => {
    const list = listOf(['load', 'save'], () => true);
    for (const numbers of [
      [1, 0],
      [0, 0],
      [0, 4_000_000_000],
    ]) {
      const vocabulary = new Vocabulary();
      expect(vocabulary.adoptNumbered([{ ...list, numbers: Uint32Array.from(numbers) }])).toBeUndefined();
      expect([vocabulary.size, vocabulary.idOf('save')]).toEqual([0, 0]);
    }
  });

  it('knows no word that nobody gave it, and does not learn it by being asked', () => {
    const vocabulary = new Vocabulary();
    vocabulary.idOf('load');
    expect(vocabulary.find('loa')).toBeUndefined();
    expect(vocabulary.find('')).toBeUndefined();
    expect(vocabulary.size).toBe(1);
  });

  // Beyond the first table, where slots, hashes, ends and bytes all have to grow.
  it('holds many and long words', () => {
    const vocabulary = new Vocabulary();
    const many = Array.from({ length: 20_000 }, (_, at) => `word${at}`.padEnd(at % 997 === 0 ? 5000 : 1, 'x'));
    expect([...vocabulary.idsOf(packed(many))]).toEqual(many.map((_, at) => at));
    expect(many.every((each, at) => vocabulary.find(each) === at && vocabulary.wordOf(at) === each)).toBe(true);
  });
});

/** Two texts of a base that lead FNV-1a from a state to the same one. */
function twins(state: number): readonly [string, string, next: number] {
  const seen = new Map<number, string>();
  for (let count = 0; ; count++) {
    const text = Math.imul(count, 0x9e3779b1).toString(36).replace('-', '_');
    let next = state;
    for (let at = 0; at < text.length; at++) next = Math.imul(next ^ text.charCodeAt(at), 0x01000193);
    const twin = seen.get(next);
    if (twin !== undefined) return [twin, text, next];
    seen.set(next, text);
  }
}

/** 2ⁿ words of one hash: a twin of each of n pairs, one pair after another. */
function collidingWords(pairs: number): readonly string[] {
  let words = [''];
  let state = 0x811c9dc5;
  for (let pair = 0; pair < pairs; pair++) {
    const [one, other, next] = twins(state);
    words = words.flatMap((word) => [word + one, word + other]);
    state = next;
  }
  return words;
}

describe('hashRange', () => {
  // A folder that is not trusted could bring such words, and each would be compared with all before it.
  it('gives words that were made to collide many hashes once it has a seed', () => {
    const words = collidingWords(5).map((word) => new TextEncoder().encode(word));
    expect(words).toHaveLength(32);
    const hashes = (seed?: number) => new Set(words.map((word) => hashRange(word, 0, word.length, seed))).size;
    expect(hashes()).toBe(1);
    expect(hashes(0x1234abcd)).toBeGreaterThan(30);
  });
});

describe('packFacts', () => {
  it('gives the facts back', () => {
    fc.assert(
      fc.property(texts, texts, (names, others) => {
        const plain = { ...facts('a.ts', ['one']), references: names.map((name, at) => [name, at] as const) };
        expect(unpackFacts(packFacts(plain))).toEqual(plain);
        const held = { ...plain, words: { others, postings: Uint8Array.from([1, 2]) } };
        expect(unpackFacts(packFacts(held))).toEqual(held);
      }),
    );
  });
});
