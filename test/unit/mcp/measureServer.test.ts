import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { inEnglish } from '../../../src/core/text/phrase';
import { measureServer as measureForPeople } from '../../../src/mcp/measureServer';
import { isAlive, whenGone } from '../../support/processes';
import { tempFolder } from '../../support/tempFolder';
import { limitMs } from '../../support/until.mjs';

/** A server that does as its argument says; it writes the ids of its processes into `pids`. */
const SERVER = `
const { appendFileSync } = require('node:fs');
const { spawn } = require('node:child_process');
const mode = process.argv[2];
appendFileSync('pids', process.pid + '\\n');
const send = (message) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n');
const tool = (name, more) => ({ name, description: 'x', inputSchema: { type: 'object' }, ...more });
if (mode === 'ignoresEnd') { process.on('SIGTERM', () => {}); process.stdin.on('end', () => {}); setInterval(() => {}, 1000); }
if (mode === 'stderr') setInterval(() => process.stderr.write('e'.repeat(65536)), 1);
if (mode === 'forks') {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { detached: true, stdio: 'ignore' });
  appendFileSync('pids', child.pid + '\\n');
}
if (mode === 'crash') { process.stderr.write('no key given\\n'); process.exit(3); }
if (mode === 'flood') setInterval(() => process.stdout.write('f'.repeat(65536)), 1);
let page = 0;
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined || mode === 'hang' || mode === 'flood') return;
  if (method === 'initialize') {
    const protocolVersion = mode === 'version' ? '1999-01-01' : params.protocolVersion;
    if (mode === 'invalid') return void process.stdout.write('{ "jsonrpc": \\n');
    return send({ id, result: { protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'hostile', version: '1' }, instructions: 'Ask.' } });
  }
  if (mode === 'pages') return send({ id, result: { tools: [tool('t' + page)], nextCursor: String(++page) } });
  if (mode === 'twoPages') return send({ id, result: { tools: [tool('t' + page)], ...(page++ === 0 ? { nextCursor: 'b' } : {}) } });
  if (mode === 'huge') return send({ id, result: { tools: [tool('big', { description: 'h'.repeat(3_000_000) })] } });
  if (mode === 'deep') return process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, result: { tools: [tool('deep', { inputSchema: 0 })] } })
    .replace('"inputSchema":0', '"inputSchema":' + '{"a":'.repeat(100000) + '1' + '}'.repeat(100000)) + '\\n');
  if (mode === 'nameless') return send({ id, result: { tools: [{ description: 'x' }] } });
  return send({ id, result: { tools: [tool('a', { title: 'A', annotations: {}, inputSchema: { $schema: 's', zeta: 1, type: 'object' } })] } });
});
`;

/** With the reason in English. */
async function measureServer(...given: Parameters<typeof measureForPeople>) {
  const answer = await measureForPeople(...given);
  return answer.kind === 'ok' ? answer : { ...answer, reason: inEnglish(answer.reason) };
}

/** Only who never answers is waited for so briefly: another's process may take longer to start. */
const BRIEF_MS = 3000;

async function measure(mode: string) {
  const isSilent = mode === 'hang' || mode === 'invalid';
  const cwd = await tempFolder({ 'server.cjs': SERVER });
  const limits = { timeoutMs: isSilent ? BRIEF_MS : limitMs(), maxBytes: 1_000_000, maxPages: 20 };
  const server = { argv: [process.execPath, 'server.cjs', mode] as const, env: {}, headers: {}, cwd };
  const startedAt = performance.now();
  const answer = await measureServer(server, new AbortController().signal, limits);
  const file = path.join(cwd, 'pids');
  const pids = existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n').map(Number) : [];
  return { answer, pids, tookMs: performance.now() - startedAt };
}

async function expectsReason(mode: string, reason: RegExp) {
  const { answer, pids, tookMs } = await measure(mode);
  expect(answer).toEqual({ kind: 'failed', reason: expect.stringMatching(reason) });
  expect(pids.length).toBeGreaterThan(0);
  for (const pid of pids) await whenGone(pid);
  expect(tookMs).toBeLessThan(limitMs());
}

