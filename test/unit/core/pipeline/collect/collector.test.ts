import { describe, expect, test } from 'vitest';
import type { FolderFile, SectionDefinition, SectionSource } from '../../../../../src/core/model/section';
import type { CollectorPorts } from '../../../../../src/core/pipeline/collect/builtins';
import {
  type CollectContext,
  pendingSections,
  SectionCollector,
} from '../../../../../src/core/pipeline/collect/collector';
import type { RelayRead } from '../../../../../src/core/pipeline/collect/relaySource';
import type { EditorState } from '../../../../../src/core/ports/ports';
import { asGiven, phrase } from '../../../../../src/core/text/phrase';
import { english } from '../../../../support/english';
import { MemoryFiles } from '../../../../support/memoryFiles';
import { viewOf } from '../../../../support/relayViews';
import { FakeProcesses } from './fakeProcesses';

const define = (id: string, source: SectionSource, keepRecent?: number): SectionDefinition => ({
  id,
  title: id,
  priority: 'P2',
  source,
  keepRecent,
  onDemand: false,
  keywords: [],
  isDiscovered: false,
});
const file = (path: string) => define('file', { kind: 'file', path });
const glob = (pattern: string, keepRecent?: number) => define('files', { kind: 'files', pattern }, keepRecent);
const command = (...argv: [string, ...string[]]) => define(`c-${argv[0]}`, { kind: 'command', argv, timeoutMs: 700 });
const builtin = (id: 'git' | 'diagnostics' | 'open-editors' | 'repo-map') =>
  define(id, { kind: 'builtin', builtin: id });

const NO_CHOICES = { pinned: [], excluded: [], onDemand: [] };
const TRUSTED: CollectContext = { isTrusted: true, choices: NO_CHOICES, files: [] };

function make(ports: Partial<CollectorPorts> = {}): SectionCollector {
  return new SectionCollector({ files: new MemoryFiles(), processes: undefined, editor: undefined, ...ports });
}

async function bodyOf(definition: SectionDefinition, ports: Partial<CollectorPorts>, context = TRUSTED) {
  return (await make(ports).collect([definition], context))[0]?.body;
}

const textOf = async (...args: Parameters<typeof bodyOf>) => {
  const body = await bodyOf(...args);
  return body?.kind === 'text' ? body.text : body;
};

describe('flags by id', () => {
  const soul = file('SOUL.md');

  test('come from lists of ids, besides what the definition says', async () => {
    const files = new MemoryFiles({ 'SOUL.md': 'x' });
    const choices = { pinned: ['file'], excluded: ['other'], onDemand: ['file'] };
    const flags = { isPinned: true, isExcluded: false, onDemand: true };
    expect(await make({ files }).collect([soul], { ...TRUSTED, choices })).toMatchObject([flags]);
    expect(pendingSections([soul], choices)).toMatchObject([flags]);
    expect(pendingSections([{ ...soul, onDemand: true }])).toMatchObject([{ onDemand: true, isPinned: false }]);
  });
});

