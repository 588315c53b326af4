import { readFileSync } from 'node:fs';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { tempFolder } from '../node/tempFolder';
import { type CliResult, CliWorld } from './cliWorld';

const TABLE = readFileSync('test/fixtures/workspaceGrammar/toml.json', 'utf8');
const WASM = readFileSync('node_modules/@tree-sitter-grammars/tree-sitter-toml/tree-sitter-toml.wasm');
const CONFIG = JSON.stringify({ version: 1, repo_map: { grammars: ['g/toml.json'] } });
const TOML = '# What it is called.\n[package]\nname = "x" # "[no]"\n\n[[tool.bin]]\npath = "y"\n';

let world: CliWorld;
beforeEach(async () => {
  world = await CliWorld.create();
});

const BARE = { 'settings.toml': TOML, 'lib.ts': 'export function serve() {}\n', '.context-budget/config.json': CONFIG };
const WHOLE = { ...BARE, 'g/toml.json': TABLE, 'g/wasm/tree-sitter-toml.wasm': WASM };

const map = (root: string, ...argv: readonly string[]): Promise<CliResult> =>
  world.run(['map', '--budget', '2000', '--query', 'package serve bin', ...argv], { cwd: root });

describe("a workspace's own grammar", () => {
  it('gives symbols with signatures and docs once the folder is trusted, and not before', async () => {
    const root = await tempFolder(WHOLE);
    const before = await map(root);
    expect(before).toMatchObject({ code: 0 });
    expect(before.out).toContain('serve');
    expect(before.out).not.toContain('[package]');
    expect(before.err).toMatch(/g\/toml\.json was not loaded, because the folder is not trusted.*context-budget trust/);
    await world.run(['trust', '--root', root]);
    const after = await map(root);
    expect(after).toMatchObject({ code: 0, err: '' });
    expect(after.out).toMatch(/settings\.toml\n {2}2 \[package\]\n/);
    expect(after.out).toMatch(/ {2}5 \[\[tool\.bin\]\]\n/);
  });

  it('makes other facts after every change, with the cache of the run before', async () => {
    const root = await tempFolder(WHOLE);
    await map(root);
    expect((await map(root, '--trust')).out).toContain('[package]');
    const kinds = async () =>
      JSON.parse((await map(root, '--trust', '--json')).out)
        .repo_map.items.flatMap((item: { symbols: readonly { kind: string; name: string }[] }) => item.symbols)
        .find((symbol: { name: string }) => symbol.name === 'package')?.kind;
    expect(await kinds()).toBe('namespace');
    await writeFile(path.join(root, 'g/toml.json'), TABLE.replace('"namespace"', '"struct"'));
    expect(await kinds()).toBe('struct');
    await writeFile(path.join(root, 'g/toml.json'), TABLE);
    expect(await kinds()).toBe('namespace');
    expect((await map(root)).out).not.toContain('[package]');
  });

  it('wins over the product for an extension that both claim', async () => {
    const table = TABLE.replace('[".toml"]', '[".ts"]');
    const root = await tempFolder({ ...WHOLE, 'g/toml.json': table, 'lib.ts': '[serve]\na = 1\n' });
    expect((await map(root, '--trust')).out).toContain('[serve]');
  });

  it.each([
    ['cut', WASM.subarray(0, WASM.length / 2)],
    [
      'for another symbol',
      Uint8Array.from([0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0, 0, 13, 8, ...Buffer.from('dylink.0'), 1, 2, 0, 0]),
    ],
  ])('that is %s leaves all other files with their symbols, and says why', async (_, wasm) => {
    const root = await tempFolder({ ...WHOLE, 'g/wasm/tree-sitter-toml.wasm': wasm });
    const result = await map(root, '--trust');
    expect(result.code).toBe(0);
    expect(result.out).toContain('serve');
    expect(result.err).toMatch(
      /g\/toml\.json: g\/wasm\/tree-sitter-toml\.wasm does not load: \S.*goes on without it\./,
    );
  });

  it('is not read through a link that leads out of the folder', async () => {
    const outside = await tempFolder({ 'tree-sitter-toml.wasm': WASM });
    const root = await tempFolder({ ...BARE, 'g/toml.json': TABLE });
    await mkdir(path.join(root, 'g/wasm'));
    await symlink(path.join(outside, 'tree-sitter-toml.wasm'), path.join(root, 'g/wasm/tree-sitter-toml.wasm'));
    const result = await map(root, '--trust');
    expect(result.err).toMatch(/tree-sitter-toml\.wasm could not be read: it leads out of the folder/);
    expect(result.out).toContain('serve');
  });

  it('that names nodes the grammar does not have says so', async () => {
    const root = await tempFolder({ ...WHOLE, 'g/toml.json': TABLE.replace('"pair"]', '"pear"]') });
    expect((await map(root, '--trust')).err).toMatch(/does not have: pear\./);
  });
});
