import { expect, test } from 'vitest';
import { type FileSource, NEVER_ABORTED } from '../../../../../src/core/ports/ports';
import { encodeFacts, factsWithoutText } from '../../../../../src/core/repomap/facts/factsCodec';
import { hashText } from '../../../../../src/core/text/hash';
import { asGiven } from '../../../../../src/core/text/phrase';
import { FolderIndexer } from '../../../../../src/core/workspace/indexing/folderIndexer';
import { SYSTEM_CLOCK } from '../../../../../src/protocol/clock';
import { MemoryFiles } from '../../../../support/memoryFiles';
import { FakeEngine, FakeParser, MemoryCache, SILENT } from '../../../../support/workspaceFakes';

function makeIndexer(cache: MemoryCache, nodes: ConstructorParameters<typeof MemoryFiles>[0]) {
  const ports = { files: new MemoryFiles(nodes), parser: new FakeParser(), engine: new FakeEngine(), cache };
  return { ...ports, indexer: new FolderIndexer({ ...ports, clock: SYSTEM_CLOCK, logger: SILENT }) };
}

const OPTIONS = { maxFileBytes: 1000, depth: 'definitions' } as const;
const NODES = { 'a.ts': 'export const a = 1;\n', 'b.ts': 'export const b = 2;\n' };

test('the cache is read for content that is not known yet, and for nothing else', async () => {
  const cache = new MemoryCache();
  await makeIndexer(cache, NODES).indexer.sync(['a.ts', 'b.ts'], OPTIONS, NEVER_ABORTED);
  const second = makeIndexer(cache, NODES);
  await second.indexer.sync(['a.ts', 'b.ts'], OPTIONS, NEVER_ABORTED);
  expect(cache.bodyReads).toBe(1);
  await second.indexer.sync(['a.ts', 'b.ts'], OPTIONS, NEVER_ABORTED);
  expect(cache.bodyReads).toBe(1);
});

test('an index that starts empty takes its facts from the cache', async () => {
  const cache = new MemoryCache();
  await makeIndexer(cache, NODES).indexer.sync(['a.ts', 'b.ts'], OPTIONS, NEVER_ABORTED);
  const second = makeIndexer(cache, NODES);
  await second.indexer.sync(['a.ts', 'b.ts'], OPTIONS, NEVER_ABORTED);
  expect(second.parser.parsed).toEqual([]);
  expect([...second.engine.files.keys()].sort()).toEqual(['a.ts', 'b.ts']);
});

test('content that is only scanned is parsed when it is looked at for its definitions', async () => {
  const { indexer, parser, engine } = makeIndexer(new MemoryCache(), NODES);
  await indexer.sync(['a.ts', 'b.ts'], { maxFileBytes: 1000, depth: 'words' }, NEVER_ABORTED);
  expect([...indexer.unparsed].sort()).toEqual(['a.ts', 'b.ts']);
  expect(parser.parsed).toEqual([]);
  await indexer.update(['b.ts'], OPTIONS, NEVER_ABORTED);
  expect([...indexer.unparsed]).toEqual(['a.ts']);
  expect(engine.files.get('b.ts')).toMatch(/^parsed:/);
});

test('what the parser had no time for is parsed once more, and then not until it changes', async () => {
  const { indexer, parser, files } = makeIndexer(new MemoryCache(), { ...NODES, 'long.ts': '//'.repeat(200_000) });
  parser.parse = async (inputs) => {
    parser.parsed.push(...inputs.map(({ path }) => path));
    return inputs.map((input) => encodeFacts(factsWithoutText(input, 'deadline', 1)));
  };
  const options = { ...OPTIONS, maxFileBytes: 1_000_000 };
  const rest = async () => {
    const paths = [...indexer.unparsed];
    await indexer.update(paths, options, NEVER_ABORTED);
    return paths;
  };
  await indexer.update(['a.ts', 'long.ts'], options, NEVER_ABORTED);
  expect(await rest()).toEqual(['a.ts']);
  expect(await rest()).toEqual([]);
  expect(parser.parsed).toEqual(['a.ts', 'long.ts', 'a.ts']);
  files.nodes.set('a.ts', 'export const other = 1;\n');
  await indexer.update(['a.ts'], options, NEVER_ABORTED);
  expect(await rest()).toEqual(['a.ts']);
});

