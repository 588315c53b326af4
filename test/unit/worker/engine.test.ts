import { describe, expect, it } from 'vitest';
import { DEFAULT_PROFILE } from '../../../src/core/config/profile';
import type { ContextEngine } from '../../../src/core/engine/engine';
import type { ReportRequest } from '../../../src/core/model/report';
import type { CollectedSection } from '../../../src/core/model/section';
import type { AssetSource } from '../../../src/core/ports/ports';
import { encodeFacts } from '../../../src/core/repomap/facts/factsCodec';
import { scanWords } from '../../../src/core/repomap/facts/identifiers';
import type { FileFacts } from '../../../src/core/repomap/facts/types';
import { joinContents } from '../../../src/core/repomap/index/fileContent';
import { packWords } from '../../../src/core/repomap/index/wordPostings';
import type { SecretScanner } from '../../../src/core/secrets/secretScanner';
import { connectEngine } from '../../../src/protocol/engineClient';
import { Engine } from '../../../src/worker/engine';
import { librarySecretScanner } from '../../../src/worker/secrets/librarySecretScanner';
import { FakeClock } from '../../support/protocolFakes';
import { definition, facts as fileFacts } from '../../support/repoMapBuilders';
import { sharedTokenizer } from '../../support/sharedTokenizer';
import { InMemoryLauncher } from './inMemoryLauncher';
import { ranksFile } from './ranksFile';

/** A file that defines one function, whose words are known. */
const worded = (path: string, name: string): Uint8Array => {
  const made = [definition(name, { lineStart: 1, lineEnd: 1 })];
  return encodeFacts({ ...fileFacts(path, made), ...packWords(scanWords(name), made, 2) });
};

/** A file that defines one function and refers to others. */
const facts = (path: string, name: string, references: readonly string[] = []): Uint8Array =>
  encodeFacts({
    path,
    contentHash: `${path}:${name}`,
    language: 'typescript',
    outcome: 'parsed',
    lineCount: 10,
    definitions: [
      {
        kind: 'function',
        name,
        signature: `function ${name}(): void`,
        doc: '',
        lineStart: 2,
        lineEnd: 5,
        parent: -1,
      },
    ],
    references: [...new Set([name, ...references])].sort().map((reference) => [reference, 1] as const),
  } satisfies FileFacts);

const section = (
  id: string,
  body: CollectedSection['body'],
  priority: CollectedSection['priority'],
): CollectedSection => ({
  id,
  title: id,
  priority,
  source: id === 'repo-map' ? { kind: 'builtin', builtin: 'repo-map' } : { kind: 'file', path: id },
  keepRecent: undefined,
  onDemand: false,
  keywords: [],
  isDiscovered: true,
  body,
  path: undefined,
  note: undefined,
  isPinned: false,
  isExcluded: false,
});

const request = (isIndexReady: boolean): ReportRequest => ({
  profile: DEFAULT_PROFILE,
  tokenizer: 'o200k_base',
  sections: [
    section('agents', { kind: 'text', text: 'Run the tests.\n' }, 'P0'),
    section('repo-map', { kind: 'repoMap' }, 'P2'),
  ],
  focusPaths: [],
  isIndexReady,
  problems: [],
});

class CountingAssets implements AssetSource {
  readonly reads: string[] = [];
  failures = 0;

  async read(name: string): Promise<Uint8Array> {
    this.reads.push(name);
    if (this.failures-- > 0) throw new Error('disk asleep');
    const match = /^dist\/tokenizers\/(o200k_base|cl100k_base)\.ranks$/.exec(name);
    if (!match) throw new Error(`no ${name}`);
    return ranksFile(match[1] as 'o200k_base');
  }
}

const MAP = { tokenizer: 'o200k_base', budgetTokens: 1000, focusPaths: [] } as const;

/** The engine itself, and the same engine behind the message loop: hosts must not see a difference. */
const hosts: readonly [string, (assets: AssetSource) => ContextEngine][] = [
  ['in this thread', (assets) => new Engine(assets, librarySecretScanner, sharedTokenizer)],
  [
    'over messages',
    (assets) =>
      connectEngine({
        launcher: new InMemoryLauncher((source) => ({
          engine: new Engine(source, librarySecretScanner, sharedTokenizer),
          parser: {
            parse: () => Promise.reject(new Error('no parser in this test')),
          },
          secrets: { scan: () => Promise.reject(new Error('not asked')) },
        })),
        assets,
        clock: new FakeClock(),
      }),
  ],
];

