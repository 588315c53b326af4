import { describe, expect, it } from 'vitest';
import { byGrep, byMap, byWholeFiles, type Place, type Sources } from '../../bench/reachWays';

// One token a line makes the sums readable; tags and listings are counted by their lines too.
const tokenizer = { name: 'o200k_base' as const, count: (text: string) => text.split('\n').filter(Boolean).length };

function sourcesOf(files: Readonly<Record<string, readonly string[]>>): Sources {
  return { texts: new Map(Object.entries(files)), tokenizer };
}

const filler = (lines: number): string[] => Array.from({ length: lines }, (_, at) => `line ${at}`);

// 300 lines with `parseHeader` on lines 201 to 203, and a smaller file that mentions it.
const SOURCES = sourcesOf({
  'src/big.ts': [...filler(200), 'function parseHeader() {', '  return 1;', '}', ...filler(97)],
  'src/user.ts': ['parseHeader(); parseHeader();', 'const other = parseBody();'],
});
const GOLD: readonly Place[] = [{ path: 'src/big.ts', start: 201, end: 203 }];
const QUERY = 'parseHeader fails when parseBody is called first';

describe('byWholeFiles', () => {
  it('reads the right file alone, or files by the words of the task until it is there', () => {
    expect(byWholeFiles(QUERY, GOLD, SOURCES)).toEqual({ knows: 300, inOrder: 302, isFound: true });
  });
});

describe('byGrep', () => {
  it('pays for listing, searches and what it reads around hits', () => {
    const { knows, inOrder, isFound } = byGrep(QUERY, GOLD, SOURCES);
    // Listing 2, `parseBody` 1, `parseHeader` 2, the function 3.
    expect(knows).toBe(8);
    // Listing 2, both searches 3, user.ts 2, 40 lines on either side of line 201, the function is within.
    expect(inOrder).toBe(2 + 3 + 2 + 81);
    expect(isFound).toBe(true);
  });

  it('falls back to whole files where no search finds it, and says so', () => {
    const found = byGrep('nothing that is there', GOLD, SOURCES);
    expect(found.isFound).toBe(false);
    expect(found.knows).toBe(2 + 300);
  });
});

describe('byMap', () => {
  const symbol = (start: number, end: number): Place => ({ path: 'src/big.ts', start, end });

  it('pays for the map and the source of its symbols, in order', () => {
    const rounds = [{ tokens: 50, symbols: [symbol(1, 10), symbol(201, 203)] }];
    const { knows, inOrder } = byMap(QUERY, GOLD, SOURCES, rounds);
    expect(knows).toBe(50 + 2 + 3);
    expect(inOrder).toBe(50 + (2 + 10) + (2 + 3));
  });

  it('asks for a larger map only while something is missing', () => {
    const rounds = [
      { tokens: 50, symbols: [symbol(1, 10)] },
      { tokens: 100, symbols: [symbol(201, 203)] },
      { tokens: 200, symbols: [] },
    ];
    expect(byMap(QUERY, GOLD, SOURCES, rounds).knows).toBe(50 + 100 + 2 + 3);
  });

  it('reads whole files where no map has it, and says so', () => {
    const found = byMap(QUERY, GOLD, SOURCES, [{ tokens: 50, symbols: [] }]);
    expect(found).toEqual({ knows: 50 + 300, inOrder: 50 + 302, isFound: false });
  });

  it('reads no more of a long symbol than detail gives', () => {
    const long = sourcesOf({ 'a.ts': filler(4000) });
    const rounds = [{ tokens: 1, symbols: [{ path: 'a.ts', start: 1, end: 4000 }] }];
    const late: readonly Place[] = [{ path: 'a.ts', start: 3000, end: 3001 }];
    expect(byMap('line', late, long, rounds).isFound).toBe(false);
  });
});