describe('file sections', () => {
  test('give their text and their path', async () => {
    const [section] = await make({ files: new MemoryFiles({ 'a.md': 'hällo\n' }) }).collect([file('a.md')], TRUSTED);
    expect(section).toEqual({
      ...file('a.md'),
      body: { kind: 'text', text: 'hällo\n' },
      path: 'a.md',
      note: undefined,
      isPinned: false,
      isExcluded: false,
    });
  });

  test('UTF-16 with a byte order mark is text', async () => {
    const bytes = Uint8Array.from([0xfe, 0xff, ...[...'Regeln'].flatMap((char) => [0, char.charCodeAt(0)])]);
    expect(await textOf(file('a.md'), { files: new MemoryFiles({ 'a.md': bytes }) })).toBe('Regeln');
  });

  test.each([
    [
      'of 50 MB is too large',
      { sizeBytes: 50_000_000 },
      { kind: 'tooLarge', sizeBytes: 50_000_000, limitBytes: 1_000_000 },
    ],
    [
      'one byte over the limit is too large',
      new Uint8Array(1_000_001),
      { kind: 'tooLarge', sizeBytes: 1_000_001, limitBytes: 1_000_000 },
    ],
    ['binary under a text’s name is binary', Uint8Array.from([0x7f, 0x45, 0x4c, 0x46, 0, 1, 2]), { kind: 'binary' }],
    [
      'without permission is unreadable',
      { unreadable: 'no permission to read it' },
      { kind: 'unreadable', message: asGiven('no permission to read it') },
    ],
  ])('%s', async (_, node, failure) => {
    const body = await bodyOf(file('a.ts'), { files: new MemoryFiles({ 'a.ts': node }) });
    expect(body).toEqual({ kind: 'failed', failure: { path: 'a.ts', ...failure } });
  });

  test('a missing one says so', async () => {
    expect(await bodyOf(file('a.md'), {})).toEqual({ kind: 'failed', failure: { kind: 'missing', path: 'a.md' } });
  });

  test('of exactly the limit is read', async () => {
    expect(await textOf(file('a.md'), { files: new MemoryFiles({ 'a.md': 'x'.repeat(1_000_000) }) })).toHaveLength(
      1_000_000,
    );
  });

  test('a file system that throws fails that section alone, without its words, and is asked again', async () => {
    const files = new MemoryFiles({ 'a.md': 'a', 'b.md': 'b' });
    const read = files.read.bind(files);
    let isBroken = true;
    files.read = async (path, max) => {
      if (isBroken && path === 'a.md') throw new Error('/home/someone/a.md exploded');
      return read(path, max);
    };
    const collector = make({ files });
    const definitions = [file('a.md'), { ...file('b.md'), id: 'b' }];
    const [a, b] = await collector.collect(definitions, TRUSTED);
    expect(a?.body).toEqual({
      kind: 'failed',
      failure: { kind: 'unreadable', path: 'a.md', message: phrase('the file system failed') },
    });
    expect(b?.body).toEqual({ kind: 'text', text: 'b' });
    isBroken = false;
    expect((await collector.collect(definitions, TRUSTED))[0]?.body).toEqual({ kind: 'text', text: 'a' });
  });
});

