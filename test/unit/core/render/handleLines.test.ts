import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { linesHandle, restHandle, textOfLines } from '../../../../src/core/render/detail';
import { splitLines } from '../../../../src/core/text/elements';

describe('handles with lines', () => {
  it('name a whole text and the line to go on from', () => {
    expect(splitLines('section:soul#L41')).toEqual({ base: 'section:soul', line: 41, end: undefined });
    expect(splitLines('section:topic/a#L41-L60')).toEqual({ base: 'section:topic/a', line: 41, end: 60 });
    expect(splitLines('12#L3')).toEqual({ base: '12', line: 3, end: undefined });
    for (const handle of ['section:soul', 'file:src/a.ts#L10', 'section:soul#L0', '#L5', 'sym:1f3a9c02']) {
      expect(splitLines(handle)).toEqual({ base: handle, line: 1, end: undefined });
    }
  });

  it('have what follows named, of a file to its end', () => {
    expect(restHandle('file:src/a.ts', 10, 30)).toBe('file:src/a.ts#L11-L30');
    expect(restHandle('file:src/a.ts#L31-L60', 10, 30)).toBe('file:src/a.ts#L41-L60');
    expect(restHandle('section:soul#L41', 10, 30)).toBe('section:soul#L51');
    expect(restHandle('section:soul#L41-L60', 10, 20)).toBe('section:soul#L51-L60');
  });

  it('name some lines of a text, of a file from where it begins', () => {
    expect(linesHandle('file:big.md', { line: 10, end: 500 }, 600)).toBe('file:big.md#L10-L500');
    expect(linesHandle('file:a.ts#L3-L9', { line: 2, end: 99 }, 7)).toBe('file:a.ts#L4-L9');
    expect(linesHandle('section:soul', { line: 3, end: 9 }, 5)).toBe('section:soul#L3-L5');
    expect(linesHandle('section:soul', { line: 3, end: undefined }, 5)).toBe('section:soul#L3');
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
          handle = restHandle(handle, step, lines.length);
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
  });
});
