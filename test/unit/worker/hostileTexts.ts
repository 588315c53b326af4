/**
 * Texts of about 1 MB on which tokenizers are known to hang, throw or miscount. Each is made by a rule, so that the
 * counts stored beside the tests can be computed again by any other tokenizer.
 */

const SIZE = 1_000_000;

/** Marsaglia's xorshift32: the same numbers on every machine. */
export function xorshift(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state >>> 0;
  };
}

function build(length: number, seed: number, pick: (random: () => number) => string): string {
  const random = xorshift(seed);
  const parts: string[] = [];
  for (let i = 0; i < length; i++) parts.push(pick(random));
  return parts.join('');
}

const BASE64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const ZWJ_EMOJI = ['👨‍👩‍👧‍👦', '🏳️‍🌈', '👩🏽‍💻', '🇨🇳', '❤️‍🔥'];
const MIXED = [
  ' ',
  '\n',
  '\r\n',
  '\t',
  'a',
  'Z',
  '中',
  'é',
  "'S",
  "'ll",
  '1',
  '٣',
  '=',
  '//',
  '😀',
  '\u0301',
  '\u3000',
];

/** Name → text. The comment says what each provokes. */
export const HOSTILE_TEXTS: Readonly<Record<string, () => string>> = {
  // One piece of 1 MB: every library that scans all parts per merge is quadratic.
  letterRepeated: () => 'a'.repeat(SIZE),
  // The same with a pair that is no token at the end of every merge.
  upperRepeated: () => 'A'.repeat(SIZE),
  equalsRepeated: () => '='.repeat(SIZE),
  // `\s+(?!\S)` and `\s*[\r\n]+` start over at every position in a naive engine.
  spaces: () => ' '.repeat(SIZE),
  spacesThenLetter: () => `${' '.repeat(SIZE)}a`,
  newlines: () => '\n'.repeat(SIZE),
  spaceNewlinePairs: () => ' \n'.repeat(SIZE / 2),
  tabsThenNewline: () => `${'\t'.repeat(SIZE)}\n`,
  nuls: () => '\0'.repeat(SIZE),
  digits: () => '7'.repeat(SIZE),
  // One piece, four bytes a character.
  emoji: () => '😀'.repeat(SIZE / 4),
  emojiSequences: () => build(SIZE / 20, 7, (random) => ZWJ_EMOJI[random() % ZWJ_EMOJI.length] as string),
  // One piece without any repetition.
  randomCjk: () => build(SIZE / 3, 1, (random) => String.fromCharCode(0x4e00 + (random() % 0x51a6))),
  randomHangul: () => build(SIZE / 3, 2, (random) => String.fromCharCode(0xac00 + (random() % 0x2ba4))),
  base64: () => build(SIZE, 3, (random) => BASE64[random() % 64] as string),
  randomLetters: () => build(SIZE, 4, (random) => String.fromCharCode(97 + (random() % 26))),
  // Punctuation without a break.
  randomPunctuation: () => build(SIZE, 5, (random) => '!#$%&()*+,-.:;<=>?@[]^_{|}~'[random() % 27] as string),
  // Special tokens must count as ordinary text, and must not throw.
  endOfText: () => '<|endoftext|>'.repeat(SIZE / 13),
  // Alternates between the word alternatives so that each backtracks.
  caseBoundaries: () => '中A'.repeat(SIZE / 4),
  marks: () => `e${'\u0301'.repeat(SIZE / 2)}`,
  contractions: () => "'s'S'll'LL'Re".repeat(SIZE / 13),
  // Halves of surrogate pairs are encoded as U+FFFD.
  loneSurrogates: () => '\ud800a\udc00'.repeat(SIZE / 7),
  loneSurrogatesOnly: () => '\ud83d'.repeat(SIZE / 3),
  // U+FEFF and U+0085 are white space for JavaScript or for Unicode, not for both.
  byteOrderMarks: () => '\ufeff'.repeat(SIZE / 3),
  nextLines: () => 'a\u0085\u0085'.repeat(SIZE / 5),
  mixed: () => build(SIZE / 2, 6, (random) => MIXED[random() % MIXED.length] as string),
};