describe('files sections', () => {
  const nodes = {
    'memory/2026-02-03.md': 'third\n',
    'memory/2025-12-31.md': 'second',
    'memory/zebra.md': '# undated\n',
    'memory/b/2026-02-01T10-00.md': 'noon\n',
    'memory/b/2026-02-01T09-30.md': 'morning\n',
    'other.md': 'no',
  };
  const files = Object.keys(nodes);
  const context = { ...TRUSTED, files };

  /** The files of the folder, with `pick` of each. */
  async function filesOf<T>(
    pattern: string,
    ports: Partial<CollectorPorts>,
    paths: readonly string[],
    pick: (file: FolderFile) => T,
  ): Promise<readonly T[] | undefined> {
    const body = await bodyOf(glob(pattern), ports, { ...TRUSTED, files: paths });
    return body?.kind === 'folder' ? body.files.map(pick) : undefined;
  }

  test('have a file for each that matches, by its key below the fixed part of the glob', async () => {
    const [section] = await make({ files: new MemoryFiles(nodes) }).collect([glob('memory/**/*.md')], context);
    expect(section).toMatchObject({ note: phrase('{0} files', 5), path: undefined });
    const body = section?.body.kind === 'folder' ? section.body : undefined;
    expect(body?.leftOut).toBe(0);
    expect(body?.files.map(({ key, title, date, text }) => [key, title, date, text])).toEqual([
      ['2026-02-03', '2026-02-03', '2026-02-03', 'third\n'],
      ['b/2026-02-01T10-00', '2026-02-01T10-00', '2026-02-01', 'noon\n'],
      ['b/2026-02-01T09-30', '2026-02-01T09-30', '2026-02-01', 'morning\n'],
      ['2025-12-31', '2025-12-31', '2025-12-31', 'second'],
      ['zebra', 'undated', undefined, '# undated\n'],
    ]);
  });

  test('keep their extension in the key where two would have the same', async () => {
    const source = new MemoryFiles({ 'm/a.md': '1', 'm/a.txt': '2', 'm/b.c.md': '3' });
    expect(
      await filesOf('m/*.{md,txt}', { files: source }, ['m/a.md', 'm/a.txt', 'm/b.c.md'], ({ key }) => key),
    ).toEqual(['b.c', 'a.txt', 'a.md']);
  });

  test.each([
    ['the first heading', '---\nkeywords: [a]\n---\n```\n# no\n```\n\n## The **title** #\n# Later\n', 'The title'],
    ['the name without one', 'just text\n', 'a'],
    ['the heading without a leading slash', '# /quota command\n', 'quota command'],
  ])('are called by %s', async (_, text, title) => {
    expect(
      await filesOf('m/*', { files: new MemoryFiles({ 'm/a.md': text }) }, ['m/a.md'], (each) => each.title),
    ).toEqual([title]);
  });

  test.each([
    ['# 2026-02-01 start\n- 2026-02-03: fixed\n- 2026-02-02 broken\n', '2026-02-03'],
    ['**日期**: 2026/2/24\n', '2026-02-24'],
    ['## 2026年3月7日 会议\n', '2026-03-07'],
    ['{\n  "ts": "2026-02-03 21:23:34"\n}\n', '2026-02-03'],
    ['1. 2026-02-05 first\n', '2026-02-05'],
    ['Version 2026-13-45 is no date.\n', undefined],
    ['We met there, which was on a day of 2024-05-06.\n', undefined],
  ])('have the newest date that a line of %j begins with', async (text, date) => {
    expect(
      await filesOf('m/*', { files: new MemoryFiles({ 'm/a.md': text }) }, ['m/a.md'], (each) => each.date),
    ).toEqual([date]);
  });

  test('have the keywords of their frontmatter', async () => {
    const source = new MemoryFiles({ 'm/a.md': '---\nkeywords: cron, web scraping\n---\ntext\n' });
    expect(await filesOf('m/*', { files: source }, ['m/a.md'], ({ keywords }) => keywords)).toEqual([
      ['cron', 'web scraping'],
    ]);
  });

  test('a single file can be opened', async () => {
    const source = new MemoryFiles({ 'runs/a.json': '1' });
    const one = await make({ files: source }).collect([glob('runs/*')], { ...TRUSTED, files: ['runs/a.json'] });
    expect(one[0]).toMatchObject({ path: 'runs/a.json', note: phrase('{0} file', 1) });
  });

  test('a file that is no text says so', async () => {
    const source = new MemoryFiles({
      'm/a.md': Uint8Array.from([0, 1]),
      'm/b.md': { sizeBytes: 50_000_000 },
      'm/c.md': 'c',
    });
    const paths = ['m/a.md', 'm/b.md', 'm/c.md', 'm/d.md'];
    expect(await filesOf('m/*', { files: source }, paths, ({ text }) => text)).toEqual([
      '(left out: it is gone)\n',
      'c',
      '(left out: 50,000,000 bytes, the limit is 1,000,000)\n',
      '(left out: not text)\n',
    ]);
  });

  test('never grow beyond the limits of one folder: those of the newest names stay, whole', async () => {
    const big = Object.fromEntries(Array.from({ length: 12 }, (_, at) => [`m/${10 + at}.md`, 'x'.repeat(900_000)]));
    const [section] = await make({ files: new MemoryFiles(big) }).collect([glob('m/*')], {
      ...TRUSTED,
      files: Object.keys(big),
    });
    expect(section?.body).toMatchObject({ leftOut: 4 });
    expect(english(section?.note)).toBe('8 of 12 files');
    const many = Object.fromEntries(Array.from({ length: 2500 }, (_, at) => [`m/${10_000 + at}.md`, 'x']));
    const source = new MemoryFiles(many);
    const [capped] = await make({ files: source }).collect([glob('m/*')], { ...TRUSTED, files: Object.keys(many) });
    expect(english(capped?.note)).toBe('2,000 of 2,500 files');
    expect(source.reads).toHaveLength(2000);
    expect(source.reads).toContain('m/12499.md');
  });

  test('ask git once for the days of files that name none, and again when git says something new', async () => {
    const source = new MemoryFiles({ 'm/a.md': 'undated', 'n/b.md': 'undated', 'm/2026-02-03.md': 'dated' });
    const log =
      '\x012026-01-05\0\n:100644 100644 1 2 M\0m/a.md\0\0\x012026-01-02\0\n:000000 100644 0 1 A\0m/a.md\0:000000 100644 0 1 A\0n/b.md\0';
    const processes = new FakeProcesses(() => ({ stdout: log }));
    const collector = make({ files: source, processes });
    const paths = ['m/a.md', 'm/2026-02-03.md', 'n/b.md'];
    const definitions = [glob('m/*.md'), { ...glob('n/*.md'), id: 'n' }];
    const dates = async () =>
      (await collector.collect(definitions, { ...TRUSTED, files: paths })).map(({ body }) =>
        body.kind === 'folder' ? body.files.map(({ date }) => date) : body,
      );
    expect(await dates()).toEqual([['2026-01-05', '2026-02-03'], ['2026-01-02']].map((each) => each.sort().reverse()));
    await dates();
    expect(processes.requests).toHaveLength(1);
    expect(processes.requests[0]?.argv.slice(-3)).toEqual(['--', 'm/', 'n/']);
    collector.invalidate({ kind: 'git' });
    await dates();
    expect(processes.requests).toHaveLength(2);
  });

  test('do without git where it fails, and where nothing is undated', async () => {
    const failing = new FakeProcesses(() => ({ exitCode: 128 }));
    const files = new MemoryFiles({ 'm/a.md': 'undated', 'm/2026-02-03.md': '' });
    expect(await filesOf('m/a.md', { files, processes: failing }, ['m/a.md'], ({ date }) => date)).toEqual([undefined]);
    const unused = new FakeProcesses(() => ({}));
    const dated = ['m/2026-02-03.md'];
    expect(await filesOf('m/*', { files, processes: unused }, dated, ({ date }) => date)).toEqual(['2026-02-03']);
    expect(unused.requests).toEqual([]);
  });

  test('a glob without files says whether only ignored ones match', async () => {
    const failure = (isIgnored: boolean) => ({
      kind: 'failed',
      failure: { kind: 'noMatch', pattern: 'm/**/*.md', isIgnored },
    });
    const files = new MemoryFiles({ 'm/a.txt': 'x', 'm/deep/b.md': 'y', 'm/node_modules/c.md': 'z' });
    const [ignored] = await make({ files }).collect([glob('m/**/*.md')], context);
    expect(ignored?.body).toEqual(failure(true));
    const others = new MemoryFiles({ 'm/a.txt': 'x', 'm/node_modules/c.md': 'z' });
    const [none] = await make({ files: others }).collect([glob('m/**/*.md')], context);
    expect(none?.body).toEqual(failure(false));
  });
});

