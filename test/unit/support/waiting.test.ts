import { expect, it, vi } from 'vitest';
import { until } from '../../support/until.mjs';
import { wholeLines, wholeRecords } from '../../support/wholeLines.mjs';

it('waits until a check gives something and tells what', async () => {
  let looks = 0;
  const { value, ms } = await until('the third look', () => ++looks === 3 && `look ${looks}`);
  expect(value).toBe('look 3');
  expect(ms).toBeGreaterThan(0);
});

it('says what it waited for when it gives up', async () => {
  vi.stubEnv('CONTEXT_BUDGET_PATIENCE', '0.001');
  try {
    await expect(until('rain', () => false)).rejects.toThrow(/in vain: rain$/);
    await expect(
      until(
        'rain',
        () => false,
        () => 'snow',
      ),
    ).rejects.toThrow(/in vain: rain\n {2}snow$/);
  } finally {
    vi.unstubAllEnvs();
  }
});

it('passes on what a check fails with', async () => {
  await expect(until('anything', () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
});

it('leaves out the line that is still being written', () => {
  expect(wholeLines('{"a":1}\n{"a":2}\n{"a"')).toEqual(['{"a":1}', '{"a":2}']);
  expect(wholeLines('{"a":1}')).toEqual([]);
  expect(wholeRecords('{"a":1}\n{"a":')).toEqual([{ a: 1 }]);
});
