// Writes grammars/manifest.json from the tables there and the installed npm packages of their grammars.
// Run it after adding a language or updating a package: `node test/tools/grammars.mjs` (`--check` only compares).
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readGrammar } from '../../esbuild.assets.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '../..');
const here = join(root, 'grammars');
const modules = join(root, 'node_modules');
const { Language, Parser } = createRequire(import.meta.url)('web-tree-sitter');

const sha256 = (bytes) => createHash('sha256').update(bytes).digest('hex');
const readJson = (file) => JSON.parse(readFileSync(file, 'utf8'));

/** Everything the manifest says, from the tables and `node_modules`. */
export async function buildManifest() {
  const runtime = readFileSync(join(modules, 'web-tree-sitter', 'web-tree-sitter.wasm'));
  await Parser.init({ wasmBinary: runtime });
  const tables = readdirSync(here)
    .filter((name) => name.endsWith('.json') && name !== 'manifest.json')
    .sort()
    .map((name) => readJson(join(here, name)));
  const grammars = new Map();
  for (const { grammar } of tables) {
    if (!grammar || grammars.has(grammar.file)) continue;
    const bytes = readGrammar(modules, grammar);
    const { version, license } = readJson(join(modules, grammar.package, 'package.json'));
    const { abiVersion } = await Language.load(bytes);
    grammars.set(grammar.file, {
      file: grammar.file,
      package: grammar.package,
      ...(grammar.folder === undefined ? {} : { folder: grammar.folder }),
      version,
      abi: abiVersion,
      license: grammar.license ?? license,
      ...(grammar.repairs === undefined ? {} : { repairs: grammar.repairs }),
      sha256: sha256(bytes),
    });
  }
  const list = [...grammars.values()].sort((a, b) => (a.file < b.file ? -1 : 1));
  const { version, license } = readJson(join(modules, 'web-tree-sitter', 'package.json'));
  return {
    runtime: { file: 'web-tree-sitter.wasm', package: 'web-tree-sitter', version, license, sha256: sha256(runtime) },
    grammars: list,
    languages: tables.map(({ id, name, family, extensions, fileNames, reader }) => ({
      id,
      name,
      family,
      extensions,
      fileNames,
      ...(reader === undefined ? {} : { reader }),
    })),
    tablesVersion: sha256(JSON.stringify([tables, list.map((grammar) => grammar.sha256)])).slice(0, 12),
  };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const file = join(here, 'manifest.json');
  const text = `${JSON.stringify(await buildManifest(), undefined, 2)}\n`;
  if (process.argv.includes('--check')) {
    if (JSON.stringify(readJson(file)) !== JSON.stringify(JSON.parse(text))) {
      console.error('grammars/manifest.json is out of date: run `node test/tools/grammars.mjs`.');
      process.exitCode = 1;
    }
  } else writeFileSync(file, text);
}
