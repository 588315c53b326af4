// Real clients from npm, started once without a question: where they are installed, and how each is pointed at a model server
// on loopback. `clients.mjs` looks at what they get of us, `firstRequests.mjs` at what is in their first request.
import { execFileSync, spawn } from 'node:child_process';
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const LIMIT_MS = 120_000;

export const putJson = (file, value) => {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify(value, null, 2));
};

/** Adds keys to a JSON file, which a prepared folder may have filled. */
function addJson(file, value) {
  putJson(file, { ...(existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}), ...value });
}

const typed = (servers) =>
  Object.fromEntries(Object.entries(servers).map(([name, server]) => [name, { type: 'stdio', ...server }]));

function claude({ bin, url, out, servers, model = 'claude-opus-4-8' }) {
  const config = path.join(out, 'mcp.json');
  putJson(config, { mcpServers: typed(servers) });
  const own = Object.keys(servers).length > 0 ? ['--mcp-config', config] : [];
  return {
    argv: [bin, '-p', 'hi', '--dangerously-skip-permissions', '--model', model, ...own],
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

// A model that it does not know gets every tool at once.
function codex({ bin, url, servers, model = 'local-model' }) {
  const provider = `{name="local",base_url="${url}/v1",wire_api="responses",env_key="LOCAL_KEY"}`;
  const settings = [
    'model_provider="local"',
    `model=${JSON.stringify(model)}`,
    `model_providers.local=${provider}`,
    ...Object.entries(servers).map(
      ([name, { command, args }]) =>
        `mcp_servers.${name}={command=${JSON.stringify(command)},args=${JSON.stringify(args)}}`,
    ),
  ].flatMap((each) => ['-c', each]);
  const flags = ['--trust', '--dangerously-bypass-hook-trust', '--dangerously-bypass-approvals-and-sandbox'];
  return { argv: [bin, 'exec', '--skip-git-repo-check', ...flags, ...settings, 'hi'], env: { LOCAL_KEY: 'dummy' } };
}

function gemini({ bin, url, root, home, servers, model = 'gemini-2.5-pro' }) {
  addJson(path.join(home, '.gemini/settings.json'), {
    security: { auth: { selectedType: 'gemini-api-key' } },
    general: { enableAutoUpdate: false },
    ...(Object.keys(servers).length > 0 ? { mcpServers: servers } : {}),
  });
  putJson(path.join(home, '.gemini/trustedFolders.json'), { [root]: 'TRUST_FOLDER' });
  return {
    argv: [bin, '-p', 'hi', '--yolo', '--skip-trust', '-m', model],
    env: { GOOGLE_GEMINI_BASE_URL: url, GEMINI_API_KEY: 'dummy', GEMINI_TELEMETRY_ENABLED: 'false' },
  };
}

function opencode({ bin, url, home, servers, model = 'claude-sonnet-4-5' }) {
  const local = Object.entries(servers).map(([name, { command, args }]) => [
    name,
    { type: 'local', command: [command, ...args], enabled: true },
  ]);
  addJson(path.join(home, '.config/opencode/opencode.json'), {
    autoupdate: false,
    ...(local.length > 0 ? { mcp: Object.fromEntries(local) } : {}),
    provider: { anthropic: { options: { baseURL: `${url}/v1`, apiKey: 'dummy' } } },
  });
  return {
    argv: [bin, 'run', '-m', `anthropic/${model}`, 'hi'],
    env: { OPENCODE_DISABLE_AUTOUPDATE: '1', OPENCODE_DISABLE_MODELS_FETCH: '1' },
  };
}

function copilot({ bin, url, root, home, out, servers, model = 'gpt-5.5' }) {
  putJson(path.join(home, '.copilot/config.json'), { trustedFolders: [root] });
  const config = path.join(out, 'mcp.json');
  putJson(config, { mcpServers: typed(servers) });
  const own = Object.keys(servers).length > 0 ? ['--additional-mcp-config', `@${config}`] : [];
  return {
    argv: [bin, '-p', 'hi', '--allow-all-tools', ...own],
    env: {
      COPILOT_OFFLINE: 'true',
      COPILOT_PROVIDER_BASE_URL: `${url}/v1`,
      COPILOT_PROVIDER_TYPE: 'openai',
      COPILOT_PROVIDER_API_KEY: 'dummy',
      COPILOT_MODEL: model,
      COPILOT_AUTO_UPDATE: 'false',
    },
  };
}

/** Package, program and how it is started; OpenCode has no hooks that call a program. */
export const CLIENTS = {
  claude: { spec: '@anthropic-ai/claude-code@2.1.330', start: claude, hasHooks: true },
  codex: { spec: '@openai/codex@0.169.0', start: codex, hasHooks: true },
  gemini: { spec: '@google/gemini-cli@0.61.0', start: gemini, hasHooks: true },
  copilot: { spec: '@github/copilot@1.0.102', start: copilot, hasHooks: true },
  opencode: { spec: 'opencode-ai@1.18.33', start: opencode, hasHooks: false },
  // No agent: it asks a server what it is told to.
  'mcp-inspector': { spec: '@modelcontextprotocol/inspector@0.15.0' },
};

/** Every text in a JSON value, in order. */
export function textsOf(value) {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsOf) : [];
}

export function install(folder, name) {
  const place = path.join(folder, name);
  const bin = path.join(place, 'node_modules/.bin', name);
  if (existsSync(bin)) return bin;
  putJson(path.join(place, 'package.json'), { private: true });
  execFileSync('npm', ['install', '--no-audit', '--no-fund', CLIENTS[name].spec], { cwd: place, stdio: 'ignore' });
  return bin;
}

/** Runs a program in a group of its own, which ends with it. */
export async function run(argv, env, cwd, logFile) {
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
