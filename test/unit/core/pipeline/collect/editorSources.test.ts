import { describe, expect, test } from 'vitest';
import {
  describeDiagnostics,
  describeOpenEditors,
  type SourceText,
} from '../../../../../src/core/pipeline/collect/editorSources';
import type { EditorDiagnostic } from '../../../../../src/core/ports/ports';
import { phrase } from '../../../../../src/core/text/phrase';
import { english } from '../../../../support/english';

const at = (path: string, line: number, severity: EditorDiagnostic['severity'], message = 'm'): EditorDiagnostic => ({
  path,
  line,
  severity,
  source: 'ts',
  code: '2304',
  message,
});

/** The source, which must be there. */
function textOf(source: SourceText | undefined): SourceText {
  if (!source) throw new Error('no section');
  return source;
}

describe('describeDiagnostics', () => {
  test('errors are an alert, grouped by file and line, hints left out', () => {
    const { text, note } = textOf(
      describeDiagnostics([
        at('src/b.ts', 9, 'warning', 'unused'),
        at('src/b.ts', 2, 'error', 'Cannot find\n  name "x".'),
        at('src/a.ts', 5, 'error', 'broken'),
        at('src/a.ts', 5, 'hint', 'grey'),
        { ...at('src/c.ts', 1, 'info', 'by the way'), source: undefined, code: undefined },
      ]),
    );
    expect(text.split('\n')).toEqual([
      'SUMMARY:ALERT:2 errors, 1 warning and 1 note in 3 files',
      '---',
      'src/a.ts',
      '- line 5, error: broken (ts 2304)',
      'src/b.ts',
      '- line 2, error: Cannot find name "x". (ts 2304)',
      '- line 9, warning: unused (ts 2304)',
      'src/c.ts',
      '- line 1, info: by the way',
      '',
    ]);
    expect(english(note)).toBe('2 errors, 2 files');
  });

  test('warnings alone warn; notes alone are fine; nothing is no section', () => {
    expect(describeDiagnostics([at('a.ts', 1, 'warning')])).toMatchObject({
      note: phrase('{0}, {1}', phrase('{0} warning', 1), phrase('{0} file', 1)),
    });
    expect(describeDiagnostics([at('a.ts', 1, 'warning')])?.text).toMatch(/^SUMMARY:WARN:1 warning in 1 file\n/);
    expect(describeDiagnostics([at('a.ts', 1, 'info')])?.text).toMatch(/^SUMMARY:OK:1 note in 1 file\n/);
    expect(describeDiagnostics([at('a.ts', 1, 'hint')])).toBeUndefined();
  });

  test('the order in which the editor tells them does not matter', () => {
    const items = [
      at('b.ts', 1, 'error'),
      at('a.ts', 2, 'warning'),
      at('a.ts', 2, 'error'),
      at('a.ts', 1, 'info', 'z'),
    ];
    expect(describeDiagnostics([...items].reverse())).toEqual(describeDiagnostics(items));
  });

  test('thousands are counted whole and listed in part', () => {
    const { text } = textOf(describeDiagnostics(Array.from({ length: 1234 }, (_, line) => at('a.ts', line, 'error'))));
    expect(text).toMatch(/^SUMMARY:ALERT:1,234 errors in 1 file\n/);
    expect(text.trimEnd().split('\n')).toHaveLength(504);
    expect(text).toMatch(/\nand 734 more\n$/);
  });
});

describe('describeOpenEditors', () => {
  test('the active one first, the others in the order of tabs, with marks', () => {
    const tab = { isActive: false, isDirty: false, selection: undefined };
    const { text, note } = textOf(
      describeOpenEditors([
        { ...tab, path: 'z.ts' },
        { ...tab, path: 'b.ts', isDirty: true },
        { path: 'a.ts', isActive: true, isDirty: true, selection: { startLine: 3, endLine: 9 } },
        { ...tab, path: 'c.ts' },
      ]),
    );
    expect(text).toBe('- a.ts (active, unsaved, lines 3–9 selected)\n- z.ts\n- b.ts (unsaved)\n- c.ts\n');
    expect(english(note)).toBe('4 open, 2 unsaved');
  });

  test('one selected line is one line; no editor is no section', () => {
    const one = { path: 'a.ts', isActive: true, isDirty: false, selection: { startLine: 4, endLine: 4 } };
    expect(describeOpenEditors([one])).toEqual({
      text: '- a.ts (active, line 4 selected)\n',
      note: phrase('{0} open', '1'),
    });
    expect(describeOpenEditors([])).toBeUndefined();
  });
});
