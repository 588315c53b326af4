// The bundles for hosts in a browser. Apart from esbuild.mjs, so that a test can build and look at exactly these.
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.dirname(fileURLToPath(import.meta.url));

/**
 * web-tree-sitter asks for Node's modules where it finds itself in Node. It never does here, and its bytes are given to
 * it. Nobody else gets an empty module: an import of Node's modules anywhere else fails the build.
 * @type {import('esbuild').Plugin}
 */
const withoutNode = {
  name: 'without-node',
  setup(build) {
    build.onResolve({ filter: /^(fs|fs\/promises)$/ }, ({ path: name, importer }) =>
      /[/\\]node_modules[/\\]web-tree-sitter[/\\]/.test(importer) ? { path: name, namespace: 'empty' } : undefined,
    );
    build.onLoad({ filter: /.*/, namespace: 'empty' }, () => ({ contents: 'module.exports = {};' }));
  },
};

/** `f = __name((…) => …, "f")` as `f = ((…) => …)`; what lies in another one is found the next time. */
function withoutNamesIn(text) {
  const without = text.replace(/\b(\w+) = \/\* @__PURE__ \*\/ __name\(([\s\S]*?), "\1"\)/g, '$1 = ($2)');
  return without === text ? text : withoutNamesIn(without);
}

/**
 * web-tree-sitter gives each function its name once more, for traces of the stack that nobody reads. It has a branch for
 * Node, and runs JavaScript that a grammar brings, as none does; for both the names of all its variables are kept.
 */
const withoutNames = {
  name: 'without-names',
  setup(build) {
    build.onLoad({ filter: /[/\\]web-tree-sitter[/\\]web-tree-sitter\.cjs$/ }, async ({ path: file }) => ({
      contents: withoutNamesIn((await readFile(file, 'utf8')).replace(/^\s*__name\(\w+, "\w+"\);$/gm, ''))
        .replace(/\bvar (ENVIRONMENT_IS_NODE) = .*;$/m, 'const $1 = false;')
        .replaceAll(' = eval(func)', ' = undefined'),
    }));
  },
};

/** What Secretlint asks of three packages of lodash, which are 22 kB: they bring support for browsers without Map. */
const LODASH = {
  'lodash.uniq': '(list) => [...new Set(list)]',
  'lodash.uniqwith': '(list, isSame) => list.filter((a, at) => list.findIndex((b) => isSame(b, a)) === at)',
  'lodash.sortby':
    '(list, keys) => list.toSorted((a, b) => keys.reduce((order, key) => order || (a[key] > b[key]) - (a[key] < b[key]), 0))',
};

/** @type {import('esbuild').Plugin} */
const smallLodash = {
  name: 'small-lodash',
  setup(build) {
    build.onResolve({ filter: /^lodash\.(uniq|uniqwith|sortby)$/ }, ({ path: name }) => ({
      path: name,
      namespace: 'lodash',
    }));
    build.onLoad({ filter: /.*/, namespace: 'lodash' }, ({ path: name }) => ({
      contents: `module.exports = ${LODASH[name]};`,
    }));
  },
};

/** @type {import('esbuild').BuildOptions} */
const web = {
  absWorkingDir: root,
  bundle: true,
  platform: 'browser',
  target: 'chrome130',
  // Chinese words as they are: an escape takes twice the bytes.
  charset: 'utf8',
  format: 'cjs',
  external: ['vscode'],
  // Its ES module asks for import.meta.url, which CommonJS output leaves empty.
  alias: { 'web-tree-sitter': path.join(root, 'node_modules/web-tree-sitter/web-tree-sitter.cjs') },
  plugins: [withoutNode, withoutNames, smallLodash],
  // Nothing outlives the page there.
  define: { 'process.env.SECRET_RULES': '""' },
};

/** @type {Record<string, import('esbuild').BuildOptions>} */
export const webBundles = {
  webExtension: { ...web, entryPoints: ['src/vscode/web.ts'], outfile: 'dist/web/extension.js' },
  webWorker: { ...web, entryPoints: ['src/worker/webEntry.ts'], outfile: 'dist/web/worker.js' },
};

/**
 * The integration suite for those hosts. Its assertions come from chai, since Node's are Node's.
 * @type {import('esbuild').BuildOptions}
 */
export const webTests = {
  ...web,
  entryPoints: ['test/integration/web/index.ts'],
  outfile: 'dist/web/test/index.js',
  alias: { ...web.alias, 'node:assert/strict': path.join(root, 'test/integration/web/assert.ts') },
  define: { CONTEXT_BUDGET_GREP: JSON.stringify(process.env.CONTEXT_BUDGET_GREP ?? '') },
};
