import { spawnSync } from 'node:child_process';
import { setFlagsFromString } from 'node:v8';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { startQuickly } from '../../../src/cli/quickStart';

vi.mock('node:v8', () => ({ setFlagsFromString: vi.fn() }));

const set = vi.mocked(setFlagsFromString);

beforeEach(() => set.mockClear());
afterEach(() => Reflect.deleteProperty(process.versions, 'electron'));

test('the flags of a quick start are known to this V8', () => {
  startQuickly();
  const names = set.mock.calls.map(([flag]) => flag.split('=')[0]);
  expect(names.length).toBeGreaterThan(0);
  const known = spawnSync(process.execPath, ['--v8-options'], { encoding: 'utf8', maxBuffer: 1 << 24 }).stdout;
  expect(names.filter((name) => !known.includes(`  ${name} (`))).toEqual([]);
});

test('Electron is left alone', () => {
  Object.defineProperty(process.versions, 'electron', { value: '37.0.0', configurable: true });
  startQuickly();
  expect(set).not.toHaveBeenCalled();
});
