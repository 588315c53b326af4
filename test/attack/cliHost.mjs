// A case through the command line: each of its commands in a process of its own, in the folder, as a person runs them.
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { runBounded } from './processes.mjs';

export const CLI = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../../dist/cli.js');

/** What only looks. */
export const READING = [['budget'], ['payload', '--expanded', '--unmasked']];

/** What writes records because it was asked to. */
export const RECORDING = [
  ['payload', '--expanded', '--record'],
  ['observe', '--summary', 'looked at it', '--task-id', 'TASK-1'],
  ['ingest'],
  ['detail', '--ids', 'section:agents-md', '--record'],
];

/** Every command but those that are meant to serve, to trust or to write settings. */
export const EVERY = [
  ...READING,
  ['payload', '--unmasked', '--query', 'where is the price made'],
  ['budget', '--json', '--explain'],
  ['index', '--unmasked'],
  ['map', '--unmasked', '--explain', '--focus', 'src'],
  ['map', '--unmasked', '--query', 'the word is'],
  ['detail', '--unmasked', '--ids', 'section:agents-md,section:git,file:AGENTS.md'],
  ['timeline', '--unmasked'],
  ['stale'],
  ['agents'],
  ['agents', '--file', 'src/app.ts', '--json'],
  ['report'],
  ['simulate'],
  ['compact', '--unmasked', '--observations'],
  ['optimize', '--unmasked', '--sections', '-'],
  ['cite', '--reply', '-', '--record'],
  ['trust', '--list'],
  ['hooks'],
  ...RECORDING,
];

const SECTIONS = JSON.stringify([{ id: 'one', text: 'As AGENTS.md says: prices are integers in cents.' }]);

function inputOf([command]) {
  if (command === 'optimize') return SECTIONS;
  return command === 'cite' ? 'As AGENTS.md says, prices are integers in cents (section:agents-md).' : undefined;
}

/** Runs the case's commands; what they print and whether they end goes to its canaries. */
export async function attackCli(attack, folder, canaries, { deadlineMs }) {
  const ask = attack.handles ? [['detail', '--unmasked', '--ids', ...attack.handles]] : [];
  for (const args of [...(attack.cli ?? READING), ...ask]) {
    const { output, hung } = await runBounded([process.execPath, CLI, ...args], {
      cwd: attack.cwd === undefined ? folder.root : folder.at(attack.cwd),
      env: folder.environment(attack.env?.(folder)),
      base: folder.base,
      deadlineMs,
      input: inputOf(args),
    });
    canaries.saw(`the output of ${args.join(' ')}`, output);
    if (process.env.ATTACK_VERBOSE) console.log(`$ ${args.join(' ')}\n${output}`);
    if (hung === undefined) continue;
    canaries.hung(`${args.slice(0, 2).join(' ')}: ${hung}`);
    // The others would hang as long: one is proof enough.
    return;
  }
}
