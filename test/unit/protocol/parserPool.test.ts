import { beforeEach, describe, expect, it } from 'vitest';
import type { FileParser, ParseInput } from '../../../src/core/engine/parser';
import type { FileOutcome } from '../../../src/core/model/repoMap';
import { encodeFacts } from '../../../src/core/repomap/facts/factsCodec';
import { ParserPool, type ParserPoolOptions } from '../../../src/protocol/parserPool';
import { WorkerError } from '../../../src/protocol/worker';
import { FakeClock, FakeLauncher, type FakeWorker, fakeAssets, settled } from '../../support/protocolFakes';
import { decodeFacts } from '../../support/repoMapBuilders';

const file = (path: string, text = 'x\ny\n'): ParseInput => ({
  path,
  contentHash: `hash of ${path}`,
  bytes: new TextEncoder().encode(text),
});

const factsOf = ({ path, contentHash }: ParseInput, outcome: FileOutcome = 'parsed'): Uint8Array =>
  encodeFacts({ path, contentHash, language: undefined, outcome, lineCount: 0, definitions: [], references: [] });

const filesOf = (params: unknown): readonly ParseInput[] => params as readonly ParseInput[];

/** Parses everything; `kill.ts` ends the worker and `hang.ts` is never answered, however they travel. */
const parsing = (worker: FakeWorker): void => {
  worker.onRequest = ({ id, params }) => {
    const files = filesOf(params);
    if (files.some(({ path }) => path === 'kill.ts'))
      worker.emit({ type: 'error', id, message: 'Aborted()', fatal: true });
    else if (files.some(({ path }) => path === 'exit.ts')) worker.exit('killed');
    else if (!files.some(({ path }) => path === 'hang.ts')) {
      worker.emit({ type: 'result', id, value: files.map((input) => factsOf(input)) });
    }
  };
  queueMicrotask(() => worker.emit({ type: 'ready' }));
};

const outcomes = (facts: readonly Uint8Array[]): [string, FileOutcome][] =>
  facts.map(decodeFacts).map(({ path, outcome }) => [path, outcome]);

