// Part `size`: the VSIX.
import { statSync } from 'node:fs';
import path from 'node:path';
import { root, runOrExit } from '../harness/setup.mjs';
import { ratio, table } from './support.mjs';

export function sizeBench() {
  runOrExit('npm', ['run', '--silent', 'package']);
  const megabytes = statSync(path.join(root, 'dist/context-budget.vsix')).size / 1e6;
  table('VSIX', ['size', 'limit', 'ratio'], [[`${megabytes.toFixed(2)} MB`, '8 MB', ratio(megabytes, 8)]]);
}
