import { describe, expect, it } from 'vitest';
import { keepNewest } from '../../../src/core/pipeline/fit/pieces';
import { entriesOf } from '../../../webview/entries';
import { sectionOf } from '../../support/panelSnapshots';

const LIST = `# Memory

- 2026-01-30 One.
  More of it.
- 2026-02-01 12:30 Two.
- 2026-02-03: Three.
`;

function shownOf(text: string, shown: number, total = shown) {
  return entriesOf(sectionOf({ id: 'a', text, chars: text.length, tokens: 100, entries: { shown, total } }));
}

describe('entriesOf', () => {
  it('gives the first lines of a list, newest first, without marks and dates', () => {
    expect(shownOf(LIST, 3).map(({ title }) => title)).toEqual(['Three.', 'Two.', 'One.']);
    expect(shownOf(LIST, 3)[0]?.line).toBe('2026-02-03: Three.');
  });

  it('reads what the core leaves of a list', () => {
    const text = `${keepNewest(LIST, 2)}… older entries: section:a\n`;
    expect(shownOf(text, 2, 3).map(({ title }) => title)).toEqual(['Three.', 'Two.']);
  });

  it('takes the files of a folder for entries, as the report has them', () => {
    const files = [
      { path: 'm/b.md', title: 'B', date: '2026-02-03', tokens: 40, handle: 'section:a/b', shown: 'full' },
      { path: 'm/a.md', title: 'A', date: undefined, tokens: 7, handle: 'section:a/a', shown: 'row' },
    ] as const;
    const views = entriesOf(sectionOf({ id: 'a', text: 'any', entries: { shown: 2, total: 9 }, files }));
    expect(views).toEqual([
      { line: 'm/b.md', title: 'b.md', tokens: 40, file: 'full' },
      { line: 'm/a.md', title: 'a.md', tokens: 7, file: 'row' },
    ]);
  });

  it('takes lines for entries where the report counts lines', () => {
    const text = '13 fixed it\n12 failed login\n';
    expect(shownOf(text, 2).map(({ title }) => title)).toEqual(['13 fixed it', '12 failed login']);
    expect(shownOf(`${text}… older entries: section:a\n`, 2, 9)).toHaveLength(2);
  });

  it('gives shares of the tokens by characters', () => {
    const tokens = shownOf('- aaaa\n- aaaa\n', 2).map((entry) => entry.tokens);
    expect(tokens).toEqual([50, 50]);
  });

  it('gives none where the text says another number than the report, or is no list', () => {
    expect(shownOf(LIST, 4)).toEqual([]);
    expect(entriesOf(sectionOf({ id: 'a', text: LIST }))).toEqual([]);
    expect(shownOf('One sentence.\n', 0, 3)).toEqual([]);
  });

  it('keeps a date that is all there is', () => {
    expect(shownOf('- 2026-02-03\n- 2026-02-04\n', 2).map(({ title }) => title)).toEqual(['2026-02-04', '2026-02-03']);
  });
});
