import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { SCORING_MODES } from '../../src/core/model/relevance';
import { DISCLOSURES, PAYLOAD_MODES, PRIORITIES, STATUSES, WARN_SHARE } from '../../src/core/model/section';
import { ROI_CLASSES } from '../../src/core/model/usage';
import { EVIDENCE_KINDS } from '../../src/core/usage/usageRecord';
import { sourcesOf } from '../support/imports';

/** Where each list is written, as an array or a union of types; everywhere else it is imported. */
const HOMES: readonly (readonly [home: string, values: readonly string[]])[] = [
  ['src/core/model/section.ts', STATUSES],
  ['src/core/model/section.ts', DISCLOSURES],
  ['src/core/model/section.ts', PAYLOAD_MODES],
  ['src/core/model/section.ts', PRIORITIES],
  ['src/core/model/relevance.ts', SCORING_MODES],
  ['src/core/model/usage.ts', ROI_CLASSES],
  ['src/core/usage/usageRecord.ts', EVIDENCE_KINDS],
];

/** Strings with commas or bars between, nothing else. */
const LISTS = /'[^'\n]*'(?:\s*[,|]\s*'[^'\n]*')+/g;

const asSet = (values: Iterable<string>): string => JSON.stringify([...values].sort());

const WRITTEN = [...sourcesOf('src'), ...sourcesOf('webview')].flatMap((file) =>
  [...readFileSync(file, 'utf8').matchAll(LISTS)].map(([list]) => {
    const values = [...list.matchAll(/'([^']*)'/g)].map(([, value = '']) => value);
    return { file, values: asSet(values) };
  }),
);

describe('a constant', () => {
  it.each(HOMES)('of %s is written there and nowhere else: %j', (home, values) => {
    const places = WRITTEN.filter((list) => list.values === asSet(values)).map(({ file }) => file);
    expect(places).toEqual([home]);
  });

  it('that the manifest repeats is the same there', () => {
    const { contributes } = JSON.parse(readFileSync('package.json', 'utf8'));
    const [{ properties }] = [contributes.configuration].flat();
    expect(properties['contextBudget.statusBar.warnAt'].default).toBe(WARN_SHARE * 100);
  });

  it('for the 80 % mark has one name: nothing is compared with, or multiplied by, a share of a cap written out', () => {
    const again = [...sourcesOf('src/vscode'), ...sourcesOf('src/protocol'), ...sourcesOf('webview')].filter((file) =>
      /(?:share|used|cap|tokens|chars)\w*\)?\s*(?:>=?|\*)\s*0?\.8\b/i.test(readFileSync(file, 'utf8')),
    );
    expect(again).toEqual([]);
  });
});
