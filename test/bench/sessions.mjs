// Part `sessions`: how far parts and figures of agents' sessions agree, below folders that hold agents' folders; `sessions.ts` measures.
import path from 'node:path';
import * as esbuild from 'esbuild';
import { root } from '../harness/setup.mjs';
import { benchDir, count, table, timed } from './support.mjs';

const share = (value) => (value === undefined || value === null ? '' : `${(100 * value).toFixed(1)}%`);

/** Whether parts added up to the provider's figures in every request. */
export async function sessionsBench(folders) {
  const script = path.join(benchDir, 'sessions.cjs');
  await esbuild.build({
    absWorkingDir: root,
    entryPoints: ['test/bench/sessions.ts'],
    bundle: true,
    platform: 'node',
    mainFields: ['module', 'main'],
    outfile: script,
    logLevel: 'error',
  });
  const { stdout } = timed(process.execPath, [script, root, ...folders]);
  const { rows, problems, findings } = JSON.parse(stdout);
  const found = rows.filter(({ sessions }) => sessions > 0);
  table(
    'Sessions',
    ['agent', 'sessions', 'requests', 'parts ≠ figure', 'measured', 'growth before a cut p50, p90', 'in all p50, p90'],
    found.map(({ agent, sessions, requests, wrong, measured, beforeCut, whole }) => [
      agent,
      count(sessions),
      count(requests),
      count(wrong),
      count(measured),
      beforeCut.map(share).join(', '),
      whole.map(share).join(', '),
    ]),
  );
  table(
    'Findings',
    ['rule', 'count'],
    Object.entries(findings).map(([rule, times]) => [rule, count(times)]),
  );
  for (const { path: file, message } of problems) console.log(`${file}: ${message}`);
  return found.every(({ wrong }) => wrong === 0);
}
