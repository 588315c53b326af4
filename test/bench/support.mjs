// What every part of the bench needs: tables, medians, timed processes, the size of a folder.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { root } from '../harness/setup.mjs';

/** Peers and generated sources; kept between runs, ignored by git. */
export const benchDir = path.join(root, '.bench');

export const cliScript = path.join(root, 'dist/cli.js');

const SOURCE = /\.(ts|tsx|js|jsx|mjs|cjs|py|go|rs|java|c|h|cc|cpp|hpp|cs|rb|php|kt|swift|scala)$/;

export const isSource = (name) => SOURCE.test(name);
export const sum = (values) => values.reduce((total, value) => total + value, 0);
export const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];
export const seconds = (ms) => `${(ms / 1000).toFixed(2)} s`;
export const milliseconds = (ms) => `${ms.toFixed(ms < 10 ? 1 : 0)} ms`;
export const megabytes = (bytes) => `${(bytes / 1e6).toFixed(1)} MB`;
export const count = (value) => value.toLocaleString('en-US');
export const ratio = (value, base) => (base && value !== undefined ? `${(value / base).toFixed(2)}×` : '–');
export const plural = (amount, noun) => `${count(amount)} ${noun}${amount === 1 ? '' : 's'}`;

/** Prints rows as a Markdown table. */
export function table(title, head, rows) {
  console.log(`\n## ${title}\n`);
  console.log(`| ${head.join(' | ')} |\n|${head.map(() => '---').join('|')}|`);
  for (const row of rows) console.log(`| ${row.join(' | ')} |`);
}

/** The user has had enough: not a failure of what was running. */
export class Interrupted extends Error {
  /** Throws when a process that was waited for has been interrupted. A command tells by 128 + the signal's number, 2. */
  static check({ status, signal }) {
    if (signal === 'SIGINT' || status === 130) throw new Interrupted('interrupted');
  }
}

/**
 * Runs a command; wall milliseconds and, where /usr/bin/time is there, processor time of all its threads and peak memory
 * in MB. Throws when it fails.
 */
export function timed(command, args, options = {}) {
  const hasTime = existsSync('/usr/bin/time');
  const argv = hasTime ? ['/usr/bin/time', '-f', 'COST %M %U %S', command, ...args] : [command, ...args];
  const started = performance.now();
  const result = spawnSync(argv[0], argv.slice(1), { encoding: 'utf8', maxBuffer: 1 << 28, ...options });
  const ms = performance.now() - started;
  Interrupted.check(result);
  if (result.status !== 0) {
    const why = result.error?.message ?? (result.stderr?.trim().slice(-500) || `ended by ${result.signal}`);
    throw new Error(`${path.basename(command)} ${args[0]}: ${why}`);
  }
  const cost = /COST (\d+) ([\d.]+) ([\d.]+)/.exec(result.stderr ?? '');
  const [peakKb, user, system] = cost ? cost.slice(1).map(Number) : [];
  return {
    ms,
    cpuMs: cost ? (user + system) * 1000 : undefined,
    peakMb: cost ? peakKb / 1024 : undefined,
    stdout: result.stdout,
    stderr: result.stderr,
  };
}

/** Medians of several runs; processor time and memory are undefined where they could not be measured. */
export function summary(runs) {
  const medianOf = (name) => median(runs.flatMap((run) => run[name] ?? []));
  return { ms: medianOf('ms'), cpuMs: medianOf('cpuMs'), peakMb: medianOf('peakMb') };
}

export const memory = (megabytesUsed) => (megabytesUsed === undefined ? '–' : `${count(Math.round(megabytesUsed))} MB`);

/** Files below `folder`, as absolute paths in a fixed order; without git's own and installed packages unless asked for. */
export function filesBelow(folder, { withPackages = false } = {}) {
  const found = [];
  const visit = (dir) => {
    for (const entry of readdirSync(dir, { withFileTypes: true })) {
      if (entry.name === '.git' || (entry.name === 'node_modules' && !withPackages)) continue;
      const full = path.join(dir, entry.name);
      if (entry.isDirectory()) visit(full);
      else if (entry.isFile()) found.push(full);
    }
  };
  visit(folder);
  return found.sort();
}

/** Number of files, and bytes of those that are source. */
export function sizeOf(folder) {
  const files = filesBelow(folder);
  return { files: files.length, bytes: sum(files.filter(isSource).map((file) => statSync(file).size)) };
}

/** Bytes of all files below `folder`. */
export function bytesBelow(folder) {
  return existsSync(folder) ? sum(filesBelow(folder).map((file) => statSync(file).size)) : 0;
}
