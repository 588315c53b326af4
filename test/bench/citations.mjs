// Part `citations`: how well evidence is found on the labelled replies, beside a plain name match; `citations.ts` measures.
import path from 'node:path';
import { root } from '../harness/setup.mjs';
import { withBundled } from './bundled.mjs';
import { milliseconds, table } from './support.mjs';

export async function citationsBench() {
  await withBundled('citations.ts', ({ quality, costs }) => {
    const folder = path.join(root, 'test/fixtures/citations');
    const { rows, mistakes } = quality(folder);
    table(
      'Citations on the labelled replies',
      ['by', 'of', 'right', 'wrong', 'missed', 'precision', 'recall'],
      rows.map(([by, of, right, wrong, missed, precision, recall]) => [
        ...[by, of, right, wrong, missed],
        ...[precision.toFixed(2), recall.toFixed(2)],
      ]),
    );
    for (const mistake of mistakes) console.log(`  ${mistake}`);
    table(
      'Cost of finding citations',
      ['what', 'measured'],
      costs(folder).map(([what, ms]) => [what, milliseconds(ms)]),
    );
  });
}
