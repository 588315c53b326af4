import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { expect, test } from 'vitest';
import { countsOf, runStage, type StageResult, tailOf } from '../../harness/stage.mjs';

const script = (text: string): Promise<StageResult> =>
  runStage({ name: 'own-test', command: [process.execPath, '-e', text], env: process.env });
const leaving = (results: string): string => `require('fs').writeFileSync(process.env.STAGE_RESULTS, '${results}');`;

test('a stage counts the tests that it left, and keeps what it printed in its log', async () => {
  const result = await script(
    `${leaving('[{"title":"a","state":"passed","ms":3},{"title":"b","state":"pending"}]')} console.log('said')`,
  );
  expect(countsOf(result)).toEqual({ passed: 1, failed: 1 });
  expect(result.why).toBeUndefined();
  expect(readFileSync(result.log, 'utf8')).toBe('said\n');
  expect(tailOf(result.log, 1)).toBe('said');
});

test('a stage that leaves no results, or none of a run that failed, is one failure with its reason', async () => {
  const results = [
    await script('process.exit(0)'),
    await script(leaving('[]')),
    await script(`${leaving('[{"title":"a","state":"passed"}]')} process.exit(3)`),
    await script("process.kill(process.pid, 'SIGKILL')"),
  ];
  expect(results.map((result) => countsOf(result).failed)).toEqual([1, 1, 1, 1]);
  expect(results.map(({ why }) => why?.replace(/ \(.*/, ''))).toEqual([
    'it ended with 0 and left no results',
    'it ran no tests',
    'it ended with 3',
    'it ended with SIGKILL and left no results',
  ]);
});

test('results of an earlier run are not those of this one', async () => {
  await script(leaving('[{"title":"a","state":"passed"}]'));
  expect(countsOf(await script(''))).toEqual({ passed: 0, failed: 1 });
});

test('a program that is not there is a failure with its reason', async () => {
  const result = await runStage({ name: 'own-test', command: ['/no/such/program'], env: process.env });
  expect(countsOf(result)).toEqual({ passed: 0, failed: 1 });
  expect(result.why).toMatch(/^it could not start: .*ENOENT/);
});

test('a stage whose log cannot be written runs to its end, and is a failure with its reason', async () => {
  const { log } = await script('');
  rmSync(log);
  mkdirSync(log);
  try {
    const result = await script(
      `${leaving('[{"title":"a","state":"passed"}]')} for (let at = 0; at < 1e4; at++) console.log('a line of what is said')`,
    );
    expect(countsOf(result)).toEqual({ passed: 1, failed: 1 });
    expect(result.why).toMatch(/^its log could not be written: EISDIR/);
  } finally {
    rmSync(log, { recursive: true });
  }
});
