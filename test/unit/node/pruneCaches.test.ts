import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, it } from 'vitest';
import { pruneCaches } from '../../../src/node/pruneCaches';
import { tempFolder } from '../../support/tempFolder';

const [OLD, YOUNG, OWN] = ['aaaaaaaaaaaaaaaa', 'bbbbbbbbbbbbbbbb', 'cccccccccccccccc'] as const;

async function cachesOf(usedMs: Readonly<Record<string, number>>): Promise<string> {
  const parent = await tempFolder({ 'a.txt': '' });
  for (const [name, ms] of Object.entries(usedMs)) {
    await mkdir(path.join(parent, name));
    await writeFile(path.join(parent, name, 'x.pack'), new Uint8Array(1000));
    await utimes(path.join(parent, name), new Date(ms), new Date(ms));
  }
  return parent;
}

it('removes caches that were not used for long, keeps the own one and what is no cache', async () => {
  const parent = await cachesOf({ [OLD]: 0, [YOUNG]: 90_000, [OWN]: 0, 'something else': 0 });
  await pruneCaches(parent, OWN, { maxAgeMs: 50_000, maxBytes: 10_000 }, 100_000);
  expect((await readdir(parent)).sort()).toEqual(['a.txt', YOUNG, OWN, 'something else']);
});

it('removes the least recently used ones while all together take too much, never the own one', async () => {
  const parent = await cachesOf({ [OLD]: 80_000, [YOUNG]: 90_000, [OWN]: 0 });
  await pruneCaches(parent, OWN, { maxAgeMs: 50_000, maxBytes: 2000 }, 100_000);
  expect((await readdir(parent)).sort()).toEqual(['a.txt', YOUNG, OWN]);
  await pruneCaches(parent, OWN, { maxAgeMs: 50_000, maxBytes: 0 }, 100_000);
  expect((await readdir(parent)).sort()).toEqual(['a.txt', OWN]);
});

it('needs no cache of its own yet', async () => {
  const parent = await cachesOf({ [OLD]: 0 });
  await pruneCaches(parent, OWN, { maxAgeMs: 50_000, maxBytes: 2000 }, 100_000);
  expect(await readdir(parent)).toEqual(['a.txt']);
});