test('progress counts each file once, those that cannot be read too', async () => {
  const { indexer } = makeIndexer(new MemoryCache(), NODES);
  const told: number[] = [];
  const onProgress = (done: number): void => {
    told.push(done);
  };
  await indexer.update(['a.ts', 'gone.ts', 'b.ts'], { ...OPTIONS, onProgress }, NEVER_ABORTED);
  expect(told).toEqual([...told].sort((a, b) => a - b));
  expect(told.at(-1)).toBe(3);
});

test('a scanned file that is gone or cannot be read waits no longer', async () => {
  const nodes = { ...NODES };
  const { indexer, files } = makeIndexer(new MemoryCache(), nodes);
  await indexer.sync(['a.ts', 'b.ts'], { maxFileBytes: 1000, depth: 'words' }, NEVER_ABORTED);
  files.read = async (path) =>
    path === 'a.ts' ? { kind: 'missing' } : { kind: 'unreadable', message: asGiven('no permission') };
  await indexer.update(['a.ts', 'b.ts'], OPTIONS, NEVER_ABORTED);
  expect(indexer.unparsed.size).toBe(0);
});

test('no more is read than the parser can take', async () => {
  const many = Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`f${i}.ts`, `let a${i} = 1;\n`]));
  const { indexer, files, parser } = makeIndexer(new MemoryCache(), many);
  parser.gate = new Promise(() => undefined);
  let reads = 0;
  const read = files.read.bind(files);
  files.read = (path, maxBytes) => {
    reads++;
    return read(path, maxBytes);
  };
  void indexer.sync(Object.keys(many), OPTIONS, NEVER_ABORTED);
  for (let i = 0; i < 5000; i++) await Promise.resolve();
  expect(reads).toBeLessThan(250);
});

test('a renamed and a copied file cost no parse', async () => {
  const cache = new MemoryCache();
  const first = makeIndexer(cache, NODES);
  await first.indexer.sync(['a.ts', 'b.ts'], OPTIONS, NEVER_ABORTED);
  const moved = { 'src/c.ts': NODES['a.ts'], 'b.ts': NODES['b.ts'], 'copy/b.ts': NODES['b.ts'] };
  const second = makeIndexer(cache, moved);
  await second.indexer.sync(Object.keys(moved), OPTIONS, NEVER_ABORTED);
  expect(second.parser.parsed).toEqual([]);
  expect([...second.engine.files.keys()].sort()).toEqual(['b.ts', 'copy/b.ts', 'src/c.ts']);
});

test('an update takes content from the cache that a branch switch brings back', async () => {
  const cache = new MemoryCache();
  const { indexer, parser, files } = makeIndexer(cache, NODES);
  await indexer.sync(['a.ts', 'b.ts'], OPTIONS, NEVER_ABORTED);
  for (const text of ['export const other = 1;\n', NODES['a.ts'], 'export const other = 1;\n']) {
    files.nodes.set('a.ts', text);
    await indexer.update(['a.ts'], OPTIONS, NEVER_ABORTED);
    await indexer.flush();
  }
  expect(parser.parsed).toHaveLength(3);
});

