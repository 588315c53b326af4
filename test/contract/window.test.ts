import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { CliWorld, createEngines } from '../support/cliWorld';
import { sharedTokenizer } from '../support/sharedTokenizer';
import { tempFolder } from '../support/tempFolder';
// @ts-expect-error: a script without types
import { ensureBuilt } from '../tools/ensureBuilt.mjs';

/** Servers are asked by a module of the build, in this process too. */
const product = { root: path.resolve(import.meta.dirname, '../..'), createEngines };
const cli = path.join(product.root, 'dist/cli.js');

// The command line with a server of its own: what it measures, keeps, and refuses. Where the folder is trusted first, it is
// the built one.
beforeAll(() => {
  ensureBuilt();
});

const TOOL = {
  name: 'find-it',
  title: 'Find',
  description: 'Finds it.',
  inputSchema: { $schema: 's', type: 'object', properties: { q: { type: 'string' } } },
};

const SERVER = `
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const result = method === 'initialize'
    ? { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: process.env.NAME, version: '1' } }
    : { tools: [${JSON.stringify(TOOL)}] };
  process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, result }) + '\\n');
});
`;

let root: string;
let world: CliWorld;
let env: NodeJS.ProcessEnv;

beforeEach(async () => {
  world = await CliWorld.create();
  const { config, cache } = world;
  env = { HOME: path.dirname(config), CONTEXT_BUDGET_CONFIG_DIR: config, CONTEXT_BUDGET_CACHE_DIR: cache };
  root = await tempFolder({ 'server.cjs': SERVER });
  configure('server.cjs');
});

function configure(...args: readonly string[]): void {
  const servers = {
    db: { command: process.execPath, args, env: { NAME: ['$', '{SHOWN_NAME:-db}'].join('') } },
    gone: { command: 'no-such' },
  };
  writeFileSync(path.join(root, '.mcp.json'), JSON.stringify({ mcpServers: servers }));
}

const argvOf = (args: readonly string[]) => ['window', '--root', root, '--agent', 'claude-code', '--json', ...args];

function shown(status: number | null, stdout: string, stderr: string) {
  const { agents, problems } = JSON.parse(stdout);
  const mcp = agents[0].categories.find(({ kind }: { kind: string }) => kind === 'mcp');
  return { status, stderr, items: mcp.items, problems };
}

function runBuilt(...args: readonly string[]) {
  const own = { env: { ...process.env, ...env }, encoding: 'utf8' } as const;
  const { status, stdout, stderr } = spawnSync(process.execPath, [cli, ...argvOf(args)], own);
  return shown(status, stdout, stderr);
}

async function run(...args: readonly string[]) {
  const { code, out, err } = await world.run(argvOf(args), { env, product });
  return shown(code, out, err);
}

describe('window --measure', () => {
  it('starts a server only in a trusted folder, and counts its tools as the agent sends them', async () => {
    const refused = await run('--measure', 'db');
    expect(refused.status).toBe(4);
    expect(refused.stderr).not.toContain('Starting');
    expect(refused.items[0]).toMatchObject({ fate: 'unmeasured', reason: expect.stringContaining('not trusted') });

    const { status, stderr, items } = runBuilt('--measure', 'db', '--trust');
    expect(status).toBe(0);
    expect(stderr).toMatch(/Starting MCP server "db" of \.mcp\.json in .*: .*server\.cjs/);
    const { name, description, inputSchema } = TOOL;
    const sent = { name: `mcp__db__${name}`, description, input_schema: inputSchema };
    const tokenizer = sharedTokenizer('o200k_base');
    expect(items[0]).toMatchObject({
      id: 'mcp:db/find-it',
      fate: 'listed',
      tokens: tokenizer.count('mcp__db__find-it\n'),
      tokens_full: tokenizer.count(JSON.stringify(sent)),
      measured: { server: 'db 1', command_hash: expect.stringMatching(/^[0-9a-f]{16}$/) },
    });
  });

  it('keeps figures until the entry changes, and fails for a server without one', async () => {
    expect(await run('--measure', 'all', '--trust')).toMatchObject({
      status: 4,
      problems: ['The MCP server "gone" gave no figure'],
    });
    const kept = await run();
    expect(kept).toMatchObject({ status: 0 });
    expect(kept.items[0]).toMatchObject({ id: 'mcp:db/find-it', fate: 'listed' });
    configure('server.cjs', 'more');
    expect((await run()).items[0]).toMatchObject({
      id: 'mcp:db',
      fate: 'unmeasured',
      tokens: 0,
      reason: 'measured with another version (db 1); window --measure starts it',
    });
    expect((await run('--measure', 'nobody', '--trust')).status).toBe(4);
  });
});
