import { expect, test } from 'vitest';
import { NEVER_CANCELLED } from '../../../../src/core/ports';
import { FolderIndexer } from '../../../../src/core/session/folderIndexer';
import { MemoryFiles } from '../sections/memoryFiles';
import { FakeEngine, FakeParser, MemoryCache, SILENT } from './fakes';

function makeIndexer(cache: MemoryCache, nodes: ConstructorParameters<typeof MemoryFiles>[0]) {
  const ports = { files: new MemoryFiles(nodes), parser: new FakeParser(), engine: new FakeEngine(), cache };
  return { ...ports, indexer: new FolderIndexer({ ...ports, logger: SILENT }) };
}

const NODES = { 'a.ts': 'export const a = 1;\n', 'b.ts': 'export const b = 2;\n' };

test('the cache is read for content that is not known yet, and for nothing else', async () => {
  const cache = new MemoryCache();
  await makeIndexer(cache, NODES).indexer.sync(['a.ts', 'b.ts'], 1000, () => undefined, NEVER_CANCELLED);
  const second = makeIndexer(cache, NODES);
  await second.indexer.sync(['a.ts', 'b.ts'], 1000, () => undefined, NEVER_CANCELLED);
  expect(cache.bodyReads).toBe(1);
  await second.indexer.sync(['a.ts', 'b.ts'], 1000, () => undefined, NEVER_CANCELLED);
  expect(cache.bodyReads).toBe(1);
});

test('an index that starts empty takes its facts from the cache', async () => {
  const cache = new MemoryCache();
  await makeIndexer(cache, NODES).indexer.sync(['a.ts', 'b.ts'], 1000, () => undefined, NEVER_CANCELLED);
  const second = makeIndexer(cache, NODES);
  await second.indexer.sync(['a.ts', 'b.ts'], 1000, () => undefined, NEVER_CANCELLED);
  expect(second.parser.parsed).toEqual([]);
  expect([...second.engine.files.keys()].sort()).toEqual(['a.ts', 'b.ts']);
});

test('a renamed and a copied file cost no parse', async () => {
  const cache = new MemoryCache();
  const first = makeIndexer(cache, NODES);
  await first.indexer.sync(['a.ts', 'b.ts'], 1000, () => undefined, NEVER_CANCELLED);
  const moved = { 'src/c.ts': NODES['a.ts'], 'b.ts': NODES['b.ts'], 'copy/b.ts': NODES['b.ts'] };
  const second = makeIndexer(cache, moved);
  await second.indexer.sync(Object.keys(moved), 1000, () => undefined, NEVER_CANCELLED);
  expect(second.parser.parsed).toEqual([]);
  expect([...second.engine.files.keys()].sort()).toEqual(['b.ts', 'copy/b.ts', 'src/c.ts']);
});

test('an update takes content from the cache that a branch switch brings back', async () => {
  const cache = new MemoryCache();
  const { indexer, parser, files } = makeIndexer(cache, NODES);
  await indexer.sync(['a.ts', 'b.ts'], 1000, () => undefined, NEVER_CANCELLED);
  for (const text of ['export const other = 1;\n', NODES['a.ts'], 'export const other = 1;\n']) {
    files.nodes.set('a.ts', text);
    await indexer.update(['a.ts'], 1000, NEVER_CANCELLED);
    await indexer.flush();
  }
  expect(parser.parsed).toHaveLength(3);
});