describe('ParserPool', () => {
  let clock: FakeClock;
  let launcher: FakeLauncher;

  const createPool = (options: Partial<ParserPoolOptions> = {}): ParserPool =>
    new ParserPool({ launcher, clock, assets: fakeAssets(), ...options });

  beforeEach(() => {
    clock = new FakeClock();
    launcher = new FakeLauncher();
    launcher.script = parsing;
  });

  it('gives facts in the order of the files, over several batches and workers', async () => {
    const files = Array.from({ length: 7 }, (_, i) => file(`${i}.ts`));
    const pool = createPool({ batchBytes: 8 });
    expect(outcomes(await pool.parse(files))).toEqual(files.map(({ path }) => [path, 'parsed']));
    expect(launcher.workers).toHaveLength(2);
    const sizes = launcher.workers.flatMap((worker) => worker.requests().map(({ params }) => filesOf(params).length));
    expect(sizes.sort()).toEqual([1, 2, 2, 2]);
  });

  it('ends its workers when it is asked to give memory back, and starts new ones for the next files', async () => {
    const pool = createPool();
    await pool.parse([file('a.ts')]);
    pool.release();
    expect(launcher.workers.map(({ isTerminated }) => isTerminated)).toEqual([true]);
    expect(outcomes(await pool.parse([file('b.ts')]))).toEqual([['b.ts', 'parsed']]);
    expect(launcher.workers).toHaveLength(2);
  });

  it('sends a file larger than a batch alone', async () => {
    const pool = createPool({ workers: 1, batchBytes: 8 });
    await pool.parse([file('a.ts'), file('big.ts', 'x'.repeat(100)), file('b.ts')]);
    const batches = launcher.last.requests().map(({ params }) => filesOf(params).map(({ path }) => path));
    expect(batches).toEqual([['a.ts'], ['big.ts'], ['b.ts']]);
  });

  it('starts one worker only for one small batch', async () => {
    await createPool().parse([file('a.ts')]);
    expect(launcher.workers).toHaveLength(1);
  });

  it('starts one worker before there are files, which then takes the first', async () => {
    const pool = createPool();
    pool.prepare();
    expect(launcher.workers).toHaveLength(1);
    await settled();
    expect(outcomes(await pool.parse([file('a.ts')]))).toEqual([['a.ts', 'parsed']]);
    expect(launcher.workers).toHaveLength(1);
    pool.dispose();
    expect(() => pool.prepare()).not.toThrow();
  });

  it('leaves the callers’ bytes alone, and sends no more of a shared buffer than the file', async () => {
    const shared = new TextEncoder().encode('secret;x = 1');
    const input = { path: 'a.ts', contentHash: 'h', bytes: shared.subarray(7) };
    await createPool().parse([input]);
    const [sent] = filesOf(launcher.last.requests()[0]!.params);
    expect(input.bytes).toHaveLength(5);
    expect(sent!.bytes.buffer.byteLength).toBe(5);
    expect(launcher.last.transfers[0]).toHaveLength(1);
  });

  it.each(['kill.ts', 'exit.ts'])('gives up only the file that ends its worker (%s)', async (culprit) => {
    const pool = createPool({ workers: 1 });
    const facts = await pool.parse([file('a.ts'), file(culprit, 'x\ny'), file('b.ts')]);
    expect(outcomes(facts)).toEqual([
      ['a.ts', 'parsed'],
      [culprit, 'failed'],
      ['b.ts', 'parsed'],
    ]);
    const given = decodeFacts(facts[1]!);
    expect(given).toMatchObject({ contentHash: `hash of ${culprit}`, language: 'typescript', lineCount: 2 });
  });

  it('gives up only the file that hangs its worker', async () => {
    const pool = createPool({ workers: 1, batchDeadlineMs: 1000, fileDeadlineMs: 100 });
    const parse = pool.parse([file('hang.ts'), file('b.ts')]);
    await settled();
    clock.advance(1000);
    await settled();
    clock.advance(100);
    expect(outcomes(await parse)).toEqual([
      ['hang.ts', 'deadline'],
      ['b.ts', 'parsed'],
    ]);
    expect(launcher.workers.map((worker) => worker.isTerminated)).toEqual([true, true, false]);
  });

  it('gives up a lone file that hangs its worker without a second try', async () => {
    const pool = createPool({ workers: 1, batchDeadlineMs: 1000, fileDeadlineMs: 100 });
    const parse = pool.parse([file('hang.ts')]);
    await settled();
    clock.advance(100);
    expect(outcomes(await parse)).toEqual([['hang.ts', 'deadline']]);
    expect(launcher.workers.map((worker) => worker.isTerminated)).toEqual([true]);
  });

  it('launches again when a launch fails, without blaming the files', async () => {
    launcher.script = (worker, n) => (n <= 2 ? queueMicrotask(() => worker.exit('cannot start')) : parsing(worker));
    const facts = await createPool({ workers: 1 }).parse([file('a.ts')]);
    expect(outcomes(facts)).toEqual([['a.ts', 'parsed']]);
    expect(launcher.workers).toHaveLength(3);
  });

  it('gives way to the parser in this process after three failed launches', async () => {
    launcher.script = (worker) => queueMicrotask(() => worker.exit('cannot start'));
    const fallback: FileParser = {
      parse: async (files) => files.map((input) => factsOf(input, 'partial')),
    };
    const pool = createPool({ workers: 1, createFallback: () => fallback });
    expect(outcomes(await pool.parse([file('a.ts')]))).toEqual([['a.ts', 'partial']]);
    expect(outcomes(await pool.parse([file('b.ts')]))).toEqual([['b.ts', 'partial']]);
    expect(launcher.workers).toHaveLength(3);
  });

  it('replaces a parser in this process that died, and gives up only the culprit', async () => {
    launcher.launchError = new Error('no threads');
    const createFallback = (): FileParser => {
      let isDead = false;
      return {
        parse: async (files) => {
          isDead ||= files.some(({ path }) => path === 'kill.ts');
          if (isDead) throw new Error('Aborted()');
          return files.map((input) => factsOf(input));
        },
      };
    };
    const pool = createPool({ workers: 1, createFallback });
    expect(outcomes(await pool.parse([file('a.ts'), file('kill.ts'), file('b.ts')]))).toEqual([
      ['a.ts', 'parsed'],
      ['kill.ts', 'failed'],
      ['b.ts', 'parsed'],
    ]);
  });

  it('rejects as unavailable when no worker starts and there is no fallback', async () => {
    launcher.launchError = new Error('no threads');
    await expect(createPool().parse([file('a.ts')])).rejects.toSatisfy((error) => WorkerError.is(error, 'unavailable'));
  });

  it('resolves early with the facts of the first files when cancelled', async () => {
    const caller = new AbortController();
    const pool = createPool({ workers: 1, batchBytes: 4 });
    const parse = pool.parse([file('a.ts'), file('hang.ts'), file('c.ts')], caller.signal);
    await settled();
    caller.abort();
    expect(outcomes(await parse)).toEqual([['a.ts', 'parsed']]);
    expect(launcher.last.posted.at(-1)).toMatchObject({ type: 'cancel' });
  });

  it('rejects what is pending or waiting on dispose', async () => {
    const pool = createPool({ workers: 1, batchBytes: 4 });
    const parse = pool.parse([file('hang.ts'), file('b.ts')]);
    await settled();
    pool.dispose();
    await expect(parse).rejects.toSatisfy((error) => WorkerError.is(error, 'stopped'));
    await expect(pool.parse([file('c.ts')])).rejects.toSatisfy((error) => WorkerError.is(error, 'stopped'));
  });

  it('parses nothing without starting a worker', async () => {
    expect(await createPool().parse([])).toEqual([]);
    expect(launcher.workers).toHaveLength(0);
  });
});
