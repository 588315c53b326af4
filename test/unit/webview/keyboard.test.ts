import { describe, expect, it } from 'vitest';
import { findTyped, nextRow, TYPE_AHEAD_MS, TypeAhead } from '../../../webview/keyboard';

describe('row movement', () => {
  const ids = ['a', 'b', 'c'];

  it('stops at both ends', () => {
    expect(nextRow(ids, 'b', 'ArrowDown')).toBe('c');
    expect(nextRow(ids, 'c', 'ArrowDown')).toBeUndefined();
    expect(nextRow(ids, 'b', 'ArrowUp')).toBe('a');
    expect(nextRow(ids, 'a', 'ArrowUp')).toBeUndefined();
    expect(nextRow(ids, 'b', 'Home')).toBe('a');
    expect(nextRow(ids, 'b', 'End')).toBe('c');
  });

  it('ignores other keys and rows that are not shown', () => {
    expect(nextRow(ids, 'b', 'x')).toBeUndefined();
    expect(nextRow(ids, 'gone', 'ArrowDown')).toBeUndefined();
    expect(nextRow([], 'a', 'End')).toBeUndefined();
  });
});

describe('type-ahead', () => {
  const rows = ['ports', 'git', 'Progress.md', 'relay', 'repo-map'].map((name) => ({ id: name, name }));

  it('walks through the rows of one letter, round the end', () => {
    expect(findTyped(rows, 'ports', 'p')).toBe('Progress.md');
    expect(findTyped(rows, 'Progress.md', 'pp')).toBe('ports');
    expect(findTyped(rows, 'git', 'z')).toBeUndefined();
  });

  it('stays where it is while a longer word still fits', () => {
    expect(findTyped(rows, 'relay', 're')).toBe('relay');
    expect(findTyped(rows, 'relay', 'rep')).toBe('repo-map');
  });

  it('forgets after a pause', () => {
    const typed = new TypeAhead();
    expect(typed.add('r', 0)).toBe('r');
    expect(typed.add('e', TYPE_AHEAD_MS)).toBe('re');
    expect(typed.add('p', 2 * TYPE_AHEAD_MS + 1)).toBe('p');
  });
});
