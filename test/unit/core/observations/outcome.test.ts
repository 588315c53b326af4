import { expect, it } from 'vitest';
import { outcomeOf } from '../../../../src/core/observations/observation';

it.each([
  ['运行 make check → FAIL：ruff E501', 'failed'],
  ['fix the failing test → PASS', 'passed'],
  ['make test: 56 passed, 0 failed', 'passed'],
  ['make test：仍有 1 failed', 'failed'],
  ['忽略缓存 → IN_PROGRESS', 'open'],
  ['评审修复完成并合入 main → done', 'passed'],
  ['初始化大任务', 'unknown'],
  ['passenger list, erroneous? no: tokens', 'unknown'],
])('%s: %s', (summary, outcome) => {
  expect(outcomeOf({ summary })).toBe(outcome);
});
