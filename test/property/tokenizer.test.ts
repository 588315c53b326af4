import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyText } from '../support/anyText';
import { exactTokenizer } from '../support/exactTokenizer';
import { runs } from '../support/runs';
import { sharedTokenizer } from '../support/sharedTokenizer';

/**
 * Fragments that sit on the borders of the patterns' alternatives. U+FEFF and U+0085 are left out: JavaScript's `\s`,
 * which js-tiktoken uses, differs there from tiktoken; `test/unit/worker/tokenizer.test.ts` holds tiktoken's counts.
 */
const FRAGMENTS = [
  ...[' ', '  ', '\n', '\r\n', '\r', '\t', '\u000b', '\u2028', '\u3000', '\u00a0', '\u200b', '\0', '\ufffd'],
  ...['a', 'Z', 'the', 'Function', 'XML', 'parseJson', 'snake_case', 'ß', 'Ω', 'ğ', 'ǅ', 'ˣ', 'é', 'e\u0301', '\u0301'],
  ...['中', '文字', '한국', 'カ', 'ไทย', '𝒜', '𠀀', '😀', '👨‍👩‍👧‍👦', '🏳️‍🌈', '🇨🇳', '\u20e3'],
  ...["'s", "'S", "'LL", "'re", "'VE", "'", '1', '٣', '²', '12345', '0x1F'],
  ...['=', '==', '//', '/', '.', '(', ');', '{', '"', '-', '_', '<|endoftext|>', '<|fim_prefix|>', '\ud800', '\udc00'],
];

const hasDisputedWhiteSpace = (text: string): boolean => /[\ufeff\u0085]/.test(text);

const fragments = fc.array(fc.constantFrom(...FRAGMENTS), { maxLength: 40 }).map((parts) => parts.join(''));
const repeated = fc
  .array(fc.tuple(fc.constantFrom(...FRAGMENTS), fc.integer({ min: 1, max: 60 })), { maxLength: 6 })
  .map((parts) => parts.map(([part, times]) => part.repeat(times)).join(''));
const unicode = anyText({ maxLength: 60 }).filter((text) => !hasDisputedWhiteSpace(text));
/** Long pieces take the heap; js-tiktoken is quadratic on them, so few and no longer than it can bear. */
const longPieces = fc
  .tuple(
    fc.constantFrom('a', 'ab', '=', '=-', '中', '中文字', '😀', 'xY', ' ', '\n'),
    fc.integer({ min: 97, max: 1500 }),
  )
  .map(([part, length]) => part.repeat(length).slice(0, length));
const longRandomPieces = fc.oneof(
  fc.string({ unit: fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz'), minLength: 97, maxLength: 1500 }),
  fc.string({ unit: fc.constantFrom(...'ABCDEFghijkl0123456789+/='), minLength: 97, maxLength: 1500 }),
  fc.string({ unit: fc.integer({ min: 0x4e00, max: 0x9fff }).map(String.fromCharCode), minLength: 33, maxLength: 400 }),
);

describe.each(['o200k_base', 'cl100k_base'] as const)('%s', (name) => {
  const reference = exactTokenizer(name);
  const tokenizer = sharedTokenizer(name);
  const expectEqual = (text: string): void => {
    expect(tokenizer.count(text)).toBe(reference.count(text));
  };

  it('counts texts from pattern borders as js-tiktoken does', () => {
    fc.assert(fc.property(fragments, expectEqual), runs(100, 3000));
  });

  it('counts runs of repeated fragments as js-tiktoken does', () => {
    fc.assert(fc.property(repeated, expectEqual), runs(20, 400));
  });

  it('counts any Unicode as js-tiktoken does', () => {
    fc.assert(fc.property(unicode, expectEqual), runs(100, 2000));
  });

  it('counts long repetitive pieces as js-tiktoken does', () => {
    fc.assert(fc.property(longPieces, expectEqual), runs(3, 12));
  });

  it('counts long random pieces as js-tiktoken does', () => {
    fc.assert(fc.property(longRandomPieces, expectEqual), runs(6, 20));
  });
});
