import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { expect, it } from 'vitest';
// @ts-expect-error: a script without types
import { killRounds } from '../tools/killRounds.mjs';

const root = path.resolve(import.meta.dirname, '../..');

// The short form of `node test/tools/killRounds.mjs`, with real processes and real kills.
it('answers like a cold start after each of twelve kills, and when two processes index at once', async () => {
  execFileSync(process.execPath, ['esbuild.mjs'], { cwd: root });
  const { failures, killed } = await killRounds({ rounds: 12, pairs: 2 });
  expect(failures).toEqual([]);
  expect(Object.keys(killed)).toEqual(expect.arrayContaining(['indexing', 'writing', 'written']));
}, 600_000);
