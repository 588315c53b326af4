import path from 'node:path';
import { expect, it } from 'vitest';
import { isLong } from '../support/runs';
// @ts-expect-error: a script without types
import { ensureBuilt } from '../tools/ensureBuilt.mjs';
// @ts-expect-error: a script without types
import { killRounds } from '../tools/killRounds.mjs';

// Real processes and real kills: one of each kind over small sources; in the long run a hundred over the product's own.
it('answers like a cold start after kills of every kind, and when two processes index at once', async () => {
  ensureBuilt();
  const few = { rounds: 6, pairs: 1, root: path.resolve('src/protocol') };
  const { failures, killed } = await killRounds(isLong ? { rounds: 100, pairs: 20 } : few);
  expect(failures).toEqual([]);
  expect(Object.values(killed)).not.toContain(0);
});
