/** The bundles for hosts in a browser: what they may not hold, and that the worker's runs without anything of Node. */

import { gzipSync } from 'node:zlib';
import * as esbuild from 'esbuild';
import { describe, expect, it } from 'vitest';
import { webBundles } from '../../esbuild.web.mjs';
import type { ContextEngine } from '../../src/core/engine/engine';
import type { FileParser } from '../../src/core/engine/parser';
import type { AssetSource } from '../../src/core/ports/ports';
import { nodeModulesAssets } from '../support/nodeModulesAssets';
import { packedFiles } from '../support/packedFiles';
import { decodeFacts } from '../support/repoMapBuilders';
import { until } from '../support/until.mjs';

/** Each, minified; the worker has 0.7 MB with the rules for secrets, the words of every project and the shapes of logs. */
const MAX_BYTES = 732_000;
/** What comes from libraries, so that one that slips in shows. */
const MAX_LIBRARY_BYTES = { webExtension: 77_000, webWorker: 207_000 };

async function build(options: esbuild.BuildOptions) {
  const result = await esbuild.build({ ...options, minify: true, write: false, metafile: true, logLevel: 'silent' });
  const [file] = result.outputFiles ?? [];
  const [output] = Object.values(result.metafile?.outputs ?? {});
  const ofLibraries = Object.entries(output?.inputs ?? {}).filter(([input]) => input.startsWith('node_modules/'));
  return {
    text: file?.text ?? '',
    libraryBytes: ofLibraries.reduce((sum, [, { bytesInOutput }]) => sum + bytesInOutput, 0),
    imports: output?.imports ?? [],
    inputs: Object.keys(result.metafile?.inputs ?? {}),
  };
}

describe.each(Object.entries(webBundles))('%s', (name, options) => {
  it('has nothing of Node: no module, no file of the layers that know it', async () => {
    const { text, libraryBytes, imports, inputs } = await build(options);
    const outside = imports.filter(({ external }) => external).map(({ path: specifier }) => specifier);
    expect([...new Set(outside)]).toEqual(name === 'webExtension' ? ['vscode'] : []);
    expect(inputs.filter((file) => /^src\/(node|cli)\//.test(file))).toEqual([]);
    // Emptied, for a branch that is never taken in a browser.
    expect(
      inputs.filter((file) => file.startsWith('empty:')).every((file) => /^empty:fs(\/promises)?$/.test(file)),
    ).toBe(true);
    const kilobytes = (bytes: number): string => `${(bytes / 1000).toFixed(0)} kB`;
    console.log(`${name}: ${kilobytes(text.length)}, ${kilobytes(gzipSync(text).length)} compressed`);
    expect(text.length).toBeLessThan(MAX_BYTES);
    expect(libraryBytes).toBeLessThan(MAX_LIBRARY_BYTES[name as keyof typeof MAX_LIBRARY_BYTES]);
  });

  it('cannot be built with a module of Node', async () => {
    const stdin = { contents: 'import "node:fs"; import "fs";', resolveDir: process.cwd() };
    const { entryPoints: _entry, ...rest } = options;
    await expect(build({ ...rest, stdin, outfile: 'out.js' })).rejects.toThrow(/Could not resolve/);
  });
});

describe('the worker bundle, loaded where nothing of Node is', () => {
  // From their packages, so that the test needs no build.
  const assets = packedFiles(nodeModulesAssets);

  async function load(self: object) {
    const { text } = await build(webBundles.webWorker);
    const module: { exports: Record<string, unknown> } = { exports: {} };
    const hidden = ['process', 'require', 'Buffer', 'global', '__dirname', '__filename', 'setImmediate'];
    new Function('module', 'exports', 'self', ...hidden, text)(module, module.exports, self);
    return module.exports as { createInProcess(from: AssetSource): { engine: ContextEngine; parser: FileParser } };
  }

  it('parses and makes a map in this thread, and listens to nobody', async () => {
    const listeners: string[] = [];
    const { createInProcess } = await load({ addEventListener: (type: string) => listeners.push(type) });
    const { parser, engine } = createInProcess(assets);
    const bytes = new TextEncoder().encode('export function greet(name: string): string {\n  return name;\n}\n');
    const facts = await parser.parse([{ path: 'src/greet.ts', contentHash: 'h', bytes }]);
    const [first] = facts.map(decodeFacts);
    expect(first?.definitions.map(({ name }) => name)).toEqual(['greet']);
    await engine.upsertFiles(facts);
    expect(await engine.findSymbols(['sym:src/greet.ts:greet'])).toMatchObject([[{ path: 'src/greet.ts' }]]);
    expect(listeners).toEqual([]);
  });

  it('serves messages where it was told to', async () => {
    const posted: unknown[] = [];
    let receive: (event: { data: unknown }) => void = () => undefined;
    await load({
      workerRole: 'context-budget-worker',
      postMessage: (message: unknown) => posted.push(message),
      addEventListener: (_type: string, listener: typeof receive) => {
        receive = listener;
      },
    });
    expect(posted).toEqual([{ type: 'ready' }]);
    const requests = [1, 2].map((id) => ({ type: 'request', id, method: 'listTroubled', params: undefined }));
    for (const data of requests) receive({ data });
    await until('both are answered', () => posted.length >= 3);
    expect(posted).toHaveLength(3);
    expect(posted.slice(1)).toMatchObject([
      { type: 'result', id: 1 },
      { type: 'result', id: 2 },
    ]);
  });
});
