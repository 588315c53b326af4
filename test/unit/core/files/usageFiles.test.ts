import { describe, expect, it } from 'vitest';
import { IgnoreRules } from '../../../../src/core/files/ignoreRules';
import { isUsageFile, usageIgnoreText } from '../../../../src/core/files/usageFiles';

const LOG = '.context-budget/usage.jsonl';
const OWN = [
  LOG,
  `${LOG}.lock`,
  `${LOG}.lock.0-1`,
  `${LOG}.mark`,
  `${LOG}.mark.tmp`,
  `${LOG}.torn`,
  '.context-budget/usage.000001.jsonl',
  '.context-budget/usage.1000000.jsonl',
];
const OTHERS = [
  '.context-budget/config.json',
  '.context-budget/observations.jsonl',
  '.context-budget/usage.md',
  '.context-budget/usage.notes.jsonl',
  '.context-budget/usage.000001.md',
  'usage.jsonl',
  'other/.context-budget/usage.jsonl',
];

describe('files of the usage log', () => {
  it.each(OWN)('%s is one', (path) => expect(isUsageFile(LOG, path)).toBe(true));
  it.each(OTHERS)('%s is none', (path) => expect(isUsageFile(LOG, path)).toBe(false));

  it('may have a log without an extension, or with dots in its folder', () => {
    expect(isUsageFile('a.b/use', 'a.b/use.000002')).toBe(true);
    expect(isUsageFile('a.b/use', 'a.b/used')).toBe(false);
    expect(isUsageFile('.use', '.use.000002')).toBe(true);
  });

  it('are what the ignore file beside it keeps out of git, and itself', () => {
    const rules = new IgnoreRules();
    rules.setFolder('.context-budget', usageIgnoreText(LOG));
    for (const path of [...OWN, '.context-budget/.gitignore', '.context-budget/observations.jsonl.lock'])
      expect([path, rules.isIgnored(path)]).toEqual([path, true]);
    for (const path of OTHERS) expect([path, rules.isIgnored(path)]).toEqual([path, false]);
  });
});
