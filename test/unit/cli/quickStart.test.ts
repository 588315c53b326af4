import { spawnSync } from 'node:child_process';
import { afterEach, expect, test } from 'vitest';
import { startQuickly } from '../../../src/cli/io';

/** The flags that a start sets; this process keeps its own. */
function flagsSet(): readonly string[] {
  const flags: string[] = [];
  startQuickly((flag) => flags.push(flag));
  return flags;
}

afterEach(() => Reflect.deleteProperty(process.versions, 'electron'));

test('the flags of a quick start are known to this V8', () => {
  const names = flagsSet().map((flag) => flag.split('=')[0]);
  expect(names.length).toBeGreaterThan(0);
  const known = spawnSync(process.execPath, ['--v8-options'], { encoding: 'utf8', maxBuffer: 1 << 24 }).stdout;
  expect(names.filter((name) => !known.includes(`  ${name} (`))).toEqual([]);
});

test('Electron is left alone', () => {
  Object.defineProperty(process.versions, 'electron', { value: '37.0.0', configurable: true });
  expect(flagsSet()).toEqual([]);
});