describe.each(hosts)('Engine %s', (_, createEngine) => {
  it('counts with either tokenizer and loads each once', async () => {
    const assets = new CountingAssets();
    const engine = createEngine(assets);
    expect(await engine.countTokens({ texts: ['hello world', ''], tokenizer: 'o200k_base' })).toEqual([2, 0]);
    expect(await engine.countTokens({ texts: ['hello world'], tokenizer: 'o200k_base' })).toEqual([2]);
    expect(await engine.countTokens({ texts: ['hello world'], tokenizer: 'cl100k_base' })).toEqual([2]);
    expect(assets.reads).toEqual(['dist/tokenizers/o200k_base.ranks', 'dist/tokenizers/cl100k_base.ranks']);
  });

  it('tries again after a tokenizer failed to load', async () => {
    const assets = new CountingAssets();
    assets.failures = 1;
    const engine = createEngine(assets);
    await expect(engine.countTokens({ texts: ['x'], tokenizer: 'o200k_base' })).rejects.toThrow('disk asleep');
    expect(await engine.countTokens({ texts: ['x'], tokenizer: 'o200k_base' })).toEqual([1]);
  });

  it('counts nothing again that another engine has saved, and unpacks no vocabulary for it', async () => {
    const first = createEngine(new CountingAssets());
    const texts = ['# Rules\n\n- Run the tests.\n', `${'long '.repeat(5000)}line\n`];
    const counted = await first.countTokens({ texts, tokenizer: 'o200k_base' });
    const report = await first.buildReport(request(true));
    const pack = await first.saveCounts({ of: 'o200k_base', what: 'new' });
    expect(await first.saveCounts({ of: 'o200k_base', what: 'all' })).toBeUndefined();

    const makers: string[] = [];
    const second = new Engine(new CountingAssets(), librarySecretScanner, (name) => {
      makers.push(name);
      return sharedTokenizer(name);
    });
    await second.loadCounts([{ of: 'o200k_base', bytes: pack! }]);
    expect(await second.countTokens({ texts, tokenizer: 'o200k_base' })).toEqual(counted);
    expect(await second.buildReport(request(true))).toEqual(report);
    expect(await second.countingWork('o200k_base')).toEqual({ parts: 0, sections: 0, sectionsTotal: 2 });
    expect(makers).toEqual([]);
    expect(await second.countTokens({ texts: ['something new'], tokenizer: 'o200k_base' })).toEqual([2]);
    expect(makers).toEqual(['o200k_base']);
  });

  it('scans nothing again that an engine with the same rules found nothing in, and what it could not scan always', async () => {
    const asked: string[] = [];
    const scannerBy = (rules: string | undefined, fails = false): SecretScanner => ({
      ...(rules === undefined ? {} : { rules }),
      scan: async (texts) => {
        asked.push(...texts);
        if (fails) throw new Error('no scanner');
        return texts.map((text) => (text.includes('KEY') ? [{ start: 0, end: text.length, label: 'key' }] : []));
      },
    });
    const texts = ['plain words', 'KEY0123456789012345', 'broken'];
    const scannedBy = async (scanner: SecretScanner, pack: Uint8Array | undefined, given = texts) => {
      const engine = new Engine(new CountingAssets(), scanner, sharedTokenizer);
      if (pack) await engine.loadCounts([{ of: 'secrets', bytes: pack.slice() }]);
      asked.length = 0;
      const masked = await engine.maskTexts(given);
      return { asked: [...asked], masked, pack: await engine.saveCounts({ of: 'secrets', what: 'new' }) };
    };
    expect((await scannedBy(scannerBy('1', true), undefined)).pack).toBeUndefined();
    const first = await scannedBy(scannerBy('1'), undefined, texts.slice(0, 2));
    expect(first.asked).toEqual(texts.slice(0, 2));

    const again = await scannedBy(scannerBy('1'), first.pack);
    expect(again.asked).toEqual(['broken', 'KEY0123456789012345']);
    expect(again.masked[0]).toEqual({ text: 'plain words', secrets: [] });
    expect(again.masked[1]?.text).not.toContain('KEY0123456789012345');
    // Other rules, no rules that have a name, and bytes that are damaged: all is scanned.
    const inOrder = ['broken', 'plain words', 'KEY0123456789012345'];
    expect((await scannedBy(scannerBy('2'), first.pack)).asked).toEqual(inOrder);
    const unnamed = await scannedBy(scannerBy(undefined), first.pack);
    expect([unnamed.asked, unnamed.pack]).toEqual([inOrder, undefined]);
    expect((await scannedBy(scannerBy('1'), first.pack?.subarray(0, 20))).asked).toEqual(inOrder);
  });

  it('maps the files it holds, within the budget, and forgets removed ones', async () => {
    const engine = createEngine(new CountingAssets());
    await engine.upsertFiles([facts('src/a.ts', 'alpha'), facts('src/b.ts', 'beta', ['alpha'])]);
    const both = await engine.buildMap(MAP);
    expect(both.view.filesTotal).toBe(2);
    expect(both.text).toContain('alpha');
    expect(both.text).toContain('beta');
    expect(both.tokens).toBe(sharedTokenizer('o200k_base').count(both.text));
    expect(both.tokens).toBeLessThanOrEqual(MAP.budgetTokens);
    await engine.removeFiles(['src/a.ts']);
    const one = await engine.buildMap(MAP);
    expect(one.text).not.toContain('alpha');
    expect(one.view.filesTotal).toBe(1);
  });

  it('lists files that were not read beside those it holds, and says which are trouble', async () => {
    const engine = createEngine(new CountingAssets());
    await engine.upsertFiles([facts('src/a.ts', 'alpha')]);
    const asked = joinContents([
      { path: 'logo.png', contentHash: 'no-grammar', unread: 'noGrammar' },
      { path: 'src/large.ts', contentHash: 'size-9000000', unread: 'tooLarge' },
      { path: 'src/unknown.ts', contentHash: '0000000000000001' },
    ]);
    expect(await engine.adoptFiles(asked)).toEqual(['src/unknown.ts']);
    expect((await engine.buildMap(MAP)).view.filesTotal).toBe(3);
    expect(await engine.listTroubled()).toEqual([{ path: 'src/large.ts', outcome: 'tooLarge' }]);
  });

  it('makes the same map for a task that it was told to expect, before or after the files came', async () => {
    const files = () => [worded('src/a.ts', 'parseConfig'), worded('src/b.ts', 'other')];
    const texts = await Promise.all(
      [0, 1, 2].map(async (told) => {
        const engine = createEngine(new CountingAssets());
        if (told === 1) await engine.expectTask({ query: 'parse configs' });
        await engine.upsertFiles(files());
        if (told === 2) await engine.expectTask({ query: 'parse configs' });
        return (await engine.buildMap({ ...MAP, query: 'parse configs' })).text;
      }),
    );
    expect(texts[0]).toContain('parseConfig');
    expect(new Set(texts).size).toBe(1);
  });

  it('shows a replaced file as it is now, whatever it has kept', async () => {
    const engine = createEngine(new CountingAssets());
    await engine.upsertFiles([facts('src/a.ts', 'before')]);
    await engine.buildMap(MAP);
    await engine.upsertFiles([facts('src/a.ts', 'after')]);
    const { text } = await engine.buildMap(MAP);
    expect(text).toContain('after');
    expect(text).not.toContain('before');
  });

  it('gives each budget and focus its own map, and the same bytes for the same question', async () => {
    const engine = createEngine(new CountingAssets());
    const files = Array.from({ length: 60 }, (_unused, i) => facts(`src/f${i}.ts`, `someFunction${i}`));
    await engine.upsertFiles(files);
    const large = await engine.buildMap(MAP);
    const small = await engine.buildMap({ ...MAP, budgetTokens: 200 });
    const focused = await engine.buildMap({ ...MAP, budgetTokens: 200, focusPaths: ['src/f59.ts'] });
    expect(small.tokens).toBeLessThanOrEqual(200);
    expect(small.view.filesShown).toBeLessThan(large.view.filesShown);
    expect(focused.text).not.toBe(small.text);
    expect(await engine.buildMap(MAP)).toEqual(large);
    expect(await engine.buildMap({ ...MAP, budgetTokens: 200 })).toEqual(small);
  });

  it('ranks again for another task and for other files, not for another budget', async () => {
    const files = Array.from({ length: 60 }, (_unused, i) => facts(`src/f${i}.ts`, `someFunction${i}`));
    const asked = { ...MAP, query: 'someFunction7 fails' };
    const fresh = async (more: readonly Uint8Array[], request: Parameters<ContextEngine['buildMap']>[0]) => {
      const engine = createEngine(new CountingAssets());
      await engine.upsertFiles([...files, ...more].map((each) => each.slice()));
      return engine.buildMap(request);
    };
    const engine = createEngine(new CountingAssets());
    // What is sent is empty afterwards.
    await engine.upsertFiles(files.map((each) => each.slice()));
    await engine.buildMap(asked);
    const other = { ...asked, query: 'someFunction9 fails' };
    const added = [facts('src/new.ts', 'someFunction9')];
    expect(await engine.buildMap({ ...asked, budgetTokens: 100 })).toEqual(
      await fresh([], { ...asked, budgetTokens: 100 }),
    );
    expect(await engine.buildMap(other)).toEqual(await fresh([], other));
    await engine.upsertFiles(added.map((each) => each.slice()));
    expect(await engine.buildMap(other)).toEqual(await fresh(added, other));
  });

  it('lists what a map leaves out only when it is asked to', async () => {
    const engine = createEngine(new CountingAssets());
    await engine.upsertFiles(Array.from({ length: 60 }, (_unused, i) => facts(`src/f${i}.ts`, `someFunction${i}`)));
    expect(await engine.buildMap({ ...MAP, budgetTokens: 200 })).not.toHaveProperty('leftOut');
    const { view, leftOut, budgetTokens } = await engine.buildMap({
      ...MAP,
      budgetTokens: 200,
      leftOut: { limit: 5, matching: 'SOMEFUNCTION' },
    });
    expect(budgetTokens).toBe(200);
    expect(leftOut?.filesTotal).toBe(60 - view.filesShown);
    expect(leftOut?.items.map(({ rank }) => rank)).toEqual([1, 2, 3, 4, 5].map((i) => view.filesShown + i));
    expect(leftOut?.items[0]?.symbols[0]?.name).toMatch(/^someFunction/);
  });

  it('shows no map for words that nothing knows, says so within the budget, and what is near', async () => {
    const engine = createEngine(new CountingAssets());
    await engine.upsertFiles([worded('src/a.ts', 'alphaBravo'), worded('src/b.ts', 'charlie')]);
    const ask = (query: string, budgetTokens = 200) =>
      engine.buildMap({ ...MAP, query, budgetTokens, leftOut: { limit: 5 } });
    const none = await ask('zzzzqqq wwwxxx');
    expect(none.text).toBe(
      `No match for: zzzzqqq, wwwxxx.\nOnly files in languages that the map reads were searched: grep the others.\n`,
    );
    expect(none.tokens).toBe(sharedTokenizer('o200k_base').count(none.text));
    expect(none.view).toMatchObject({ filesShown: 0, items: [] });
    expect(none).not.toHaveProperty('leftOut');
    expect(none.match).toMatchObject({ isMatch: false, unknown: ['zzzzqqq', 'wwwxxx'] });
    const near = await ask('alphaBarvo');
    expect(near.text).toContain('alphaBarvo → alphaBravo');
    const small = await ask('alphaBarvo', 12);
    expect(small.text).toBe('No match for: alphaBarvo.\n');
    expect((await ask('alphaBarvo', 2)).text).toBe('');
    const some = await ask('charlie zzzzqqq');
    expect(some.text).toContain('src/b.ts');
    expect(some.match).toMatchObject({ isMatch: true, known: ['charlie'], unknown: ['zzzzqqq'] });
    expect(await engine.buildMap({ ...MAP, budgetTokens: 200 })).not.toHaveProperty('match');
  });

  it('shows the file of a path whose words all count for nothing', async () => {
    const engine = createEngine(new CountingAssets());
    await engine.upsertFiles([worded('a/b.c', 'alphaBravo'), worded('src/b.ts', 'charlie')]);
    const { text, match } = await engine.buildMap({ ...MAP, query: 'a/b.c', budgetTokens: 200 });
    expect(text).toMatch(/^a\/b\.c\n {2}\d+ alphaBravo\n/);
    expect(match).toEqual({ isMatch: true, known: ['a/b.c'], unknown: [], nearest: {} });
  });

  it('says in a payload that its map is a general one where nothing matches the task', async () => {
    const engine = createEngine(new CountingAssets());
    await engine.upsertFiles([worded('src/a.ts', 'alphaBravo')]);
    const asked = async (query: string) => (await engine.buildReport({ ...request(true), query })).payloads.expanded;
    const general = await asked('zzzzqqq');
    expect(general.text).toContain('alphaBravo');
    expect(general.notes).toContain('nothing here matches the task (zzzzqqq): the map is a general one');
    expect(general.budget.tokens).toBe(sharedTokenizer('o200k_base').count(general.text));
    expect(general.match?.unknown).toEqual(['zzzzqqq']);
    const found = await asked('alphaBravo');
    expect(found.notes.join()).not.toContain('general');
    expect(found.match?.known).toEqual(['alphaBravo']);
    expect((await asked('')).match).toBeUndefined();
    const kept = await engine.buildMap({ ...MAP, query: 'zzzzqqq', orGeneral: true, budgetTokens: 200 });
    expect(kept.text).toContain('alphaBravo');
    expect(kept.match).toMatchObject({ isMatch: false, unknown: ['zzzzqqq'] });
  });

  it('finds what only tests know', async () => {
    const engine = createEngine(new CountingAssets());
    await engine.upsertFiles([worded('src/a.ts', 'alpha'), worded('test/b.test.ts', 'onlyHere')]);
    const { text, match } = await engine.buildMap({ ...MAP, query: 'onlyHere', budgetTokens: 200 });
    expect(text).toContain('test/b.test.ts');
    expect(match?.known).toEqual(['onlyHere']);
  });

  it('finds symbols by handle, tells how the index stands and which files are troubled', async () => {
    const engine = createEngine(new CountingAssets());
    const broken = encodeFacts({
      path: 'src/broken.ts',
      contentHash: 'x',
      language: 'typescript',
      outcome: 'deadline',
      lineCount: 0,
      definitions: [],
      references: [],
    });
    await engine.upsertFiles([facts('src/a.ts', 'alpha'), broken]);
    const [byName] = await engine.findSymbols(['sym:src/a.ts:alpha']);
    expect(byName).toMatchObject([{ path: 'src/a.ts', qualifiedName: 'alpha', lineStart: 2 }]);
    const [byHandle, none] = await engine.findSymbols([byName![0]!.handle, 'sym:00000000']);
    expect(byHandle).toEqual(byName);
    expect(none).toEqual([]);
    expect(await engine.listTroubled()).toEqual([{ path: 'src/broken.ts', outcome: 'deadline' }]);
  });

  it('builds a report with the map once the index is ready, and without it before', async () => {
    const engine = createEngine(new CountingAssets());
    await engine.upsertFiles([facts('src/a.ts', 'alpha')]);
    const early = await engine.buildReport(request(false));
    expect(early.payloads.expanded.text).not.toContain('alpha');
    expect(early.payloads.expanded.text).toContain('Run the tests.');
    const ready = await engine.buildReport(request(true));
    expect(ready.payloads.expanded.text).toContain('alpha');
    expect(ready.payloads.expanded.budget.tokens).toBe(
      sharedTokenizer('o200k_base').count(ready.payloads.expanded.text),
    );
    expect(ready.payloads.expanded.repoMap?.filesShown).toBe(1);
  });

  it('finds what of a payload turns have used', async () => {
    const engine = createEngine(new CountingAssets());
    await engine.upsertFiles([facts('src/a.ts', 'alpha')]);
    const { payloads } = await engine.buildReport(request(true));
    const found = await engine.findCitations({
      payload: payloads.expanded,
      turns: [
        { replyText: 'Changed src/a.ts.', toolCalls: [] },
        { replyText: 'Done.', toolCalls: [] },
      ],
    });
    expect(found).toEqual([[{ id: 'repo-map', evidence: 'path', what: 'src/a.ts' }], []]);
  });

  it.each([
    ['that the map showed', { paths: ['src/b.ts'], names: ['Beta'] }, ['sym:B', 'b.Beta']],
    ['of a name that the map did not show', { paths: ['src/b.ts'], names: ['Alpha'] }, []],
    ['of a file that the map did not show', { paths: ['src/a.ts'], names: ['Beta'] }, []],
  ])('finds the handle and the place of a symbol %s, whatever the map shows now', async (_, map, whats) => {
    const engine = createEngine(new CountingAssets());
    await engine.upsertFiles([facts('src/a.ts', 'Alpha'), facts('src/b.ts', 'Beta')]);
    const { payloads } = await engine.buildReport(request(false));
    const [[beta] = []] = await engine.findSymbols(['sym:src/b.ts:Beta']);
    const replies = [`Please show ${beta?.handle}.`, 'It is made by b.Beta alone.'];
    const found = await engine.findCitations({
      payload: payloads.expanded,
      given: { sections: [], map },
      turns: replies.map((replyText) => ({ replyText, toolCalls: [] })),
    });
    expect(found.flat().map(({ what }) => what.replace(beta?.handle ?? '', 'sym:B'))).toEqual(whats);
  });

  it('cuts details at the cap', async () => {
    const engine = createEngine(new CountingAssets());
    const detail = await engine.buildDetail({
      tokenizer: 'o200k_base',
      detailTokens: 50,
      budgetTokens: 500,
      hardCapChars: 30_000,
      items: [{ handle: 'file:a.ts', title: 'a.ts', text: 'const answer = 42;\n'.repeat(100) }],
    });
    expect(detail.items[0]!.tokens).toBeLessThanOrEqual(50);
    expect(detail.items[0]!.linesShown).toBeLessThan(detail.items[0]!.linesTotal);
  });

  it('rejects facts that are none', async () => {
    await expect(createEngine(new CountingAssets()).upsertFiles([Uint8Array.of(1, 2, 3)])).rejects.toThrow();
  });
});
