// Part `tokens`: exact counts against js-tiktoken, and on input that does not end there.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { root } from '../harness/setup.mjs';
import { ratio, table } from './support.mjs';

const require = createRequire(import.meta.url);

export async function tokensBench() {
  const worker = require(path.join(root, 'dist/worker.js'));
  const assets = { read: async (name) => new Uint8Array(readFileSync(path.join(root, name))) };
  const { engine } = worker.createInProcess(assets);
  const code = readFileSync(path.join(root, 'package-lock.json'), 'utf8');
  const lib = readFileSync(path.join(root, 'dist/extension.js'), 'utf8');
  const source = (lib + code).slice(0, 1_000_000);
  const { Tiktoken } = require('js-tiktoken/lite');
  const ranks = require('js-tiktoken/ranks/o200k_base');
  let at = performance.now();
  const reference = new Tiktoken(ranks.default ?? ranks);
  const referenceLoad = performance.now() - at;
  at = performance.now();
  await engine.countTokens({ texts: ['warm'], tokenizer: 'o200k_base' });
  const load = performance.now() - at;
  const inputs = {
    'code, 1 MB': source,
    'Chinese, 1 MB': '上下文预算工具会在编辑器里显示每一段内容的成本，并给出最小可用的载荷。'
      .repeat(30_000)
      .slice(0, 1_000_000),
    '"a" × 1,000,000': 'a'.repeat(1_000_000),
    '"=" × 1,000,000': '='.repeat(1_000_000),
    'spaces × 1,000,000': ' '.repeat(1_000_000),
    'emoji × 500,000': '😀'.repeat(500_000),
  };
  const rows = [['load', `${load.toFixed(0)} ms`, `${referenceLoad.toFixed(0)} ms`, ratio(load, referenceLoad)]];
  for (const [name, text] of Object.entries(inputs)) {
    at = performance.now();
    await engine.countTokens({ texts: [text], tokenizer: 'o200k_base' });
    const ms = performance.now() - at;
    const isHostile = name.includes('×');
    let referenceMs;
    if (!isHostile) {
      at = performance.now();
      reference.encode(text.slice(0, 100_000), [], []);
      referenceMs = (performance.now() - at) * (text.length / 100_000);
    }
    rows.push([
      name,
      `${ms.toFixed(0)} ms`,
      referenceMs ? `${referenceMs.toFixed(0)} ms` : 'does not end',
      referenceMs ? ratio(ms, referenceMs) : `${(ms / 2000).toFixed(2)}× of the limit of 2 s`,
    ]);
  }
  table('Exact token counts, o200k_base', ['input', 'ours', 'js-tiktoken', 'ratio'], rows);
}