describe('command sections', () => {
  test('give their output, with the config’s timeout and the output cap', async () => {
    const processes = new FakeProcesses(() => ({ stdout: 'SUMMARY:OK:fine\n', stderr: 'noise' }));
    const [section] = await make({ processes }).collect([command('sh', 'x.sh')], TRUSTED);
    expect(section).toMatchObject({ body: { kind: 'text', text: 'SUMMARY:OK:fine\n' }, path: undefined });
    expect(processes.requests).toEqual([{ argv: ['sh', 'x.sh'], timeoutMs: 700, maxOutputBytes: 1_000_000 }]);
  });

  test.each([
    ['exits 7', { exitCode: 7, stderr: 'boom' }],
    ['hangs', { kind: 'timedOut' as const, exitCode: 143 }],
    ['floods', { kind: 'flooded' as const, exitCode: undefined, signal: 'SIGKILL' }],
    ['does not start', { kind: 'notStarted' as const, exitCode: undefined, errorCode: 'ENOENT' }],
  ])('one that %s is a failure with its outcome', async (_, end) => {
    const body = await bodyOf(command('x'), { processes: new FakeProcesses(() => end) });
    expect(body).toMatchObject({ kind: 'failed', failure: { kind: 'command', timeoutMs: 700, outcome: end } });
  });

  test('a runner that throws fails that command alone', async () => {
    const processes = new FakeProcesses((argv) => {
      if (argv[0] === 'bad') throw new Error('spawn');
      return { stdout: 'good' };
    });
    const [bad, good] = await make({ processes }).collect([command('bad'), command('good')], TRUSTED);
    expect(bad?.body).toMatchObject({ kind: 'failed', failure: { kind: 'command', outcome: { kind: 'notStarted' } } });
    expect(good?.body).toEqual({ kind: 'text', text: 'good' });
  });

  test('do not run in a folder that is not trusted, nor where there are no processes', async () => {
    const processes = new FakeProcesses(() => ({}));
    const untrusted = { ...TRUSTED, isTrusted: false };
    expect(await bodyOf(command('x'), { processes }, untrusted)).toEqual({
      kind: 'failed',
      failure: { kind: 'notTrusted' },
    });
    expect(processes.requests).toEqual([]);
    expect(await bodyOf(command('x'), {})).toEqual({ kind: 'failed', failure: { kind: 'noProcesses' } });
  });

  test('trust given later runs them; trust taken away hides what they said', async () => {
    const processes = new FakeProcesses(() => ({ stdout: 'secret' }));
    const collector = make({ processes });
    const collect = async (isTrusted: boolean) =>
      (await collector.collect([command('x')], { ...TRUSTED, isTrusted }))[0]?.body;
    expect(await collect(false)).toMatchObject({ failure: { kind: 'notTrusted' } });
    expect(await collect(true)).toEqual({ kind: 'text', text: 'secret' });
    expect(await collect(false)).toMatchObject({ failure: { kind: 'notTrusted' } });
  });

  test('one that hangs holds up no other: four run at once, and each is reported as it ends', async () => {
    let release = () => {};
    const hang = new Promise<{ kind: 'timedOut' }>((resolve) => {
      release = () => resolve({ kind: 'timedOut' });
    });
    const processes = new FakeProcesses((argv) => (argv[0] === 'hang' ? hang : { stdout: argv[0] ?? '' }));
    const reported: (string | undefined)[] = [];
    let allOthers = () => {};
    const others = new Promise<void>((resolve) => {
      allOthers = resolve;
    });
    const definitions = ['hang', 'a', 'b', 'c', 'd', 'e', 'f'].map((name) => command(name));
    const all = make({ processes }).collect(definitions, TRUSTED, ({ done, total, section }) => {
      reported.push(section?.id);
      expect([done, total]).toEqual([reported.length, 7]);
      if (done === 6) allOthers();
    });
    await others;
    expect(reported.sort()).toEqual(['c-a', 'c-b', 'c-c', 'c-d', 'c-e', 'c-f']);
    release();
    expect((await all).map((section) => section.id)).toEqual(definitions.map(({ id }) => id));
    expect(processes.mostRunning).toBeLessThanOrEqual(4);
  });

  test('run again on refresh and when a file they name changes, not on other saves', async () => {
    let runs = 0;
    const processes = new FakeProcesses(() => ({ stdout: `run ${++runs}` }));
    const collector = make({ processes });
    const definition = command('sh', './plugins/x.sh', '--config=ports.json');
    const collect = async () => (await collector.collect([definition], TRUSTED))[0]?.body;
    const first = await collect();
    for (const paths of [['src/a.ts'], ['x.sh'], ['plugins']]) {
      collector.invalidate({ kind: 'files', paths });
      expect(await collect()).toEqual(first);
    }
    collector.invalidate({ kind: 'files', paths: ['src/a.ts', 'plugins/x.sh'] });
    expect(await collect()).toEqual({ kind: 'text', text: 'run 2' });
    collector.invalidate({ kind: 'files', paths: ['ports.json'] });
    expect(await collect()).toEqual({ kind: 'text', text: 'run 3' });
    collector.invalidate({ kind: 'commands' });
    expect(await collect()).toEqual({ kind: 'text', text: 'run 4' });
    collector.invalidate({ kind: 'all' });
    expect(await collect()).toEqual({ kind: 'text', text: 'run 5' });
  });

  test('a cancelled run keeps the last result and is made up for', async () => {
    let next: 'good' | 'cancelled' | 'better' = 'good';
    const processes = new FakeProcesses(() => (next === 'cancelled' ? { kind: 'cancelled' } : { stdout: next }));
    const collector = make({ processes });
    const collect = async () => (await collector.collect([command('x')], TRUSTED))[0]?.body;
    expect(await collect()).toEqual({ kind: 'text', text: 'good' });
    collector.invalidate({ kind: 'commands' });
    next = 'cancelled';
    expect(await collect()).toEqual({ kind: 'text', text: 'good' });
    next = 'better';
    expect(await collect()).toEqual({ kind: 'text', text: 'better' });
  });

  test('cancelled before it ever ended, it is pending', async () => {
    const processes = new FakeProcesses(() => ({ kind: 'cancelled' }));
    expect(await bodyOf(command('x'), { processes })).toEqual({ kind: 'pending' });
  });

  test('a result that arrives after its command was told to run again does not replace the newer one', async () => {
    const ends: ((text: string) => void)[] = [];
    const processes = new FakeProcesses(() => new Promise((resolve) => ends.push((stdout) => resolve({ stdout }))));
    const collector = make({ processes });
    const old = collector.collect([command('x')], TRUSTED);
    await Promise.resolve();
    collector.invalidate({ kind: 'commands' });
    const young = collector.collect([command('x')], TRUSTED);
    await Promise.resolve();
    expect(ends).toHaveLength(2);
    ends[1]?.('new');
    expect((await young)[0]?.body).toEqual({ kind: 'text', text: 'new' });
    ends[0]?.('old');
    await old;
    expect((await collector.collect([command('x')], TRUSTED))[0]?.body).toEqual({ kind: 'text', text: 'new' });
    expect(processes.requests).toHaveLength(2);
  });

  test('one cancelled by another collection still runs for this one', async () => {
    const caller = new AbortController();
    const processes = new FakeProcesses(async (_, asked) => {
      await Promise.resolve();
      return asked?.aborted ? { kind: 'cancelled' } : { stdout: 'done' };
    });
    const collector = make({ processes });
    const first = collector.collect([command('x')], TRUSTED, undefined, caller.signal);
    const second = collector.collect([command('x')], TRUSTED);
    caller.abort();
    expect((await first)[0]?.body.kind).not.toBe('failed');
    expect((await second)[0]?.body).toEqual({ kind: 'text', text: 'done' });
  });
});

