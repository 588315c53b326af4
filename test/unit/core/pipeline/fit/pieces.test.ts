import { describe, expect, it } from 'vitest';
import { entryTexts, type ListHints, newestFirst, readPieces } from '../../../../../src/core/pipeline/fit/pieces';
import { some } from '../../../../support/runs';

/** First lines of the dated entries, newest first. */
function newest(text: string, hints: ListHints = {}): readonly string[] {
  const pieces = readPieces(text, hints);
  return newestFirst(pieces).map((at) => (pieces[at]?.text ?? '').split('\n', 1)[0] ?? '');
}

const CONV = 'user: hello\nassistant: hi\nuser: which port?\nassistant: 8080\nuser: thanks\n';

const NEWEST_FIRST_LOG = `# Memory

## Preferences
- tabs, not spaces
- no force pushes

## Log
- 2026-02-05 five
- 2026-02-04 four
- 2026-02-03 three
`;

describe('readPieces', () => {
  it.each<readonly [string, string, readonly string[]]>([
    ['dates that rise', '- 2026-01-05 a\n- 2026-02-03 b\n', ['- 2026-02-03 b', '- 2026-01-05 a']],
    ['dates that fall', '- 2026-02-03 b\n- 2026-01-05 a\n', ['- 2026-02-03 b', '- 2026-01-05 a']],
    [
      'an order by neither',
      '- 2026-02-01 b\n- 2026-02-09 c\n- 2026-01-01 a\n',
      ['- 2026-02-09 c', '- 2026-02-01 b', '- 2026-01-01 a'],
    ],
    ['slashes', '- 2026/02/03: b\n- 2026/1/4: a\n', ['- 2026/02/03: b', '- 2026/1/4: a']],
    ['month names', '- Feb 3, 2026 b\n- January 4th, 2026 a\n', ['- Feb 3, 2026 b', '- January 4th, 2026 a']],
    ['days before month names', '* 4 January 2026: a\n* 3 Feb 2026: b\n', ['* 3 Feb 2026: b', '* 4 January 2026: a']],
    ['Chinese dates', '- 2026年2月3日 新\n- 2026年1月30日 旧\n', ['- 2026年2月3日 新', '- 2026年1月30日 旧']],
    ['Chinese dates without a year', '- 1月30日 旧\n- 2月3日 新\n', ['- 2月3日 新', '- 1月30日 旧']],
    [
      'brackets and bold',
      '- **[2026-02-03]** b\n- **[2026-02-01]** a\n',
      ['- **[2026-02-03]** b', '- **[2026-02-01]** a'],
    ],
    ['check boxes', '- [x] 2026-02-01 a\n- [ ] 2026-02-03 b\n', ['- [ ] 2026-02-03 b', '- [x] 2026-02-01 a']],
    [
      'times of one day',
      '- 2026-02-03 09:30 b\n- 2026-02-03 08:00 a\n',
      ['- 2026-02-03 09:30 b', '- 2026-02-03 08:00 a'],
    ],
    [
      'times of afternoons',
      '- 2026-02-03 9:30 AM a\n- 2026-02-03 1:15 PM b\n',
      ['- 2026-02-03 1:15 PM b', '- 2026-02-03 9:30 AM a'],
    ],
    ['numbers of a list', '1. 2026-02-01 a\n2. 2026-02-03 b\n', ['2. 2026-02-03 b', '1. 2026-02-01 a']],
    ['headings', '# Log\n## 2026-02-01\na\n## 2026-02-03\nb\n', ['## 2026-02-03', '## 2026-02-01']],
    [
      'headings of releases',
      '# Changes\n## [1.1.0] - 2026-02-03\n- b\n## [1.0.0] - 2026-02-01\n- a\n',
      ['## [1.1.0] - 2026-02-03', '## [1.0.0] - 2026-02-01'],
    ],
    [
      'times below a dated heading',
      '# 2026-02-20 diary\n## 凌晨 00:10 - a\nx\n## 07:15 b\ny\n',
      ['## 07:15 b', '## 凌晨 00:10 - a'],
    ],
    ['plain lines', '2026-02-01: a\n  more\n2026-02-03: b\n', ['2026-02-03: b', '2026-02-01: a']],
    ['bold paragraphs', '**2026-02-03**\n\nText of it.\n\n**2026-02-01**\n- a\n', ['**2026-02-03**', '**2026-02-01**']],
    [
      'rows of a table',
      '| when | what |\n|---|---|\n| 2026-02-01 | a |\n| 2026-02-03 | b |\n',
      ['| 2026-02-03 | b |', '| 2026-02-01 | a |'],
    ],
    [
      'rows without years',
      '| Date | Fact |\n|---|---|\n| 02-15 | a |\n| 03-07 | b |\n',
      ['| 03-07 | b |', '| 02-15 | a |'],
    ],
    [
      'JSON Lines',
      '{"ts":"2026-02-01","a":1}\n{"ts":"2026-02-03","a":2}\n',
      ['{"ts":"2026-02-03","a":2}', '{"ts":"2026-02-01","a":1}'],
    ],
    ['JSON Lines without dates', '{"a":1}\n{"a":2}\n', ['{"a":2}', '{"a":1}']],
    ['chat lines', CONV, ['user: thanks', 'assistant: 8080', 'user: which port?', 'assistant: hi', 'user: hello']],
    ['chat of one side', 'user: a\nuser: b\n', ['user: b', 'user: a']],
    [
      'bold chat blocks',
      '**User:**\n\nhi\n\n**Assistant:**\n\n## Plan\n\nyes\n\n**User:**\n\nok\n',
      ['**User:**', '**Assistant:**', '**User:**'],
    ],
    [
      'Human and times',
      '[10:02] Human: a\n[10:03] Assistant: b\n[10:04] Human: c\n',
      ['[10:04] Human: c', '[10:03] Assistant: b', '[10:02] Human: a'],
    ],
    ['chat headings', '## User\nhi\n## Assistant\nhello\n## User\nbye\n', ['## User', '## Assistant', '## User']],
    [
      'two lists of days',
      '## A\n- 2026-02-01 a1\n- 2026-02-04 a2\n## B\n- 2026-02-03 b2\n- 2026-02-02 b1\n',
      ['- 2026-02-04 a2', '- 2026-02-03 b2', '- 2026-02-02 b1', '- 2026-02-01 a1'],
    ],
  ])('orders entries by %s', (_what, text, expected) => {
    expect(newest(text)).toEqual(expected);
  });

  it.each([
    ['rules', '- tabs\n- spaces\n- never push\n'],
    ['a rule that names a day', '- since 2026-01-01 use pnpm\n- tabs\n- no force pushes\n'],
    ['a daily plan', '# Heartbeat\n- 08:00 mail\n- 09:00 stand-up\n'],
    ['names and values', 'User: Ann\nAgent: Bo\nSystem: Linux\n'],
    ['bullets of one speaker', '- User: prefers tabs\n- User: dislikes emoji\n'],
    ['versions', '# A\n## Since v2026.1.24\nx\n## Tool 2026.3.1 improved\ny\n'],
    ['files', '- memory/2026-02-01.md\n- memory/2026-02-03.md\n'],
    ['a status table', '| a | b | checked |\n|---|---|---|\n| x | y | 2026-02-01 |\n| z | w | 2026-02-03 |\n'],
    ['numbers', '1. 10-20 items\n2. 16:9 pictures\n'],
    ['a code block', '```\n- 2026-02-01 a\n- 2026-02-03 b\n{"a":1}\nuser: a\nuser: b\n```\n'],
    ['front matter', '---\nuser: a\nuser: b\ndate: 2026-02-01\n---\nText.\n'],
    ['a title', '# Session Log - 2026-02-09\n\nText.\n'],
  ])('has no dated entries in %s', (_what, text) => {
    expect(newest(text)).toEqual([]);
  });

  it('gives an entry its continuation lines, nested items and the paragraphs up to the next', () => {
    const text = `- 2026-02-01 a
  - nested 2026-02-09
lazy

A paragraph.

\`\`\`
- 2026-02-08 no entry
\`\`\`
- 2026-02-03 b
`;
    const [b, a] = newestFirst(readPieces(text)).map((at) => readPieces(text)[at]?.text);
    expect(b).toBe('- 2026-02-03 b\n');
    expect(a).toBe(text.slice(0, -(b?.length ?? 0)));
  });

  it('orders messages by their place, whatever days they speak of', () => {
    expect(newest('user: a\nassistant: in 2020-01-01\nuser: c\nassistant: on 2026-01-01\n')).toEqual([
      'assistant: on 2026-01-01',
      'user: c',
      'assistant: in 2020-01-01',
      'user: a',
    ]);
  });

  it('takes a date inside an entry for one that it speaks of, where entries start with theirs', () => {
    expect(newest('- 2026-02-01 a\n- fix of 2020-01-01\n- 2026-02-03 c\n')).toEqual([
      '- 2026-02-03 c',
      '- fix of 2020-01-01',
      '- 2026-02-01 a',
    ]);
  });

  it('has one list for each heading, with the undated bullets around it fixed', () => {
    const text = '- tabs\n- 2026-02-03 b\n- no date\n- 2026-02-01 a\n\n- spaces\n';
    expect(readPieces(text).map(({ kind }) => kind)).toEqual(['item', 'entry', 'entry', 'entry', 'item']);
    expect(
      readPieces(NEWEST_FIRST_LOG)
        .map(({ kind }) => kind)
        .join(' '),
    ).toBe('head head item item head entry entry entry');
  });

  it('takes undated headings beside dated ones for fixed text', () => {
    const text = '## Open\n- a\n## Done - 2026-03-07\n- b\n## Done - 2026-03-04\n- c\n## Rules\n- d\n';
    expect(readPieces(text).map(({ kind }) => kind)).toEqual(['head', 'item', 'entry', 'entry', 'head', 'item']);
  });

  it('ends a chat at the next heading that is not below its own', () => {
    const text = '# Notes\n## Chat\nuser: a\n### inner\nassistant: b\nuser: c\n## Preferences\n- tabs\n';
    expect(newest(text)).toEqual(['user: c', 'assistant: b', 'user: a']);
    expect(readPieces(text).at(-1)).toMatchObject({ kind: 'item', text: '- tabs\n' });
  });

  it('says which head a piece stands below, and takes a heading with nothing below for a block', () => {
    const text = '# A\n## B\n| h |\n|---|\n| x |\n\nText.\n## C\n';
    const pieces = readPieces(text);
    expect(pieces.map(({ kind, under }) => `${kind} ${under}`)).toEqual([
      'head -1',
      'head 0',
      'head 1',
      'item 2',
      'block 1',
      'block 0',
    ]);
  });

  it('takes every line for an entry where it is told so', () => {
    expect(newest('12 a\n11 b\n10 c\n', { kind: 'line', newestEnd: 'first' })).toEqual(['12 a', '11 b', '10 c']);
  });

  it('looks at no date where what matters most stands first', () => {
    expect(newest('- 2026-02-01 a\n- 2026-02-03 b\n', { newestEnd: 'first' })).toEqual([]);
  });

  it('joins to the text and never starts a piece with a blank line or a slash', () => {
    const text = '\n/intro\n\n- a\n\n/usr/bin\n\n- b\n/etc\n\n\n# C\n/x\n- c';
    const pieces = readPieces(text);
    expect(pieces.map((piece) => piece.text).join('')).toBe(`${text}\n`);
    for (const piece of pieces.slice(1)) expect(piece.text).not.toMatch(/^\s*(\n|\/)/);
    for (const piece of pieces) expect(text.split('\n')[piece.line]).toBe(piece.text.split('\n')[0]);
  });

  // What is not linear does not end within the test's time.
  it('ends on hostile lines', () => {
    const units = [
      '- a\n',
      '```\n',
      '| - |\n',
      '# \n',
      ' \n',
      '-'.repeat(50),
      '2026-',
      '2026-01-01\n',
      '# 2026-01-01\n',
    ];
    const others = ['user: \n', '## User\n', '{"a"}\n', '- 2026-01-01\n\n', '[', '**', '| 2026-01-01 |\n', '\n/\n'];
    for (const unit of some([...units, ...others], 6)) {
      const text = unit.repeat(Math.ceil(200_000 / unit.length));
      expect(() => readPieces(text)).not.toThrow();
    }
  });
});

describe('entryTexts', () => {
  it('gives dated entries newest first, else items in their order', () => {
    expect(entryTexts(NEWEST_FIRST_LOG)).toEqual([
      '- 2026-02-05 five\n',
      '- 2026-02-04 four\n',
      '- 2026-02-03 three\n',
    ]);
    expect(entryTexts('- a\n- b\n\nText.\n')).toEqual(['- a\n', '- b\n\n']);
    expect(entryTexts('Text.\n')).toEqual([]);
  });
});
