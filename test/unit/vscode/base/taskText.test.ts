import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { countLines, editedTask, flattenTask, keptTask, taskLine } from '../../../../src/vscode/base/taskText';

const ISSUE = 'Login fails\r\n\r\nTraceback:\n\tat a.ts:3\n';

describe('a task', () => {
  it('is one line in an input box', () => {
    expect(flattenTask(ISSUE)).toBe('Login fails Traceback: at a.ts:3');
  });

  it('keeps its own lines when it was not changed there, and what was typed when it was', () => {
    expect(editedTask(flattenTask(ISSUE), ISSUE)).toBe(ISSUE);
    expect(editedTask('Login works', ISSUE)).toBe('Login works');
  });

  it('is nothing when it is blank, and no longer than the map reads', () => {
    expect(keptTask(' \n\t')).toBeUndefined();
    expect(keptTask(ISSUE)).toBe('Login fails\r\n\r\nTraceback:\n\tat a.ts:3');
    expect(keptTask('x'.repeat(300_000))).toHaveLength(200_000);
  });

  it('is cut at a word for a row, never longer than 300 characters', () => {
    expect(taskLine('fix\nit')).toBe('fix it');
    expect(taskLine('word '.repeat(100))).toMatch(/^(word )+word…$/);
    expect(taskLine('👍'.repeat(151))).toBe(`${'👍'.repeat(149)}…`);
    fc.assert(
      fc.property(fc.string({ maxLength: 800 }), (text) => {
        const line = taskLine(text);
        expect(line.length).toBeLessThanOrEqual(300);
        expect(line).not.toMatch(/[\r\n]/);
      }),
    );
  });

  it('knows its lines', () => {
    expect(countLines('one\n')).toBe(1);
    expect(countLines(ISSUE)).toBe(4);
  });
});
