import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { restHandle, textFromLine } from '../../../../src/core/render/detail';
import { splitFromLine } from '../../../../src/core/text/elements';

describe('handles with lines', () => {
  it('name a whole text and the line to go on from', () => {
    expect(splitFromLine('section:soul#L41')).toEqual({ base: 'section:soul', line: 41 });
    expect(splitFromLine('12#L3')).toEqual({ base: '12', line: 3 });
    for (const handle of ['section:soul', 'file:src/a.ts#L10', 'section:soul#L0', '#L5', 'sym:1f3a9c02']) {
      expect(splitFromLine(handle)).toEqual({ base: handle, line: 1 });
    }
  });

  it('have what follows named, of a file to its end', () => {
    expect(restHandle('file:src/a.ts', 10, 30)).toBe('file:src/a.ts#L11-L30');
    expect(restHandle('file:src/a.ts#L31-L60', 10, 30)).toBe('file:src/a.ts#L41-L60');
    expect(restHandle('section:soul#L41', 10, 30)).toBe('section:soul#L51');
  });

  it('give each line once when a text is read on by its rests', () => {
    const line = fc.string({ unit: fc.constantFrom('a', ' ', '中') });
    fc.assert(
      fc.property(fc.array(line, { minLength: 1 }), fc.integer({ min: 1, max: 5 }), (lines, step) => {
        const text = `${lines.join('\n')}\n`;
        let handle = 'section:soul';
        const read: string[] = [];
        for (;;) {
          const rest = textFromLine(text, splitFromLine(handle).line);
          if (rest === undefined) break;
          read.push(...rest.split('\n').slice(0, -1).slice(0, step));
          handle = restHandle(handle, step, lines.length);
        }
        expect(read).toEqual(lines);
      }),
    );
  });

  it('lead nowhere behind the last line', () => {
    expect(textFromLine('a\nb\n', 2)).toBe('b\n');
    expect(textFromLine('a\nb\n', 3)).toBeUndefined();
    expect(textFromLine('a\n\nb', 2)).toBe('\nb');
  });
});
