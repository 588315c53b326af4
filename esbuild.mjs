// One bundler script for every part of the product.
//   node esbuild.mjs [--production] [--watch] [--tests]
// Outputs: dist/{extension,worker,processes,transcripts,databases,sessions,window,walk,cli,mcp,otlp}.js (Node, CommonJS), dist/web/* (web extension host),
// dist/webview/* (browser), and the files that are made from npm packages: dist/tokenizers/*.ranks, dist/sqlite.wasm, grammars/*.wasm.br,
// media/config.schema*.json; and from Simplified Chinese the Traditional: package.nls.zh-tw.json, l10n/*.zh-tw.json.
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import * as esbuild from 'esbuild';
import { holdsWasm, packRanks, packWasm, readGrammar } from './esbuild.assets.mjs';
import { CHINESE_FILES, chineseTexts } from './esbuild.chinese.mjs';
import { webBundles, webTests } from './esbuild.web.mjs';

const root = path.dirname(fileURLToPath(import.meta.url));
const require = createRequire(import.meta.url);
const isProduction = process.argv.includes('--production');
const isWatching = process.argv.includes('--watch');
const withTests = process.argv.includes('--tests');

/**
 * Names the rules by which secrets are found: a hash of the scanner with all that it imports. Texts in which a process
 * found nothing are remembered under it, so any change of the rules has them scanned again.
 */
async function secretRules() {
  // In watch mode the rules may change under a name that stays: nothing is remembered then.
  if (isWatching) return '';
  const { outputFiles } = await esbuild.build({
    absWorkingDir: root,
    entryPoints: ['src/worker/secrets/librarySecretScanner.ts'],
    bundle: true,
    platform: 'neutral',
    mainFields: ['module', 'main'],
    conditions: ['node'],
    external: ['node:*'],
    define: { 'process.env.SECRET_RULES': '""' },
    write: false,
    logLevel: 'warning',
  });
  return createHash('sha256').update(outputFiles[0].contents).digest('hex');
}

/** @type {esbuild.BuildOptions} */
const common = {
  absWorkingDir: root,
  bundle: true,
  minify: isProduction,
  sourcemap: isProduction ? false : 'linked',
  legalComments: 'none',
  logLevel: 'warning',
  metafile: true,
  define: {
    'process.env.NODE_ENV': isProduction ? '"production"' : '"development"',
    'process.env.SECRET_RULES': JSON.stringify(await secretRules()),
  },
};

/** @type {esbuild.BuildOptions} */
const node = {
  ...common,
  platform: 'node',
  target: 'node20',
  format: 'cjs',
  external: ['vscode'],
  // jsonc-parser's `main` is UMD, whose inner requires a bundler cannot see.
  mainFields: ['module', 'main'],
  // The ES module of web-tree-sitter asks for import.meta.url, which CommonJS output leaves empty.
  alias: { 'web-tree-sitter': path.join(root, 'node_modules/web-tree-sitter/web-tree-sitter.cjs') },
};

/**
 * The SDK's server comes with ajv, to validate forms that a server has its user fill: half of the bundle, for what ours
 * never does. It is given a validator of its own (`src/mcp/contextServer.ts`), so this class is never made.
 * @type {esbuild.Plugin}
 */
const withoutForms = {
  name: 'without-forms',
  setup(build) {
    build.onResolve({ filter: /\/ajv-provider\.js$/ }, () => ({ path: 'ajv-provider', namespace: 'without-forms' }));
    build.onLoad({ filter: /.*/, namespace: 'without-forms' }, () => ({
      contents: 'export class AjvJsonSchemaValidator {}',
    }));
  },
};

/** @type {Record<string, esbuild.BuildOptions>} */
const bundles = {
  extension: { ...node, entryPoints: ['src/vscode/desktop.ts'], outfile: 'dist/extension.js' },
  worker: { ...node, entryPoints: ['src/worker/nodeEntry.ts'], outfile: 'dist/worker.js' },
  processes: { ...node, entryPoints: ['src/node/process/threadProcessRunner.ts'], outfile: 'dist/processes.js' },
  transcripts: {
    ...node,
    entryPoints: ['src/node/transcripts/threadedTurns.ts'],
    outfile: 'dist/transcripts.js',
  },
  walk: { ...node, entryPoints: ['src/node/walkThread.ts'], outfile: 'dist/walk.js' },
  // Loaded only where an agent's database was found.
  databases: {
    ...node,
    entryPoints: ['src/node/transcripts/sessions/databaseThread.ts'],
    outfile: 'dist/databases.js',
  },
  window: { ...node, entryPoints: ['src/node/window/windowThread.ts'], outfile: 'dist/window.js' },
  sessions: {
    ...node,
    entryPoints: ['src/node/transcripts/sessions/sessionsThread.ts'],
    outfile: 'dist/sessions.js',
  },
  cli: { ...node, entryPoints: ['src/cli/main.ts'], outfile: 'dist/cli.js', banner: { js: '#!/usr/bin/env node' } },
  // Apart from cli.js, so that no other command loads it; the session comes from there.
  mcp: {
    ...node,
    entryPoints: ['src/mcp/serve.ts'],
    outfile: 'dist/mcp.js',
    plugins: [withoutForms],
  },
  // Apart from cli.js, so that only `export` loads it.
  otlp: { ...node, entryPoints: ['src/node/otlp/sendMetrics.ts'], outfile: 'dist/otlp.js' },
  webview: {
    ...common,
    platform: 'browser',
    target: 'chrome130',
    format: 'iife',
    entryPoints: { main: 'webview/main.tsx', report: 'webview/report/main.tsx', session: 'webview/session/main.tsx' },
    outdir: 'dist/webview',
    assetNames: '[name]',
    loader: { '.ttf': 'file' },
    jsx: 'automatic',
    jsxImportSource: 'preact',
    // VS Code's webviews refuse inline styles; the font is a file beside the style sheet.
    publicPath: '.',
  },
};

