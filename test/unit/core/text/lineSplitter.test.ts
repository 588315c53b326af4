import { describe, expect, it } from 'vitest';
import { LineSplitter } from '../../../../src/core/text/lineSplitter';

describe('LineSplitter', () => {
  it('keeps the beginning of a line although its caller fills the same Node buffer again', () => {
    const lines: (string | undefined)[] = [];
    const splitter = new LineSplitter(100);
    const buffer = Buffer.alloc(4);
    for (const piece of ['one\n', 'lon', 'ger\n']) {
      buffer.write(piece);
      splitter.push(buffer.subarray(0, piece.length), (text) => lines.push(text));
    }
    expect(lines).toEqual(['one', 'longer']);
  });
});
