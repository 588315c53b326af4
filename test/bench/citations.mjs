// Part `citations`: how well evidence is found on the labelled replies, beside a plain name match; `citations.ts` measures.
import path from 'node:path';
import { root } from '../harness/setup.mjs';
import { withBundled } from './bundled.mjs';
import { milliseconds, table } from './support.mjs';

function print(title, { rows, mistakes }) {
  table(
    title,
    ['by', 'of', 'right', 'wrong', 'missed', 'precision', 'recall'],
    rows.map(([by, of, right, wrong, missed, precision, recall]) => [
      ...[by, of, right, wrong, missed],
      ...[precision.toFixed(3), recall.toFixed(3)],
    ]),
  );
  for (const mistake of mistakes) console.log(`  ${mistake}`);
}

/** @param folders of other labelled replies, `cases.json` beside `payloads/`: measured in place of the fixtures */
export async function citationsBench(folders = []) {
  await withBundled('citations.ts', ({ quality, qualityOfCases, costs }) => {
    for (const folder of folders) print(`Citations on ${path.basename(folder)}`, qualityOfCases(folder));
    if (folders.length > 0) return;
    const folder = path.join(root, 'test/fixtures/citations');
    print('Citations on the labelled replies', quality(folder));
    table(
      'Cost of finding citations',
      ['what', 'measured'],
      costs(folder).map(([what, ms]) => [what, milliseconds(ms)]),
    );
  });
}
