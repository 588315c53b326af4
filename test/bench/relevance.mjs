// Part `relevance`: what scoring cuts and loses on made-up logs of 720 cycles, and what it costs; `relevance.ts` measures.
import path from 'node:path';
import * as esbuild from 'esbuild';
import { root } from '../harness/setup.mjs';
import { benchDir, milliseconds, ratio, table, timed } from './support.mjs';

/** DESIGN: scoring a payload adds under 10 ms; the panel's slider answers in under 50. */
const SCORE_LIMIT_MS = 10;
const SLIDER_LIMIT_MS = 50;

const percent = (share) => `${(share * 100).toFixed(1)} %`;

export async function relevanceBench() {
  const script = path.join(benchDir, 'relevance.cjs');
  await esbuild.build({
    absWorkingDir: root,
    entryPoints: ['test/bench/relevance.ts'],
    bundle: true,
    platform: 'node',
    mainFields: ['module', 'main'],
    outfile: script,
    logLevel: 'error',
  });
  const { stdout } = timed(process.execPath, [script]);
  const lines = stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
  const study = lines.filter(({ kind }) => kind === 'study');
  table(
    `Held-out logs, ${study[0]?.seeds} seeds a pattern: least and median (targets: 35 % cut, 95 % kept)`,
    ['what', 'pattern', 'characters cut', 'citations kept'],
    study.map(({ name, pattern, cut, kept }) => [
      name,
      pattern,
      `${percent(cut.least)} · ${percent(cut.median)}`,
      `${percent(kept.least)} · ${percent(kept.median)}`,
    ]),
  );
  const costs = lines.filter(({ kind }) => kind === 'cost');
  const slider = lines.find(({ kind }) => kind === 'slider');
  table(
    '200 sections of 2,000 characters, 50 cycles of history (processor time)',
    ['what', 'measured', 'against a whole unscored report', 'limit', 'ratio'],
    [
      ...costs.map(({ name, scoreMs, reportMs }) => [
        `scores ${name}`,
        milliseconds(scoreMs),
        ratio(scoreMs, reportMs),
        milliseconds(SCORE_LIMIT_MS),
        ratio(scoreMs, SCORE_LIMIT_MS),
      ]),
      ...costs.map(({ name, scoredMs, reportMs }) => [
        `report in mode dynamic ${name}`,
        milliseconds(scoredMs),
        ratio(scoredMs, reportMs),
        '',
        '',
      ]),
      [
        'simulation, 21 thresholds',
        milliseconds(slider.ms),
        '',
        milliseconds(SLIDER_LIMIT_MS),
        ratio(slider.ms, SLIDER_LIMIT_MS),
      ],
    ],
  );
}
