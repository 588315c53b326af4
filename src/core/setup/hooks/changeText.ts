/** Lines shown around a change. */
const CONTEXT_LINES = 3;

function linesOf(text: string): readonly string[] {
  return text.match(/[^\n]*\n|[^\n]+/g) ?? [];
}

function equalFromStart(left: readonly string[], right: readonly string[], limit: number): number {
  let count = 0;
  while (count < limit && left[count] === right[count]) count++;
  return count;
}

/** `@@ -1,2 +1,7 @@` of a unified diff: lines count from 1, an empty side from 0. */
function range(start: number, count: number): string {
  return count === 0 ? `${start},0` : `${start + 1},${count}`;
}

/**
 * A change of a file as a unified diff of one hunk, from the first line that differs to the last; empty for no change.
 * `undefined` stands for no file. Linear.
 */
export function changeText(path: string, before: string | undefined, after: string | undefined): string {
  if (before === after) return '';
  const [old, fresh] = [linesOf(before ?? ''), linesOf(after ?? '')];
  const shorter = Math.min(old.length, fresh.length);
  const head = equalFromStart(old, fresh, shorter);
  const tail = equalFromStart([...old].reverse(), [...fresh].reverse(), shorter - head);
  const start = Math.max(0, head - CONTEXT_LINES);
  const after3 = Math.min(tail, CONTEXT_LINES);
  const write = (mark: string, lines: readonly string[]): string[] =>
    lines.map((line) => `${mark}${line}${line.endsWith('\n') ? '' : '\n\\ No newline at end of file\n'}`);
  const oldEnd = old.length - tail;
  const freshEnd = fresh.length - tail;
  return [
    `--- ${before === undefined ? '/dev/null' : path}\n`,
    `+++ ${after === undefined ? '/dev/null' : path}\n`,
    `@@ -${range(start, oldEnd + after3 - start)} +${range(start, freshEnd + after3 - start)} @@\n`,
    ...write(' ', old.slice(start, head)),
    ...write('-', old.slice(head, oldEnd)),
    ...write('+', fresh.slice(head, freshEnd)),
    ...write(' ', old.slice(oldEnd, oldEnd + after3)),
  ].join('');
}
