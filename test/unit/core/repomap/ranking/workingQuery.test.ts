import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { EditorDiagnostic, OpenEditor } from '../../../../../src/core/ports/ports';
import { parseTask } from '../../../../../src/core/repomap/ranking/query';
import { workingQuery } from '../../../../../src/core/repomap/ranking/workingQuery';

const editor = (path: string, patch: Partial<OpenEditor> = {}): OpenEditor => ({
  path,
  isActive: false,
  isDirty: false,
  selection: undefined,
  ...patch,
});
const problem = (path: string, severity: EditorDiagnostic['severity']): EditorDiagnostic => ({
  path,
  line: 1,
  severity,
  source: undefined,
  code: undefined,
  message: 'no',
});
const NOTHING = { openEditors: [], diagnostics: [], changedPaths: [] };

describe('focus', () => {
  it('is open editors, changed files and files with errors, each once and sorted', () => {
    const { focusPaths, query } = workingQuery({
      openEditors: [editor('z.ts'), editor('m.ts', { isActive: true })],
      changedPaths: ['m.ts', 'c.ts', 'logs/'],
      diagnostics: [problem('e.ts', 'error'), problem('w.ts', 'warning')],
    });
    expect(focusPaths).toEqual(['c.ts', 'e.ts', 'm.ts', 'z.ts']);
    expect(query).toBe('');
  });

  it('passes over previews, which are only looked at, unless they were edited', () => {
    const openEditors = [editor('look.ts', { isPreview: true }), editor('edit.ts', { isPreview: true, isDirty: true })];
    expect(workingQuery({ ...NOTHING, openEditors }).focusPaths).toEqual(['edit.ts']);
  });

  it('does not depend on which of the editors is active', () => {
    const paths = fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd', 'e'), { minLength: 1 });
    fc.assert(
      fc.property(paths, fc.nat(), (names, at) => {
        const withActive = names.map((name, i) => editor(name, { isActive: i === at % names.length }));
        const focusOf = (openEditors: readonly OpenEditor[]) => workingQuery({ ...NOTHING, openEditors }).focusPaths;
        expect(focusOf(withActive)).toEqual(focusOf([...withActive].reverse()));
      }),
    );
  });

  it('keeps the active file when there are more than it holds', () => {
    const changedPaths = Array.from({ length: 500 }, (_, i) => `f${i}.ts`);
    const { focusPaths } = workingQuery({
      ...NOTHING,
      openEditors: [editor('zz.ts', { isActive: true })],
      changedPaths,
    });
    expect(focusPaths).toHaveLength(40);
    expect(focusPaths).toContain('zz.ts');
  });

  it('keeps the active one of more open editors than it holds, wherever it stands', () => {
    const open = Array.from({ length: 60 }, (_, at) => editor(`f${at}.ts`));
    for (const at of [0, 30, 60]) {
      const openEditors = open.toSpliced(at, 0, editor('active.ts', { isActive: true }));
      expect(workingQuery({ ...NOTHING, openEditors }).focusPaths).toContain('active.ts');
    }
  });
});

describe('selection', () => {
  const withSelection = (selectedText: string) =>
    workingQuery({
      ...NOTHING,
      openEditors: [editor('src/orders.ts', { isActive: true, selectedText }), editor('src/prices.ts')],
    });

  it('becomes a query with its names and the paths around it', () => {
    const { query } = withSelection('  return applyDiscount(order.total);\n');
    const task = parseTask(query);
    expect(task.paths).toEqual(['src/orders.ts', 'src/prices.ts']);
    expect([...task.identifiers.keys()]).toEqual(expect.arrayContaining(['applyDiscount', 'order', 'total']));
  });

  it('of one name is a look-up and says nothing', () => {
    for (const text of ['applyDiscount', '', '  }\n', 'order order']) expect(withSelection(text).query).toBe('');
  });
});
