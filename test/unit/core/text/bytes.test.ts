import { describe, expect, it } from 'vitest';
import { encodeTexts } from '../../../../src/core/text/bytes';

describe('encodeTexts', () => {
  it.each([
    ['nothing', [], [], ''],
    ['ASCII, some of it empty', ['a', '', 'bc'], [1, 0, 2], 'abc'],
    ['other letters', ['größe', 'f', '字'], [7, 1, 3], 'größef字'],
    ['halves of a surrogate pair, which stay apart', ['a\ud83d', '\ude00'], [4, 3], 'a\ufffd\ufffd'],
  ])('%s', (_what, texts, lengths, text) => {
    const encoded = encodeTexts(texts);
    expect([...encoded.lengths]).toEqual(lengths);
    expect(new TextDecoder().decode(encoded.bytes)).toBe(text);
  });
});
