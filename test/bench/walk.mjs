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

const MODES = ['baseline', 'static', 'dynamic'];
const ROW_HEADS = [
  'section',
  'priority',
  'characters by mode',
  'a stub or left out by mode',
  'needed',
  'cited by mode',
];

/** A row a section: mean characters, cycles without its text, and cycles that cited it, each of the three modes. */
function sectionRows(done) {
  const ids = [...new Set(done.flatMap(({ sections }) => sections.map(({ id }) => id)))];
  const inModes = (of) => MODES.map((mode) => of(done.filter((each) => each.mode === mode))).join(' / ');
  return ids.map((id) => {
    const shown = ({ sections }) => sections.find((each) => each.id === id);
    return [
      id,
      done.map(shown).find(Boolean).priority,
      inModes((cycles) => Math.round(cycles.reduce((sum, each) => sum + (shown(each)?.chars ?? 0), 0) / cycles.length)),
      inModes((cycles) => cycles.filter((each) => ['stub', 'omitted'].includes(shown(each)?.disclosure)).length),
      done.filter(({ mode, uses }) => mode === 'baseline' && uses.includes(id)).length,
      inModes((cycles) => cycles.filter(({ cited, asked }) => cited.includes(id) || asked.includes(id)).length),
    ];
  });
}

/** What was needed, or cited in the baseline, and was neither cited nor asked for in a mode: each once, with how often. */
function lostLines(done) {
  const had = ({ cited, asked }, id) => cited.includes(id) || asked.includes(id);
  const lines = done.flatMap((each, at) => {
    const { mode, task, uses } = each;
    const before = done[at % CYCLES].cited.filter((id) => !uses.includes(id));
    const lost = (ids, why) => ids.filter((id) => !had(each, id)).map((id) => `  ${mode}: ${id}, ${why}: ${task}`);
    return [...lost(uses, 'needed'), ...lost(before, 'cited in the baseline without need')];
  });
  return [...new Set(lines)].map((line) => `${line} (${lines.filter((each) => each === line).length})`);
}

export async function walkBench(folder, scenarios = path.join(import.meta.dirname, 'walk.json'), asSuggested = true) {
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
    const tasks = JSON.parse(readFileSync(scenarios, 'utf8'));
    const walked = await walk(temp, copy, tasks, { cycles: CYCLES, asSuggested });
    const { done, simulation, report, scores } = walked;
    const rows = MODES.map((mode) => {
      const cycles = done.filter((each) => each.mode === mode);
      const sum = (of) => cycles.reduce((total, each) => total + of(each), 0);
      const kept = sum(
        ({ uses, cited, asked }) => uses.filter((id) => cited.includes(id) || asked.includes(id)).length,
      );
      return [
        mode,
        ...[sum(({ chars }) => chars), sum(({ tokens }) => tokens)].map((total) => Math.round(total / cycles.length)),
        ...[sum(({ uses }) => uses.length), kept],
        ...[sum(({ asked }) => asked.length), sum(({ unknown }) => unknown.length)],
      ];
    });
    table(
      'A walk of three modes',
      ['mode', 'characters', 'tokens', 'needed', 'cited', 'of these asked for', 'unknown'],
      rows,
    );
    table('Section by section', ROW_HEADS, sectionRows(done));
    for (const line of lostLines(done)) console.log(line);
    console.log(`${simulation}\n${report}\n${scores}`);
  } finally {
    rmSync(temp, { recursive: true, force: true });
    rmSync(outfile, { force: true });
  }
}
