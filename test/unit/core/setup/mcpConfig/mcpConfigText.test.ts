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
import { mcpConfigText, mcpServerName } from '../../../../../src/core/setup/mcpConfig/mcpConfigText';

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
