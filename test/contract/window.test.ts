import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sharedTokenizer } from '../support/sharedTokenizer';
import { tempFolder } from '../support/tempFolder';
// @ts-expect-error: a script without types
import { ensureBuilt } from '../tools/ensureBuilt.mjs';

const cli = path.resolve(import.meta.dirname, '../../dist/cli.js');

// The built command line with a server of its own: what it measures, keeps, and refuses.
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
let user: string;

beforeEach(async () => {
  user = await tempFolder();
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

function run(...args: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [cli, 'window', '--root', root, '--agent', 'claude-code', '--json', ...args],
    {
      env: {
        ...process.env,
        HOME: user,
        CONTEXT_BUDGET_CACHE_DIR: path.join(user, 'cache'),
        CONTEXT_BUDGET_CONFIG_DIR: path.join(user, 'config'),
      },
      encoding: 'utf8',
    },
  );
  const [agent] = JSON.parse(stdout).agents;
  const mcp = agent.categories.find(({ kind }: { kind: string }) => kind === 'mcp');
  return { status, stderr, items: mcp.items, problems: JSON.parse(stdout).problems };
}

describe('window --measure', () => {
  it('starts a server only in a trusted folder, and counts its tools as the agent sends them', () => {
    const refused = run('--measure', 'db');
    expect(refused.status).toBe(4);
    expect(refused.stderr).not.toContain('Starting');
    expect(refused.items[0]).toMatchObject({ fate: 'unmeasured', reason: expect.stringContaining('not trusted') });

    const { status, stderr, items } = run('--measure', 'db', '--trust');
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

  it('keeps figures until the entry changes, and fails for a server without one', () => {
    expect(run('--measure', 'all', '--trust')).toMatchObject({
      status: 4,
      problems: ['The MCP server "gone" gave no figure'],
    });
    const kept = run();
    expect(kept).toMatchObject({ status: 0 });
    expect(kept.items[0]).toMatchObject({ id: 'mcp:db/find-it', fate: 'listed' });
    configure('server.cjs', 'more');
    expect(run().items[0]).toMatchObject({
      id: 'mcp:db',
      fate: 'unmeasured',
      tokens: 0,
      reason: 'measured with another version (db 1); window --measure starts it',
    });
    expect(run('--measure', 'nobody', '--trust').status).toBe(4);
  });
});
