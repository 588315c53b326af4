// What a stage leaves of its tests: on the terminal the failures and the count, and for `npm test` each test in a file.
import { writeFileSync } from 'node:fs';

/**
 * @typedef {{ readonly title: string, readonly state: 'passed' | 'failed' | 'pending', readonly ms?: number,
 *   readonly error?: string, readonly picture?: string }} TestResult `picture`: what it looked like, a file
 */

/**
 * Prints what failed and last `N passed, N failed`, writes the file that `STAGE_RESULTS` names, and sets the exit code.
 * A test that is left out, and a stage without tests, has failed.
 * @param {readonly TestResult[]} tests
 */
export function tellResults(tests) {
  const all = tests.length > 0 ? tests : [{ title: 'no tests', state: 'failed' }];
  const failed = all.filter(({ state }) => state !== 'passed');
  for (const { title, state, error, picture } of failed)
    console.error(`\n${state}: ${title}\n${error ?? ''}${picture ? `\npicture: ${picture}` : ''}`);
  const file = process.env.STAGE_RESULTS;
  if (file) writeFileSync(file, JSON.stringify(all));
  console.log(`\n${all.length - failed.length} passed, ${failed.length} failed`);
  process.exitCode = failed.length > 0 ? 1 : 0;
}

/** Runs one test of a stage that is no Mocha suite. @returns {Promise<TestResult>} with its time */
export async function timed(title, run) {
  const start = performance.now();
  const end = (rest) => ({ title, ms: performance.now() - start, ...rest });
  try {
    await run();
    return end({ state: 'passed' });
  } catch (error) {
    return end({ state: 'failed', error: error?.stack ?? String(error) });
  }
}
