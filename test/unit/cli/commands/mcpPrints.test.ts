import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { CliWorld } from '../../../support/cliWorld';
import { tempFolder } from '../../../support/tempFolder';

let world: CliWorld;
beforeEach(async () => {
  world = await CliWorld.create();
});

describe('mcp --print-config', () => {
  it('prints how an agent starts this very program on the folder', async () => {
    const root = await tempFolder();
    const { code, out, err } = await world.run(['mcp', '--print-config', 'vscode', '--root', root]);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    const { command, args } = JSON.parse(out).servers['context-budget'];
    expect(command).toBe('node');
    expect(args.slice(1)).toEqual(['mcp', '--root', root]);
    expect(path.isAbsolute(args[0])).toBe(true);
    expect(args[0].endsWith(path.join('dist', 'cli.js'))).toBe(true);
  });

  it('hands --trust on to the server', async () => {
    const root = await tempFolder();
    const { out } = await world.run(['mcp', '--print-config', 'codex', '--root', root, '--trust']);
    expect(out).toMatch(/^\[mcp_servers\.context-budget\]\n[\s\S]*"--trust"\]\n$/);
  });

  it('hands --no-write on to the server', async () => {
    const root = await tempFolder();
    const { out } = await world.run(['mcp', '--print-config', 'codex', '--root', root, '--no-write']);
    expect(out).toMatch(/^\[mcp_servers\.context-budget\]\n[\s\S]*"--no-write"\]\n$/);
  });

  it('names the clients that it knows', async () => {
    const { code, err } = await world.run(['mcp', '--print-config', 'emacs']);
    expect(code).toBe(2);
    expect(err).toContain('claude-code');
  });
});

describe('mcp --print-skill', () => {
  it('prints the shipped skill', async () => {
    const { code, out } = await world.run(['mcp', '--print-skill'], { product: { root: process.cwd() } });
    expect(code).toBe(0);
    expect(out).toBe(await readFile('media/skills/context-budget/SKILL.md', 'utf8'));
  });
});
