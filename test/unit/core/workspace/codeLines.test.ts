import { describe, expect, it } from 'vitest';
import type { TextHolders } from '../../../../src/core/model/repoMap';
import { findTextBlocks, type TextBlock } from '../../../../src/core/workspace/codeLines';

type Holder = TextHolders['holders'][number];

/** A definition, or what stands outside of all, whose lines are looked at. */
const holder = (path: string, name: string, lines: readonly [number, number], more: Partial<Holder> = {}): Holder => ({
  ...{ path, name, lineStart: lines[0], lineEnd: lines[1], worth: 1 },
  ...more,
});

async function blocksOf(
  files: Readonly<Record<string, readonly string[]>>,
  holders: readonly Holder[],
  asked: string,
): Promise<readonly TextBlock[]> {
  const words = asked.split(' ').map((word) => ({ word: word.toLowerCase(), weight: 1 }));
  const read = async (path: string): Promise<string | undefined> => files[path]?.join('\n');
  return (await findTextBlocks({ words, holders, total: holders.length }, asked, read)).blocks;
}

const placesOf = (blocks: readonly TextBlock[]): readonly string[] => blocks.map(({ path, line }) => `${path}:${line}`);

describe('the lines that say a text', () => {
  it('come best first, whatever the order of those who hold them: as asked, then most of its words', async () => {
    const files = {
      'a.ts': ['function a() {', '  open(store);', '}'],
      'b.ts': ['function b() {', '  log("store is not open");', '}'],
      'c.ts': ['function c() {', '  log("Store is not open");', '}'],
    };
    const holders = ['a', 'b', 'c'].map((name) => holder(`${name}.ts`, name, [1, 3]));
    expect(placesOf(await blocksOf(files, holders, 'Store is not open'))).toEqual(['c.ts:2', 'b.ts:2']);
    expect(placesOf(await blocksOf(files, [...holders].reverse(), 'Store is not open'))).toEqual(['c.ts:2', 'b.ts:2']);
  });

  it('of one definition are led by the best of them, and told in the order of the file', async () => {
    const files = { 'a.ts': ['function a() {', '  read lock of lease;', '  x;', '  lock the lease;', '}'] };
    const [block] = await blocksOf(files, [holder('a.ts', 'a', [1, 5])], 'lock the lease');
    expect(block?.line).toBe(4);
    expect(block?.lines.map(({ line }) => line)).toEqual([1, 2, 3, 4, 5]);
  });

  it('of one definition, where there are many alike, are its first four', async () => {
    const lines = Array.from({ length: 9 }, (_, at) => `  lock the lease ${at};`);
    const others = Array.from({ length: 4 }, (_, at) => holder(`o${at}.ts`, 'o', [1, 1]));
    const files = { 'a.ts': lines, ...Object.fromEntries(others.map(({ path }) => [path, ['lock the lease']])) };
    const blocks = await blocksOf(files, [...others, holder('a.ts', 'a', [1, 9])], 'lock the lease');
    expect(blocks.find(({ path }) => path === 'a.ts')?.lines.map(({ line }) => line)).toEqual([1, 2, 3, 4]);
  });

  it('in a definition get the lines around them before those outside of all', async () => {
    const files = {
      'a.ts': ['// lock the lease', 'function a() {', '  lock the lease;', '  b;', '}'],
    };
    const holders = [holder('a.ts', '', [1, 5]), holder('a.ts', 'a', [2, 5])];
    const blocks = await blocksOf(files, holders, 'lock the lease');
    const linesOf = (name: string) => blocks.find((block) => block.name === name)?.lines.map(({ line }) => line);
    expect(linesOf('a')).toEqual([2, 3, 4, 5]);
    expect(linesOf('')).toEqual([1]);
  });

  it('in tests and docs, and imports, come after those of the source, and one of them at most', async () => {
    const text = ['lock the lease'];
    const files = { 't1.ts': text, 't2.ts': text, 's.ts': text };
    const tests = [holder('t1.ts', 't', [1, 1], { worth: 0.5 }), holder('t2.ts', 't', [1, 1], { worth: 0.5 })];
    const blocks = await blocksOf(files, [...tests, holder('s.ts', 's', [1, 1])], 'lock the lease');
    expect(placesOf(blocks)).toEqual(['s.ts:1', 't1.ts:1']);
  });
});
