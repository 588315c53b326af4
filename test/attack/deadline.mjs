import { CLI } from './cliHost.mjs';
import { HostileFolder } from './hostileFolder.mjs';
import { runBounded } from './processes.mjs';

/** So many times as long as a folder in which nothing is wrong, and never less than 20 s: who takes that long hangs. */
const FACTOR = 8;
const LEAST_MS = 20_000;

/** How long a command may take on this machine as it is now, other work included. */
export async function deadlineOfMachine() {
  if (process.env.ATTACK_DEADLINE_MS) return Number(process.env.ATTACK_DEADLINE_MS);
  const folder = await HostileFolder.make();
  try {
    folder.repository();
    const bounds = { cwd: folder.root, env: folder.environment(), base: folder.base, deadlineMs: 60_000 };
    const { ms, code, output } = await runBounded([process.execPath, CLI, 'budget'], bounds);
    if (code !== 0) throw new Error(`budget ended with ${code} in a harmless folder\n${output}`);
    return Math.max(LEAST_MS, ms * FACTOR);
  } finally {
    folder.remove();
  }
}
