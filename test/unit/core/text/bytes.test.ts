import fc from 'fast-check';
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

  it('gives what encoding each text gives', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'ß', '字', '😀', '\ud83d', '\ude00', '…'), maxLength: 8 });
    fc.assert(
      fc.property(fc.array(text, { maxLength: 8 }), (texts) => {
        const each = texts.map((one) => new TextEncoder().encode(one));
        const { bytes, lengths } = encodeTexts(texts);
        expect([...lengths]).toEqual(each.map(({ length }) => length));
        expect([...bytes]).toEqual(each.flatMap((one) => [...one]));
      }),
    );
  });
});
