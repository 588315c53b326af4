// Part `usage`: recording into and reading a long usage log; `usage.ts` measures.
import path from 'node:path';
import * as esbuild from 'esbuild';
import { root } from '../harness/setup.mjs';
import { benchDir, count, ratio, table, timed } from './support.mjs';

export async function usageBench() {
  const script = path.join(benchDir, 'usage.cjs');
  await esbuild.build({
    absWorkingDir: root,
    entryPoints: ['test/bench/usage.ts'],
    bundle: true,
    platform: 'node',
    mainFields: ['module', 'main'],
    outfile: script,
    logLevel: 'error',
  });
  const { stdout } = timed(process.execPath, [script]);
  const { cycles, megabytes, files, rows } = JSON.parse(stdout);
  const cells = rows.map(([what, value, base, baseIs]) => {
    const shown = value >= 100 ? count(Math.round(value)) : value.toFixed(2);
    return [what, shown, base === undefined ? '' : ratio(value, base), baseIs ?? ''];
  });
  const title = `${count(cycles)} cycles of 20 sections, ${megabytes.toFixed(0)} MB in ${files} files (milliseconds)`;
  table(title, ['what', 'measured', 'ratio', 'of'], cells);
}
