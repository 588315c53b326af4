// One bundler script for every part of the product.
//   node esbuild.mjs [--production] [--watch] [--tests]
// Outputs: dist/extension.js, dist/worker.js, dist/cli.js (Node, CommonJS), dist/webview/* (browser), and the files that
// are copied from npm packages: dist/tokenizers/*.json (ranks), grammars/*.wasm, media/config.schema.json.
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import * as esbuild from 'esbuild';
import { readGrammar } from './grammars/readGrammar.mjs';

const root = path.dirname(fileURLToPath(import.meta.url));
const require = createRequire(import.meta.url);
const isProduction = process.argv.includes('--production');
const isWatching = process.argv.includes('--watch');
const withTests = process.argv.includes('--tests');

/** @type {esbuild.BuildOptions} */
const common = {
  absWorkingDir: root,
  bundle: true,
  minify: isProduction,
  sourcemap: isProduction ? false : 'linked',
  legalComments: 'none',
  logLevel: 'warning',
  metafile: true,
  define: { 'process.env.NODE_ENV': isProduction ? '"production"' : '"development"' },
};

/** @type {esbuild.BuildOptions} */
const node = {
  ...common,
  platform: 'node',
  target: 'node20',
  format: 'cjs',
  external: ['vscode'],
  // jsonc-parser's CommonJS build hides its parts from bundlers.
  mainFields: ['module', 'main'],
  // jsonc-parser's `main` is UMD, whose inner requires a bundler cannot see.
  // The ES module of web-tree-sitter asks for import.meta.url, which CommonJS output leaves empty.
  alias: { 'web-tree-sitter': path.join(root, 'node_modules/web-tree-sitter/web-tree-sitter.cjs') },
};

/** @type {Record<string, esbuild.BuildOptions>} */
const bundles = {
  extension: { ...node, entryPoints: ['src/vscode/desktop.ts'], outfile: 'dist/extension.js' },
  worker: { ...node, entryPoints: ['src/worker/nodeEntry.ts'], outfile: 'dist/worker.js' },
  processes: { ...node, entryPoints: ['src/node/processThread.ts'], outfile: 'dist/processes.js' },
  cli: { ...node, entryPoints: ['src/cli/main.ts'], outfile: 'dist/cli.js', banner: { js: '#!/usr/bin/env node' } },
  webview: {
    ...common,
    platform: 'browser',
    target: 'chrome130',
    format: 'iife',
    entryPoints: { main: 'webview/main.tsx', report: 'webview/report/main.tsx' },
    outdir: 'dist/webview',
    assetNames: '[name]',
    loader: { '.ttf': 'file' },
    jsx: 'automatic',
    jsxImportSource: 'preact',
    // VS Code's webviews refuse inline styles; the font is a file beside the style sheet.
    publicPath: '.',
  },
};

if (withTests) {
  bundles.tests = {
    ...node,
    sourcemap: 'inline',
    entryPoints: ['test/integration/index.ts'],
    outfile: 'dist/test/integration/index.js',
    external: ['vscode', 'mocha'],
  };
}

/** Copies `from` (a file of an npm package) when it is newer than `to` or of another size. */
function copyFile(from, to) {
  mkdirSync(path.dirname(to), { recursive: true });
  if (existsSync(to) && statSync(to).size === statSync(from).size && statSync(to).mtimeMs >= statSync(from).mtimeMs)
    return;
  copyFileSync(from, to);
}

/** Grammars named by grammars/manifest.json, and the tree-sitter runtime. */
function copyGrammars() {
  const manifest = JSON.parse(readFileSync(path.join(root, 'grammars/manifest.json'), 'utf8'));
  for (const grammar of manifest.grammars) {
    const to = path.join(root, 'grammars', grammar.file);
    const bytes = readGrammar(path.join(root, 'node_modules'), grammar);
    if (!existsSync(to) || !bytes.equals(readFileSync(to))) writeFileSync(to, bytes);
  }
  copyFile(
    path.join(root, 'node_modules/web-tree-sitter/web-tree-sitter.wasm'),
    path.join(root, 'grammars/web-tree-sitter.wasm'),
  );
}

/** js-tiktoken's rank tables as JSON, so that a worker gets them as bytes and only when it counts. */
function writeRanks() {
  mkdirSync(path.join(root, 'dist/tokenizers'), { recursive: true });
  for (const name of ['o200k_base', 'cl100k_base']) {
    const to = path.join(root, `dist/tokenizers/${name}.json`);
    const from = require.resolve(`js-tiktoken/ranks/${name}`);
    if (existsSync(to) && statSync(to).mtimeMs >= statSync(from).mtimeMs) continue;
    const ranks = require(from);
    const { pat_str, bpe_ranks } = ranks.default ?? ranks;
    writeFileSync(to, JSON.stringify({ pat_str, bpe_ranks }));
  }
}

/** Runs the schema generator of the core and writes what it gives to media/. */
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
  const text = `${JSON.stringify(require(out).configJsonSchema(), null, 2)}\n`;
  rmSync(path.dirname(out), { recursive: true });
  const to = path.join(root, 'media/config.schema.json');
  if (!existsSync(to) || readFileSync(to, 'utf8') !== text) writeFileSync(to, text);
}

copyGrammars();
writeRanks();
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
