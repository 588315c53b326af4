import path from 'node:path';
import { expect, it } from 'vitest';
import { IS_LONG } from '../support/extent.mjs';
// @ts-expect-error: a script without types
import { ensureBuilt } from '../tools/ensureBuilt.mjs';
// @ts-expect-error: a script without types
import { killRounds } from '../tools/killRounds.mjs';

const WHOLE = { rounds: 100, pairs: 20 };
/** Over small sources, two kinds of kills: by what is written, and by time. */
const SAMPLE = { rounds: 2, pairs: 0, kinds: ['writing', 'query'], root: path.resolve('src/protocol') };

it('answers like a cold start after a real kill of a process that indexes', async () => {
  ensureBuilt();
  const { failures, killed } = await killRounds(IS_LONG ? WHOLE : SAMPLE);
  expect(failures).toEqual([]);
  expect(Object.values(killed)).not.toContain(0);
});
