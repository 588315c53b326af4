import { execFileSync, spawn } from 'node:child_process';
import { openSync, writeSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { MAX_MESSAGE_BYTES } from '../../../src/mcp/lineTransport';
import { whenGone } from '../../support/processes';
// @ts-expect-error: a script without types
import { ensureBuilt } from '../../tools/ensureBuilt.mjs';
import { RawServer, ServedWorld } from './server';

let world: ServedWorld;
const servers: RawServer[] = [];

/** For tests after which it answers as before. */
let shared: RawServer;

beforeAll(async () => {
  ensureBuilt();
  world = new ServedWorld();
  shared = new RawServer(world);
  await shared.initialize();
});
afterEach(() => {
  for (const { child } of servers.splice(0)) child.kill('SIGKILL');
});
afterAll(() => {
  shared.child.kill('SIGKILL');
  world.remove();
});

async function start(args: readonly string[] = []): Promise<RawServer> {
  const server = new RawServer(world, args);
  servers.push(server);
  await server.initialize();
  return server;
}

describe('context-budget mcp, line by line', () => {
  it('answers nothing but initialize and ping before it was started', async () => {
    const server = new RawServer(world);
    servers.push(server);
    expect((await server.ask(1, 'tools/list')).error).toEqual({ code: -32600, message: 'Send "initialize" first.' });
    expect((await server.ask(2, 'ping')).result).toEqual({});
    await server.initialize();
    expect((await server.ask(3, 'tools/list')).result).toHaveProperty('tools');
  });

  it.each([
    ['no JSON', '{"jsonrpc":', -32700],
    ['words', 'hello', -32700],
    ['a list', '[]', -32600],
    ['a batch', '[{"jsonrpc":"2.0","id":1,"method":"ping"}]', -32600],
    ['a number', '7', -32600],
    ['null', 'null', -32600],
    ['another version', '{"jsonrpc":"1.0","id":null,"method":"ping"}', -32600],
    ['an id that is an object', '{"jsonrpc":"2.0","id":{},"method":"ping"}', -32600],
    ['an id beyond whole numbers', '{"jsonrpc":"2.0","id":1e300,"method":"ping"}', -32600],
    ['an id of a megabyte', `{"jsonrpc":"2.0","id":"${'i'.repeat(1_000_000)}","method":"ping"}`, -32600],
    ['a method that is a list', '{"jsonrpc":"2.0","id":null,"method":[]}', -32600],
    ['deep nesting', `${'['.repeat(100_000)}${']'.repeat(100_000)}`, -32600],
    ['bytes that are no UTF-8', '\ufffd\ufffe', -32700],
  ])('answers %s with an error, and what follows', async (_what, line, code) => {
    const before = shared.lines.length;
    shared.send(line);
    const { error } = await shared.answer((message) => message.error !== undefined, before);
    expect(error?.code).toBe(code);
    expect(error?.message.length).toBeLessThan(200);
    expect((await shared.ask('next', 'ping')).result).toEqual({});
  });

  it.each([
    ['tools/call', undefined],
    ['tools/call', { name: 7 }],
    ['tools/call', []],
    ['tools/call', { name: 'repo_map', arguments: [] }],
    ['tools/call', { name: 'repo_map', arguments: null }],
    ['tools/call', { name: 'repo_map', arguments: 'text' }],
    ['initialize', undefined],
    ['initialize', {}],
    ['tools/call', { name: '__proto__', arguments: {} }],
    ['prompts/get', { name: 'constructor' }],
    ['prompts/get', { name: 'context_for_task', arguments: { task: 7 } }],
    ['prompts/get', { name: 'context_for_task', arguments: { task: 't'.repeat(30_000) } }],
    ['resources/read', {}],
    ['resources/read', { uri: ['context-budget://index'] }],
    ['resources/subscribe', { uri: 'context-budget://none' }],
    ['logging/setLevel', { level: 'loud' }],
    ['no/such/method', {}],
    ['tools/call', { name: 'context_detail', arguments: { handles: { length: 1e9 } } }],
  ])('refuses %s with %j in words', async (method, params) => {
    const { error, result } = await shared.ask('asked', method, params);
    const told = error?.message ?? JSON.stringify(result);
    if (error) expect([-32600, -32601, -32602, -32002]).toContain(error.code);
    else expect(result).toMatchObject({ isError: true });
    expect(error?.message ?? '').not.toMatch(/[{}[\]]/u);
    expect(told.length).toBeLessThan(1500);
    expect(told).not.toContain(world.base);
    expect((await shared.ask('next', 'ping')).result).toEqual({});
  });

  it('takes a deep argument for what it is: a wrong one', async () => {
    const deep = `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`;
    shared.send(
      `{"jsonrpc":"2.0","id":9,"method":"tools/call","params":{"name":"context_index","arguments":{"query":${deep}}}}`,
    );
    expect((await shared.answer(({ id }) => id === 9)).result).toMatchObject({ isError: true });
  });

  it('passes over a line that is too long, and notifications that mean nothing', async () => {
    const sent = shared.lines.length;
    shared.send('x'.repeat(MAX_MESSAGE_BYTES + 1));
    const { error } = await shared.answer((message) => message.error !== undefined, sent);
    expect(error).toEqual({ code: -32600, message: `A message has at most ${MAX_MESSAGE_BYTES} bytes.` });
    const before = shared.lines.length;
    shared.send(
      { jsonrpc: '2.0', method: 'notifications/none', params: { a: 1 } },
      { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'never asked' } },
      { jsonrpc: '2.0', method: 'notifications/cancelled', params: 'garbage' },
      { jsonrpc: '2.0', method: 7 },
      { jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken: 'none', progress: 1 } },
      '',
      '   ',
    );
    await shared.ask('next', 'ping');
    expect(shared.lines.length).toBe(before + 1);
  });

  it('does not answer a request that was cancelled', async () => {
    const server = await start();
    const call = { name: 'repo_map', arguments: {} };
    server.send(
      { jsonrpc: '2.0', id: 'gone', method: 'tools/call', params: call },
      { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'gone' } },
    );
    expect((await server.ask('kept', 'tools/call', call)).result).toHaveProperty('content');
    expect(server.messages.some(({ id }) => id === 'gone')).toBe(false);
  });

  it('writes nothing to stdout but messages, whatever the folder does', async () => {
    const command = [process.execPath, '-e', "console.log('printed'); console.error('complained'); process.exit(3)"];
    world.write('.context-budget/config.json', JSON.stringify({ version: 1, sections: [{ id: 'loud', command }] }));
    const server = await start(['--trust', '--verbose']);
    expect((await server.ask(1, 'tools/call', { name: 'context_budget' })).result).toHaveProperty('content');
    expect(await server.end()).toBe(0);
    for (const message of server.messages) expect(message).toMatchObject({ jsonrpc: '2.0' });
    world.write('.context-budget/config.json', '{"version":1}');
  });

  it('ends with exit code 0 when stdin ends, with answers under way given', async () => {
    const server = await start();
    server.send({ jsonrpc: '2.0', id: 5, method: 'tools/list' });
    expect(await server.end()).toBe(0);
    expect(server.messages.some(({ id }) => id === 5)).toBe(true);
  });

  it.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)('ends on %s while it works', async (signal) => {
    const server = await start();
    server.send({ jsonrpc: '2.0', id: 5, method: 'tools/call', params: { name: 'repo_map', arguments: {} } });
    server.child.kill(signal);
    await server.exited;
    await whenGone(server.child.pid!);
  });

  it('ends when nobody reads its answers any more', async () => {
    const server = await start();
    server.child.stdout!.destroy();
    for (let id = 0; id < 50; id++) server.child.stdin!.write(`{"jsonrpc":"2.0","id":${id},"method":"tools/list"}\n`);
    server.child.stdin!.on('error', () => undefined);
    await server.exited;
  });

  it.skipIf(process.platform === 'win32')('ends with its parent, though the pipe to it stays open', async () => {
    const pipe = path.join(world.base, 'pipe');
    execFileSync('mkfifo', [pipe]);
    // Opened for both ends, so that it has a writer as long as this test runs.
    const held = openSync(pipe, 'r+');
    const started = `const { spawn } = require('node:child_process');
        const child = spawn(process.execPath, ${JSON.stringify(world.argv())}, { stdio: [0, 1, 'ignore'] });
        console.log(child.pid); setInterval(() => undefined, 1000);`;
    const parent = spawn(process.execPath, ['-e', started], { env: world.env, stdio: [held, 'pipe', 'ignore'] });
    const lines = createInterface({ input: parent.stdout! })[Symbol.asyncIterator]();
    const pid = Number((await lines.next()).value);
    writeSync(held, '{"jsonrpc":"2.0","id":1,"method":"ping"}\n');
    expect((await lines.next()).value).toContain('"result":{}');
    parent.kill('SIGKILL');
    await whenGone(pid);
  });
});
