import { describe, expect, it } from 'vitest';
import { decodeText, unreadableFor } from '../../../../src/core/text/decode';
import { inEnglish } from '../../../../src/core/text/phrase';

const utf16be = (text: string) =>
  Uint8Array.from([0xfe, 0xff, ...[...Buffer.from(text, 'utf16le')].map((_, i, all) => all[i ^ 1]!)]);

describe('decodeText', () => {
  it('drops the byte order mark of UTF-8', () => {
    expect(decodeText(Uint8Array.from([0xef, 0xbb, 0xbf, 0x61]))).toEqual({ kind: 'text', text: 'a' });
  });

  it('reads UTF-16 of both byte orders by the mark', () => {
    expect(decodeText(Uint8Array.from([0xff, 0xfe, ...Buffer.from('hé', 'utf16le')]))).toEqual({
      kind: 'text',
      text: 'hé',
    });
    expect(decodeText(utf16be('hé'))).toEqual({ kind: 'text', text: 'hé' });
  });

  it('calls a NUL anywhere binary, also in UTF-16', () => {
    expect(decodeText(Uint8Array.from([97, 98, 0]))).toEqual({ kind: 'binary' });
    expect(decodeText(Uint8Array.from([0xff, 0xfe, 97, 0, 0, 0]))).toEqual({ kind: 'binary' });
  });

  it('keeps Latin-1 text readable but calls mostly invalid bytes binary', () => {
    expect(decodeText(Uint8Array.from([...Buffer.from('na'), 0xef, ...Buffer.from('ve code')]))).toEqual({
      kind: 'text',
      text: 'na\uFFFDve code',
    });
    expect(decodeText(Uint8Array.from({ length: 100 }, (_, i) => 0x80 + (i % 60)))).toEqual({ kind: 'binary' });
  });

  it('gives no bytes no text', () => {
    expect(decodeText(new Uint8Array())).toEqual({ kind: 'text', text: '' });
  });
});

describe('unreadableFor', () => {
  it('names the code of the platform, where there is one', () => {
    expect(inEnglish(unreadableFor('EIO'))).toBe('it cannot be read (EIO)');
    expect(inEnglish(unreadableFor(undefined))).toBe('it cannot be read');
  });
});
