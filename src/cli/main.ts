/** The entry of `dist/cli.js`: the process's own world, one run, its exit code. */
import path from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { EXIT } from './context';
import { processIo } from './io';
import { runCli } from './runCli';

/**
 * For a process that is waited for from its first moment. On a warm cache of 2,000 files the first map of the MCP server
 * takes a sixth less time with them, `map --query` an eighth (`npm run bench -- mcp`; Node 20):
 * - functions are optimized after four times as much work as by default (67,584 bytes of bytecode in Node 20): most run for
 *   some milliseconds, and compiling them takes the other processor for longer than it saves;
 * - workers begin with a heap that need not be collected while it fills.
 */
const FLAGS = ['--interrupt-budget=264000', '--initial-heap-size=64'];

/** Sets V8's flags for a quick start; nothing else depends on them. Electron may have frozen its flags, and is left alone. */
export function startQuickly(setFlag: (flag: string) => void = setFlagsFromString): void {
  if (process.versions.electron !== undefined) return;
  for (const flag of FLAGS) setFlag(flag);
}

startQuickly();

const io = processIo((error) => {
  io.stderr.write(`error: the result could not be written: ${error.message}\n`);
  process.exit(EXIT.failed);
});

runCli(process.argv.slice(2), io, { root: path.dirname(__dirname) }).then((exitCode) => {
  // Everything is written and released; what may still linger (a child stuck in the kernel) is not waited for.
  process.exit(exitCode);
});
