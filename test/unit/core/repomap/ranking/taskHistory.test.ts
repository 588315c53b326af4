import { describe, expect, it } from 'vitest';
import { parseTask } from '../../../../../src/core/repomap/ranking/query';
import { TaskHistory } from '../../../../../src/core/repomap/ranking/taskHistory';

const OTHERS = Array.from({ length: 20 }, (_, at): [string, number[]] => [
  `Say hello to visitor ${'x'.repeat(at + 2)}`,
  [0],
]);
const CHURN: readonly [string, number][] = [
  ['src/greeting.ts', 20],
  ['src/parser.ts', 2],
  ['src/rare.ts', 1],
];

function sharesFor(task: string, messages: readonly (readonly [string, readonly number[]])[]) {
  const history = new TaskHistory({ churn: CHURN, messages: [...messages, ...OTHERS] });
  return Object.fromEntries(history.shares(parseTask(task).titleTerms));
}

describe('TaskHistory', () => {
  it('finds what commits with such a title touched, whatever the form of the words', () => {
    expect(sharesFor('Escaped quotes are lost', [['fix: parse an escaped quote', [1]]])).toEqual({
      'src/parser.ts': 1,
    });
  });

  it('counts a likeness of many words more than one common word', () => {
    const shares = sharesFor('Say which quotes are escaped', [['Keep escaped quotes', [1]]]);
    expect(shares['src/parser.ts']).toBe(1);
    expect(shares['src/greeting.ts']).toBeLessThan(0.5);
  });

  it('counts a commit less the more files it touched, and the older it is', () => {
    const wide = sharesFor('escaped quotes', [
      ['escaped quotes', [1]],
      ['escaped quotes', [0, 1, 2]],
    ]);
    expect(wide['src/parser.ts']).toBe(1);
    expect(wide['src/rare.ts']).toBeLessThan(0.5);
    const old = sharesFor('escaped quotes', [
      ['escaped quotes', [1]],
      ...Array.from({ length: 900 }, (): [string, number[]] => ['Tidy', [0]]),
      ['escaped quotes', [2]],
    ]);
    expect(old['src/rare.ts']).toBeLessThan(0.3);
  });

  it('is silent where no title has a word of the task, and without a history', () => {
    expect(sharesFor('zebra', [['Keep escaped quotes', [1]]])).toEqual({});
    expect(new TaskHistory({ churn: [], messages: [] }).shares(['zebra']).size).toBe(0);
  });
});
