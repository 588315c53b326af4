// Part `transcripts`: readers of agents' transcripts against JSON.parse of the same lines; `transcripts.ts` measures.
import path from 'node:path';
import * as esbuild from 'esbuild';
import { root } from '../harness/setup.mjs';
import { benchDir, count, ratio, table, timed } from './support.mjs';

export async function transcriptsBench() {
  const script = path.join(benchDir, 'transcripts.cjs');
  await esbuild.build({
    absWorkingDir: root,
    entryPoints: ['test/bench/transcripts.ts'],
    bundle: true,
    platform: 'node',
    mainFields: ['module', 'main'],
    outfile: script,
    logLevel: 'error',
  });
  const { stdout } = timed(process.execPath, [script, root, '200']);
  const rows = JSON.parse(stdout).map(({ agent, megabytes, turns, readMs, parseMs, longestPieceMs, heapMb }) => [
    agent,
    `${count(Math.round(megabytes))} MB, ${count(turns)} turns`,
    `${count(Math.round((megabytes / readMs) * 1000))} MB/s`,
    ratio(readMs, parseMs),
    `${longestPieceMs.toFixed(1)} ms`,
    `${count(Math.round(heapMb))} MB`,
  ]);
  table('Transcripts', ['agent', 'session', 'read', 'against JSON.parse', 'longest piece of 64 KiB', 'heap'], rows);
}
