import { describe, expect, it } from 'vitest';
import { entriesOf, fileRows } from '../../../webview/entries';
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
    const text = `${LIST.replace(/- 2026-01-30.*\n.*\n/, '')}… older entries: section:a\n`;
    expect(shownOf(text, 2, 3).map(({ title }) => title)).toEqual(['Three.', 'Two.']);
  });

  it('lists files of a folder by their handles, the first few until all are asked for', () => {
    const files = Array.from({ length: 7 }, (_, at) => ({
      ...{ path: `m/${at}.md`, title: `${at}`, date: undefined, tokens: 40, tokensShown: 9, shown: 'row' as const },
      handle: `section:a/${at}`,
    }));
    const section = sectionOf({ id: 'a', text: 'any', entries: { shown: 7, total: 9 }, files });
    const handles = files.map(({ handle }) => handle);
    expect(entriesOf(section)).toEqual([]);
    expect(fileRows(section, false)).toEqual([...handles.slice(0, 5), 'entries a']);
    expect(fileRows(section, true)).toEqual([...handles, 'entries a']);
    expect(fileRows({ ...section, files: files.slice(0, 5) }, false)).toEqual(handles.slice(0, 5));
    expect(fileRows(sectionOf({ id: 'a' }), false)).toEqual([]);
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
