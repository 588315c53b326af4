// Makes dist/npm: the package that npm gets, with the CLI and the MCP server. The root's package.json is the VSIX's
// manifest and stays private, so that nobody publishes it; the fields that both share are taken from there.
//   node test/tools/npmPackage.mjs      after a build
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
export const NPM_FOLDER = path.join(ROOT, 'dist/npm');

const SHARED = ['name', 'version', 'license', 'repository', 'bugs', 'homepage', 'keywords', 'bin'];

const BUNDLES = ['cli', 'mcp', 'worker', 'processes', 'transcripts'].map((name) => `dist/${name}.js`);
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
  const assets = [...filesIn('dist/tokenizers', '.ranks'), ...filesIn('grammars', '.json', '.wasm.br')];
  for (const file of [...BUNDLES, ...TEXTS, ...MEDIA, ...assets]) {
    const to = path.join(NPM_FOLDER, file);
    mkdirSync(path.dirname(to), { recursive: true });
    cpSync(path.join(ROOT, file), to);
  }
  writeFileSync(path.join(NPM_FOLDER, 'package.json'), `${JSON.stringify(manifest(), null, 2)}\n`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeNpmPackage();
