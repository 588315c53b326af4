import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  MCP_CLIENTS,
  type McpClient,
  McpConfigError,
  mcpClient,
  shellArgument,
} from '../../../../../src/core/setup/mcpConfig/mcpClient';
import {
  installServer,
  isFolderClient,
  mcpConfigText,
  mcpServerName,
} from '../../../../../src/core/setup/mcpConfig/mcpConfigText';

/** Paths that need quoting, of each system. */
const POSIX = { script: "/home/ann/it's a place/context-budget.cjs", root: '/home/ann/pro ject "x" $HOME' };
const WINDOWS = { script: 'C:\\Users\\Ann Li\\context-budget.cjs', root: 'C:\\work\\shop' };
const ARGS = [POSIX.script, 'mcp', '--root', POSIX.root];

/** Where each form in JSON has the server. */
const PATHS: Readonly<Record<Exclude<McpClient['form'], 'shell' | 'toml'>, string>> = {
  plain: 'mcpServers',
  typed: 'mcpServers',
  cline: 'mcpServers',
  servers: 'servers',
  zed: 'context_servers',
  opencode: 'mcp',
};

function named(id: string): McpClient {
  const client = mcpClient(id);
  if (!client) throw new Error(`no client ${id}`);
  return client;
}

function serverOf(client: McpClient, served: typeof POSIX): Record<string, unknown> {
  if (client.form === 'shell' || client.form === 'toml') throw new Error(`${client.id} has no JSON`);
  return JSON.parse(mcpConfigText(client, served))[PATHS[client.form]][mcpServerName(client, served.root)];
}

describe('mcpConfigText', () => {
  it('gives every client but Codex and a shell JSON whose server is started with the same arguments', () => {
    const inJson = MCP_CLIENTS.filter(({ form }) => form !== 'shell' && form !== 'toml');
    expect(new Set(inJson.map(({ form }) => form))).toEqual(new Set(Object.keys(PATHS)));
    for (const client of inJson) {
      const { command, args } = serverOf(client, POSIX);
      const line = client.form === 'opencode' ? command : [command, ...(args as string[])];
      expect(line, client.id).toEqual(['node', ...ARGS]);
    }
  });

  it('says what each client wants besides', () => {
    for (const id of ['claude-code-json', 'cursor', 'vscode'])
      expect(serverOf(named(id), POSIX)).toMatchObject({ type: 'stdio' });
    expect(serverOf(named('opencode'), POSIX)).toMatchObject({ type: 'local', enabled: true });
    expect(serverOf(named('cline'), POSIX)).toMatchObject({ disabled: false, autoApprove: [] });
    expect(serverOf(named('zed'), POSIX)).toMatchObject({ env: {} });
  });

  it('gives Codex a table of TOML', () => {
    expect(mcpConfigText(named('codex'), WINDOWS)).toBe(
      '[mcp_servers.context-budget]\ncommand = "node"\n' +
        'args = ["C:\\\\Users\\\\Ann Li\\\\context-budget.cjs", "mcp", "--root", "C:\\\\work\\\\shop"]\n',
    );
  });

  it('gives Claude Code a line for a shell', () => {
    expect(mcpConfigText(named('claude-code'), { script: '/opt/cli.js', root: '/work' })).toBe(
      'claude mcp add context-budget -- node /opt/cli.js mcp --root /work\n',
    );
    expect(mcpConfigText(named('claude-code'), WINDOWS)).toBe(
      'claude mcp add context-budget -- node "C:\\Users\\Ann Li\\context-budget.cjs" mcp --root C:\\work\\shop\n',
    );
  });

  it('lets commands run only where it is told to', () => {
    for (const client of MCP_CLIENTS) {
      expect(mcpConfigText(client, POSIX), client.id).not.toContain('--trust');
      expect(mcpConfigText(client, { ...POSIX, isTrusted: true }), client.id).toContain('--trust');
    }
  });

  it('names the folder where one list holds the servers of all folders', () => {
    expect(mcpServerName(named('windsurf'), 'C:\\work\\My Shop\\')).toBe('context-budget-my-shop');
    expect(mcpServerName(named('cline'), '/work/目录')).toBe('context-budget');
    expect(mcpServerName(named('cursor'), '/work/shop')).toBe('context-budget');
    expect(mcpServerName(named('cline'), `/work/${'x'.repeat(80)}`).length).toBeLessThanOrEqual(39);
  });

  it('knows its clients by name', () => {
    for (const client of MCP_CLIENTS) {
      expect(mcpClient(client.id)).toBe(client);
      expect(client.place, client.id).not.toBe('');
    }
    expect(new Set(MCP_CLIENTS.map(({ id }) => id)).size).toBe(MCP_CLIENTS.length);
    expect(mcpClient('emacs')).toBeUndefined();
  });

  it('offers what most people have first, and the form that every client takes last', () => {
    const ids = MCP_CLIENTS.map(({ id }) => id);
    expect(ids.slice(0, 5)).toEqual(['claude-code', 'claude-code-json', 'codex', 'cursor', 'vscode']);
    expect(ids.at(-1)).toBe('generic');
  });
});

