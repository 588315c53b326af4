// Makes dist/npm, the package that npm gets, with the CLI and the MCP server, and dist/plugin for coding agents. The root's package.json is the VSIX's
// manifest and stays private, so that nobody publishes it; the fields that both share are taken from there.
//   node test/tools/npmPackage.mjs      after a build
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
export const NPM_FOLDER = path.join(ROOT, 'dist/npm');
export const PLUGIN_FOLDER = path.join(ROOT, 'dist/plugin');

const SHARED = ['name', 'version', 'license', 'repository', 'bugs', 'homepage', 'keywords', 'bin'];

const BUNDLES = ['cli', 'mcp', 'otlp', 'worker', 'processes', 'transcripts', 'databases', 'walk'].map(
  (name) => `dist/${name}.js`,
);
const TEXTS = ['README.md', 'GUIDE.md', 'CHANGELOG.md', 'LICENSE', 'NOTICE.md'];
const MEDIA = ['media/config.schema.json', 'media/skills/context-budget/SKILL.md', 'media/observer-relay.md'];

/** Files with one of these endings in a folder of the root, root-relative. */
function filesIn(folder, ...endings) {
  const names = readdirSync(path.join(ROOT, folder));
  return names.filter((name) => endings.some((end) => name.endsWith(end))).map((name) => `${folder}/${name}`);
}

/** Everything is bundled, so the manifest has no dependencies and no scripts. */
function manifest() {
  const own = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8'));
  const texts = JSON.parse(readFileSync(path.join(ROOT, 'package.nls.json'), 'utf8'));
  return {
    ...Object.fromEntries(SHARED.map((key) => [key, own[key]])),
    description: texts.description,
    engines: { node: own.engines.node },
    files: ['dist', 'grammars', 'media', 'GUIDE.md', 'CHANGELOG.md', 'NOTICE.md'],
  };
}

/** Writes dist/npm anew. Throws when a file of the build is missing. */
export function writeNpmPackage() {
  rmSync(NPM_FOLDER, { recursive: true, force: true });
  const assets = [
    'dist/sqlite.wasm',
    ...filesIn('dist/tokenizers', '.ranks'),
    ...filesIn('grammars', '.json', '.wasm.br'),
  ];
  for (const file of [...BUNDLES, ...TEXTS, ...MEDIA, ...assets]) {
    const to = path.join(NPM_FOLDER, file);
    mkdirSync(path.dirname(to), { recursive: true });
    cpSync(path.join(ROOT, file), to);
  }
  writeFileSync(path.join(NPM_FOLDER, 'package.json'), `${JSON.stringify(manifest(), null, 2)}\n`);
}

/** Runs the installed package and never downloads; `hookCommandLine.ts` has the same line. */
const PROGRAM = ['npx', '--no', '--offline', '--', 'context-budget'];

/**
 * Writes dist/plugin anew: skill and MCP server for Claude Code and Gemini CLI, and hooks for Claude Code. The hooks have a
 * name of their own, because Gemini CLI reads hooks/hooks.json too, whose events take other answers.
 */
export function writePlugin() {
  rmSync(PLUGIN_FOLDER, { recursive: true, force: true });
  const { name, version, description, homepage, license, keywords } = manifest();
  const [command, ...args] = [...PROGRAM, 'mcp'];
  const mcpServers = { [name]: { command, args } };
  const hook = (event) => ({
    hooks: [{ type: 'command', command: `${PROGRAM.join(' ')} hook ${event} --agent claude-code`, timeout: 30 }],
  });
  const hooks = {
    SessionStart: [{ matcher: 'startup|clear|compact', ...hook('SessionStart') }],
    PreCompact: [hook('PreCompact')],
  };
  const claude = { name, version, description, homepage, license, keywords, hooks: './claude-hooks.json' };
  const files = {
    '.claude-plugin/plugin.json': claude,
    'claude-hooks.json': { hooks },
    '.mcp.json': { mcpServers },
    'gemini-extension.json': { name, version, description, mcpServers },
  };
  for (const [file, value] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(PLUGIN_FOLDER, file)), { recursive: true });
    writeFileSync(path.join(PLUGIN_FOLDER, file), `${JSON.stringify(value, null, 2)}\n`);
  }
  cpSync(path.join(ROOT, 'media/skills'), path.join(PLUGIN_FOLDER, 'skills'), { recursive: true });
  cpSync(path.join(ROOT, 'LICENSE'), path.join(PLUGIN_FOLDER, 'LICENSE'));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeNpmPackage();
  writePlugin();
}
