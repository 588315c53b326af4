import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { expect, it } from 'vitest';
// @ts-expect-error: a script without types
import { killRounds } from '../tools/killRounds.mjs';

const root = path.resolve(import.meta.dirname, '../..');

// The short form of `node test/tools/killRounds.mjs`, with real processes and real kills: one of each kind, and more.
it('answers like a cold start after kills of every kind, and when two processes index at once', async () => {
  execFileSync(process.execPath, ['esbuild.mjs'], { cwd: root });
  const { failures, killed } = await killRounds({ rounds: 10, pairs: 1 });
  expect(failures).toEqual([]);
  expect(Object.values(killed)).not.toContain(0);
}, 600_000);
