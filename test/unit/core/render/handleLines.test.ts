import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { linesHandle, restHandle, textOfLines } from '../../../../src/core/render/detail';
import { splitFileLines, splitLines } from '../../../../src/core/text/elements';

describe('handles with lines', () => {
  it('name a whole text and the line to go on from', () => {
    expect(splitLines('section:soul#L41')).toEqual({ base: 'section:soul', line: 41, end: undefined });
    expect(splitLines('section:topic/a#L41-L60')).toEqual({ base: 'section:topic/a', line: 41, end: 60 });
    expect(splitLines('12#L3')).toEqual({ base: '12', line: 3, end: undefined });
    expect(splitLines('12#L3C90')).toEqual({ base: '12', line: 3, column: 90, end: undefined });
    expect(splitLines('section:soul#L3C1-L4')).toEqual({ base: 'section:soul', line: 3, end: 4 });
    for (const handle of [
      'section:soul',
      'file:src/a.ts#L10',
      'section:soul#L0',
      'section:soul#L3C0',
      '#L5',
      'sym:1f3a9c02',
    ]) {
      expect(splitLines(handle)).toEqual({ base: handle, line: 1, end: undefined });
    }
  });

  it.each([
    ['file:src/a.ts', { base: 'file:src/a.ts', line: 1, end: undefined }],
    ['file:src/a.ts#L10', { base: 'file:src/a.ts', line: 10, end: 10 }],
    ['file:C#/a.ts#L10C7-L40', { base: 'file:C#/a.ts', line: 10, column: 7, end: 40 }],
    ['file:src/a.ts#L10-40', { base: 'file:src/a.ts', line: 10, end: 40 }],
  ])('name lines of a file, which end where they say: %s', (handle, lines) => {
    expect(splitFileLines(handle)).toEqual(lines);
  });

  it.each([
    ['file:src/a.ts', { lines: 10 }, 30, 'file:src/a.ts#L11-L30'],
    ['file:src/a.ts#L31-L60', { lines: 10 }, 30, 'file:src/a.ts#L41-L60'],
    ['file:src/a.ts#L31C7-L60', { lines: 10 }, 30, 'file:src/a.ts#L41-L60'],
    ['file:src/a.ts#L31C7-L60', { lines: 0, chars: 5 }, 30, 'file:src/a.ts#L31C12-L60'],
    ['file:src/a.ts#L31C7-L60', { lines: 1, chars: 5 }, 30, 'file:src/a.ts#L32C6-L60'],
    ['section:soul#L41', { lines: 10 }, 30, 'section:soul#L51'],
    ['section:soul#L41-L60', { lines: 10 }, 20, 'section:soul#L51-L60'],
    ['12', { lines: 2, chars: 99 }, 20, '12#L3C100'],
    ['12#L3C100', { lines: 0, chars: 50 }, 18, '12#L3C150'],
  ])('have what follows named, of a file to its end: %s after %j', (handle, shown, total, rest) => {
    expect(restHandle(handle, shown, total)).toBe(rest);
  });

  it('name some lines of a text, of a file from where it begins', () => {
    expect(linesHandle('file:big.md', { line: 10, end: 500 }, 600)).toBe('file:big.md#L10-L500');
    expect(linesHandle('file:a.ts#L3-L9', { line: 2, end: 99 }, 7)).toBe('file:a.ts#L4-L9');
    expect(linesHandle('section:soul', { line: 3, end: 9 }, 5)).toBe('section:soul#L3-L5');
    expect(linesHandle('section:soul', { line: 3, end: undefined }, 5)).toBe('section:soul#L3');
    expect(linesHandle('file:a.ts#L3C5-L9', { line: 1, column: 4, end: undefined }, 7)).toBe('file:a.ts#L3C8-L9');
  });

  it('give each line once when a text is read on by its rests', () => {
    const line = fc.string({ unit: fc.constantFrom('a', ' ', '中') });
    fc.assert(
      fc.property(fc.array(line, { minLength: 1 }), fc.integer({ min: 1, max: 5 }), (lines, step) => {
        const text = `${lines.join('\n')}\n`;
        let handle = 'section:soul';
        const read: string[] = [];
        for (;;) {
          const rest = textOfLines(text, splitLines(handle));
          if (rest === undefined) break;
          read.push(...rest.split('\n').slice(0, -1).slice(0, step));
          handle = restHandle(handle, { lines: step }, lines.length);
        }
        expect(read).toEqual(lines);
      }),
    );
  });

  it('lead nowhere behind the last line', () => {
    const from = (text: string, line: number, end?: number) => textOfLines(text, { line, end });
    expect(from('a\nb\n', 2)).toBe('b\n');
    expect(from('a\nb\n', 3)).toBeUndefined();
    expect(from('a\n\nb', 2)).toBe('\nb');
    expect(from('a\nb\nc', 1, 2)).toBe('a\nb\n');
    expect(from('a\nb\nc', 2, 9)).toBe('b\nc');
    expect(from('a\nb\nc', 3, 2)).toBeUndefined();
    expect(textOfLines('a\nbcd\ne', { line: 2, column: 3, end: 2 })).toBe('d\n');
    expect(textOfLines('a\nbcd\ne', { line: 2, column: 4, end: undefined })).toBeUndefined();
  });
});
