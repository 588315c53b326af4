// A case through the MCP server, as a user's agent starts it: every list, every tool, every resource and prompt.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { CLI } from './cliHost.mjs';
import { endLeftovers, watch } from './processes.mjs';

/** Handles and addresses that lead out, whatever the folder is. */
const HOSTILE_HANDLES = [
  'file:../outside/diary.md',
  'file:/etc/hostname',
  'section:../outside',
  'sym:../outside/diary.md:x',
];
const HOSTILE_URIS = ['file:///etc/hostname', 'context-budget://section/../../outside', 'context-budget://file/.env'];

/** A server is asked some thirty questions; together they may take so many times what a command may. */
const DEADLINES = 3;

/** How long a server may take to go once its client is gone. */
const GOODBYE_MS = 10_000;

/** A server, spoken to line by line. */
class Server {
  #child;
  #answers = new Map();
  #next = 1;
  output = '';

  constructor(folder, attack) {
    // What an editor starts it says itself; a user's agent starts ours in the folder.
    const { command, args, env } = attack.server ?? { command: process.execPath, args: [CLI, 'mcp'] };
    this.#child = spawn(command, args, {
      cwd: attack.cwd === undefined ? folder.root : folder.at(attack.cwd),
      env: folder.environment({ ...attack.env?.(folder), ...env }),
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    this.#child.stdin.on('error', () => this.#child.stdin.destroy());
    this.#child.stderr.setEncoding('utf8').on('data', (text) => {
      this.output += text;
    });
    createInterface({ input: this.#child.stdout }).on('line', (line) => this.#hear(line));
    this.exited = new Promise((resolve) => this.#child.once('exit', resolve));
  }

  get child() {
    return this.#child;
  }

  #hear(line) {
    // Unescaped too: a secret is one however it is written down.
    this.output += `${line}\n`;
    const message = JSON.parse(line);
    this.#answers.get(message.id)?.(message);
  }

  /** The answer to a request; undefined when the server ended before. */
  ask(method, params = {}) {
    const id = this.#next++;
    this.#child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    return Promise.race([new Promise((resolve) => this.#answers.set(id, resolve)), this.exited.then(() => undefined)]);
  }

  tell(method) {
    this.#child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', method })}\n`);
  }

  end() {
    this.#child.stdin.end();
  }
}

async function initialize(server) {
  const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'attack', version: '1' } };
  await server.ask('initialize', params);
  server.tell('notifications/initialized');
}

async function askEverything(server, attack, folder) {
  const tool = (name, args = {}) => server.ask('tools/call', { name, arguments: args });
  await server.ask('tools/list');
  await tool('context_index');
  await tool('context_budget');
  await tool('repo_map', { query: 'where is the price made', focus: ['src', '.env', '../outside'] });
  await tool('context_detail', { handles: ['section:agents-md', 'section:git'] });
  await tool('context_detail', { handles: [...HOSTILE_HANDLES, ...(attack.handles ?? [])] });
  for (const handle of attack.handles ?? []) await tool('context_detail', { handles: [handle] });
  await tool('context_search', { query: 'word' });
  await tool('context_timeline', { task: 'TASK-1' });
  const resources = (await server.ask('resources/list'))?.result?.resources ?? [];
  await server.ask('resources/templates/list');
  for (const uri of [...resources.slice(0, 6).map((each) => each.uri), ...HOSTILE_URIS]) {
    await server.ask('resources/read', { uri });
  }
  const prompts = (await server.ask('prompts/list'))?.result?.prompts ?? [];
  for (const { name } of prompts) await server.ask('prompts/get', { name, arguments: { task: 'prices' } });
  await attack.mcp?.({ tool, ask: (method, params) => server.ask(method, params) }, folder);
  // What was put off until nobody waits is done by now, and once more after a change.
  await new Promise((resolve) => setTimeout(resolve, 300));
  await tool('context_budget');
}

/** Runs the case; what the server says and whether it ends goes to its canaries. */
export async function attackMcp(attack, folder, canaries, { deadlineMs }) {
  const server = new Server(folder, attack);
  const watching = watch(server.child, folder.base, deadlineMs * DEADLINES);
  try {
    await initialize(server);
    await askEverything(server, attack, folder);
    server.end();
    let goodbye;
    const late = new Promise((resolve) => {
      goodbye = setTimeout(() => resolve('late'), GOODBYE_MS);
    });
    if ((await Promise.race([server.exited, late])) === 'late') canaries.hung('the server did not end with its client');
    clearTimeout(goodbye);
  } finally {
    watching.stop();
    if (server.child.exitCode === null) server.child.kill('SIGKILL');
    await server.exited;
  }
  const left = await endLeftovers(folder.base);
  if (watching.why() !== undefined) canaries.hung(watching.why());
  else if (left > 0) canaries.hung(`${left} processes left behind`);
  if (process.env.ATTACK_VERBOSE) console.log(server.output);
  canaries.saw('an answer of the server', server.output);
}
