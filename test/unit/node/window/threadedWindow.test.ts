import path from 'node:path';
import * as esbuild from 'esbuild';
import { beforeAll, describe, expect, it } from 'vitest';
import { ServerMeasurements } from '../../../../src/node/serverMeasurements';
import { readWindowInThread, type WindowJob } from '../../../../src/node/window/threadedWindow';
import { tempFolder } from '../../../support/tempFolder';

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
  };
  const read = (patch: Partial<WindowJob> = {}, count = characters) =>
    readWindowInThread(path.join(root, 'window.js'), { ...job, ...patch }, count);
  return { job, read };
}

describe('the window, read in a thread', () => {
  it('reads the folder alone unless the home folder is wanted', async () => {
    const { read } = await make();
    const idsOf = async (withHome: boolean) => {
      const items = (await read({ withHome }))?.items ?? [];
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
    const before = (await read())?.items.find(({ server }) => server === 'own');
    expect(before?.reason).toBe('not measured; Measure starts it');
    const place = { root: job.root, source: '.mcp.json', name: 'own' };
    const measurement = { server: 'own 1', instructions: '', tools: [{ name: 'do', inputSchema: {} }] };
    await new ServerMeasurements(job.caches).save(place, { ...measurement, commandHash: 'other' });
    const stale = (await read())?.items.find(({ server }) => server === 'own');
    expect(stale?.reason).toBe('measured with another version (own 1); Measure starts it');
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
