import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { displayWidth, fitWidth, padWidth } from '../../../../src/core/text/displayWidth';

const text = fc.string({ unit: 'grapheme' });

describe('displayWidth', () => {
  it.each([
    ['AGENTS.md', 9],
    ['记忆.md', 7],
    ['메모리', 6],
    ['ｆｕｌｌ', 8],
    ['🚀', 2],
    ['e\u0301', 1],
    ['a\u200bb', 2],
    ['Ωж', 2],
    ['█▏', 2],
    // Wide since Unicode 16.
    ['☰', 2],
    ['', 0],
  ])('gives %j %i columns', (value, columns) => {
    expect(displayWidth(value)).toBe(columns);
  });
});

describe('fitWidth', () => {
  it('leaves what fits, and marks what goes', () => {
    expect(fitWidth('memory.md', 9, 'end')).toBe('memory.md');
    expect(fitWidth('memory.md', 8, 'end')).toBe('memory.…');
    expect(fitWidth('.github/instructions/react.md', 16, 'middle')).toBe('.gith…s/react.md');
  });

  it('never splits a wide character', () => {
    expect(fitWidth('记忆记忆', 6, 'end')).toBe('记忆…');
  });

  it('is never wider than it may be', () => {
    fc.assert(
      fc.property(
        text,
        fc.integer({ min: 1, max: 20 }),
        fc.constantFrom('end' as const, 'middle' as const),
        (s, n, cut) => {
          expect(displayWidth(fitWidth(s, n, cut))).toBeLessThanOrEqual(n);
        },
      ),
    );
  });
});

describe('padWidth', () => {
  it('fills to the width on the side asked for', () => {
    expect(padWidth('记', 4, 'left')).toBe('记  ');
    expect(padWidth('12', 4, 'right')).toBe('  12');
    expect(padWidth('12345', 4, 'right')).toBe('12345');
  });
});
