// What real agents' models get of us: runs each client once in a small project that has our hooks and our MCP server,
// against a model server on loopback that asks for a map and a definition, and reads what that server was sent.
//
//   node esbuild.mjs && node test/tools/clients.mjs [--folder FOLDER] [--env NAME=VALUE] [CLIENT…]
//
// `--env ENABLE_TOOL_SEARCH=false claude` shows what all tools cost Claude Code. The MCP inspector is asked as a program.
// Clients are installed from npm below FOLDER (kept, so that a second run installs nothing; a temporary one without it)
// and run with a home of their own, dummy keys and no other network than npm's. It prints a table; requests and logs stay
// below FOLDER. Exit code 1 when a client could not be run, or got something else than what our server says.
import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Tiktoken } from 'js-tiktoken/lite';
import o200k from 'js-tiktoken/ranks/o200k_base';
import { CLIENTS, install, run, textsOf } from './clientRuns.mjs';
import { resultsOf, serveModel, toolsOf } from './modelServer.mjs';

const CLI = path.resolve(import.meta.dirname, '../../dist/cli.js');
const SERVER = 'context-budget';
const INSPECTOR = 'mcp-inspector';
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

/** What starts our server, as clients' lists have it. */
const served = (root) => ({ command: 'node', args: [CLI, 'mcp', '--root', root] });

const encoder = new Tiktoken(o200k);
const tokens = (text) => encoder.encode(text, [], []).length;

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

async function measure(folder, name, given) {
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
  const { argv, env } = start({ bin, url: model.url, root, home, out, servers: { [SERVER]: served(root) } });
  const code = await run(argv, { ...base, ...env, ...given }, root, path.join(out, 'client.log'));
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

/** What the inspector's command line prints of the tools and of both answers. */
async function inspect(folder) {
  const bin = install(folder, INSPECTOR);
  const root = path.join(folder, INSPECTOR, 'project');
  mkdirSync(root, { recursive: true });
  for (const [file, text] of Object.entries(PROJECT)) writeFileSync(path.join(root, file), text);
  const env = { PATH: process.env.PATH, HOME: path.join(folder, INSPECTOR), LANG: 'C.UTF-8' };
  const { command, args } = served(root);
  const ask = (method, ...rest) =>
    JSON.parse(
      execFileSync(bin, ['--cli', command, ...args, '--method', method, ...rest], { cwd: root, env, encoding: 'utf8' }),
    );
  const own = await ownAnswers(root, env);
  const { tools } = ask('tools/list');
  const results = PLAN.filter(({ tool }) => tool).map(({ tool, args: given }) => {
    const pairs = Object.entries(given).map(
      ([key, value]) => `${key}=${Array.isArray(value) ? JSON.stringify(value) : value}`,
    );
    return ask('tools/call', '--tool-name', tool, ...pairs.flatMap((pair) => ['--tool-arg', pair]));
  });
  const forms = results.map(({ content }, at) => `${formOf(content, own[at])}, blocks: ${content.length}`);
  const isSource = textsOf(results[1]).some((text) => text.includes(DEFINITION));
  return {
    ...{ client: CLIENTS[INSPECTOR].spec, exit: 0, tools: tools.length, toolTokens: tokens(JSON.stringify(tools)) },
    ...{ map: forms[0], detail: forms[1], source: isSource ? 'byte for byte' : 'changed', starts: 'no hooks' },
    isRight: tools.length > 0 && isSource && !forms.some((form) => form.startsWith('changed')),
  };
}

const words = process.argv.slice(2);
/** The value behind an option; undefined without it. */
const take = (option) => (words.includes(option) ? words.splice(words.indexOf(option), 2)[1] : undefined);
const place = take('--folder');
const folder = place ? path.resolve(place) : mkdtempSync(path.join(os.tmpdir(), 'clients-'));
const [variable, ...value] = (take('--env') ?? '').split('=');
const given = variable ? { [variable]: value.join('=') } : {};
const rows = [];
for (const name of words.length > 0 ? words : Object.keys(CLIENTS))
  rows.push(await (name === INSPECTOR ? inspect(folder) : measure(folder, name, given)));
console.table(rows);
console.log(`Requests and logs: ${folder}`);
if (!rows.every(({ isRight }) => isRight)) process.exitCode = 1;
