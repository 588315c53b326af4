import { expect, it } from 'vitest';
// @ts-expect-error: a script without types
import { ensureBuilt } from '../tools/ensureBuilt.mjs';
// @ts-expect-error: a script without types
import { killRounds } from '../tools/killRounds.mjs';

// The short form of `node test/tools/killRounds.mjs`, with real processes and real kills: one of each kind, and more.
it('answers like a cold start after kills of every kind, and when two processes index at once', async () => {
  ensureBuilt();
  const { failures, killed } = await killRounds({ rounds: 10, pairs: 1 });
  expect(failures).toEqual([]);
  expect(Object.values(killed)).not.toContain(0);
}, 600_000);