describe('what was read is remembered', () => {
  const nodes = { 'AGENTS.md': 'a', 'memory/x.md': 'x', 'memory/y.md': 'y', 'deep/er/z.md': 'z' };
  const definitions = [file('AGENTS.md'), glob('memory/*.md'), { ...file('deep/er/z.md'), id: 'z' }];
  const context = { ...TRUSTED, files: Object.keys(nodes) };

  async function readsAfter(change?: Parameters<SectionCollector['invalidate']>[0]): Promise<readonly string[]> {
    const files = new MemoryFiles(nodes);
    const collector = make({ files });
    const before = await collector.collect(definitions, context);
    files.reads.length = 0;
    if (change) collector.invalidate(change);
    expect(await collector.collect(definitions, context)).toEqual(before);
    return files.reads;
  }

  test.each([
    ['nothing changed', undefined, []],
    ['a file of a group changed', { kind: 'files' as const, paths: ['memory/y.md'] }, ['memory/y.md']],
    ['another file changed', { kind: 'files' as const, paths: ['src/a.ts', 'AGENTS.md.bak'] }, []],
    ['a folder changed', { kind: 'files' as const, paths: ['deep'] }, ['deep/er/z.md']],
    ['editors changed', { kind: 'editors' as const }, []],
    ['diagnostics changed', { kind: 'diagnostics' as const }, []],
    ['git changed', { kind: 'git' as const }, []],
    ['commands are to run', { kind: 'commands' as const }, []],
    ['everything is to be read', { kind: 'all' as const }, Object.keys(nodes)],
  ])('when %s, only that is read again', async (_, change, reads) => {
    expect([...(await readsAfter(change))].sort()).toEqual([...reads].sort());
  });

  test('a file of two sections is read once, and a change during a read is not lost', async () => {
    const files = new MemoryFiles({ 'a.md': 'old' });
    const collector = make({ files });
    const both = collector.collect([file('a.md'), glob('*.md')], { ...TRUSTED, files: ['a.md'] });
    files.nodes.set('a.md', 'new');
    collector.invalidate({ kind: 'files', paths: ['a.md'] });
    await both;
    expect((await collector.collect([file('a.md')], TRUSTED))[0]?.body).toEqual({ kind: 'text', text: 'new' });
    expect(files.reads).toEqual(['a.md', 'a.md']);
  });

  test('editor state is asked again only when it changed', async () => {
    let asked = 0;
    const editor: EditorState = {
      diagnostics: () => [],
      openEditors: () => {
        asked++;
        return [];
      },
    };
    const collector = make({ editor });
    const collect = () => collector.collect([builtin('open-editors')], TRUSTED);
    await collect();
    collector.invalidate({ kind: 'diagnostics' });
    collector.invalidate({ kind: 'files', paths: ['a.ts'] });
    await collect();
    expect(asked).toBe(1);
    collector.invalidate({ kind: 'editors' });
    await collect();
    expect(asked).toBe(2);
  });
});

