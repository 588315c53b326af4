// One case in one host: lays the folder, arms the canaries, attacks, and tells what fired.
import { spawn } from 'node:child_process';
import { tmpdir } from 'node:os';
import { Canaries } from './canaries.mjs';
import { attackCli } from './cliHost.mjs';
import { HostileFolder } from './hostileFolder.mjs';
import { attackMcp } from './mcpHost.mjs';
import { runBounded } from './processes.mjs';

const HOSTS = { cli: attackCli, mcp: attackMcp };

/** How long the user's own git may take in a hostile folder. */
const USER_MS = 20_000;

export function hostsOf({ hosts, env, cwd, mcp }) {
  return hosts ?? (env || cwd || mcp ? ['cli', 'mcp'] : ['cli', 'mcp', 'editor']);
}

/** What the user does in the folder without a thought of us. */
async function runAsUser(commands, attack, folder) {
  for (const argv of commands) {
    await runBounded(argv, {
      cwd: attack.cwd === undefined ? folder.root : folder.at(attack.cwd),
      env: folder.environment(attack.env?.(folder)),
      base: folder.base,
      deadlineMs: USER_MS,
    });
  }
}

/** Begins to swap things in the folder; gives what ends it. */
export function startRace(attack, folder) {
  if (!attack.race) return async () => undefined;
  const [program, ...args] = attack.race(folder);
  // Elsewhere and with nothing of the case in its environment: it is no process of the host's.
  const child = spawn(program, args, { cwd: tmpdir(), env: {}, stdio: 'ignore' });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  return async () => {
    child.kill('SIGKILL');
    await ended;
  };
}

async function withFolder(attack, work) {
  const folder = await HostileFolder.make();
  try {
    await attack.make(folder);
    return await work(folder, new Canaries(folder, attack));
  } finally {
    folder.remove();
  }
}

/** @returns what fired, empty when the host withstood */
export function attackOnce(attack, host, options) {
  return withFolder(attack, async (folder, canaries) => {
    const stopRace = startRace(attack, folder);
    try {
      await HOSTS[host](attack, folder, canaries, options);
    } finally {
      await stopRace();
    }
    const fired = canaries.fired();
    const ran = canaries.ran();
    await runAsUser(attack.after ?? [], attack, folder);
    const later = canaries.ran().filter((what) => !ran.includes(what));
    return [...fired, ...later.map((what) => ({ canary: 'executed', what: `${what}, by git status later` }))];
  });
}

/** Whether the trap of a case works: what somebody does who believes the folder makes its canary fire. */
export function proveTrap(attack) {
  return withFolder(attack, async (folder, canaries) => {
    await runAsUser(attack.proof, attack, folder);
    return canaries.fired().some(({ canary }) => attack.arms.includes(canary));
  });
}
