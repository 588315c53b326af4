import { describe, expect, it } from 'vitest';
import { markdownSpans } from '../../../../../src/core/agents/stale/markdownSpans';

const found = (text: string): readonly string[] =>
  markdownSpans(text).map(({ form, text: name, line, start }) => `${line}:${start} ${form} ${name}`);

describe('markdownSpans', () => {
  it('finds code spans, links and imports with their lines and columns', () => {
    expect(found('See `src/a.ts` and [b](docs/b.md "B").\n\n@docs/c.md\n')).toEqual([
      '1:5 code src/a.ts',
      '1:23 link docs/b.md',
      '3:1 import docs/c.md',
    ]);
  });

  it('takes columns from the words inside the backticks, whatever their number and padding', () => {
    expect(found('``  a`b  `` `c`')).toEqual(['1:4 code a`b', '1:13 code c']);
  });

  it('reads nothing in fences, comments and front matter, and goes on after them', () => {
    const text = '---\nglobs: `x`\n---\n```ts\n`a`\n```\n~~~~\n`b`\n~~~\n`c`\n~~~~\n<!-- `d`\n`e` -->\n`f`';
    expect(found(text)).toEqual(['14:1 code f']);
  });

  it('keeps lines right whatever ends them', () => {
    expect(found('a\r\nb\r`c`\n`d`')).toEqual(['3:1 code c', '4:1 code d']);
  });

  it('leaves out what is silenced: a line, the next line, the file', () => {
    expect(found('`a` <!-- context-budget-ignore -->\n`b`\n<!-- context-budget-ignore -->\n\n`c`\n`d`')).toEqual([
      '2:1 code b',
      '6:1 code d',
    ]);
    expect(found('`a`\n<!--context-budget-ignore-file-->\n`b`')).toEqual([]);
  });

  it('knows the chapters and the words that open a list', () => {
    const [span] = markdownSpans('# A\n## Old\n## Files\nCreate these:\n- `x`');
    expect(span?.context).toMatchObject({ headings: ['A', 'Files'], lead: 'Create these:' });
  });

  it('takes the lines of one paragraph together, and rows of tables and lists apart', () => {
    const [first] = markdownSpans('one\n`two`\nthree\n\nfour');
    expect(first?.context).toMatchObject({ sentence: 'one `two` three', at: 5 });
    const [, second] = markdownSpans('- `a` gone\n- `b`\n- c');
    expect(second?.context.sentence).toBe('- `b`');
  });
});
