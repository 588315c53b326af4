import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { startQuickly } from '../../../src/cli/io';

/** The flags that a start sets; this process keeps its own. */
function flagsSet(): readonly string[] {
  const flags: string[] = [];
  startQuickly((flag) => flags.push(flag));
  return flags;
}

test('the flags of a quick start are known to this V8', () => {
  const names = flagsSet().map((flag) => flag.split('=')[0]?.replace('--no-', '--'));
  expect(names.length).toBeGreaterThan(0);
  const known = spawnSync(process.execPath, ['--v8-options'], { encoding: 'utf8', maxBuffer: 1 << 24 }).stdout;
  expect(names.filter((name) => !known.includes(`  ${name} (`))).toEqual([]);
});

test('Electron is left alone, and later versions of V8 get no flag that they would complain about', () => {
  const flagsFor = (versions: Partial<NodeJS.ProcessVersions>): readonly string[] => {
    const flags: string[] = [];
    startQuickly((flag) => flags.push(flag), { ...process.versions, ...versions });
    return flags;
  };
  expect(flagsFor({ electron: '37.0.0' })).toEqual([]);
  expect(flagsFor({ v8: '11.3.244.8-node.30' })).toHaveLength(3);
  for (const v8 of ['12.4.254.21-node.57', '13.6.233.17-node.53'])
    expect(flagsFor({ v8 })).toEqual(['--initial-heap-size=64']);
});
