import { readFileSync } from 'node:fs';
import path from 'node:path';
import * as esbuild from 'esbuild';
import { describe, expect, it } from 'vitest';
import { importsOf, sourcesOf } from '../support/imports';

/** Every TypeScript file that a bundle of `entries` pulls in, relative to the project, and what stayed outside. */
async function bundle(entries: readonly string[], options: esbuild.BuildOptions = {}) {
  const result = await esbuild.build({
    entryPoints: [...entries],
    bundle: true,
    write: false,
    metafile: true,
    outdir: 'out',
    logLevel: 'silent',
    ...options,
  });
  return Object.keys(result.metafile?.inputs ?? {});
}

/** Which layers a layer may pull in (DESIGN §4, CONVENTIONS): itself and these. */
const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  'src/core': ['grammars'],
  'src/protocol': ['src/core', 'grammars'],
  'src/worker': ['src/core', 'src/protocol', 'grammars'],
  'src/node': ['src/core', 'src/protocol', 'grammars'],
  'src/web': ['src/core', 'src/protocol', 'grammars'],
  'src/cli': ['src/core', 'src/protocol', 'src/node', 'grammars'],
  'src/mcp': ['src/core', 'src/protocol', 'src/node', 'grammars'],
  'src/vscode': ['src/core', 'src/protocol', 'src/node', 'src/web', 'grammars'],
  webview: ['src/core', 'src/protocol'],
};

const layerOf = (file: string) => Object.keys(ALLOWED).find((layer) => file.startsWith(`${layer}/`));

describe('layers', () => {
  it('bundle the core for a browser with no externals', async () => {
    const files = await bundle(sourcesOf('src/core'), { platform: 'browser', format: 'esm' });
    expect(files.some((file) => file.startsWith('src/core/'))).toBe(true);
    expect(files.filter((file) => file.startsWith('src/') && !file.startsWith('src/core/'))).toEqual([]);
  });

  it.each(Object.keys(ALLOWED))('%s imports only the layers below it', async (layer) => {
    const files = sourcesOf(layer);
    expect(files.length).toBeGreaterThan(0);
    const wrong: string[] = [];
    for (const file of files) {
      for (const specifier of importsOf(file).filter((name) => name.startsWith('.'))) {
        const target = path.posix.normalize(path.posix.join(path.posix.dirname(file), specifier));
        const targetLayer = layerOf(target) ?? (target.startsWith('grammars/') ? 'grammars' : target);
        if (targetLayer !== 'package.json' && targetLayer !== layer && !ALLOWED[layer]?.includes(targetLayer))
          wrong.push(`${file} → ${specifier}`);
      }
    }
    expect(wrong).toEqual([]);
  });

  it.each([
    ['vscode', /^src\/vscode\//],
    ['web-tree-sitter', /^src\/worker\//],
    ['js-tiktoken', /^src\/worker\//],
    ['brotli', /^src\/worker\//],
    ['@vscode/webview-ui-toolkit', /^webview\/ui\//],
    ['@modelcontextprotocol/sdk', /^src\/mcp\//],
    ['commander', /^src\/cli\//],
    ['@opentelemetry/api', /^src\/node\/otlp\//],
    ['@opentelemetry/exporter-metrics-otlp-http', /^src\/node\/otlp\//],
    ['@opentelemetry/exporter-metrics-otlp-proto', /^src\/node\/otlp\//],
    ['@opentelemetry/resources', /^src\/node\/otlp\//],
    ['@opentelemetry/sdk-metrics', /^src\/node\/otlp\//],
  ])('%s is imported in one place only', async (name, place) => {
    const wrong: string[] = [];
    for (const layer of Object.keys(ALLOWED)) {
      for (const file of sourcesOf(layer)) {
        const uses = importsOf(file).some((specifier) => specifier === name || specifier.startsWith(`${name}/`));
        if (uses && !place.test(file)) wrong.push(file);
      }
    }
    expect(wrong).toEqual([]);
  });

  it('leave it to src/node/platform.ts to know the operating system', () => {
    const asks =
      /process\.platform|os\.platform\(|'win32'|'darwin'|path\.sep\b|(?<!platform\.)path\.(?:delimiter|win32)\b/;
    const files = sourcesOf('src').filter((file) => asks.test(readFileSync(file, 'utf8')));
    expect(files).toEqual(['src/node/platform.ts']);
  });

  it('let only the composition root of the desktop import src/node', async () => {
    const wrong: string[] = [];
    for (const file of sourcesOf('src/vscode')) {
      if (
        file !== 'src/vscode/desktop.ts' &&
        importsOf(file).some((name) => name.includes('/node/') || name.startsWith('node:'))
      )
        wrong.push(file);
    }
    expect(wrong).toEqual([]);
  });
});