describe('shellArgument', () => {
  /** What a real `sh` makes of the line. */
  function argumentsBySh(line: string): readonly string[] {
    return execFileSync('sh', ['-c', `printf '%s\\0' ${line}`], { encoding: 'utf8' })
      .split('\0')
      .slice(0, -1);
  }

  it('is read by sh as it was', () => {
    const texts = fc.array(
      fc.string({ unit: fc.constantFrom(...'ab \'"$`\\!*?#~;&|<>(){}[]%é目'), minLength: 1, maxLength: 12 }),
      { minLength: 30, maxLength: 30 },
    );
    fc.assert(
      fc.property(texts, (given) => {
        expect(argumentsBySh(given.map((text) => shellArgument(text, false)).join(' '))).toEqual(given);
      }),
      { numRuns: 10 },
    );
  });

  it('refuses what a shell of Windows would read as something else, and control characters', () => {
    for (const path of ['C:\\a%PATH%', 'C:\\a"b', 'C:\\$x', 'C:\\a`b', 'C:\\a!b'])
      expect(() => shellArgument(path, true), path).toThrow(McpConfigError);
    expect(() => shellArgument('/a\nb', false)).toThrow(McpConfigError);
  });

  it('keeps a backslash at the end from taking the quote along', () => {
    expect(shellArgument('C:\\my folder\\', true)).toBe('"C:\\my folder\\\\"');
  });
});

describe('installServer', () => {
  const FILES = MCP_CLIENTS.filter(isFolderClient);

  it('is for the clients whose list is a file of the folder', () => {
    expect(FILES.map(({ place }) => place)).toEqual([
      '.mcp.json',
      '.codex/config.toml',
      '.cursor/mcp.json',
      '.vscode/mcp.json',
      '.zed/settings.json',
      '.gemini/settings.json',
      'opencode.json',
    ]);
  });

  it.each(FILES.map((client) => [client.id, client] as const))('of %s changes nothing the second time', (_, client) => {
    const made = installServer(undefined, client, POSIX);
    expect(made).toBe(mcpConfigText(client, POSIX));
    expect(installServer(made, client, POSIX)).toBe(made);
    const moved = installServer(made, client, { ...POSIX, root: '/elsewhere' });
    expect(moved).toBe(mcpConfigText(client, { ...POSIX, root: '/elsewhere' }));
  });

  it('keeps what else a JSON file holds, comments and order', () => {
    const before = '{\n  // mine\n  "mcpServers": { "other": { "command": "x" } },\n  "z": 1 // last\n}\n';
    const after = installServer(before, named('cursor'), POSIX);
    expect(after.startsWith('{\n  // mine\n  "mcpServers": { "other": { "command": "x" }')).toBe(true);
    expect(after.endsWith('  "z": 1 // last\n}\n')).toBe(true);
    expect(after).toContain('"context-budget": {');
    expect(installServer('{"a":1}', named('zed'), POSIX)).toMatch(/^\{"a":1,\s+"context_servers": \{/);
    expect(() => installServer('{"mcpServers": []}', named('cursor'), POSIX)).toThrow(/must be an object/);
    expect(() => installServer('{', named('cursor'), POSIX)).toThrow(/mcp\.json, line 1/);
  });

  it('puts its table at the end of a TOML file, or in the place of its own', () => {
    const codex = named('codex');
    const table = mcpConfigText(codex, POSIX);
    const before = 'model = "x"\n\n[mcp_servers.other]\ncommand = "y"';
    const after = installServer(before, codex, POSIX);
    expect(after).toBe(`${before}\n\n${table}`);
    const old = 'a = 1\n[mcp_servers.context-budget]\ncommand = "old"\nargs = []\n\n# of b\n[b]\nc = 1\n';
    expect(installServer(old, codex, POSIX)).toBe(`a = 1\n${table}\n# of b\n[b]\nc = 1\n`);
    expect(installServer(`${table}\n[b]\n`, codex, POSIX)).toBe(`${table}\n[b]\n`);
    expect(installServer('x = 1\r\n', codex, POSIX)).toBe(`x = 1\r\n\r\n${table.replaceAll('\n', '\r\n')}`);
    expect(() => installServer('mcp_servers = { a = {} }\n', codex, POSIX)).toThrow(/manually/);
  });
});