for (const [name, options] of Object.entries(webBundles)) {
  bundles[name] = { ...common, ...options, define: { ...common.define, ...options.define } };
}

if (withTests) {
  // Readable in the stack of a test that fails, whatever the product is built as.
  const readable = { sourcemap: 'inline', minify: false };
  bundles.webTests = { ...common, ...readable, ...webTests };
  bundles.tests = {
    ...node,
    ...readable,
    entryPoints: ['test/integration/index.ts'],
    outfile: 'dist/test/integration/index.js',
    external: ['vscode', 'mocha'],
  };
}

/** Grammars named by grammars/manifest.json, and the tree-sitter runtime, packed. */
async function writeGrammars() {
  const { grammars, runtime } = JSON.parse(readFileSync(path.join(root, 'grammars/manifest.json'), 'utf8'));
  const write = async (grammar) => {
    const to = path.join(root, 'grammars', `${grammar.file}.br`);
    const bytes = readGrammar(path.join(root, 'node_modules'), grammar);
    if (!existsSync(to) || !holdsWasm(readFileSync(to), bytes)) writeFileSync(to, await packWasm(bytes));
  };
  await Promise.all([...grammars, runtime].map(write));
}

/** js-tiktoken's rank tables, packed, so that a worker gets them as bytes and only when it counts. */
function writeRanks() {
  mkdirSync(path.join(root, 'dist/tokenizers'), { recursive: true });
  // Files of npm packages keep the time of their making: the lock file tells when another version came.
  const inputs = ['esbuild.assets.mjs', 'package-lock.json'].map((file) => statSync(path.join(root, file)).mtimeMs);
  for (const name of ['o200k_base', 'cl100k_base']) {
    const to = path.join(root, `dist/tokenizers/${name}.ranks`);
    if (existsSync(to) && statSync(to).mtimeMs >= Math.max(...inputs)) continue;
    const ranks = require(`js-tiktoken/ranks/${name}`);
    writeFileSync(to, packRanks(ranks.default ?? ranks));
  }
}

/** SQLite, beside the bundle that reads databases. */
function writeSqlite() {
  mkdirSync(path.join(root, 'dist'), { recursive: true });
  copyFileSync(path.join(root, 'node_modules/sql.js/dist/sql-wasm.wasm'), path.join(root, 'dist/sqlite.wasm'));
}

/** A file that is made, left alone while it says the same: watchers would see it change. */
function writeJson(file, value) {
  const text = `${JSON.stringify(value, null, 2)}\n`;
  const to = path.join(root, file);
  if (!existsSync(to) || readFileSync(to, 'utf8') !== text) writeFileSync(to, text);
}

/** Runs the schema generator of the core and writes what it gives to media/, once in every language: the manifest's `config.schema` says which. */
async function writeConfigSchema() {
  const out = path.join(root, 'dist/.build/jsonSchema.cjs');
  await esbuild.build({
    ...node,
    metafile: false,
    sourcemap: false,
    minify: false,
    entryPoints: ['src/core/config/jsonSchema.ts'],
    outfile: out,
  });
  const { configJsonSchema } = require(out);
  rmSync(path.dirname(out), { recursive: true });
  for (const language of ['', '.zh-cn', '.zh-tw']) {
    const bundle = language === '' ? {} : require(path.join(root, `l10n/bundle.l10n${language}.json`));
    writeJson(`media/config.schema${language}.json`, configJsonSchema(bundle));
  }
}

await writeGrammars();
writeRanks();
writeSqlite();
for (const file of CHINESE_FILES) writeJson(`${file}.zh-tw.json`, chineseTexts(file, 'zh-tw'));
await writeConfigSchema();
if (isWatching) {
  const contexts = await Promise.all(
    Object.values(bundles).map((options) => esbuild.context({ ...options, logLevel: 'info' })),
  );
  await Promise.all(contexts.map((context) => context.watch()));
} else {
  const only = process.argv
    .find((arg) => arg.startsWith('--only='))
    ?.slice('--only='.length)
    .split(',');
  const names = Object.keys(bundles).filter((name) => !only || only.includes(name));
  await Promise.all(names.map((name) => esbuild.build(bundles[name])));
}
