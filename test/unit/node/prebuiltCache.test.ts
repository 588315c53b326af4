/** A symbol cache that was made at another path is used, and only as far as it is right. */
import { cp, mkdir, readdir, readFile, stat, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { SEGMENT_VERSION } from '../../../src/core/repomap/index/segment';
import type { CreateEngines } from '../../../src/node/engines';
import { NodeFileSource } from '../../../src/node/fileSource';
import { CliWorld, createEngines } from '../../support/cliWorld';
import { tempFolder } from '../../support/tempFolder';
import { git } from './git/gitWorld';

const SOURCES: Readonly<Record<string, string>> = {
  'src/prices.ts': 'export function addPrice(a: number, b: number): number {\n  return a + b;\n}\n',
  'src/cart.ts': "import { addPrice } from './prices';\nexport class Cart {\n  total = addPrice(1, 2);\n}\n",
  'tools/report.py': 'def print_report(cart):\n    """Prints a cart."""\n    return cart\n',
};

async function write(root: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(root, name)), { recursive: true });
    await writeFile(path.join(root, name), text);
  }
}

/** Paths of the folder's files that were read whole. */
let reads: string[] = [];
const readFiles = NodeFileSource.prototype.read;

beforeEach(() => {
  vi.spyOn(NodeFileSource.prototype, 'read').mockImplementation(function (this: NodeFileSource, file, ...rest) {
    reads.push(file);
    return readFiles.call(this, file, ...rest);
  });
});
afterEach(() => vi.restoreAllMocks());

/** Runs `map --query` as a user who was never here; how many files were parsed, what was printed and what was said. */
async function map(root: string, prebuilt?: string, world?: CliWorld) {
  const user = world ?? (await CliWorld.create());
  let parsed = 0;
  reads = [];
  const counting: CreateEngines = (...given) => {
    const engines = createEngines(...(given as Parameters<typeof createEngines>));
    const parse: typeof engines.parser.parse = (files) => {
      parsed += files.length;
      return engines.parser.parse(files);
    };
    return { ...engines, parser: Object.create(engines.parser, { parse: { value: parse } }) };
  };
  const { code, out, err } = await user.run(['map', '--query', 'add price cart', '--root', root], {
    product: { root: '/nowhere', createEngines: counting },
    env: { CONTEXT_BUDGET_PREBUILT_CACHE: prebuilt },
  });
  expect(code).toBe(0);
  return { parsed, out, err, user };
}

const segmentsOf = async (cache: string): Promise<readonly string[]> =>
  (await readdir(cache, { recursive: true }))
    .filter((name) => path.basename(name).startsWith(`${SEGMENT_VERSION}-`))
    .map((name) => path.join(cache, name));

/** The cache of a folder with these files. */
async function prebuild(files = SOURCES): Promise<string> {
  const root = await tempFolder();
  await write(root, files);
  const { parsed, user } = await map(root);
  expect(parsed).toBe(Object.keys(files).length);
  expect(await segmentsOf(user.cache)).toHaveLength(1);
  return user.cache;
}

async function checkout(): Promise<string> {
  const root = await tempFolder();
  await write(root, SOURCES);
  return root;
}

