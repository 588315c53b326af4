// What real agents' models get of us: runs each client once in a small project that has our hooks and our MCP server,
// against a model server on loopback that asks for a map and a definition, and reads what that server was sent.
//
//   node esbuild.mjs && node test/tools/clients.mjs [--folder FOLDER] [CLIENT…]
//
// Clients are installed from npm below FOLDER (kept, so that a second run installs nothing; a temporary one without it)
// and run with a home of their own, dummy keys and no other network than npm's. It prints a table; requests and logs stay
// below FOLDER. Exit code 1 when a client could not be run, or got something else than what our server says.
import { execFileSync, spawn } from 'node:child_process';
import {
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Tiktoken } from 'js-tiktoken/lite';
import o200k from 'js-tiktoken/ranks/o200k_base';
import { resultsOf, serveModel, toolsOf } from './modelServer.mjs';

const CLI = path.resolve(import.meta.dirname, '../../dist/cli.js');
const LIMIT_MS = 120_000;
const SERVER = 'context-budget';
const SOURCE = `"""Prices & <b>totals</b>."""


def total(prices, rate):
    """Say "%<detail>s" & <b> of \\\\n a sum."""
    return sum(prices) * (1 + rate)  # 5 % < 10 %


def receipt(prices):
    return f"<p>{total(prices, 0.05)}</p>"
`;
/** What the plan asks for, as it stands in the file. */
const DEFINITION = SOURCE.split('\n').slice(3, 6).join('\n');
const PROJECT = { 'AGENTS.md': '# Shop\n\n- Prices are cents.\n', 'shop.py': SOURCE };
const PLAN = [
  { tool: 'repo_map', args: { query: 'receipt total', budget: 256 } },
  { tool: 'context_detail', args: { handles: ['sym:shop.py:total'] } },
  { text: 'done' },
];

const putJson = (file, value) => {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify(value, null, 2));
};

/** What starts our server, as clients' lists have it. */
const served = (root) => ({ command: 'node', args: [CLI, 'mcp', '--root', root] });

function claude({ bin, url, root, out }) {
  const config = path.join(out, 'mcp.json');
  putJson(config, { mcpServers: { [SERVER]: { type: 'stdio', ...served(root) } } });
  return {
    argv: [bin, '-p', 'hi', '--dangerously-skip-permissions', '--model', 'claude-opus-4-8', '--mcp-config', config],
    env: {
      ANTHROPIC_BASE_URL: url,
      ANTHROPIC_API_KEY: 'dummy',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_AUTOUPDATER: '1',
      // Without it a process of root takes no such flag.
      IS_SANDBOX: '1',
    },
  };
}

function codex({ bin, url, root }) {
  const provider = `{name="local",base_url="${url}/v1",wire_api="responses",env_key="LOCAL_KEY"}`;
  const { command, args } = served(root);
  const settings = [
    'model_provider="local"',
    // A model that it does not know gets every tool at once.
    'model="local-model"',
    `model_providers.local=${provider}`,
    `mcp_servers.${SERVER}={command=${JSON.stringify(command)},args=${JSON.stringify(args)}}`,
  ].flatMap((each) => ['-c', each]);
  const flags = ['--trust', '--dangerously-bypass-hook-trust', '--dangerously-bypass-approvals-and-sandbox'];
  return { argv: [bin, 'exec', '--skip-git-repo-check', ...flags, ...settings, 'hi'], env: { LOCAL_KEY: 'dummy' } };
}

function gemini({ bin, url, root, home }) {
  putJson(path.join(home, '.gemini/settings.json'), {
    security: { auth: { selectedType: 'gemini-api-key' } },
    general: { enableAutoUpdate: false },
    mcpServers: { [SERVER]: served(root) },
  });
  putJson(path.join(home, '.gemini/trustedFolders.json'), { [root]: 'TRUST_FOLDER' });
  return {
    argv: [bin, '-p', 'hi', '--yolo', '--skip-trust', '-m', 'gemini-2.5-pro'],
    env: { GOOGLE_GEMINI_BASE_URL: url, GEMINI_API_KEY: 'dummy', GEMINI_TELEMETRY_ENABLED: 'false' },
  };
}

