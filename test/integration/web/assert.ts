/** The part of `node:assert/strict` that the tests use, for a host without Node: the bundle of the tests puts it in its place. */
import { assert } from 'chai';

export const ok: (value: unknown, message?: string) => asserts value = (value, message) => assert.isOk(value, message);
export const equal = assert.strictEqual;
export const notEqual = assert.notStrictEqual;
export const deepEqual = assert.deepStrictEqual;
export const match = assert.match;
export const doesNotMatch = assert.notMatch;

export function fail(message?: string): never {
  assert.fail(message ?? 'failed');
}

/** Rejects, and with an error that `isExpected` accepts or that matches it. */
export async function rejects(
  promise: PromiseLike<unknown>,
  expected?: RegExp | ((error: unknown) => boolean),
): Promise<void> {
  let error: unknown;
  try {
    await promise;
  } catch (thrown) {
    error = thrown ?? new Error('rejected without a reason');
  }
  if (error === undefined) fail('missing expected rejection');
  if (expected instanceof RegExp) assert.match(String(error), expected);
  else if (expected) assert.isOk(expected(error), 'the error is the expected one');
}