describe('a prebuilt cache', () => {
  it('is used at another path by another user, and nothing is parsed again', async () => {
    const cache = await prebuild();
    const root = await checkout();
    const cold = await map(root);
    expect(cold.parsed).toBe(3);
    const first = await map(root, cache);
    expect(first).toMatchObject({ parsed: 0, err: '', out: cold.out });
    // From then on the user's own cache has it, also without the variable.
    expect(await map(root, undefined, first.user)).toMatchObject({ parsed: 0, out: cold.out });
  });

  it('is used unread in a fresh clone, but for files that Git cannot tell', async () => {
    const many = Array.from({ length: 200 }, (_, at) => [`lib/part${at}.ts`, `export const part${at} = ${at};\n`]);
    const files: Readonly<Record<string, string>> = { ...SOURCES, ...Object.fromEntries(many) };
    const cache = await prebuild(files);
    const origin = await tempFolder();
    await write(origin, files);
    git(origin, 'init', '-q');
    git(origin, 'add', '-A');
    git(origin, 'commit', '-qm', 'first');
    const root = path.join(await tempFolder(), 'clone');
    git(origin, 'clone', '-q', origin, root);
    // An index that is as old as its files tells none of them.
    await setTimeout(40);
    git(root, 'update-index', '--force-write-index');
    const read = (): readonly string[] => reads.filter((file) => file in files);
    const cold = await map(root);
    expect(new Set(read()).size).toBe(203);
    const first = await map(root, cache);
    expect(first).toMatchObject({ parsed: 0, err: '', out: cold.out });
    expect(read()).toEqual([]);
    expect(await map(root, cache, first.user)).toMatchObject({ parsed: 0, out: cold.out });
    expect(read()).toEqual([]);
    // Of the same size, and with the time that it had.
    const edited = path.join(root, 'src/cart.ts');
    const { atime, mtime } = await stat(edited);
    await writeFile(edited, (SOURCES['src/cart.ts'] ?? '').replace('Cart', 'Tray'));
    await utimes(edited, atime, mtime);
    git(root, 'update-index', '--assume-unchanged', 'src/cart.ts');
    const changed = await map(root);
    expect(changed.out).not.toBe(cold.out);
    expect(await map(root, cache)).toMatchObject({ parsed: 1, out: changed.out });
    expect(read()).toEqual(['src/cart.ts']);
  });

  it('may name the cache of one folder, and lacks files that changed since', async () => {
    const cache = await prebuild();
    const [segment = ''] = await segmentsOf(cache);
    const root = await checkout();
    await write(root, { 'src/cart.ts': 'export class Basket {}\n', 'src/price.ts': 'export const price = 1;\n' });
    const cold = await map(root);
    expect(await map(root, path.dirname(segment))).toMatchObject({ parsed: 2, out: cold.out });
  });

  it('gives nothing where it is damaged, and stays as it is', async () => {
    const cache = await prebuild();
    const [segment = ''] = await segmentsOf(cache);
    const root = await checkout();
    const cold = await map(root);
    const whole = await readFile(segment);
    for (const at of [3, 60, 150, whole.length - 9]) {
      const bytes = Buffer.from(whole);
      bytes[at] = (bytes[at] ?? 0) ^ 0x55;
      await writeFile(segment, bytes);
      const { parsed, out, err } = await map(root, cache);
      expect({ parsed, out }).toEqual({ parsed: 3, out: cold.out });
      expect(err).toContain('The symbol cache is damaged');
      expect(await readFile(segment)).toEqual(bytes);
    }
    await writeFile(segment, whole.subarray(0, whole.length / 2));
    expect(await map(root, cache)).toMatchObject({ parsed: 3, out: cold.out });
  });

  it('gives nothing where it is of other files, or holds other things', async () => {
    const root = await checkout();
    const cold = await map(root);
    const foreign = await prebuild({ 'src/prices.ts': 'export const nothing = 1;\n', 'lib/other.ts': 'let a = 1;\n' });
    expect(await map(root, foreign)).toMatchObject({ parsed: 3, out: cold.out, err: '' });
    const strange = await tempFolder();
    await write(strange, { [`${SEGMENT_VERSION}-00.pack`]: '#!/bin/sh\n', 'run.js': 'process.exit(1)\n' });
    await mkdir(path.join(strange, '0123456789abcdef', `${SEGMENT_VERSION}-11.pack`), { recursive: true });
    const { parsed, out, user } = await map(root, strange);
    expect({ parsed, out }).toEqual({ parsed: 3, out: cold.out });
    expect((await readdir(user.cache, { recursive: true })).filter((name) => name.includes('run.js'))).toEqual([]);
    expect(await map(root, path.join(strange, 'gone'))).toMatchObject({ parsed: 3, out: cold.out, err: '' });
    expect(await map(root, path.join(strange, 'run.js'))).toMatchObject({
      parsed: 3,
      err: expect.stringContaining('ENOTDIR'),
    });
  });

  it('is not taken from the workspace, nor by a relative path, and of it segments alone', async () => {
    const cache = await prebuild();
    const root = await checkout();
    await cp(cache, path.join(root, '.cache'), { recursive: true });
    const inside = await map(root, path.join(root, '.cache'));
    expect(inside.parsed).toBe(3);
    expect(inside.err).toContain('CONTEXT_BUDGET_PREBUILT_CACHE is ignored');
    expect(await map(root, path.relative(process.cwd(), cache))).toMatchObject({ parsed: 3 });
    await write(cache, { '0123456789abcdef/counts3-secrets-00.pack': 'x', '0123456789abcdef/stamps2-00.pack': 'x' });
    const { user } = await map(await checkout(), cache);
    expect((await readdir(user.cache, { recursive: true })).filter((name) => name.endsWith('-00.pack'))).toEqual([]);
  });
});
