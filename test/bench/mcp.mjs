// npm run bench -- mcp: what an agent waits for. The server as a process of its own, from its start to the answer of
// `tools/list`, and on a warm cache from its start to the map of a task, beside the start of a bare Node in the same round.
import { spawn, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { root } from '../harness/setup.mjs';

const FILES = 2000;
const LIMITS = { list: 300, map: 500 };
const REQUESTS = {
  start: {
    method: 'initialize',
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'bench', version: '1' } },
  },
  list: { method: 'tools/list' },
  map: {
    method: 'tools/call',
    params: { name: 'repo_map', arguments: { query: 'parse the config file and report unknown keys' } },
  },
};

const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];
const ms = (value) => `${Math.round(value)} ms`;

/** A folder of real sources: those of this project's dependencies, copied until there are enough. */
function makeFolder(folder) {
  const sources = readdirSync(path.join(root, 'src'), { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.ts'),
  );
  for (let at = 0; at < FILES; at++) {
    const from = sources[at % sources.length];
    const to = path.join(folder, `part${Math.floor(at / sources.length)}`, from);
    mkdirSync(path.dirname(to), { recursive: true });
    cpSync(path.join(root, 'src', from), to);
  }
  writeFileSync(path.join(folder, 'AGENTS.md'), '# Rules\n');
}

/** A server that is asked one thing after another: milliseconds from its start to each answer. */
async function ask(folder, env, names) {
  const began = performance.now();
  const args = [path.join(root, 'dist/cli.js'), 'mcp', '--root', folder];
  const child = spawn(process.execPath, args, { env, stdio: ['pipe', 'pipe', 'inherit'] });
  const times = {};
  const lines = createInterface({ input: child.stdout });
  const answered = new Map();
  lines.on('line', (line) => {
    const { id, result, error } = JSON.parse(line);
    if (error) throw new Error(error.message);
    if (id !== undefined) answered.get(id)?.(result);
  });
  for (const name of names) {
    const answer = new Promise((resolve) => answered.set(name, resolve));
    const asked = performance.now();
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: name, ...REQUESTS[name] })}\n`);
    const result = await answer;
    if (result.isError) throw new Error(result.content[0].text);
    times[name] = { sinceStart: performance.now() - began, own: performance.now() - asked };
  }
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.stdin.end();
  await ended;
  return times;
}

function bareNode() {
  const began = performance.now();
  spawnSync(process.execPath, ['-e', '0']);
  return performance.now() - began;
}

/** Prints the table. */
export async function mcpBench(rounds) {
  const base = mkdtempSync(path.join(tmpdir(), 'context-budget-bench-'));
  const folder = path.join(base, 'repo');
  const user = path.join(base, 'user');
  const env = { PATH: process.env.PATH, CONTEXT_BUDGET_CONFIG_DIR: user, CONTEXT_BUDGET_CACHE_DIR: user };
  try {
    makeFolder(folder);
    // A map by structure needs every file: it fills the cache.
    spawnSync(process.execPath, [path.join(root, 'dist/cli.js'), 'map', '--root', folder], { env });
    const found = { bare: [], list: [], map: [], mapOwn: [], second: [] };
    for (let round = 0; round < Math.max(rounds, 5); round++) {
      found.bare.push(bareNode());
      found.list.push((await ask(folder, env, ['start', 'list'])).list.sinceStart);
      const warm = await ask(folder, env, ['start', 'list', 'map']);
      found.map.push(warm.map.sinceStart);
      found.mapOwn.push(warm.map.own);
    }
    const bare = median(found.bare);
    const row = (what, values, limit) =>
      `| ${what} | ${ms(median(values))} | ${ms(Math.min(...values))} | ${(median(values) / bare).toFixed(1)}× | ${limit ? ms(limit) : '–'} |`;
    console.log(`\n## MCP server, ${FILES} files\n`);
    console.log('| what | median | best | of a bare start | limit |\n| --- | --- | --- | --- | --- |');
    console.log(row('node -e 0', found.bare));
    console.log(row('start to the answer of tools/list', found.list, LIMITS.list));
    console.log(row('first repo_map on a warm cache, from its request', found.mapOwn, LIMITS.map));
    console.log(row('the same, from the start of the process', found.map));
  } finally {
    rmSync(base, { recursive: true, force: true });
  }
}
