import path from 'node:path';
import { expect, it } from 'vitest';
import { IS_LONG } from '../support/extent.mjs';
// @ts-expect-error: a script without types
import { ensureBuilt } from '../tools/ensureBuilt.mjs';
// @ts-expect-error: a script without types
import { killRounds } from '../tools/killRounds.mjs';

const WHOLE = { rounds: 100, pairs: 20 };
/** Over few small sources, the kill that leaves most behind: while a pack is half written. */
const SAMPLE = { rounds: 1, pairs: 0, kinds: ['writing'], root: path.resolve('src/protocol'), minFiles: 1 };

it('answers like a cold start after a real kill of a process that indexes', async () => {
  ensureBuilt();
  const { failures, killed } = await killRounds(IS_LONG ? WHOLE : SAMPLE);
  expect(failures).toEqual([]);
  expect(Object.values(killed)).not.toContain(0);
});
