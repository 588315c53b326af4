import { createRequire } from 'node:module';
import { describe, expect, it } from 'vitest';
import { createTokenizer, readRanks, TokenizerError } from '../../../src/worker/tokenizer';
import { SCANNED_PATTERNS } from '../../../src/worker/tokenizer/pieceScanner';
import { IS_LONG } from '../../support/extent.mjs';
import { sharedTokenizer } from '../../support/sharedTokenizer';
import { HOSTILE_TEXTS } from './hostileTexts';
import { ranksFile } from './ranksFile';

const require = createRequire(import.meta.url);

/**
 * Counts by Python tiktoken 0.14.0, `encode_ordinary` of an `Encoding` made from js-tiktoken's ranks and `pat_str`,
 * as [o200k_base, cl100k_base]. It stops with a stack overflow on the two texts of 1,000,000 spaces; those counts are
 * of its `_encode_single_piece` on the pieces that the pattern yields (1,000,000 spaces; 999,999 spaces and ` a`).
 */
const HOSTILE_COUNTS: Readonly<Record<string, readonly [number, number]>> = {
  letterRepeated: [125000, 125000],
  upperRepeated: [125000, 125000],
  equalsRepeated: [15625, 15625],
  spaces: [7813, 7813],
  spacesThenLetter: [7814, 7814],
  newlines: [62500, 31250],
  spaceNewlinePairs: [250000, 250000],
  tabsThenNewline: [62501, 62501],
  nuls: [500000, 1000000],
  digits: [333334, 333334],
  emoji: [250000, 500000],
  emojiSequences: [309659, 509218],
  randomCjk: [639616, 784970],
  randomHangul: [746657, 863660],
  base64: [682863, 717056],
  randomLetters: [519173, 540665],
  randomPunctuation: [675584, 669006],
  endOfText: [461539, 461539],
  caseBoundaries: [500000, 500000],
  marks: [500001, 500001],
  contractions: [461538, 461538],
  loneSurrogates: [285714, 285715],
  loneSurrogatesOnly: [41668, 83334],
  byteOrderMarks: [166667, 333333],
  nextLines: [1000000, 1000000],
  mixed: [451567, 516582],
};

/** Texts whose count depends on one rule of the patterns each; counted by Python tiktoken 0.14.0 as above. */
const RULE_TEXTS: readonly (readonly [string, number, number])[] = [
  ['\ufeff# title\n', 3, 3],
  ['a\ufeff b', 3, 3],
  ['x\u0085y', 4, 4],
  ['a \u0085\u0085 b', 6, 6],
  ['\ufeff\ufeff\n', 2, 2],
  ["it's IT'S we'LL 'Re'", 9, 10],
  ['a  \n\n  b', 4, 4],
  ['a\n  ', 3, 3],
  ['  \t x', 2, 2],
  ['e\u0301\u0301x', 4, 4],
  ['\u0301A', 2, 2],
  ['=\u0301=', 3, 3],
  ['\u4e2dA\u4e2d', 3, 3],
  ['ABCdef\u4e2dGhi', 5, 5],
  ['\u01c5abc', 3, 3],
  ['12345678', 3, 3],
  ['\u0663\u0664\u0665\u0666', 4, 8],
  ['x\u00b2\u00b3', 3, 3],
  ['a;\n//b', 3, 4],
  [';\n\n/', 1, 2],
  ['\r\n\r\nx', 2, 2],
  ['<|endoftext|>', 7, 7],
  ['<|fim_prefix|>a', 7, 8],
  ['\ud800', 1, 1],
  ['a\udc00b', 3, 3],
  ['\ud83d\udc68\u200d\ud83d\udc69\u200d\ud83d\udc67\u200d\ud83d\udc66', 11, 18],
  ['\u3000\u3000\u5b57', 3, 3],
  ['\u0000\u0000a', 2, 3],
];

/**
 * What is counted by itself, the quickest of each kind: one piece with merges, white space at which a pattern starts over,
 * one piece without repetition, halves of pairs.
 */
const SAMPLE = ['emoji', 'spaceNewlinePairs', 'randomHangul', 'loneSurrogates'];

const tokenizers = { o200k_base: sharedTokenizer('o200k_base'), cl100k_base: sharedTokenizer('cl100k_base') };

