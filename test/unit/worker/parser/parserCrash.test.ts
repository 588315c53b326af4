import { expect, test } from 'vitest';
import { TreeSitterParser } from '../../../../src/worker/parser/fileParser';
import { isWasmFailure, ParserCrash } from '../../../../src/worker/parser/parserCrash';
import { hostileBytes } from '../../../fixtures/hostileSources';
import { nodeModulesAssets } from '../../../support/nodeModulesAssets';

test('a stack overflow inside of a grammar asks for a new worker', async () => {
  const parser = new TreeSitterParser(nodeModulesAssets);
  const file = { path: 'a.ml', contentHash: 'h', bytes: hostileBytes('otherComments') };
  await expect(parser.parse([file])).rejects.toSatisfy((error) => ParserCrash.is(error, 'aborted'));
});

test('an error of our own is none of WebAssembly', () => {
  expect(isWasmFailure(new TypeError('x is not a function'))).toBe(false);
  expect(isWasmFailure(Object.assign(new Error('unreachable'), { name: 'RuntimeError' }))).toBe(true);
});
