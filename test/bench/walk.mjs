// Part `walk`: 50 cycles of each scoring mode on a copy of a memory folder that is named; `walk.ts` walks. The scenarios
// are made for one public folder (memory, heartbeat, todos of an agent); others need a `walk.json` of their own.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { root } from '../harness/setup.mjs';
import { table } from './support.mjs';

const CYCLES = 50;

export async function walkBench(folder, scenarios = path.join(import.meta.dirname, 'walk.json')) {
  const temp = mkdtempSync(path.join(tmpdir(), 'walk-'));
  // Its packages are found from here.
  const outfile = path.join(root, 'dist/test/walk.mjs');
  try {
    const copy = path.join(temp, 'copy');
    cpSync(folder, copy, { recursive: true, filter: (from) => !/(?:^|\/)(?:\.git|node_modules)$/.test(from) });
    const git = (...args) => execFileSync('git', ['-c', 'user.name=w', '-c', 'user.email=w@w', ...args], { cwd: copy });
    git('init', '--quiet');
    git('add', '--all');
    git('commit', '--quiet', '--message', 'copy');
    await build({
      entryPoints: [path.join(import.meta.dirname, 'walk.ts')],
      outfile,
      ...{ bundle: true, platform: 'node', format: 'esm', packages: 'external', logLevel: 'error' },
      define: { 'import.meta.dirname': JSON.stringify(path.join(root, 'test/support')) },
    });
    const { walk } = await import(pathToFileURL(outfile).href);
    const { done, report, scores } = await walk(temp, copy, JSON.parse(readFileSync(scenarios, 'utf8')), CYCLES);
    const rows = ['baseline', 'static', 'dynamic'].map((mode) => {
      const cycles = done.filter((each) => each.mode === mode);
      const sum = (of) => cycles.reduce((total, each) => total + of(each), 0);
      const kept = sum(
        ({ uses, cited, asked }) => uses.filter((id) => cited.includes(id) || asked.includes(id)).length,
      );
      return [
        mode,
        ...[Math.round(sum(({ chars }) => chars) / cycles.length), sum(({ uses }) => uses.length), kept],
        ...[sum(({ asked }) => asked.length), sum(({ unknown }) => unknown.length)],
      ];
    });
    table('A walk of three modes', ['mode', 'characters', 'needed', 'cited', 'of these asked for', 'unknown'], rows);
    for (const { mode, uses, cited, asked } of done)
      for (const id of uses) if (!cited.includes(id) && !asked.includes(id)) console.log(`  ${mode}: ${id} was lost`);
    console.log(`${report}\n${scores}`);
  } finally {
    rmSync(temp, { recursive: true, force: true });
    rmSync(outfile, { force: true });
  }
}
