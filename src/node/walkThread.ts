import * as fs from 'node:fs';
import { workerData } from 'node:worker_threads';
import { walkFiles } from '../core/files/walk';
import { languageOf } from '../core/repomap/facts/languages';
import { STAMP_NUMBERS, stampNumbers } from '../core/workspace/symbolCache/stampCache';
import { openFileSource, stampOf } from './fileSource';
import { serveJob } from './jobThread';
import type { Listed } from './threadedWalk';

// The entry of the thread that lists a folder and stamps its source files.

/** Stamps of the files that are read for symbols, {@link STAMP_NUMBERS} each; 0 for the others. */
function stampsOf(root: string, files: readonly string[]): Float64Array {
  const stamps = new Float64Array(files.length * STAMP_NUMBERS);
  for (const [at, path] of files.entries()) {
    if (languageOf(path) === undefined) continue;
    const stat = fs.lstatSync(`${root}/${path}`, { throwIfNoEntry: false });
    if (!stat?.isFile()) continue;
    stamps.set(stampNumbers(stampOf(stat)), at * STAMP_NUMBERS);
  }
  return stamps;
}

serveJob<Float64Array, Listed>(async (port) => {
  const { root } = workerData as { readonly root: string };
  const { files: source, realRoot } = await openFileSource(root, { mayBlock: true });
  const { rules, ...found } = await walkFiles(source);
  // Who waits for the list has enough to do until the stamps are there.
  port.tell({ ...found, rules: rules.from });
  return stampsOf(realRoot, found.files);
});