function opencode({ bin, url, root, home }) {
  const { command, args } = served(root);
  putJson(path.join(home, '.config/opencode/opencode.json'), {
    autoupdate: false,
    mcp: { [SERVER]: { type: 'local', command: [command, ...args], enabled: true } },
    provider: { anthropic: { options: { baseURL: `${url}/v1`, apiKey: 'dummy' } } },
  });
  return {
    argv: [bin, 'run', '-m', 'anthropic/claude-sonnet-4-5', 'hi'],
    env: { OPENCODE_DISABLE_AUTOUPDATE: '1', OPENCODE_DISABLE_MODELS_FETCH: '1' },
  };
}

function copilot({ bin, url, root, home, out }) {
  putJson(path.join(home, '.copilot/config.json'), { trustedFolders: [root] });
  const config = path.join(out, 'mcp.json');
  putJson(config, { mcpServers: { [SERVER]: { type: 'stdio', ...served(root) } } });
  return {
    argv: [bin, '-p', 'hi', '--allow-all-tools', '--additional-mcp-config', `@${config}`],
    env: {
      COPILOT_OFFLINE: 'true',
      COPILOT_PROVIDER_BASE_URL: `${url}/v1`,
      COPILOT_PROVIDER_TYPE: 'openai',
      COPILOT_PROVIDER_API_KEY: 'dummy',
      COPILOT_MODEL: 'gpt-5.5',
      COPILOT_AUTO_UPDATE: 'false',
    },
  };
}

/** Package, program and how it is started; OpenCode has no hooks that call a program. */
const CLIENTS = {
  claude: { spec: '@anthropic-ai/claude-code@2.1.330', start: claude, hasHooks: true },
  codex: { spec: '@openai/codex@0.169.0', start: codex, hasHooks: true },
  gemini: { spec: '@google/gemini-cli@0.61.0', start: gemini, hasHooks: true },
  copilot: { spec: '@github/copilot@1.0.102', start: copilot, hasHooks: true },
  opencode: { spec: 'opencode-ai@1.18.33', start: opencode, hasHooks: false },
};

const encoder = new Tiktoken(o200k);
const tokens = (text) => encoder.encode(text, [], []).length;

/** Every text in a JSON value, in order. */
function textsOf(value) {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsOf) : [];
}

function install(folder, name) {
  const place = path.join(folder, name);
  const bin = path.join(place, 'node_modules/.bin', name);
  if (existsSync(bin)) return bin;
  putJson(path.join(place, 'package.json'), { private: true });
  execFileSync('npm', ['install', '--no-audit', '--no-fund', CLIENTS[name].spec], { cwd: place, stdio: 'ignore' });
  return bin;
}

/** Runs a program in a group of its own, which ends with it. */
async function run(argv, env, cwd, logFile) {
  const log = openSync(logFile, 'w');
  const child = spawn(argv[0], argv.slice(1), { cwd, detached: true, env, stdio: ['ignore', log, log] });
  const end = () => {
    try {
      process.kill(-child.pid, 'SIGKILL');
    } catch {
      // It is gone already.
    }
  };
  const timer = setTimeout(end, LIMIT_MS);
  const code = await new Promise((done) => child.on('close', (exit, signal) => done(exit ?? signal)));
  clearTimeout(timer);
  end();
  closeSync(log);
  return code;
}

/** What our server itself answers to the plan's calls. */
async function ownAnswers(root, env) {
  const child = spawn('node', served(root).args, { env, stdio: ['pipe', 'pipe', 'ignore'] });
  const calls = PLAN.filter(({ tool }) => tool);
  const ask = (message) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const clientInfo = { name: 'clients', version: '1' };
  ask({ id: 0, method: 'initialize', params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo } });
  ask({ method: 'notifications/initialized' });
  for (const [at, { tool, args }] of calls.entries()) {
    ask({ id: at + 1, method: 'tools/call', params: { name: tool, arguments: args } });
  }
  const answers = new Map();
  let text = '';
  for await (const chunk of child.stdout) {
    text += chunk;
    const lines = text.split('\n');
    text = lines.pop();
    for (const line of lines) {
      const { id, result } = JSON.parse(line);
      if (id > 0) answers.set(id, result.content.map((each) => each.text).join('\n'));
    }
    if (answers.size === calls.length) break;
  }
  child.kill();
  return calls.map((_, at) => answers.get(at + 1));
}

