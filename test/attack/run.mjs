// npm run test:attack: hostile folders, made at run time, through the command line, the MCP server and the extension in
// Restricted Mode. Each case says which canaries fired; none must. Prints `N passed, N failed` last.
//   node test/attack/run.mjs [NAME…] [--through cli|mcp|editor] [--finding C1] [--json FILE]
// env: SKIP_BUILD=1 uses dist as it is; ATTACK_JOBS; ATTACK_VERBOSE=1 prints what hosts say
import { writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { build } from '../harness/setup.mjs';
import { attackOnce, hostsOf, proveTrap } from './attackOnce.mjs';
import { CASES } from './cases/index.mjs';
import { CONTROLS, runControl } from './controls.mjs';
import { deadlineOfMachine } from './deadline.mjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    through: { type: 'string', multiple: true, default: ['cli', 'mcp', 'editor'] },
    finding: { type: 'string' },
    json: { type: 'string' },
  },
});

// What was laid and started is removed on the way out.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => process.exit(1));

const jobs = Number(process.env.ATTACK_JOBS ?? availableParallelism());
const results = [];

function tell({ host, name, finding, fired, note }) {
  const isPassed = fired.length === 0;
  const why = fired.map(({ canary, what }) => `${canary} (${what})`).join(', ');
  console.log(
    `${isPassed ? 'ok  ' : 'FAIL'} ${host.padEnd(7)} ${finding.padEnd(7)} ${name}${isPassed ? '' : `: ${why}`}${note ?? ''}`,
  );
}

function keep(result) {
  results.push(result);
  tell(result);
}

/** What is broken in the suite itself fails as a canary of its own. */
function broken(what) {
  return [{ canary: 'broken', what }];
}

async function attackWith(attack, host, deadlineMs) {
  const started = performance.now();
  const fired = await attackOnce(attack, host, { deadlineMs }).catch((error) => broken(error.stack));
  keep({ host, name: attack.name, finding: attack.finding, fired, ms: Math.round(performance.now() - started) });
}

async function prove(attack) {
  const works = await proveTrap(attack).catch((error) => error.stack);
  if (works === true) return;
  const why = works === false ? 'the trap does not work: nothing fires where the folder is believed' : works;
  keep({ host: 'proof', name: attack.name, finding: attack.finding, fired: broken(why) });
}

/** Runs tasks beside each other, in order. */
async function runAll(tasks) {
  const waiting = [...tasks];
  const lane = async () => {
    for (let task = waiting.shift(); task; task = waiting.shift()) await task();
  };
  await Promise.all(Array.from({ length: jobs }, lane));
}

function chosen() {
  const unknown = positionals.find((name) => !CASES.some((attack) => attack.name === name));
  if (unknown !== undefined) throw new Error(`no case "${unknown}"`);
  return CASES.filter(
    ({ name, finding }) =>
      (positionals.length === 0 || positionals.includes(name)) &&
      (values.finding === undefined || values.finding === finding),
  );
}

if (!process.env.SKIP_BUILD) build('--tests');
const cases = chosen();
const deadlineMs = await deadlineOfMachine();
console.log(`${cases.length} hostile folders, ${Math.round(deadlineMs / 1000)} s a command`);
if (positionals.length === 0 && values.finding === undefined) {
  for (const [name, [canary]] of Object.entries(CONTROLS)) {
    const isAwake = await runControl(name, { deadlineMs });
    keep({ host: 'control', finding: canary, name, fired: isAwake ? [] : broken('the canary is silent') });
  }
}
await runAll(cases.filter(({ proof }) => proof).map((attack) => () => prove(attack)));
const processHosts = ['cli', 'mcp'].filter((host) => values.through.includes(host));
await runAll(
  cases.flatMap((attack) =>
    processHosts
      .filter((host) => hostsOf(attack).includes(host))
      .map((host) => () => attackWith(attack, host, deadlineMs)),
  ),
);
if (values.through.includes('editor')) {
  const { attackEditor } = await import('./editorHost.mjs');
  const attacks = cases.filter((attack) => hostsOf(attack).includes('editor'));
  await attackEditor(attacks, deadlineMs, keep).catch((error) =>
    keep({ host: 'editor', name: 'all', finding: 'control', fired: broken(error.stack) }),
  );
}
if (values.json) writeFileSync(values.json, JSON.stringify(results, null, 2));
const failed = results.filter(({ fired }) => fired.length > 0);
console.log(`\n${results.length - failed.length} passed, ${failed.length} failed`);
process.exit(failed.length > 0 ? 1 : 0);