describe('collecting', () => {
  test('marks pinned, excluded and on-demand sections, and keeps the order of definitions', async () => {
    const definitions = ['b', 'a', 'c'].map((id) => define(id, { kind: 'file', path: `${id}.md` }));
    const own = { ...define('d', { kind: 'file', path: 'd.md' }), onDemand: true };
    const choices = { pinned: ['a'], excluded: ['b'], onDemand: ['c'] };
    const sections = await make().collect([...definitions, own], { ...TRUSTED, choices });
    expect(sections.map(({ id, isPinned, isExcluded, onDemand }) => [id, isPinned, isExcluded, onDemand])).toEqual([
      ['b', false, true, false],
      ['a', true, false, false],
      ['c', false, false, true],
      ['d', false, false, true],
    ]);
  });

  test('leaves the map to the engine', async () => {
    expect(await bodyOf(builtin('repo-map'), {})).toEqual({ kind: 'repoMap' });
  });

  test('leaves out what does not exist in this host', async () => {
    const definitions = [builtin('git'), builtin('diagnostics'), builtin('open-editors')];
    expect(await make().collect(definitions, TRUSTED)).toEqual([]);
  });

  test('when cancelled it reads nothing, and what was not read is pending', async () => {
    const files = new MemoryFiles({ 'a.md': 'a' });
    const sections = await make({ files }).collect([file('a.md')], TRUSTED, undefined, AbortSignal.abort());
    expect(sections.map(({ body }) => body.kind)).toEqual(['pending']);
    expect(files.reads).toEqual([]);
  });

  test('pending sections have everything but their text', () => {
    const definitions = [file('a.md'), builtin('repo-map'), command('x')];
    const sections = pendingSections(definitions, { pinned: ['file'], excluded: [], onDemand: [] });
    expect(sections.map(({ id, body, path, isPinned }) => [id, body.kind, path, isPinned])).toEqual([
      ['file', 'pending', 'a.md', true],
      ['repo-map', 'repoMap', undefined, false],
      ['c-x', 'pending', undefined, false],
    ]);
  });
});

