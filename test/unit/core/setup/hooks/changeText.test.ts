import { describe, expect, it } from 'vitest';
import { changeText } from '../../../../../src/core/setup/hooks/changeText';

describe('changeText', () => {
  it('shows the lines that differ, with three lines around them', () => {
    expect(changeText('a.json', '1\n2\n3\n4\n5\n6\n7\n8\n9\n', '1\n2\n3\n4\nnew\n6\n7\n8\n9\n')).toBe(
      '--- a.json\n+++ a.json\n@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+new\n 6\n 7\n 8\n',
    );
  });

  it('shows a new file and a deleted one', () => {
    expect(changeText('a.json', undefined, '{}\n')).toBe('--- /dev/null\n+++ a.json\n@@ -0,0 +1,1 @@\n+{}\n');
    expect(changeText('a.json', '{}\n', undefined)).toBe('--- a.json\n+++ /dev/null\n@@ -1,1 +0,0 @@\n-{}\n');
  });

  it('shows a missing line end, and lines that repeat, once', () => {
    expect(changeText('a', 'x\nx\n', 'x\nx\nx')).toBe(
      '--- a\n+++ a\n@@ -1,2 +1,3 @@\n x\n x\n+x\n\\ No newline at end of file\n',
    );
  });

  it('is empty for no change', () => {
    expect(changeText('a', 'x', 'x')).toBe('');
  });
});
