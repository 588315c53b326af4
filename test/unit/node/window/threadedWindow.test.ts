import { existsSync, readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as esbuild from 'esbuild';
import { beforeAll, describe, expect, it } from 'vitest';
import { inEnglish, phrase } from '../../../../src/core/text/phrase';
import type { ShownStart } from '../../../../src/core/window/loaded/measuring';
import { ServerMeasurements } from '../../../../src/node/serverMeasurements';
import {
  measureInThread,
  readWindowInThread,
  unusedInThread,
  type WindowJob,
} from '../../../../src/node/window/threadedWindow';
import { whenGone } from '../../../support/processes';
import { tempFolder } from '../../../support/tempFolder';
import { until } from '../../../support/until.mjs';

let code: string;

beforeAll(async () => {
  const result = await esbuild.build({
    entryPoints: ['src/node/window/windowThread.ts'],
    bundle: true,
    write: false,
    platform: 'node',
    format: 'cjs',
    mainFields: ['module', 'main'],
  });
  code = result.outputFiles[0]!.text;
});

const characters = async (texts: readonly string[]): Promise<readonly number[]> => texts.map((text) => text.length);

/** A machine with a folder and a home, each with a server and a skill. */
async function make(script = code) {
  const root = await tempFolder({
    'window.js': script,
    'app/.mcp.json': '{"mcpServers": {"own": {"command": "own-server"}}}',
    'app/.claude/skills/one/SKILL.md': '---\nname: one\ndescription: First.\n---\n',
    'home/.claude/CLAUDE.md': 'Be brief.',
    'home/.claude.json': '{"mcpServers": {"mine": {"command": "my-server"}}}',
  });
  const job: WindowJob = {
    root: path.join(root, 'app'),
    home: path.join(root, 'home'),
    withHome: false,
    caches: path.join(root, 'caches'),
    agent: 'claude-code',
    model: undefined,
    coverage: undefined,
    failed: [],
  };
  const read = (patch: Partial<WindowJob> = {}, count = characters) =>
    readWindowInThread(path.join(root, 'window.js'), { ...job, ...patch }, process.env, count);
  return { root, job, read };
}

describe('the window, read in a thread', () => {
  it('reads the folder alone unless the home folder is wanted', async () => {
    const { read } = await make();
    const idsOf = async (withHome: boolean) => {
      const items = (await read({ withHome }))?.window.items ?? [];
      return items.filter(({ kind }) => kind !== 'agent').map(({ id, fate }) => `${id} ${fate}`);
    };
    expect(await idsOf(false)).toEqual(['mcp:own unmeasured', 'skill:one listed']);
    expect(await idsOf(true)).toEqual([
      'file:~/.claude/CLAUDE.md loaded',
      'mcp:own unmeasured',
      'mcp:mine unmeasured',
      'skill:one listed',
    ]);
  });

  it('counts with the host, and takes the figures that were measured of the same command', async () => {
    const { job, read } = await make();
    const before = (await read())?.window.items.find(({ server }) => server === 'own');
    expect(before?.reason).toBe('not measured');
    const place = { root: job.root, source: '.mcp.json', name: 'own' };
    const measurement = { server: 'own 1', instructions: '', tools: [{ name: 'do', inputSchema: {} }] };
    await new ServerMeasurements(job.caches).save(place, { ...measurement, commandHash: 'other' });
    const stale = (await read())?.window.items.find(({ server }) => server === 'own');
    expect(stale?.reason).toBe('measured with another version (own 1)');
    expect(stale?.fate).toBe('unmeasured');
  });

  it('knows nothing of an agent without a row', async () => {
    const { read } = await make();
    expect(await read({ agent: 'copilot-cloud-agent' })).toBeUndefined();
  });

  it('rejects when counting fails, when there is no folder and when the thread is lost', async () => {
    const { job, read } = await make();
    await expect(read({}, () => Promise.reject(new Error('no tokenizer')))).rejects.toThrow('no tokenizer');
    await expect(read({ root: path.join(job.root, 'gone') })).rejects.toThrow('ENOENT');
    const lost = await make('process.exit(3);');
    await expect(lost.read()).rejects.toThrow('code 3');
  });
});

/** A server with one tool that waits for ever where it is told to. */
const SERVER = `
require('node:fs').writeFileSync('pid', String(process.pid));
const send = (message) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n');
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined || process.argv[2] === 'hang') return;
  if (method === 'initialize')
    return send({ id, result: { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'own', version: process.env.OWN_VERSION } } });
  send({ id, result: { tools: [{ name: 'do', inputSchema: { type: 'object' } }] } });
});
`;

describe('a server, measured in a thread', () => {
  let mcpCode: string;

  beforeAll(async () => {
    const { outputFiles } = await esbuild.build({
      entryPoints: ['src/mcp/measureServer.ts'],
      ...{ bundle: true, write: false, platform: 'node', format: 'cjs', mainFields: ['module', 'main'] },
      footer: { js: 'module.exports = { ...module.exports, serve: undefined };' },
    });
    mcpCode = outputFiles[0]!.text;
  });

  async function makeServer(mode: string) {
    const { root, job, read } = await make();
    const productRoot = await tempFolder({ 'dist/mcp.js': mcpCode });
    await writeFile(path.join(job.root, 'server.cjs'), SERVER);
    const own = { command: process.execPath, args: ['server.cjs', mode], env: { OWN_VERSION: '$' + '{VERSION}' } };
    await writeFile(path.join(job.root, '.mcp.json'), JSON.stringify({ mcpServers: { own } }));
    const shown = (await read())!.servers[0]!;
    const measure = (patch: Partial<ShownStart> = {}, signal = new AbortController().signal) => {
      const measured = { ...job, productRoot, shown: { ...shown, ...patch } };
      return measureInThread(path.join(root, 'window.js'), measured, { ...process.env, VERSION: '7' }, signal);
    };
    const item = async (failed: WindowJob['failed'] = []) =>
      (await read({ failed }))?.window.items.find(({ server }) => server === 'own');
    return { job, shown, measure, item, pidFile: path.join(job.root, 'pid') };
  }

  it('is shown by its command line and the names of its variables, and keeps what it told', async () => {
    const { job, shown, measure, item, pidFile } = await makeServer('fine');
    expect(shown).toMatchObject({ name: 'own', source: '.mcp.json', isProgram: true, names: ['OWN_VERSION'] });
    expect(shown.line).toBe(`${process.execPath} server.cjs fine`);
    expect(path.basename(shown.cwd)).toBe(path.basename(job.root));
    expect(await measure()).toBeUndefined();
    expect(await item()).toMatchObject({ id: 'mcp:own/do', fate: 'listed', measured: { server: 'own 7' } });
    await whenGone(Number(readFileSync(pidFile, 'utf8')));
  });

  it('is not started when it is configured otherwise than it was shown', async () => {
    const { measure, pidFile } = await makeServer('fine');
    expect(inEnglish((await measure({ line: 'other' }))!)).toBe('its configuration has changed since');
    expect(existsSync(pidFile)).toBe(false);
  });

  it('says why there is no figure, which counts for the command that it was of', async () => {
    const { measure, item, shown } = await makeServer('hang');
    const ending = new AbortController();
    const measured = measure({}, ending.signal);
    ending.abort();
    expect(inEnglish((await measured)!)).toBe('cancelled');
    const { name, source, commandHash } = shown;
    const reason = phrase('it did not finish within {0} s', 60);
    expect(await item([{ name, source, commandHash, reason }])).toMatchObject({ fate: 'unmeasured', why: reason });
    expect((await item([{ name, source, commandHash: 'other', reason }]))?.reason).toBe('not measured');
  });

  it('is ended with its process when it is cancelled', async () => {
    const { measure, pidFile } = await makeServer('hang');
    const ending = new AbortController();
    const measured = measure({}, ending.signal);
    await until('it runs', () => existsSync(pidFile) && readFileSync(pidFile, 'utf8') !== '');
    ending.abort();
    expect(inEnglish((await measured)!)).toBe('cancelled');
    await whenGone(Number(readFileSync(pidFile, 'utf8')));
  });
});

describe('servers that no session called, read in a thread', () => {
  it('are named once enough sessions of the folder had them', async () => {
    const { root, job } = await make();
    const folder = path.join(job.home, '.claude/projects/app');
    await mkdir(folder, { recursive: true });
    const unused = () => unusedInThread(path.join(root, 'window.js'), job, process.env);
    for (const [at, id] of ['a', 'b', 'c'].entries()) {
      const base = { sessionId: id, cwd: job.root, timestamp: `2026-11-0${at + 1}T10:00:00Z` };
      const records = [
        { ...base, type: 'user', uuid: `${id}1`, message: { role: 'user', content: 'Hi' } },
        {
          ...{ ...base, type: 'attachment', uuid: `${id}2` },
          attachment: { type: 'mcp_instructions_delta', addedNames: ['github', 'db'], addedBlocks: ['Ask.'] },
        },
        {
          ...{ ...base, type: 'assistant', uuid: `${id}3`, requestId: `r${id}` },
          message: {
            ...{
              id: `m${id}`,
              role: 'assistant',
              model: 'claude-opus-5',
              usage: { input_tokens: 9, output_tokens: 1 },
            },
            content: [{ type: 'tool_use', id: `t${id}`, name: 'mcp__db__ask', input: {} }],
          },
        },
      ];
      expect(await unused()).toEqual([]);
      await writeFile(path.join(folder, `${id}.jsonl`), `${records.map((each) => JSON.stringify(each)).join('\n')}\n`);
    }
    expect(await unused()).toEqual(['github']);
  });
});
