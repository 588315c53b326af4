import { appendFileSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
// @ts-expect-error: a script without types
import { ownCopy } from '../../harness/ownCopy.mjs';
import { tempFolder } from '../../support/tempFolder';

const SAMPLE = path.resolve('test/fixtures/workspaces/sample');
const LOG = '.context-budget/usage.jsonl';

it('a fixture is opened as a copy, so that logs of the product are written there', () => {
  const before = readFileSync(path.join(SAMPLE, LOG), 'utf8');
  const copy: string = ownCopy(SAMPLE);
  try {
    expect(readFileSync(path.join(copy, LOG), 'utf8')).toBe(before);
    appendFileSync(path.join(copy, LOG), 'more\n');
    expect(readFileSync(path.join(SAMPLE, LOG), 'utf8')).toBe(before);
  } finally {
    rmSync(path.dirname(copy), { recursive: true });
  }
});

it('any other folder is opened itself', async () => {
  const folder = await tempFolder();
  expect(ownCopy(folder)).toBe(folder);
  expect(ownCopy(path.resolve('.'))).toBe(path.resolve('.'));
});