describe('the relay context', () => {
  const relay = define('relay', { kind: 'builtin', builtin: 'relay' });
  const world = () => {
    const reads: string[] = [];
    let paths = ['c/relay.json', 'c/ledger.json'];
    let answer: () => Promise<RelayRead> = async () => ({
      section: { kind: 'text', text: 'Goal: g\n', note: asGiven('5 of 5 essentials'), view: viewOf() },
      path: 'c/relay.json',
    });
    const read = () => {
      reads.push(paths.join());
      return answer();
    };
    const collector = make({ relay: { paths: () => paths, read } });
    return {
      reads,
      collector,
      collect: async () => (await collector.collect([relay], TRUSTED))[0],
      answerWith: (next: () => Promise<RelayRead>) => {
        answer = next;
      },
      moveTo: (next: string[]) => {
        paths = next;
      },
    };
  };

  test('is a text with its path, read again when one of its files or a folder above changed', async () => {
    const { collect, collector, reads, moveTo } = world();
    expect(await collect()).toMatchObject({
      body: { kind: 'text', text: 'Goal: g\n' },
      path: 'c/relay.json',
      note: asGiven('5 of 5 essentials'),
    });
    collector.invalidate({ kind: 'files', paths: ['src/a.ts', 'c/other.json'] });
    await collect();
    expect(reads).toHaveLength(1);
    for (const path of ['c/relay.json', 'c/ledger.json', 'c']) {
      collector.invalidate({ kind: 'files', paths: [path] });
      await collect();
    }
    moveTo(['d/relay.json', 'c/ledger.json']);
    await collect();
    collector.invalidate({ kind: 'all' });
    await collect();
    expect(reads).toHaveLength(6);
  });

  test('does not exist without its files, and fails with the reason', async () => {
    const { collect, collector, answerWith } = world();
    answerWith(async () => ({ section: undefined, path: undefined }));
    expect(await collect()).toBeUndefined();
    answerWith(async () => ({
      section: { kind: 'failed', path: 'c/relay.json', message: asGiven('no') },
      path: 'c/relay.json',
    }));
    collector.invalidate({ kind: 'all' });
    expect(await collect()).toMatchObject({
      body: { kind: 'failed', failure: { kind: 'unreadable', path: 'c/relay.json', message: asGiven('no') } },
    });
    expect(await make().collect([relay], TRUSTED)).toEqual([]);
  });

  test('is asked for again after an engine that failed', async () => {
    const { collect, collector, answerWith, reads } = world();
    answerWith(() => Promise.reject(new Error('/secret/path crashed')));
    const body = JSON.stringify((await collect())?.body);
    expect(body).toContain('could not be compacted');
    expect(body).not.toContain('secret');
    await collect();
    expect(reads).toHaveLength(2);
    collector.invalidate({ kind: 'commands' });
  });
});

