// All hostile folders, as a table. A case is a plain object:
//   name, finding   what the output says of it; `near` where it is a neighbour of the findings
//   tries, arms     what it tries, and the canaries that it aims at (all are looked at)
//   make(folder)    lays it, with the methods of HostileFolder
//   proof           command lines that make an aimed canary fire where the folder is believed: the trap works
//   cli             command lines; default: what only looks
//   handles         asked for in every host
//   hosts           default: all; `env`, `cwd` and `mcp` are for processes
//   env(folder)     what the user's environment has besides
//   after           what the user does later; whatever runs then counts as well
//   race(folder)    a process that swaps things meanwhile; `moving` is what it swaps
//   sample          hosts of which it is tried in `npm test`; with `onlyLong` in `npm run test:long`
import { GIT_CASES } from './git.mjs';
import { HANGING_CASES } from './hanging.mjs';
import { READING_CASES } from './reading.mjs';
import { RECORD_CASES } from './records.mjs';
import { RUNNING_CASES } from './running.mjs';

/** Nothing is wrong with it: a canary that fires here lies. */
const HARMLESS = {
  name: 'harmless',
  finding: 'control',
  tries: 'nothing',
  arms: [],
  sample: ['cli'],
  make: (folder) => folder.repository(),
};

export const CASES = [
  HARMLESS,
  ...RECORD_CASES,
  ...GIT_CASES,
  ...READING_CASES,
  ...RUNNING_CASES,
  // What takes longest, and may take all of a machine.
  ...HANGING_CASES,
];
