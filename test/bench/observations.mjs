// Part `observations`: the layers over a long history, in the worker; `observations.ts` measures.
import path from 'node:path';
import * as esbuild from 'esbuild';
import { root } from '../harness/setup.mjs';
import { benchDir, count, ratio, table, timed } from './support.mjs';

export async function observationsBench() {
  const script = path.join(benchDir, 'observations.cjs');
  await esbuild.build({
    absWorkingDir: root,
    entryPoints: ['test/bench/observations.ts'],
    bundle: true,
    platform: 'node',
    mainFields: ['module', 'main'],
    outfile: script,
    logLevel: 'error',
  });
  const { stdout } = timed(process.execPath, [script, root]);
  for (const line of stdout.split('\n').filter((text) => text !== '')) {
    const { count: total, rows } = JSON.parse(line);
    const cells = rows.map(([what, value, limit]) => {
      const shown = value >= 100 ? count(Math.round(value)) : value.toFixed(1);
      return [what, shown, limit ?? '', limit ? ratio(value, limit) : ''];
    });
    table(`${count(total)} observations (milliseconds)`, ['what', 'measured', 'limit', 'ratio'], cells);
  }
}