describe('measureServer', () => {
  it('gives every page as it came, in its order', async () => {
    const one = await measure('fine');
    expect(one.answer).toEqual({
      kind: 'ok',
      server: 'hostile 1',
      instructions: 'Ask.',
      tools: [
        {
          name: 'a',
          description: 'x',
          inputSchema: { $schema: 's', zeta: 1, type: 'object' },
          title: 'A',
          annotations: {},
        },
      ],
    });
    const [tool] = one.answer.kind === 'ok' ? one.answer.tools : [];
    expect(JSON.stringify(tool?.inputSchema)).toBe('{"$schema":"s","zeta":1,"type":"object"}');
    const two = await measure('twoPages');
    expect(two.answer.kind === 'ok' && two.answer.tools.map(({ name }) => name)).toEqual(['t0', 't1']);
    for (const pid of [...one.pids, ...two.pids]) expect(isAlive(pid)).toBe(false);
  });

  it('a server that hangs, or says nothing valid, gets a reason, no figure, and no process stays', async () => {
    await Promise.all([
      expectsReason('hang', /^it did not finish within 3 s/),
      expectsReason('invalid', /^it did not finish within 3 s; it printed lines that are no messages/),
    ]);
  });

  it.each([
    ['flood', /^it printed more than 1,000,000 bytes/],
    ['crash', /^it ended \(exit code 3\) before it answered: no key given/],
    ['pages', /more than 20 pages/],
    ['huge', /^it printed more than 1,000,000 bytes/],
    ['deep', /./],
    ['version', /1999-01-01/],
    ['nameless', /has no name/],
  ])('a server that does %s gets a reason, no figure, and no process stays', expectsReason);

  it.each(['forks', 'ignoresEnd', 'stderr'])(
    'a server that does %s is measured, and no process stays',
    async (mode) => {
      const { answer, pids } = await measure(mode);
      expect(answer.kind === 'ok' && answer.tools.map(({ name }) => name)).toEqual(['a']);
      expect(pids).toHaveLength(mode === 'forks' ? 2 : 1);
      for (const pid of pids) await whenGone(pid);
    },
  );

  it('says why a program cannot be started', async () => {
    const cwd = await tempFolder();
    const server = { argv: ['no-such-program'] as const, env: {}, headers: {}, cwd };
    const answer = await measureServer(server, new AbortController().signal);
    expect(answer).toEqual({ kind: 'failed', reason: 'it could not be started (ENOENT)' });
  });

  it('asks a server by its URL, bounded in bytes', async () => {
    let description = 'small';
    const http = createServer((request, response) => {
      let body = '';
      request.on('data', (chunk) => (body += chunk));
      request.on('end', () => {
        if (request.method !== 'POST') return response.writeHead(405).end();
        const { id, method, params } = JSON.parse(body);
        if (id === undefined) return response.writeHead(202).end();
        const result =
          method === 'initialize'
            ? {
                protocolVersion: params.protocolVersion,
                capabilities: { tools: {} },
                serverInfo: { name: 'web', version: '2' },
              }
            : { tools: [{ name: request.headers['x-key'], description, inputSchema: { type: 'object' } }] };
        return response
          .writeHead(200, { 'content-type': 'application/json' })
          .end(JSON.stringify({ jsonrpc: '2.0', id, result }));
      });
    });
    await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`;
    const server = { url, env: {}, headers: { 'x-key': 'k' }, cwd: await tempFolder() };
    try {
      const answer = await measureServer(server, new AbortController().signal, { timeoutMs: 5000 });
      expect(answer).toMatchObject({ kind: 'ok', server: 'web 2', tools: [{ name: 'k' }] });
      description = 'd'.repeat(100_000);
      const large = await measureServer(server, new AbortController().signal, { timeoutMs: 5000, maxBytes: 50_000 });
      expect(large.kind).toBe('failed');
    } finally {
      http.closeAllConnections();
      http.close();
    }
  });
});