describe('many sections', () => {
  const notes = Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`notes/${at}.md`, `# Note ${at}\n`]));
  const context = { ...TRUSTED, files: Object.keys(notes) };

  test('with the same glob share one text, made of files that are read once', async () => {
    const files = new MemoryFiles(notes);
    const definitions = Array.from({ length: 300 }, (_, at) => ({ ...glob('**/*.md'), id: `s${at}` }));
    const sections = await make({ files }).collect(definitions, context);
    expect(sections).toHaveLength(300);
    expect(new Set(sections.map(({ body }) => body)).size).toBe(1);
    expect(files.reads).toHaveLength(40);
  });

  test('have fewer files each, so that a thousand folders are not a thousand archives', async () => {
    const files = new MemoryFiles(notes);
    const definitions = Array.from({ length: 1000 }, (_, at) => ({ ...glob('**/*.md'), id: `s${at}` }));
    const [first] = await make({ files }).collect(definitions, context);
    expect(first?.body).toMatchObject({ files: { length: 20 }, leftOut: 20 });
  });

  test('have less room each, and say so', async () => {
    const paths = Array.from({ length: 1000 }, (_, at) => `f${at}.md`);
    const files = new MemoryFiles(
      Object.fromEntries(paths.map((path, at) => [path, 'x'.repeat(at === 0 ? 64_001 : 9)])),
    );
    const sections = await make({ files }).collect(
      paths.map((path, at) => ({ ...file(path), id: `s${at}` })),
      { ...TRUSTED, files: paths },
    );
    const failure = { kind: 'tooLarge', path: 'f0.md', sizeBytes: 64_001, limitBytes: 64_000 };
    expect(sections[0]?.body).toEqual({ kind: 'failed', failure });
    expect(sections.slice(1).every(({ body }) => body.kind === 'text')).toBe(true);
    expect(await textOf(file('f0.md'), { files })).toHaveLength(64_001);
  });

  test('of large files read no more of them than they have room for', async () => {
    const large = Object.fromEntries(Array.from({ length: 200 }, (_, at) => [`n${at}.md`, 'x'.repeat(500_000)]));
    const files = new MemoryFiles(large);
    const body = await bodyOf(glob('*.md'), { files }, { ...TRUSTED, files: Object.keys(large) });
    expect(body).toMatchObject({ kind: 'folder', files: { length: 16 }, leftOut: 184 });
    expect(files.reads).toHaveLength(32);
  });
});
