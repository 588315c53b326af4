import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { installHooks } from '../../src/core/setup/hooks/installHooks';
import { opencodeDatabase, opencodeRows } from '../support/opencode';
// @ts-expect-error: a script without types
import { NPM_FOLDER, PLUGIN_FOLDER, writeNpmPackage, writePlugin } from '../tools/npmPackage.mjs';

/** Of the unpacked package. */
const MAX_BYTES = 12_000_000;

const place = mkdtempSync(path.join(tmpdir(), 'npm-package-'));
const folder = path.join(place, 'folder');
const env = {
  ...process.env,
  HOME: place,
  XDG_CACHE_HOME: path.join(place, 'cache'),
  npm_config_cache: path.join(place, 'npm'),
};
const npm = (cwd: string, ...args: string[]): string =>
  execFileSync('npm', [...args, '--offline', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd,
    env,
    encoding: 'utf8',
  });
const run = (...args: string[]): string =>
  execFileSync(path.join(folder, 'node_modules/.bin/context-budget'), args, {
    cwd: folder,
    env,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });

let packed: { readonly filename: string; readonly unpackedSize: number };

beforeAll(() => {
  writeNpmPackage();
  mkdirSync(path.join(folder, 'src'), { recursive: true });
  writeFileSync(path.join(folder, 'AGENTS.md'), '# Rules\n\n- Prices are integers.\n');
  writeFileSync(
    path.join(folder, 'src/prices.ts'),
    'export function addPrice(a: number, b: number): number {\n  return a + b;\n}\n',
  );
  [packed] = JSON.parse(npm(NPM_FOLDER, 'pack', '--json', '--ignore-scripts', '--pack-destination', place));
  writeFileSync(path.join(folder, 'package.json'), '{ "private": true }\n');
  npm(folder, 'install', path.join(place, packed.filename));
});
afterAll(() => rmSync(place, { recursive: true, force: true, maxRetries: 5 }));

describe('the packed npm package', () => {
  it('can be published, needs no other package and stays small', () => {
    const manifest = JSON.parse(readFileSync(path.join(folder, 'node_modules/context-budget/package.json'), 'utf8'));
    expect(manifest).toMatchObject({ name: 'context-budget', bin: { 'context-budget': 'dist/cli.js' } });
    for (const key of ['dependencies', 'devDependencies', 'private', 'scripts'])
      expect(manifest).not.toHaveProperty(key);
    expect(packed.unpackedSize).toBeLessThan(MAX_BYTES);
  });

  it('shows budget and map of a folder', () => {
    expect(run('budget')).toContain('AGENTS.md');
    expect(run('map')).toContain('addPrice');
  });

  it("reads an agent's database", async () => {
    const data = path.join(place, 'agents/.local/share/opencode');
    mkdirSync(data, { recursive: true });
    writeFileSync(path.join(data, 'opencode.db'), await opencodeDatabase(opencodeRows(realpathSync(folder))));
    const { sessions, problems } = JSON.parse(run('sessions', '--from', path.join(place, 'agents'), '--json'));
    expect(problems).toEqual([]);
    expect(sessions).toMatchObject([{ agent: 'opencode', requests: 4 }]);
  });

  it('serves MCP', async () => {
    const server = spawn(path.join(folder, 'node_modules/.bin/context-budget'), ['mcp'], { cwd: folder, env });
    try {
      const request = { jsonrpc: '2.0', id: 1, method: 'initialize' };
      const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } };
      server.stdin.write(`${JSON.stringify({ ...request, params })}\n`);
      const [answer] = (await once(server.stdout, 'data')) as [Buffer];
      expect(JSON.parse(answer.toString().split('\n')[0] ?? '')).toMatchObject({ id: 1, result: { serverInfo: {} } });
    } finally {
      const ended = once(server, 'exit');
      server.kill();
      await ended;
    }
  });
});

describe('the plugin folder', () => {
  const read = (file: string) => JSON.parse(readFileSync(path.join(PLUGIN_FOLDER, file), 'utf8'));

  it('has the hooks that Context Budget installs at Claude Code', () => {
    writePlugin();
    const target = { agent: 'claude-code', scope: 'shared', path: '.claude/settings.json' } as const;
    expect(read('claude-hooks.json')).toEqual(JSON.parse(installHooks(undefined, target, { kind: 'package' })));
    expect(read('.claude-plugin/plugin.json').hooks).toBe('./claude-hooks.json');
  });

  it('has the skill, and the same server for both agents', () => {
    const { mcpServers } = read('.mcp.json');
    expect(mcpServers['context-budget'].args.at(-1)).toBe('mcp');
    expect(read('gemini-extension.json')).toMatchObject({ name: 'context-budget', mcpServers });
    expect(readFileSync(path.join(PLUGIN_FOLDER, 'skills/context-budget/SKILL.md'), 'utf8')).toMatch(
      /^---\nname: context-budget/,
    );
  });
});
