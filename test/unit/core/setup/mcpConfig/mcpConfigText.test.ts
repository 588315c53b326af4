import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  isMcpClient,
  MCP_CLIENT_FACTS,
  MCP_CLIENTS,
  type McpClient,
} from '../../../../../src/core/setup/mcpConfig/mcpClient';
import { mcpConfigText, mcpServerName } from '../../../../../src/core/setup/mcpConfig/mcpConfigText';
import { McpConfigError, shellArgument } from '../../../../../src/core/setup/mcpConfig/shellArgument';

/** Paths that need quoting, of each system. */
const POSIX = { script: "/home/ann/it's a place/context-budget.cjs", root: '/home/ann/pro ject "x" $HOME' };
const WINDOWS = { script: 'C:\\Users\\Ann Li\\context-budget.cjs', root: 'C:\\work\\shop' };
const ARGS = [POSIX.script, 'mcp', '--root', POSIX.root];

/** Where each form in JSON has the server. */
const PATHS: Readonly<Partial<Record<McpClient, readonly string[]>>> = {
  'claude-code-json': ['mcpServers'],
  cursor: ['mcpServers'],
  vscode: ['servers'],
  windsurf: ['mcpServers'],
  cline: ['mcpServers'],
  zed: ['context_servers'],
  'gemini-cli': ['mcpServers'],
  opencode: ['mcp'],
  generic: ['mcpServers'],
};

function serverOf(client: McpClient, served: typeof POSIX): Record<string, unknown> {
  let value = JSON.parse(mcpConfigText(client, served));
  for (const key of PATHS[client] ?? []) value = value[key];
  return value[mcpServerName(client, served.root)];
}

describe('mcpConfigText', () => {
  it('gives every client but Codex and a shell JSON whose server is started with the same arguments', () => {
    expect([...Object.keys(PATHS), 'claude-code', 'codex'].sort()).toEqual([...MCP_CLIENTS].sort());
    for (const client of MCP_CLIENTS.filter((each) => PATHS[each])) {
      const { command, args } = serverOf(client, POSIX);
      const line = client === 'opencode' ? command : [command, ...(args as string[])];
      expect(line, client).toEqual(['node', ...ARGS]);
    }
  });

  it('says what each client wants besides', () => {
    for (const client of ['claude-code-json', 'cursor', 'vscode'] as const)
      expect(serverOf(client, POSIX)).toMatchObject({ type: 'stdio' });
    expect(serverOf('opencode', POSIX)).toMatchObject({ type: 'local', enabled: true });
    expect(serverOf('cline', POSIX)).toMatchObject({ disabled: false, autoApprove: [] });
    expect(serverOf('zed', POSIX)).toMatchObject({ env: {} });
  });

  it('gives Codex a table of TOML', () => {
    expect(mcpConfigText('codex', WINDOWS)).toBe(
      '[mcp_servers.context-budget]\ncommand = "node"\n' +
        'args = ["C:\\\\Users\\\\Ann Li\\\\context-budget.cjs", "mcp", "--root", "C:\\\\work\\\\shop"]\n',
    );
  });

  it('gives Claude Code a line for a shell', () => {
    expect(mcpConfigText('claude-code', { script: '/opt/cli.js', root: '/work' })).toBe(
      'claude mcp add context-budget -- node /opt/cli.js mcp --root /work\n',
    );
    expect(mcpConfigText('claude-code', WINDOWS)).toBe(
      'claude mcp add context-budget -- node "C:\\Users\\Ann Li\\context-budget.cjs" mcp --root C:\\work\\shop\n',
    );
  });

  it('lets commands run only where it is told to', () => {
    for (const client of MCP_CLIENTS) {
      expect(mcpConfigText(client, POSIX), client).not.toContain('--trust');
      expect(mcpConfigText(client, { ...POSIX, isTrusted: true }), client).toContain('--trust');
    }
  });

  it('names the folder where one list holds the servers of all folders', () => {
    expect(mcpServerName('windsurf', 'C:\\work\\My Shop\\')).toBe('context-budget-my-shop');
    expect(mcpServerName('cline', '/work/目录')).toBe('context-budget');
    expect(mcpServerName('cursor', '/work/shop')).toBe('context-budget');
    expect(mcpServerName('cline', `/work/${'x'.repeat(80)}`).length).toBeLessThanOrEqual(39);
  });

  it('knows its clients by name', () => {
    for (const client of MCP_CLIENTS) {
      expect(isMcpClient(client)).toBe(true);
      expect(MCP_CLIENT_FACTS[client].place, client).not.toBe('');
    }
    expect(isMcpClient('emacs')).toBe(false);
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