/** How a result came to the model: as it was sent, with something around it, or as other characters. */
function formOf(result, own) {
  const texts = textsOf(result);
  if (texts.includes(own)) return 'as sent';
  if (texts.some((text) => text.includes(own.trimEnd()))) return 'as sent, with words around it';
  return 'changed';
}

async function measure(folder, name) {
  const { start, hasHooks, spec } = CLIENTS[name];
  const bin = install(folder, name);
  const [home, out, root] = ['home', 'requests', 'project'].map((each) => path.join(folder, name, each));
  for (const each of [home, out, root]) rmSync(each, { recursive: true, force: true });
  for (const each of [home, out, root]) mkdirSync(each, { recursive: true });
  for (const [file, text] of Object.entries(PROJECT)) writeFileSync(path.join(root, file), text);
  const base = { PATH: process.env.PATH, HOME: home, TERM: 'dumb', LANG: 'C.UTF-8' };
  execFileSync('git', ['init', '-q'], { cwd: root, env: base });
  const agents = ['claude-code', 'codex', 'vscode', 'gemini-cli'];
  const hooks = [CLI, 'hooks', 'install', '--agent', ...agents, '--yes', '--root', root];
  execFileSync('node', hooks, { env: base, stdio: 'ignore' });
  const own = await ownAnswers(root, base);
  const model = await serveModel(out, PLAN);
  const { argv, env } = start({ bin, url: model.url, root, home, out });
  const code = await run(argv, { ...base, ...env }, root, path.join(out, 'client.log'));
  await model.close();
  const bodies = readdirSync(out)
    .filter((file) => /^\d.*\.json$/u.test(file))
    .sort()
    .map((file) => JSON.parse(readFileSync(path.join(out, file), 'utf8')).body)
    .filter((body) => toolsOf(body).length > 0);
  const [first, last] = [bodies[0] ?? {}, bodies.at(-1) ?? {}];
  const tools = toolsOf(first).filter((each) =>
    `${each.namespace ?? ''}${each.name}`.replaceAll('_', '-').includes(SERVER),
  );
  const results = resultsOf(last);
  const forms = own.map((text, at) => (results[at] === undefined ? 'none' : formOf(results[at], text)));
  const isSource = textsOf(results[1] ?? '').some((text) => text.includes(DEFINITION));
  // Gemini CLI writes the signs of elements as entities.
  const starts =
    textsOf(first)
      .join('\n')
      .match(/(?:<|&lt;)context-index(?:>|&gt;)/gu)?.length ?? 0;
  return {
    client: spec,
    exit: code,
    tools: tools.length,
    toolTokens: tokens(JSON.stringify(tools.map(({ tool }) => tool))),
    map: `${forms[0]} (${tokens(textsOf(results[0] ?? '').join('\n'))})`,
    detail: `${forms[1]} (${tokens(textsOf(results[1] ?? '').join('\n'))})`,
    source: isSource ? 'byte for byte' : 'changed',
    starts: hasHooks ? starts : 'no hooks',
    isRight: code === 0 && tools.length > 0 && isSource && !forms.includes('changed') && (!hasHooks || starts === 1),
  };
}

const words = process.argv.slice(2);
const at = words.indexOf('--folder');
const [, given] = at < 0 ? [] : words.splice(at, 2);
const folder = given ? path.resolve(given) : mkdtempSync(path.join(os.tmpdir(), 'clients-'));
const rows = [];
for (const name of words.length > 0 ? words : Object.keys(CLIENTS)) rows.push(await measure(folder, name));
console.table(rows);
console.log(`Requests and logs: ${folder}`);
if (!rows.every(({ isRight }) => isRight)) process.exitCode = 1;
