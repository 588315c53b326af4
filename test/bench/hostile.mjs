// node test/bench/hostile.mjs [--rounds N] [language:ID…] [source:NAME…]: every hostile source to every grammar, through
// the worker pool of the build in dist/. One line each; a summary of memory a round. Exit code 1 when an honest file is lost.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { build } from 'esbuild';
import { root } from '../harness/setup.mjs';

const outfile = path.join(root, '.bench', 'hostile.cjs');
await build({
  entryPoints: [path.join(root, 'test', 'bench', 'hostile.ts')],
  outfile,
  bundle: true,
  platform: 'node',
  format: 'cjs',
  logLevel: 'error',
});
const argv = process.argv.slice(2);
const at = argv.indexOf('--rounds');
const [, rounds = '1'] = at < 0 ? [] : argv.splice(at, 2);
const { languages } = JSON.parse(readFileSync(path.join(root, 'grammars', 'manifest.json'), 'utf8'));
const { runHostile } = createRequire(import.meta.url)(outfile);
await runHostile(root, languages, Number(rounds), argv);