describe('createTokenizer', () => {
  it.each(IS_LONG ? Object.keys(HOSTILE_COUNTS) : SAMPLE)('counts 1 MB of %s as tiktoken does', (name) => {
    const [o200k, cl100k] = HOSTILE_COUNTS[name]!;
    const text = HOSTILE_TEXTS[name]!();
    expect(tokenizers.o200k_base.count(text)).toBe(o200k);
    expect(tokenizers.cl100k_base.count(text)).toBe(cl100k);
  });

  it('has a stored count for every hostile text', () => {
    expect(Object.keys(HOSTILE_COUNTS).sort()).toEqual(Object.keys(HOSTILE_TEXTS).sort());
  });

  it.each(RULE_TEXTS)('counts %j as tiktoken does', (text, o200k, cl100k) => {
    expect(tokenizers.o200k_base.count(text)).toBe(o200k);
    expect(tokenizers.cl100k_base.count(text)).toBe(cl100k);
  });

  it('counts nothing as nothing', () => {
    expect(tokenizers.o200k_base.count('')).toBe(0);
  });

  it('gives the same count again after a large text passed through its buffers', () => {
    const small = 'const überzähler = 中文(1234);\n';
    const before = tokenizers.o200k_base.count(small);
    // Above 256 kB, the buffers are given back.
    tokenizers.o200k_base.count('x9 '.repeat(100_000));
    expect(tokenizers.o200k_base.count(small)).toBe(before);
  });

  it('adds up over lines that are neither blank nor start with a slash', () => {
    const lines = ['src/a.ts\n', '  function main(argv: string[]): Promise<number>;\n', '\tclass 店 {}\n', '12 | x\n'];
    for (const tokenizer of Object.values(tokenizers)) {
      const sum = lines.reduce((total, line) => total + tokenizer.count(line), 0);
      expect(tokenizer.count(lines.join(''))).toBe(sum);
    }
  });

  it.each(['o200k_base', 'cl100k_base'] as const)('implements the pattern that js-tiktoken ships for %s', (name) => {
    const ranks = require(`js-tiktoken/ranks/${name}`) as { pat_str: string };
    expect(SCANNED_PATTERNS[name]).toBe(ranks.pat_str);
  });

  it('refuses ranks with another pattern', () => {
    const asset = ranksFile('o200k_base');
    const at = new TextDecoder('latin1').decode(asset).indexOf('{1,3}');
    asset[at + 3] = '4'.charCodeAt(0);
    expect(() => createTokenizer('o200k_base', asset)).toThrow(
      expect.toSatisfy((error) => TokenizerError.is(error, 'unknownPattern')),
    );
  });

  it('holds every token of js-tiktoken at its rank, and nothing else', () => {
    for (const name of ['o200k_base', 'cl100k_base'] as const) {
      const { bpe_ranks } = require(`js-tiktoken/ranks/${name}`) as { bpe_ranks: string };
      const tokens = bpe_ranks.trim().split(' ').slice(2);
      const table = readRanks(ranksFile(name))!.table;
      expect(table.size).toBe(tokens.length);
      const wrong = tokens.filter((token, rank) => {
        const bytes = Buffer.from(token, 'base64');
        return table.rank(bytes, 0, bytes.length) !== rank;
      });
      expect(wrong).toEqual([]);
    }
  });

  it.each<readonly [string, (asset: Uint8Array) => Uint8Array]>([
    ['nothing in it', () => new Uint8Array()],
    ['another first word', (asset) => asset.fill(0, 0, 1)],
    ['its end cut off', (asset) => asset.subarray(0, -1)],
    ['more behind its end', (asset) => Buffer.concat([asset, Uint8Array.of(0)])],
    ['fewer tokens than bytes', (asset) => asset.fill(0, 8, 12)],
    ['a pair of later tokens', (asset) => asset.fill(0xff, -1)],
  ])('refuses an asset with %s', (_, broken) => {
    expect(() => createTokenizer('cl100k_base', broken(ranksFile('cl100k_base')))).toThrow(
      expect.toSatisfy((error) => TokenizerError.is(error, 'malformed')),
    );
  });

  it('reads an asset that lies inside a larger buffer', () => {
    const asset = ranksFile('cl100k_base');
    const larger = new Uint8Array(asset.length + 7);
    larger.set(asset, 5);
    const tokenizer = createTokenizer('cl100k_base', larger.subarray(5, 5 + asset.length));
    expect(tokenizer.count('hello world')).toBe(2);
  });
});
