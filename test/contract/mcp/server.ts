import { type ChildProcess, spawn } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { eventLines } from '../../support/toolWorld';
import { longestMs } from '../../support/until.mjs';

const CLI = path.resolve('dist/cli.js');

/** Looks like a key of AWS, and is none: the library's own documentation has it. */
export const FAKE_KEY = `AKIA${'Z7QK2M4X9P3L5B6N'}`;

/** A folder with all that is served, beside one that must never be. */
export class ServedWorld {
  readonly base = realpathSync(mkdtempSync(path.join(tmpdir(), 'context-budget-mcp-')));
  readonly root = path.join(this.base, 'root');
  readonly outside = path.join(this.base, 'outside');
  readonly #user = path.join(this.base, 'user');

  constructor() {
    this.write('AGENTS.md', `# Rules\nNever print ${FAKE_KEY}.\n${'One more rule.\n'.repeat(300)}`);
    this.write('memory/SOUL.md', '# Soul\nBe kind.\n');
    this.write('src/parser.ts', 'export function parseConfig(text: string) {\n  return text;\n}\n');
    this.write(
      'src/other.ts',
      "import { parseConfig } from './parser';\nexport const other = () => parseConfig('');\n",
    );
    const events = Array.from({ length: 50 }, (_, at) => ({ id: at + 1, summary: `step ${at + 1}`, detail: 'why' }));
    this.write('.context-budget/observations.jsonl', eventLines(events));
    this.write('.context-budget/relay.json', JSON.stringify({ relay_context: { goal: 'ship it' } }));
    mkdirSync(this.outside, { recursive: true });
    writeFileSync(path.join(this.outside, 'secret.txt'), 'OUTSIDE\n');
    symlinkSync(this.outside, path.join(this.root, 'link'));
    symlinkSync(path.join(this.outside, 'secret.txt'), path.join(this.root, 'link.txt'));
    symlinkSync(path.join(this.outside, 'none.txt'), path.join(this.root, 'dangling.txt'));
    symlinkSync('loop', path.join(this.root, 'loop'));
  }

  get env(): Record<string, string> {
    const { PATH = '' } = process.env;
    return { PATH, HOME: this.#user, CONTEXT_BUDGET_CONFIG_DIR: this.#user, CONTEXT_BUDGET_CACHE_DIR: this.#user };
  }

  read(file: string): string {
    return readFileSync(path.join(this.root, file), 'utf8');
  }

  write(file: string, text: string): void {
    const target = path.join(this.root, file);
    mkdirSync(path.dirname(target), { recursive: true });
    writeFileSync(target, text);
  }

  link(file: string, target: string): void {
    symlinkSync(target, path.join(this.root, file));
  }

  /** Each file's text, by its path; links as what they lead to. */
  tree(): Readonly<Record<string, string>> {
    const entries = readdirSync(this.root, { recursive: true, withFileTypes: true });
    return Object.fromEntries(
      entries.map((entry) => {
        const file = path.join(entry.parentPath, entry.name);
        const text = entry.isSymbolicLink() ? readlinkSync(file) : entry.isFile() ? readFileSync(file, 'utf8') : '';
        return [path.relative(this.root, file), text];
      }),
    );
  }

  argv(args: readonly string[] = []): string[] {
    return [CLI, 'mcp', '--root', this.root, ...args];
  }

  /** The official client, connected to a server of its own. */
  async connect(args: readonly string[] = []): Promise<Client> {
    const client = new Client({ name: 'test', version: '1.0.0' }, { capabilities: {} });
    const { env } = this;
    // The client's own minute is over on a slow machine.
    const timeout = longestMs();
    await client.connect(
      new StdioClientTransport({ command: process.execPath, args: this.argv(args), env, stderr: 'ignore' }),
      { timeout },
    );
    const call = client.callTool.bind(client);
    client.callTool = (params, schema, options) => call(params, schema, { timeout, ...options });
    return client;
  }

  remove(): void {
    // A server that was ended may still write its cache.
    rmSync(this.base, { recursive: true, force: true, maxRetries: 10 });
  }
}

interface Message {
  readonly id?: unknown;
  readonly method?: string;
  readonly result?: Record<string, unknown>;
  readonly error?: { readonly code: number; readonly message: string };
}

/** A server spoken to line by line: what it sends back is kept whole. */
export class RawServer {
  readonly child: ChildProcess;
  readonly lines: string[] = [];
  readonly exited: Promise<number | null>;
  #waiting: (() => void)[] = [];

  constructor(world: ServedWorld, args: readonly string[] = []) {
    this.child = spawn(process.execPath, world.argv(args), { env: world.env, stdio: ['pipe', 'pipe', 'ignore'] });
    this.exited = new Promise((resolve) => this.child.once('exit', (code) => resolve(code)));
    createInterface({ input: this.child.stdout! }).on('line', (line) => {
      this.lines.push(line);
      for (const wake of this.#waiting.splice(0)) wake();
    });
  }

  get messages(): readonly Message[] {
    return this.lines.map((line) => JSON.parse(line) as Message);
  }

  send(...lines: readonly (string | object)[]): void {
    for (const line of lines) this.child.stdin!.write(`${typeof line === 'string' ? line : JSON.stringify(line)}\n`);
  }

  initialize(): Promise<Message> {
    const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'raw', version: '1' } };
    this.send({ jsonrpc: '2.0', id: 'start', method: 'initialize', params });
    return this.answer((message) => message.id === 'start');
  }

  /** The first message that is so, of those from the line `from` on, when it comes. */
  async answer(isIt: (message: Message) => boolean, from = 0): Promise<Message> {
    for (;;) {
      const found = this.messages.slice(from).find(isIt);
      if (found) return found;
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
  }

  ask(id: unknown, method: string, params?: object): Promise<Message> {
    const from = this.lines.length;
    this.send({ jsonrpc: '2.0', id, method, ...(params ? { params } : {}) });
    return this.answer((message) => message.id === id, from);
  }

  async end(): Promise<number | null> {
    this.child.stdin!.end();
    return this.exited;
  }
}
