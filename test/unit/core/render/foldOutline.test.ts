import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { foldedRows } from '../../../../src/core/render/foldOutline';

const within =
  (chars: number) =>
  (rows: readonly string[]): boolean =>
    rows.join('').length <= chars;

const PYTHON = `def feed(self, data):
    lines = []
    done = False
    while data:
        # Split off one line.
        at = data.find(SEP)
        if at < 0:
            break

        line = data[:at]
        for part in line.split():
            check(part)
            lines.append(part)
        else:
            log("nothing")
    return lines
`;

const GO = `func match(text string) int {
	// Phase 1. Bonus of each place
	bonus := 0
	for _, c := range text {
		if isUpper(c) {
			bonus++
		} else {
			bonus--
		}
	}

	// Phase 2. Backtrace
	return bonus
}
`;

describe('foldedRows', () => {
  it('lists blocks by their lines, opens the longest, and keeps branches with what they belong to', () => {
    expect(foldedRows(PYTHON, 101, within(10_000)).join('')).toBe(
      [
        '102-103 lines = []',
        '104-115 while data:',
        '  105-106 # Split off one line.',
        '  107-108 if at < 0:',
        '  110 line = data[:at]',
        '  111-115 for part in line.split():',
        '116 return lines',
        '',
      ].join('\n'),
    );
  });

  it('begins a block with its comment, and reads tabs', () => {
    expect(foldedRows(GO, 1, within(10_000))).toEqual([
      '2-3 // Phase 1. Bonus of each place\n',
      '4-10 for _, c := range text {\n',
      '  5-9 if isUpper(c) {\n',
      '12-13 // Phase 2. Backtrace\n',
    ]);
  });

  it('takes the first words of a comment', () => {
    const text =
      'class A {\n  /**\n   * Says hello.\n   */\n  hello() {\n    say();\n  }\n\n  bye() {\n    say();\n  }\n}\n';
    expect(foldedRows(text, 1, within(1000))).toEqual(['2-4 * Says hello.\n', '5-7 hello() {\n', '9-11 bye() {\n']);
  });

  it('opens less where there is less room, and says nothing where not even the blocks fit', () => {
    expect(foldedRows(PYTHON, 101, within(70))).toEqual([
      '102-103 lines = []\n',
      '104-115 while data:\n',
      '116 return lines\n',
    ]);
    expect(foldedRows(PYTHON, 101, within(30))).toEqual([]);
    expect(foldedRows('x = 1\n', 1, within(100))).toEqual([]);
  });

  it('opens the longest block first, of those as long the one above', () => {
    /** Four calls, each with so many empty lines behind it. */
    const block = (name: string, empty: number, inner = '') =>
      `  if ${name}:\n${inner}${[0, 1, 2, 3].map((at) => `    ${name}${at}()\n${'\n'.repeat(empty)}`).join('')}`;
    /** Blocks that are open, with more and more room. */
    const opened = (text: string): ReadonlySet<string> =>
      new Set(
        Array.from({ length: 500 }, (_, chars) =>
          foldedRows(`def f():\n${text}`, 101, within(chars))
            .flatMap((row) => row.match(/\w+(?=0\(\))/) ?? [])
            .sort()
            .join(),
        ),
      );
    expect([...opened(block('a', 1) + block('b', 2) + block('c', 1))]).toEqual(['', 'b', 'a,b', 'a,b,c']);
    const inner = block('x', 1).trimEnd().replace(/^/gmu, '  ');
    const both = opened(`${block('a', 1, `${inner}\n`)}${block('ccc', 1)}`);
    expect([...both].filter((blocks) => blocks.startsWith('a'))).toEqual(['a', 'a,x', 'a,ccc,x']);
  });

  it('is no list of statements', () => {
    const flat = Array.from({ length: 300 }, (_, at) => `  call${at}();\n`).join('\n');
    expect(foldedRows(`function all() {\n${flat}}\n`, 1, within(100_000))).toEqual([]);
  });

  it('names only lines of the text, in order, and lets no block hold less than what it opens', () => {
    const line = fc
      .tuple(fc.nat(5), fc.constantFrom('a()', '// b', '}', 'else', '', 'if x:', '  '))
      .map(([depth, text]) => `${'  '.repeat(depth)}${text}`);
    fc.assert(
      fc.property(fc.array(line, { maxLength: 60 }), fc.integer({ min: 1, max: 500 }), (lines, first) => {
        const rows = foldedRows(lines.join('\n'), first, within(600));
        const open: { depth: number; end: number }[] = [];
        let before = 0;
        for (const row of rows) {
          const [, indent = '', from = '', to = from] = /^( *)(\d+)(?:-(\d+))? ./.exec(row) ?? [];
          const [depth, start, end] = [indent.length, Number(from), Number(to)];
          expect(start).toBeGreaterThan(before);
          expect(end).toBeLessThan(first + Math.max(1, lines.length));
          while (open.length > 0 && (open.at(-1)?.depth ?? 0) >= depth) open.pop();
          for (const each of open) expect(end).toBeLessThanOrEqual(each.end);
          open.push({ depth, end });
          before = start;
        }
      }),
    );
  });
});
