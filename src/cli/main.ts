/** The entry of `dist/cli.js`: the process's own world, one run, its exit code. */
import path from 'node:path';
import { EXIT } from './context';
import { processIo, startQuickly } from './io';
import { runCli } from './runCli';

startQuickly();

const io = processIo((error) => {
  io.stderr.write(`error: the result could not be written: ${error.message}\n`);
  process.exit(EXIT.failed);
});

runCli(process.argv.slice(2), io, { root: path.dirname(__dirname) }).then((exitCode) => {
  // Everything is written and released; what may still linger (a child stuck in the kernel) is not waited for.
  process.exit(exitCode);
});
