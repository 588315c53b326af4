import * as assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { rm } from 'node:fs/promises';
import * as path from 'node:path';
import { createInterface } from 'node:readline';
import * as vscode from 'vscode';
import { CONTEXT_TOOLS } from '../../src/core/tools/toolCatalog';
import { answering } from './hooks.test';
import { clipboardAfter, closeEditors, EXTENSION_ID, exists, extensionApi, readText, root, until } from './support';

const TOOL_NAMES = CONTEXT_TOOLS.map(({ name }) => name);

/** A server as an agent starts it: without a shell, and told nothing but what its list of servers says. */
class Started {
  readonly #child: ChildProcess;
  readonly #lines: AsyncIterator<string>;
  #id = 0;

  constructor(command: string, args: readonly string[], env: NodeJS.ProcessEnv) {
    this.#child = spawn(command, [...args], { env, stdio: ['pipe', 'pipe', 'inherit'] });
    const { stdout } = this.#child;
    assert.ok(stdout);
    this.#lines = createInterface({ input: stdout })[Symbol.asyncIterator]();
  }

  notify(method: string): void {
    this.#child.stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', method })}\n`);
  }

  async request(method: string, params: object): Promise<Record<string, unknown>> {
    const id = ++this.#id;
    this.#child.stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    for (;;) {
      const { value, done } = await this.#lines.next();
      assert.ok(!done, 'the server still runs');
      const message = JSON.parse(value) as { readonly id?: number; readonly result?: Record<string, unknown> };
      if (message.id === id) return message.result ?? assert.fail(value);
    }
  }

  async open(): Promise<void> {
    const clientInfo = { name: 'test', version: '1.0.0' };
    await this.request('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo });
    this.notify('notifications/initialized');
  }

  async toolNames(): Promise<readonly string[]> {
    const { tools } = await this.request('tools/list', {});
    return (tools as readonly { readonly name: string }[]).map(({ name }) => name);
  }

  /** Ends the input, as a client does that goes; resolves with the exit code. */
  end(): Promise<number | null> {
    const ended = new Promise<number | null>((resolve) => this.#child.on('exit', resolve));
    this.#child.stdin?.end();
    return ended;
  }
}

function settings(): vscode.WorkspaceConfiguration {
  return vscode.workspace.getConfiguration('contextBudget');
}

async function set(name: string, value: boolean | undefined): Promise<void> {
  await settings().update(name, value, vscode.ConfigurationTarget.Global);
}

/** The MCP server as the editor and other agents are told of it, and the skill; on hosts with processes. */
export function mcpServerTests(): void {
  suite('the MCP server', () => {
    teardown(async () => {
      await set('mcp.enabled', undefined);
      await set('mcp.trust', undefined);
      await closeEditors();
    });

    test('is offered where a setting says so', async () => {
      const api = await extensionApi();
      assert.deepEqual(api.mcpServers(), []);
      await set('mcp.enabled', true);
      assert.equal(api.mcpServers().length, 1);
      await set('mcp.enabled', false);
      assert.deepEqual(api.mcpServers(), []);
    });

    test('is started by what the editor is offered, without a Node on the PATH', async () => {
      await set('mcp.enabled', true);
      const [server] = (await extensionApi()).mcpServers();
      assert.ok(server);
      assert.equal(server.label, 'Context Budget');
      assert.equal(server.command, process.execPath);
      assert.equal(server.cwd?.fsPath, root());
      assert.equal(server.version, vscode.extensions.getExtension(EXTENSION_ID)?.packageJSON.version);
      const own = Object.fromEntries(Object.entries(server.env).map(([name, value]) => [name, String(value)]));
      const started = new Started(server.command, server.args, { ...process.env, ...own, PATH: '' });
      await started.open();
      assert.deepEqual(await started.toolNames(), TOOL_NAMES);
      const { content } = await started.request('tools/call', {
        name: 'repo_map',
        arguments: { query: 'orders with wrong prices', budget: 256 },
      });
      assert.match(JSON.stringify(content), /src\/(?:prices|orders)\.ts/);
      assert.equal(await started.end(), 0);
    });

    test('runs command sections only where a setting says so', async () => {
      await set('mcp.enabled', true);
      const args = async () => (await extensionApi()).mcpServers()[0]?.args ?? [];
      assert.ok(!(await args()).includes('--trust'));
      await set('mcp.trust', true);
      assert.ok((await args()).includes('--trust'));
      assert.ok(!(await args()).includes('--no-write'), 'the folder is trusted, so it records');
    });

    test('is started by the configuration that is copied for other clients', async () => {
      const text = await clipboardAfter('contextBudget.connectAgent', ['mcp:generic']);
      // The note stays for seconds only.
      const note = (await extensionApi()).statusBar().text;
      assert.match(
        note,
        /^\$\(check\) Copied the server for mcpServers: mcp\.json; the server answers with \d+ tools, /,
      );
      const { mcpServers } = JSON.parse(text) as {
        readonly mcpServers: Readonly<Record<string, { readonly command: string; readonly args: readonly string[] }>>;
      };
      const server = mcpServers['context-budget'];
      assert.ok(server && server.command === 'node');
      const [launcher] = server.args;
      assert.deepEqual(server.args, [launcher, 'mcp', '--root', root()]);
      assert.ok(!launcher?.startsWith(vscode.extensions.getExtension(EXTENSION_ID)?.extensionPath ?? ''), launcher);
      const started = new Started(process.execPath, server.args, process.env);
      await started.open();
      assert.deepEqual(await started.toolNames(), TOOL_NAMES);
      assert.equal(await started.end(), 0);
    });

    test('is copied as a line for a shell, and written into a file of the folder that was shown', async () => {
      const line = await clipboardAfter('contextBudget.connectAgent', ['mcp:claude-code']);
      assert.match(line, /^claude mcp add context-budget -- node \S+context-budget\.cjs mcp --root \S+\n$/);
      const connect = () => vscode.commands.executeCommand('contextBudget.connectAgent', ['mcp:codex']);
      try {
        const [asked] = await answering('Connect', connect);
        assert.equal(asked?.message, 'Create .codex/config.toml?');
        const written = await readText('.codex/config.toml');
        assert.equal(written, asked?.after);
        assert.match(written, /^\[mcp_servers\.context-budget\]\n/);
        assert.match(
          (await extensionApi()).statusBar().text,
          /Connected: \.codex\/config\.toml; the server answers with/,
        );
        assert.deepEqual(await answering('Connect', connect), [], 'nothing to ask the second time');
      } finally {
        await closeEditors();
        await rm(path.join(root(), '.codex'), { recursive: true, force: true });
      }
    });
  });

  suite('the agent skill', () => {
    const target = '.claude/skills/context-budget/SKILL.md';
    const install = () => vscode.commands.executeCommand('contextBudget.connectAgent', [`skill:${target}`]);

    teardown(closeEditors);
    suiteTeardown(() => rm(path.join(root(), '.claude'), { recursive: true, force: true }));

    test('is copied', async () => {
      assert.match(
        await clipboardAfter('contextBudget.connectAgent', ['skill:copy']),
        /^---\nname: context-budget\ndescription: /,
      );
    });

    test('is shown, asked about, and only then written', async () => {
      const skill = await clipboardAfter('contextBudget.connectAgent', ['skill:copy']);
      const [asked] = await answering(undefined, install);
      assert.equal(asked?.message, `Create ${target}?`);
      assert.deepEqual([asked.before, asked.after], ['', skill]);
      assert.ok(!(await exists(target)), 'nothing is written without a yes');
      await answering('Connect', install);
      assert.equal(await readText(target), skill);
      assert.deepEqual(await answering('Connect', install), [], 'nothing to ask the second time');
    });
  });
}

/** The editor's own chat, which starts the server and hands its tools to models. */
export function chatTests(): void {
  suite('the MCP server in the editor’s chat', () => {
    test('is started by the editor, which lists its tools', async () => {
      await extensionApi();
      // As a person does: the setting belongs to the machine, so that it is not read from the settings of the user.
      await set('mcp.enabled', true);
      const start = () => vscode.commands.executeCommand('workbench.mcp.startServer', `${EXTENSION_ID}/Context Budget`);
      const found = () => vscode.lm.tools.map(({ name }) => name).filter((name) => name.startsWith('mcp_'));
      const listed = async () => {
        await start();
        return found().length >= TOOL_NAMES.length && found();
      };
      const { value } = await until('the editor lists the tools', listed);
      const missing = TOOL_NAMES.filter((name) => !value.some((each) => each.endsWith(`_${name}`)));
      assert.deepEqual(missing, [], value.join());
    });
  });
}
