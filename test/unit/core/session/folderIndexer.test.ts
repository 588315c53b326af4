import { expect, test } from 'vitest';
import { NEVER_CANCELLED } from '../../../../src/core/ports';
import { FolderIndexer } from '../../../../src/core/session/folderIndexer';
import { MemoryFiles } from '../sections/memoryFiles';
import { FakeEngine, FakeParser, MemoryCache, SILENT } from './fakes';

class CountingCache extends MemoryCache {
  loads = 0;

  override load(key: string): Promise<Uint8Array | undefined> {
    this.loads++;
    return super.load(key);
  }
}

function makeIndexer(cache: MemoryCache, nodes: ConstructorParameters<typeof MemoryFiles>[0]) {
  const ports = { files: new MemoryFiles(nodes), parser: new FakeParser(), engine: new FakeEngine(), cache };
  return { ...ports, indexer: new FolderIndexer({ ...ports, logger: SILENT }) };
}

const NODES = { 'a.ts': 'export const a = 1;\n', 'b.ts': 'export const b = 2;\n' };

test('the cache is read for content that is not known yet, and for nothing else', async () => {
  const cache = new CountingCache();
  const first = makeIndexer(cache, NODES);
  await first.indexer.sync(['a.ts', 'b.ts'], 1000, () => undefined, NEVER_CANCELLED);
  const afterFirst = cache.loads;
  expect(afterFirst).toBe(1);
  await first.indexer.sync(['a.ts', 'b.ts'], 1000, () => undefined, NEVER_CANCELLED);
  expect(cache.loads).toBe(afterFirst);
});

test('an index that starts empty takes its facts from the cache', async () => {
  const cache = new CountingCache();
  await makeIndexer(cache, NODES).indexer.sync(['a.ts', 'b.ts'], 1000, () => undefined, NEVER_CANCELLED);
  const second = makeIndexer(cache, NODES);
  await second.indexer.sync(['a.ts', 'b.ts'], 1000, () => undefined, NEVER_CANCELLED);
  expect(second.parser.parsed).toEqual([]);
  expect([...second.engine.files.keys()].sort()).toEqual(['a.ts', 'b.ts']);
});
