import { describe, expect, it } from 'vitest';
import { createWorkerEngines } from '../../../src/node/engines';
import { RecordingLogger } from '../../support/recordingLogger';
import { tempFolder } from '../../support/tempFolder';

/** A bundle whose thread always dies, as where threads are forbidden, and whose in-process entry works. */
const BUNDLE = `
  const { isMainThread } = require('node:worker_threads');
  if (!isMainThread && require('node:worker_threads').workerData?.role) process.exit(3);
  exports.createInProcess = () => ({
    engine: { countTokens: async ({ texts }) => texts.map((text) => text.length) },
    parser: { parse: async (files) => files.map(() => new Uint8Array([7])) },
    secrets: { scan: async (texts) => texts.map((text) => [{ start: 0, end: text.length, label: 'key' }]) },
  });
`;

async function enginesOf(files: Readonly<Record<string, string>>) {
  const productRoot = await tempFolder(files);
  const logger = new RecordingLogger();
  return { engines: createWorkerEngines({ productRoot, logger }), logger };
}

describe('createWorkerEngines', () => {
  it('works in this process where threads do not start, and says so once', async () => {
    const { engines, logger } = await enginesOf({ 'dist/worker.js': BUNDLE });
    expect(await engines.engine.countTokens({ texts: ['four'], tokenizer: 'o200k_base' })).toEqual([4]);
    const file = { path: 'a.ts', contentHash: 'x', bytes: new Uint8Array() };
    expect(await engines.parser.parse([file])).toEqual([new Uint8Array([7])]);
    expect(await engines.secrets.scan(['four'])).toEqual([[{ start: 0, end: 4, label: 'key' }]]);
    expect(logger.lines.filter((line) => line.startsWith('warn: Worker threads do not start here'))).toHaveLength(1);
    engines.dispose();
  });

  it('rejects when the product is not built', async () => {
    const { engines } = await enginesOf({});
    await expect(engines.engine.countTokens({ texts: [''], tokenizer: 'o200k_base' })).rejects.toThrow('worker.js');
    engines.dispose();
  });
});
