// Part `host`: what the extension costs inside a real extension host, as its integration suite measures it.
import { spawnSync } from 'node:child_process';
import { root } from '../harness/setup.mjs';
import { ratio, table } from './support.mjs';

/** Lines of the integration suite that tell what something took, with the limit each is held to. */
const MEASURED = [
  [/activate\(\): ([\d.]+) ms/, 'activate()', 20],
  [/saved → panel: ([\d.]+) ms/, 'file saved → panel shows it', 1000],
  [/written → ALERT in the panel: ([\d.]+) ms/, 'plug-in turns to ALERT → panel shows it', 1000],
  [/first count: longest stretch ([\d.]+) ms/, 'longest stretch of our code, first count of 2,000 files', 10],
  [/refresh: longest stretch ([\d.]+) ms/, 'longest stretch of our code, refresh of 2,000 files', 10],
  [/one save: longest stretch ([\d.]+) ms/, 'longest stretch of our code, one save', 10],
  [/observations listed: longest stretch ([\d.]+) ms/, 'longest stretch of our code, 20,000 observations listed', 10],
  [/searched: longest stretch ([\d.]+) ms/, 'longest stretch of our code, their search index made', 10],
];

export function hostBench() {
  const env = { ...process.env, SKIP_BUILD: '1' };
  const result = spawnSync(process.execPath, ['test/harness/integration.mjs', 'trusted', 'large'], {
    cwd: root,
    encoding: 'utf8',
    env,
  });
  const output = `${result.stdout}${result.stderr}`;
  const rows = MEASURED.map(([pattern, what, limit]) => {
    const ms = Number(pattern.exec(output)?.[1] ?? Number.NaN);
    if (Number.isNaN(ms)) throw new Error(`"${what}" was not measured:\n${output.slice(-3000)}`);
    return [what, `${ms} ms`, `${limit} ms`, ratio(ms, limit)];
  });
  table('In a real extension host', ['what', 'measured', 'limit', 'ratio'], rows);
}
