import { mkdtempSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ParseInput } from '../../../src/core/engine/parser';
import type { TokenizerName } from '../../../src/core/ports/ports';
import { hashBytes } from '../../../src/core/text/hash';
import { ThreadLauncher } from '../../../src/node/workerLauncher';
import { SYSTEM_CLOCK } from '../../../src/protocol/clock';
import { connectEngine } from '../../../src/protocol/engineClient';
import { ParserPool } from '../../../src/protocol/parserPool';
import type { createInProcess } from '../../../src/worker/nodeEntry';
import { hostileBytes } from '../../fixtures/hostileSources';
import { IS_LONG } from '../../support/extent.mjs';
import { packedFiles } from '../../support/packedFiles';
import { decodeFacts } from '../../support/repoMapBuilders';
import { ranksFile } from './ranksFile';

const require = createRequire(import.meta.url);
const root = path.resolve(import.meta.dirname, '../../..');
const silent = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

/** Product files from where the build takes them, so that the test needs no build. */
const assets = packedFiles({
  async read(name) {
    const ranks = /^dist\/tokenizers\/(\w+)\.ranks$/.exec(name);
    if (ranks) return ranksFile(ranks[1] as TokenizerName);
    const { grammars } = JSON.parse(await readFile(path.join(root, 'grammars/manifest.json'), 'utf8')) as {
      grammars: readonly { file: string; package: string }[];
    };
    const runtime = { file: 'web-tree-sitter.wasm', package: 'web-tree-sitter' };
    const source = [...grammars, runtime].find(({ file }) => name === `grammars/${file}`);
    return readFile(source ? path.join(root, 'node_modules', source.package, source.file) : path.join(root, name));
  },
});

const input = (filePath: string, text: string): ParseInput => {
  const bytes = new TextEncoder().encode(text);
  return { path: filePath, contentHash: hashBytes(bytes), bytes };
};

const PYTHON = input('src/greet.py', 'def greet(name):\n    return name\n');

describe('the worker bundle in Node', () => {
  let folder: string;
  let script: string;

  beforeAll(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'context-budget-'));
    script = path.join(folder, 'worker.js');
    await build({
      entryPoints: [path.join(root, 'src/worker/nodeEntry.ts')],
      outfile: script,
      bundle: true,
      platform: 'node',
      // As the product's own build: jsonc-parser's main is not for bundles.
      mainFields: ['module', 'main'],
      format: 'cjs',
      alias: { 'web-tree-sitter': path.join(root, 'node_modules/web-tree-sitter/web-tree-sitter.cjs') },
    });
  });

  afterAll(() => rmSync(folder, { recursive: true }));

  it('serves engine and parser from threads of their own', async () => {
    const ports = { launcher: new ThreadLauncher(script, silent), assets, clock: SYSTEM_CLOCK };
    const engine = connectEngine(ports);
    const parser = new ParserPool({ ...ports, workers: 1 });
    try {
      const parsed = await parser.parse([PYTHON]);
      expect(decodeFacts(parsed[0]!)).toMatchObject({
        path: 'src/greet.py',
        outcome: 'parsed',
        definitions: [{ kind: 'function', name: 'greet', lineStart: 1, lineEnd: 2 }],
      });
      await engine.upsertFiles(parsed);
      const map = await engine.buildMap({ tokenizer: 'cl100k_base', budgetTokens: 200, focusPaths: [] });
      expect(map.text).toContain('greet');
      expect(await engine.countTokens({ texts: [map.text], tokenizer: 'cl100k_base' })).toEqual([map.tokens]);
    } finally {
      engine.dispose();
      parser.dispose();
    }
  });

  it('launches again after a thread ended, without losing a file', async () => {
    const launcher = new ThreadLauncher(script, silent);
    let launches = 0;
    const dying = {
      launch: () => {
        const handle = launcher.launch();
        // The first thread is ended while it works on its first batch.
        if (++launches === 1) handle.pipe.onMessage((message) => message.type === 'needAsset' && handle.terminate());
        return handle;
      },
    };
    const parser = new ParserPool({ launcher: dying, assets, clock: SYSTEM_CLOCK, workers: 1 });
    try {
      expect(decodeFacts((await parser.parse([PYTHON]))[0]!).outcome).toBe('parsed');
      expect(launches).toBe(2);
    } finally {
      parser.dispose();
    }
  });

  it('gives up hostile files alone, each for its reason, and indexes those beside them', async () => {
    const hostile = (name: string, source: string): ParseInput => ({
      path: name,
      contentHash: 'h',
      bytes: hostileBytes(source),
    });
    const launcher = new ThreadLauncher(script, silent);
    const parser = new ParserPool({ launcher, assets, clock: SYSTEM_CLOCK, workers: 1 });
    const files = [
      hostile('minified.js', 'minified5MB'),
      hostile('random.py', 'randomBytes'),
      hostile('parens.py', 'parens'),
      // Each of these takes until the deadline: 1.5 s of processor time.
      ...(IS_LONG
        ? [
            hostile('brackets.ts', 'assignedBrackets'),
            hostile('angles.ts', 'angles'),
            hostile('angles.cs', 'angles'),
            hostile('comments.c', 'otherComments'),
          ]
        : []),
    ];
    try {
      const facts = (await parser.parse(files.flatMap((file) => [file, PYTHON]))).map((bytes) => decodeFacts(bytes));
      const outcomes = Object.fromEntries(facts.map(({ path: name, outcome }) => [name, outcome]));
      expect(outcomes).toMatchObject({ 'minified.js': 'tooLarge', 'random.py': 'binary', 'parens.py': 'partial' });
      // What becomes of these depends on the machine; what they may become does not.
      for (const { path: name } of files.slice(3)) {
        expect(['partial', 'deadline', 'failed']).toContain(outcomes[name]);
      }
      const honest = facts.filter(({ path: name }) => name === PYTHON.path);
      expect(honest.map(({ definitions }) => definitions[0]?.name)).toEqual(files.map(() => 'greet'));
    } finally {
      parser.dispose();
    }
  });

  it('gives the same services in this process, and listens to nobody there', async () => {
    const bundle = require(script) as { createInProcess: typeof createInProcess };
    const { engine, parser } = bundle.createInProcess(assets);
    // Bash has a lexer that is compiled in a way of its own.
    await engine.upsertFiles(await parser.parse([PYTHON, input('src/greet.sh', 'greet() {\n  echo\n}\n')]));
    const map = await engine.buildMap({ tokenizer: 'o200k_base', budgetTokens: 500, focusPaths: [] });
    expect(map.view).toMatchObject({ filesTotal: 2, symbolsTotal: 2 });
    expect(await engine.listTroubled()).toEqual([]);
    expect(await engine.countTokens({ texts: ['hello world'], tokenizer: 'o200k_base' })).toEqual([2]);
  });
});
