import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { LoggingMessageNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { listTools } from '../../../src/core/tools/toolCatalog';
import { IS_LONG } from '../../support/extent.mjs';
// @ts-expect-error: a script without types
import { ensureBuilt } from '../../tools/ensureBuilt.mjs';
import { FAKE_KEY, ServedWorld } from './server';

let world: ServedWorld;
const clients: Client[] = [];
/** For tests after which the server is as before. */
let shared: Client;

beforeAll(async () => {
  ensureBuilt();
  world = new ServedWorld();
  shared = await world.connect();
});
afterEach(async () => {
  for (const client of clients.splice(0)) await client.close();
});
afterAll(async () => {
  await shared.close();
  world.remove();
});

async function connect(args: readonly string[] = []): Promise<Client> {
  const client = await world.connect(args);
  clients.push(client);
  return client;
}

/** Languages of the sample: bodies by brackets, by indentation and by words, none at all, and files that hold others. */
const SAMPLED = new Set([
  ...['sample.ts', 'sample.go', 'sample.cpp', 'sample.py', 'Sample.hs', 'sample.rb', 'sample.tf', 'sample_c.h'],
  ...['sample.d.ts', 'sample.vue', 'sample.ipynb'],
]);

type Called = Awaited<ReturnType<Client['callTool']>>;
const textOf = (called: Called): string => (called.content as { text: string }[]).map(({ text }) => text).join('');

describe('context-budget mcp, by the official client', () => {
  // First of all: nobody has read the folder yet.
  it('lists its tools, prompts and resources', async () => {
    const client = shared;
    expect(client.getServerVersion()?.name).toBe('context-budget');
    expect((await client.listTools()).tools).toEqual(listTools());
    expect((await client.listPrompts()).prompts.map(({ name }) => name)).toEqual([
      'context_for_task',
      'relay_observer',
    ]);
    expect(client.getServerCapabilities()?.resources).toEqual({});
    const { resources } = await client.listResources();
    expect(resources.map(({ uri }) => uri).sort()).toEqual(
      ['index', 'index.json', 'map', 'map.json', 'report', 'report.json'].map((name) => `context-budget://${name}`),
    );
    const { resourceTemplates } = await client.listResourceTemplates();
    expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual(['context-budget://section/{id}']);
  });

  it.each([
    ['context_index', {}, 'section:soul'],
    ['context_index', { query: 'step 7' }, '7 | '],
    ['context_timeline', { id: 20, window: 3 }, '21 | '],
    ['context_detail', { handles: ['section:soul', '5'] }, 'Be kind.'],
    ['repo_map', { query: 'parseConfig returns nothing', budget: 500 }, 'src/parser.ts'],
    ['context_search', { query: 'parseConfig' }, 'src/parser.ts:1'],
    ['context_budget', {}, '7,500 tokens'],
  ])('%s %j answers in text alone', async (name, input, expected) => {
    const client = shared;
    await client.listTools();
    const called = await client.callTool({ name, arguments: input });
    expect(called.isError).toBeUndefined();
    expect(textOf(called)).toContain(expected);
    // A client that got both forms would give the model the JSON.
    expect(called.structuredContent).toBeUndefined();
  });

  it('gives the definitions of every language as their files have them, between marker lines', async () => {
    const samples = 'test/fixtures/languages';
    const names = readdirSync(samples).filter((name) => IS_LONG || SAMPLED.has(path.basename(name, '.txt')));
    // Of its own: who serves the other folder after this would read all languages each time.
    const languages = new ServedWorld();
    for (const name of names) languages.write(name, readFileSync(`${samples}/${name}`, 'utf8'));
    const map = execFileSync(
      process.execPath,
      ['dist/cli.js', 'map', '--json', '--budget', '60000', '--root', languages.root],
      { encoding: 'utf8', env: languages.env, maxBuffer: 1 << 28 },
    );
    const { items } = JSON.parse(map).repo_map as { items: { path: string; symbols: { handle: string }[] }[] };
    const definitions = items
      .filter(({ path: file }) => names.includes(file) && !file.endsWith('.txt'))
      .flatMap(({ path: file, symbols }) => symbols.slice(0, IS_LONG ? 2 : 1).map(({ handle }) => ({ file, handle })));
    expect(new Set(definitions.map(({ file }) => path.extname(file))).size).toBeGreaterThan(IS_LONG ? 20 : 9);
    const client = await languages.connect();
    clients.push(client);
    for (const { file, handle } of definitions) {
      const called = await client.callTool({ name: 'context_detail', arguments: { handles: [handle] } });
      const [, , source = ''] = /^(`{3,}) .*\n([\s\S]*?)^\1$/m.exec(textOf(called)) ?? [];
      expect(source, `${file} ${handle}: ${textOf(called).slice(0, 200)}`).not.toBe('');
      expect(languages.read(file)).toContain(source.replace(/\n$/, ''));
    }
    languages.remove();
  });

  it('gives each prompt within the caps', async () => {
    const client = shared;
    const forTask = await client.getPrompt({ name: 'context_for_task', arguments: { task: 'parseConfig fails' } });
    expect(JSON.stringify(forTask.messages)).toContain('src/parser.ts');
    const relay = await client.getPrompt({ name: 'relay_observer' });
    expect(JSON.stringify(relay.messages)).toContain('Goal: ship it');
    await expect(client.getPrompt({ name: 'context_for_task' })).rejects.toMatchObject({ code: -32602 });
  });

  it('says what there is in place of an unknown name, and that name cut', async () => {
    const client = shared;
    const name = `none_${'x'.repeat(500)}`;
    const refused = (code: number, start: string, end: string) => ({
      ...{ code, message: expect.stringMatching(new RegExp(`Unknown ${start} "none_x{1,120}…": use ${end}\\.$`)) },
    });
    await expect(client.getPrompt({ name })).rejects.toMatchObject(
      refused(-32602, 'prompt', 'context_for_task, relay_observer'),
    );
    await expect(client.callTool({ name })).rejects.toMatchObject(refused(-32602, 'tool', '.*, repo_map, .*'));
    await expect(client.readResource({ uri: name })).rejects.toMatchObject(
      refused(-32002, 'resource', 'context-budget://index, .*, context-budget://section/ID'),
    );
    await expect(client.readResource({ uri: 'file:///etc/passwd' })).rejects.toThrow('Unknown resource: use');
  });

  it('says that a folder has nothing for a prompt', async () => {
    const plain = new ServedWorld();
    rmSync(path.join(plain.root, '.context-budget/relay.json'));
    const client = await plain.connect();
    const message = expect.stringContaining('This folder has no relay log and no ledger');
    await expect(client.getPrompt({ name: 'relay_observer' })).rejects.toMatchObject({ code: -32602, message });
    await client.close();
    plain.remove();
  });

  it('gives each resource in its form, sections too', async () => {
    const client = shared;
    const listed = (await client.listResources()).resources.filter(({ uri }) => !uri.includes('section/'));
    expect(listed).toHaveLength(6);
    for (const { uri, mimeType } of listed) {
      const { contents } = await client.readResource({ uri });
      const [{ text } = { text: '' }] = contents as { text: string }[];
      expect(contents[0]).toMatchObject({ uri, mimeType });
      if (mimeType === 'application/json') expect(Object.keys(JSON.parse(text) as object)[0]).toBe('version');
      else expect(text.length).toBeGreaterThan(20);
    }
    // Once the folder was read its sections are listed.
    const { resources } = await client.listResources();
    expect(resources.map(({ uri }) => uri)).toContain('context-budget://section/soul');
    const soul = await client.readResource({ uri: 'context-budget://section/soul' });
    expect(JSON.stringify(soul)).toContain('Be kind.');
    await expect(client.readResource({ uri: 'context-budget://section/none' })).rejects.toMatchObject({ code: -32002 });
  });

  it('gives a section whose id is not ASCII by its URI, encoded or not', async () => {
    const folder = new ServedWorld();
    folder.write('topic.md', '# 部署\n');
    folder.write('.context-budget/config.json', '{ "version": 1, "sections": [{ "id": "主题", "file": "topic.md" }] }');
    const client = await folder.connect();
    clients.push(client);
    for (const id of ['主题', encodeURIComponent('主题')]) {
      const uri = `context-budget://section/${id}`;
      const { contents } = await client.readResource({ uri });
      expect(contents).toMatchObject([{ uri, text: expect.stringContaining('部署') }]);
    }
    for (const id of ['%E4', '%2E%2E%2Fsoul', '%'])
      await expect(client.readResource({ uri: `context-budget://section/${id}` })).rejects.toMatchObject({
        code: -32002,
      });
    folder.remove();
  });

  it('masks secrets wherever they may show', async () => {
    const client = shared;
    const given: unknown[] = [
      await client.callTool({
        name: 'context_detail',
        arguments: { handles: ['section:agents-md', 'file:AGENTS.md'] },
      }),
      await client.callTool({ name: 'context_index', arguments: {} }),
      await client.getPrompt({ name: 'context_for_task', arguments: { task: 'keys' } }),
      await client.readResource({ uri: 'context-budget://section/agents-md' }),
    ];
    for (const { uri } of (await client.listResources()).resources) given.push(await client.readResource({ uri }));
    expect(JSON.stringify(given)).toContain('Never print ');
    expect(JSON.stringify(given)).not.toContain(FAKE_KEY);
  });

  it('sees with each request what changed since the last one', async () => {
    const client = shared;
    const soul = async () =>
      textOf(await client.callTool({ name: 'context_detail', arguments: { handles: ['section:soul'] } }));
    expect(await soul()).toContain('Be kind.');
    world.write('memory/SOUL.md', '# Soul\nBe brief.\n');
    expect(await soul()).toContain('Be brief.');
    world.write('memory/SOUL.md', '# Soul\nBe kind.\n');
    world.write('src/added.ts', 'export function addedLater() {}\n');
    const map = await client.callTool({ name: 'context_search', arguments: { query: 'addedLater' } });
    expect(textOf(map)).toContain('src/added.ts:1');
  });

  it('says how far it is to who asks, always further', async () => {
    const client = shared;
    const transport = client.transport as Transport;
    const deliver = transport.onmessage;
    const told: unknown[] = [];
    // The client forgets who asked as soon as the answer is there: what came in the same piece is lost to `onprogress`.
    transport.onmessage = (message, extra) => {
      if ('method' in message && message.method === 'notifications/progress') told.push(message.params);
      deliver?.(message, extra);
    };
    await client.callTool({ name: 'repo_map', arguments: {} }, undefined, { onprogress: () => {} });
    transport.onmessage = deliver;
    const steps = told as { readonly progress: number; readonly total: number }[];
    expect(steps.length).toBeGreaterThan(0);
    for (const { progress, total } of steps) expect(progress).toBeLessThanOrEqual(total);
    const seen = steps.map(({ progress }) => progress);
    expect(seen).toEqual([...seen].sort((a, b) => a - b));
  });

  it('lets a request be cancelled, and answers the next', async () => {
    const client = await connect();
    const stop = new AbortController();
    const asked = client.callTool({ name: 'repo_map', arguments: {} }, undefined, { signal: stop.signal });
    stop.abort();
    await expect(asked).rejects.toThrow();
    expect(await client.ping()).toEqual({});
    expect((await client.callTool({ name: 'context_budget', arguments: {} })).isError).toBeUndefined();
  });

  it('answers a hundred requests at once, each its own', async () => {
    const client = shared;
    const calls = Array.from({ length: 100 }, async (_, at) => {
      const id = (at % 50) + 1;
      const kinds = [
        () => client.callTool({ name: 'context_detail', arguments: { handles: [String(id)] } }),
        () => client.callTool({ name: 'context_timeline', arguments: { id, window: 1 } }),
        () => client.callTool({ name: 'context_search', arguments: { query: `step ${id}` } }),
        () => client.callTool({ name: 'repo_map', arguments: { query: `step ${id}` } }),
      ];
      const called = await kinds[at % kinds.length]!();
      expect(called.isError).toBeUndefined();
      if (at % kinds.length < 2) expect(textOf(called)).toContain(`step ${id}`);
    });
    await Promise.all(calls);
  });

  it('refuses an argument of a megabyte in a line, and calls of what there is not', async () => {
    const client = shared;
    const long = await client.callTool({ name: 'repo_map', arguments: { query: 'x'.repeat(1_000_000) } });
    expect(long.isError).toBe(true);
    expect(textOf(long)).toBe('The call was not understood: query must be a string of 1 to 100,000 characters.');
    const most = await client.callTool({ name: 'repo_map', arguments: { query: 'parseConfig '.repeat(8000) } });
    expect(most.isError).toBeUndefined();
    await expect(client.callTool({ name: 'rm', arguments: {} })).rejects.toMatchObject({ code: -32602 });
    // The error is made in another bundle than the one that tells it.
    const unknown = await client.callTool({ name: 'context_timeline', arguments: { id: 999 } });
    expect(textOf(unknown)).toBe('No event has this id or task. context_index lists what there is.');
    const wrong = await client.callTool({ name: 'context_timeline', arguments: { id: '1', surprise: [] } });
    expect(wrong.isError).toBe(true);
  });

  it('tells of a profile that there is not, in the log that the client asked for', async () => {
    const client = await connect(['--profile', 'nobody']);
    const told = new Promise<unknown>((resolve) => {
      client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => resolve(params.data));
    });
    await client.setLoggingLevel('warning');
    await client.callTool({ name: 'context_index', arguments: {} });
    expect(await told).toBe('Unknown profile "nobody": using the default profile.');
  });

  it('records expansions, and holds no lock when it is idle', async () => {
    const client = shared;
    // A citation waits for exact numbers, and no answer for the citation.
    await client.callTool({ name: 'context_budget', arguments: {} });
    await client.callTool({ name: 'context_detail', arguments: { handles: ['3'] } });
    const kept = readdirSync(path.join(world.root, '.context-budget'), { recursive: true, encoding: 'utf8' });
    expect(kept).toContain('usage.jsonl');
    expect(kept.filter((name) => /lock/.test(name))).toEqual([]);
  });

  // That it would otherwise is what the test above shows.
  it('writes nothing into the folder with --no-write', async () => {
    const lines = [
      `${JSON.stringify({ schema_version: 'usage.v1', cycle: 7, ts: '2026-02-03 09:00:00' })}\n`,
      '[core] torn',
    ];
    const untrusted = new ServedWorld();
    try {
      untrusted.write('.context-budget/usage.jsonl', lines.join(''));
      const before = untrusted.tree();
      const client = await untrusted.connect(['--no-write']);
      clients.push(client);
      await client.callTool({ name: 'context_budget', arguments: {} });
      await client.callTool({ name: 'context_detail', arguments: { handles: ['section:agents-md', '3'] } });
      expect(textOf(await client.callTool({ name: 'context_index', arguments: {} }))).toContain('step 50');
      expect(untrusted.tree()).toEqual(before);
    } finally {
      untrusted.remove();
    }
  });
});

describe('context-budget mcp in a repository, with --trust', () => {
  let repository: ServedWorld;
  let trusted: Client;

  beforeAll(async () => {
    repository = new ServedWorld();
    const git = (...args: readonly string[]): void => {
      const named = ['-c', 'user.name=Test', '-c', 'user.email=test@example.invalid', '-c', 'init.defaultBranch=main'];
      execFileSync('git', [...named, ...args], { cwd: repository.root, stdio: 'pipe' });
    };
    git('init', '-q', '--template=');
    git('add', 'src');
    git('commit', '-q', '-m', 'first');
    repository.write('src/parser.ts', 'export function parseConfig(text: string) {\n  return text.trim();\n}\n');
    trusted = await repository.connect(['--trust']);
  });
  afterAll(async () => {
    await trusted.close();
    repository.remove();
  });

  it('lists what changed with its callers, and says elsewhere that it needs trust', async () => {
    const call = { name: 'repo_map', arguments: { changed: '' } };
    const answer = textOf(await trusted.callTool(call));
    expect(answer).toMatch(/^changed since main \([0-9a-f]{8}\): \d+ files?\n/);
    expect(answer).toContain('parseConfig(text: string) | changed +1 -1');
    expect(answer).toContain('calls parseConfig (changed)');
    expect(textOf(await trusted.callTool({ ...call, arguments: { changed: 'HEAD' } }))).toContain('changed since HEAD');
    const refused = await shared.callTool(call);
    expect([refused.isError, textOf(refused)]).toEqual([true, expect.stringContaining('only read in trusted folders')]);
    const unknown = await trusted.callTool({ ...call, arguments: { changed: 'nowhere' } });
    expect([unknown.isError, textOf(unknown)]).toEqual([true, expect.stringContaining('no commit "nowhere"')]);
    const both = await trusted.callTool({ ...call, arguments: { changed: '', query: 'x' } });
    expect([both.isError, textOf(both)]).toEqual([true, expect.stringContaining('Give changed alone')]);
  });

  it('runs the commands of the folder, which another server does not', async () => {
    const script = "require('fs').writeFileSync('ran.txt',''); console.log('SUMMARY:OK:ran')";
    const sections = [{ id: 'ports', command: [process.execPath, '-e', script] }];
    const hasRun: boolean[] = [];
    for (const [folder, client] of [[world, shared] as const, [repository, trusted] as const]) {
      folder.write('.context-budget/config.json', JSON.stringify({ version: 1, sections }));
      const budget = textOf(await client.callTool({ name: 'context_budget', arguments: {} }));
      expect(budget).toContain('section:ports');
      hasRun.push(existsSync(path.join(folder.root, 'ran.txt')));
      folder.write('.context-budget/config.json', '{"version":1}');
    }
    expect(hasRun).toEqual([false, true]);
  });
});
