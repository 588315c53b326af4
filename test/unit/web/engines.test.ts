import { describe, expect, it } from 'vitest';
import type { AssetSource, Logger } from '../../../src/core/ports/ports';
import { createWebEngines } from '../../../src/web/engines';
import { FakeClock } from '../../support/protocolFakes';

/** A worker bundle as small as it can be: it counts five tokens in every text. */
const SCRIPT = `exports.createInProcess = () => ({
  engine: { countTokens: async ({ texts }) => texts.map(() => 5) },
  parser: { parse: async (files) => files.map(() => new Uint8Array([7])) },
});`;

function world(script: string | undefined) {
  const warnings: string[] = [];
  const logger: Logger = { debug() {}, info() {}, warn: (text) => warnings.push(text), error() {} };
  const asked: string[] = [];
  const assets: AssetSource = {
    read: async (name) => {
      asked.push(name);
      if (script === undefined) throw new Error('Unavailable');
      return new TextEncoder().encode(script);
    },
  };
  let starts = 0;
  const startWorker = (): never => {
    starts++;
    throw new Error('refused by the page');
  };
  const engines = createWebEngines({ assets, clock: new FakeClock(), logger, parserWorkers: 2, startWorker });
  return { engines, warnings, asked, starts: () => starts };
}

describe('createWebEngines', () => {
  it('reads nothing until it is asked something', () => {
    const { asked, starts } = world(SCRIPT);
    expect(asked).toEqual([]);
    expect(starts()).toBe(0);
  });

  it('works in this thread after three starts failed, says so and why once, and reads the script once', async () => {
    const { engines, warnings, asked, starts } = world(SCRIPT);
    expect(await engines.engine.countTokens({ texts: ['a', 'b'], tokenizer: 'o200k_base' })).toEqual([5, 5]);
    const file = { path: 'a.ts', contentHash: 'h', bytes: new Uint8Array() };
    expect(await engines.parser.parse([file])).toEqual([new Uint8Array([7])]);
    expect(starts()).toBe(6);
    expect(asked).toEqual(['dist/web/worker.js']);
    expect(warnings).toEqual([
      'Workers do not start here; working in the extension host, which is slower: countTokens: the worker ended: refused by the page.',
    ]);
  });

  it('fails with the reason when there is no script either', async () => {
    const { engines } = world(undefined);
    await expect(engines.engine.countTokens({ texts: ['a'], tokenizer: 'o200k_base' })).rejects.toThrow(
      /worker\.js could not be read/,
    );
  });

  it('refuses a script that is not the worker bundle', async () => {
    const { engines } = world('exports.other = 1;');
    await expect(engines.engine.countTokens({ texts: ['a'], tokenizer: 'o200k_base' })).rejects.toThrow(
      /no in-process entry/,
    );
  });
});