test('contents that are told unread are asked for where many files are new, and never where stamps know them', async () => {
  const cache = new MemoryCache();
  const many = Object.fromEntries(
    Array.from({ length: 300 }, (_, at) => [at < 200 ? `f${at}.ts` : `image${at}.png`, `let a${at} = 1;\n`]),
  );
  const paths = Object.keys(many);
  const run = async (changed: Readonly<Record<string, string>> = {}) => {
    const world = makeIndexer(cache, { ...many, ...changed });
    const { parser } = world;
    const files: FileSource = world.files;
    const [told, read, asked]: [string[], string[], number[]] = [[], [], []];
    const stampOf = (path: string) => ({
      ...{ dev: 1, ino: 1, sizeBytes: 1, mtimeMs: 0 },
      ctimeMs: path in changed ? 2 : 1,
    });
    files.stamp = async (path) => stampOf(path);
    const readFile = files.read.bind(files);
    files.read = (path, maxBytes) => {
      read.push(path);
      return readFile(path, maxBytes);
    };
    const contents = {
      nameOf: (bytes: Uint8Array) => hashText(new TextDecoder().decode(bytes)),
      openUnread: async () => {
        asked.push(told.length);
        return {
          nameOf: (path: string) => {
            told.push(path);
            // The last one has a name that nothing is stored under: it was converted.
            return path === 'f199.ts' ? 'f'.repeat(16) : hashText(many[path] ?? '');
          },
        };
      },
    };
    const indexer = new FolderIndexer({ ...world, contents, clock: SYSTEM_CLOCK, logger: SILENT });
    await indexer.sync(paths, OPTIONS, NEVER_ABORTED);
    return { told, read, asked: asked.length, parsed: parser.parsed.length };
  };
  // Nothing is stored yet, so names lead nowhere.
  expect(await run()).toMatchObject({ asked: 0, parsed: 200 });
  expect(await run()).toMatchObject({ asked: 0, read: [], parsed: 0 });
  for (const name of cache.packs.keys()) if (name.startsWith('stamps')) cache.packs.delete(name);
  const fresh = await run();
  expect(fresh).toMatchObject({ asked: 1, read: ['f199.ts'], parsed: 0 });
  expect(fresh.told).toHaveLength(200);
  // A few changed files are read before anything is asked; of many, only the first.
  const some = (count: number) =>
    Object.fromEntries(paths.slice(0, count).map((path) => [path, `let ${path[1]} = 2;\n`]));
  expect(await run(some(3))).toMatchObject({ asked: 0, parsed: 3 });
  expect((await run(some(150))).asked).toBe(1);
});

test('for a task, files are taken in as they were before they are listed, and are as they are afterwards', async () => {
  const cache = new MemoryCache();
  const old = { ...NODES, 'gone.ts': 'export const g = 1;\n', 'small.ts': 'export const s = 1;\n' };
  const now = {
    'a.ts': NODES['a.ts'],
    'b.ts': 'export const b = 3;\n',
    'new.ts': 'let n;\n',
    'small.ts': '//'.repeat(900),
  };
  const world = (nodes: Readonly<Record<string, string>>) => {
    const made = makeIndexer(cache, nodes);
    const files: FileSource = made.files;
    files.stamp = async (path) => {
      const sizeBytes = nodes[path]?.length;
      return sizeBytes === undefined
        ? undefined
        : { dev: 1, ino: sizeBytes, sizeBytes, mtimeMs: 0, ctimeMs: nodes === old ? 1 : 2 };
    };
    return made;
  };
  await world(old).indexer.sync(Object.keys(old), OPTIONS, NEVER_ABORTED);
  const fresh = makeIndexer(new MemoryCache(), now);
  await fresh.indexer.sync(Object.keys(now), OPTIONS, NEVER_ABORTED);
  for (const task of ['fix it', '']) {
    const { indexer, engine, parser } = world(now);
    indexer.expectFiles(task);
    const listed = new Promise((resolve) => setTimeout(resolve, 20));
    await listed;
    expect([...engine.files.keys()].sort()).toEqual(task === '' ? [] : Object.keys(old).sort());
    await indexer.sync(Object.keys(now), OPTIONS, NEVER_ABORTED);
    expect(new Map([...engine.files].sort())).toEqual(new Map([...fresh.engine.files].sort()));
    expect([...indexer.unparsed]).toEqual([]);
    expect(parser.parsed.filter((path) => path === 'a.ts')).toEqual([]);
  }
});
