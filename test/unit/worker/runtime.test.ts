import { describe, expect, it } from 'vitest';
import type { ContextEngine } from '../../../src/core/engine/engine';
import type { FileParser } from '../../../src/core/engine/parser';
import { type AssetSource, NEVER_ABORTED } from '../../../src/core/ports/ports';
import { ROLES, WorkerError, type WorkerMethod, type WorkerToHost } from '../../../src/protocol/worker';
import { WorkerClient } from '../../../src/protocol/workerClient';
import { ParserCrash } from '../../../src/worker/parser/parserCrash';
import { serveWorker, type WorkerServices } from '../../../src/worker/runtime';
import { FakeClock, fakeAssets, settled } from '../../support/protocolFakes';
import { InMemoryLauncher } from './inMemoryLauncher';

const serve = (
  create: (assets: AssetSource) => { engine?: Partial<ContextEngine>; parser?: Partial<WorkerServices['parser']> },
  assets: AssetSource = fakeAssets(),
): { client: WorkerClient; launcher: InMemoryLauncher; clock: FakeClock } => {
  const launcher = new InMemoryLauncher((source) => ({ engine: {}, parser: {}, ...create(source) }) as WorkerServices);
  const clock = new FakeClock();
  return { client: new WorkerClient({ launcher, assets, clock }), launcher, clock };
};

const input = (path: string) => ({ path, contentHash: 'h', bytes: Uint8Array.of(1) });

describe('serveWorker', () => {
  it('says ready before anything else', async () => {
    const { client, launcher } = serve(() => ({
      engine: { listTroubled: async () => [{ path: 'a.ts', outcome: 'deadline' }] },
    }));
    expect(await client.call('listTroubled', undefined)).toEqual([{ path: 'a.ts', outcome: 'deadline' }]);
    expect(launcher.sentByWorker[0]).toEqual({ type: 'ready' });
  });

  it.each(Object.entries(ROLES))('has each call of the %s done by the method of its name', async (role, table) => {
    const methods = Object.keys(table) as WorkerMethod[];
    const service = Object.fromEntries(methods.map((name) => [name, async (given: unknown) => [name, given]]));
    const { client } = serve(() => ({ [role]: service }));
    const answers = await Promise.all(methods.map((name) => client.call(name, [] as never)));
    expect(answers).toEqual(methods.map((name) => [name, []]));
  });

  it('answers requests one after another, in order', async () => {
    const log: string[] = [];
    const { client } = serve(() => ({
      engine: {
        upsertFiles: async () => {
          log.push('upsert starts');
          await settled();
          log.push('upsert ends');
        },
        removeFiles: async () => void log.push('remove'),
      },
    }));
    await Promise.all([client.call('upsertFiles', []), client.call('removeFiles', [])]);
    expect(log).toEqual(['upsert starts', 'upsert ends', 'remove']);
  });

  it('fetches assets from the host, and passes on why there is none', async () => {
    const { client } = serve(
      (assets) => ({
        engine: {
          countTokens: async ({ texts: [name = ''] }) => [(await assets.read(name)).length],
        },
      }),
      fakeAssets({ 'ranks.json': new Uint8Array(5) }),
    );
    expect(await client.call('countTokens', { texts: ['ranks.json'], tokenizer: 'o200k_base' })).toEqual([5]);
    const missing = client.call('countTokens', { texts: ['nope'], tokenizer: 'o200k_base' });
    await expect(missing).rejects.toSatisfy(
      (error) => WorkerError.is(error, 'failed') && /no nope/.test(String(error)),
    );
  });

  it('lets running work see that it was cancelled', async () => {
    let seen: AbortSignal = NEVER_ABORTED;
    const { client } = serve(() => ({
      parser: {
        parse: async (_, signal = NEVER_ABORTED) => {
          seen = signal;
          while (!signal.aborted) await settled();
          return [];
        },
      },
    }));
    const caller = new AbortController();
    const call = client.call('parse', [input('a.ts')], { signal: caller.signal });
    await settled();
    await settled();
    caller.abort();
    await expect(call).rejects.toSatisfy((error) => WorkerError.is(error, 'cancelled'));
    await settled();
    await settled();
    expect(seen.aborted).toBe(true);
  });

  it('does not start a request that was cancelled while it waited', async () => {
    const parsed: string[] = [];
    let release: () => void = () => undefined;
    const { client } = serve(() => ({
      parser: {
        parse: async (files) => {
          parsed.push(...files.map(({ path }) => path));
          await new Promise<void>((resolve) => {
            release = resolve;
          });
          return [];
        },
      },
    }));
    const caller = new AbortController();
    const first = client.call('parse', [input('a.ts')]);
    const second = client.call('parse', [input('b.ts')], { signal: caller.signal });
    await settled();
    await settled();
    caller.abort();
    await expect(second).rejects.toSatisfy((error) => WorkerError.is(error, 'cancelled'));
    await settled();
    release();
    expect(await first).toEqual([]);
    await settled();
    expect(parsed).toEqual(['a.ts']);
  });

  it('moves facts that own their buffer and copies those that share one', async () => {
    const own = Uint8Array.of(1, 2);
    const shared = Uint8Array.of(0, 3, 4).subarray(1);
    const { client } = serve(() => ({ parser: { parse: async () => [own, shared] } }));
    expect(await client.call('parse', [])).toEqual([Uint8Array.of(1, 2), Uint8Array.of(3, 4)]);
    expect([own.length, shared.length]).toEqual([0, 2]);
  });

  const errorOf = async (parser: Partial<FileParser>): Promise<WorkerToHost | undefined> => {
    const { client, launcher } = serve(() => ({ parser }));
    await expect(client.call('parse', [])).rejects.toSatisfy((error) => WorkerError.is(error, 'failed'));
    return launcher.sentByWorker.find((message) => message.type === 'error');
  };

  it.each([
    ['a wasm abort', Object.assign(new Error('Aborted()'), { name: 'RuntimeError' }), true],
    ['a parser that says it is dead', new ParserCrash('aborted', 'dead'), true],
    ['a grammar that is missing', new ParserCrash('notLoaded', 'missing'), false],
    ['an error of our own', new TypeError('oops'), false],
  ])('asks to be replaced only when its memory cannot be trusted: %s', async (_, error, fatal) => {
    expect(await errorOf({ parse: () => Promise.reject(error) })).toMatchObject({ message: error.message, fatal });
  });

  it('says so when its wasm memory has grown', async () => {
    const { client, launcher } = serve(() => ({ parser: { parse: async () => [], memoryBytes: 2 ** 29 } }));
    await client.call('parse', []);
    expect(launcher.sentByWorker.at(-1)).toMatchObject({ type: 'result', isWorn: true });
    expect(client.isRunning).toBe(false);
  });

  it('ignores what is no message of a host', () => {
    let deliver: (message: never) => void = () => undefined;
    const sent: WorkerToHost[] = [];
    serveWorker({
      pipe: {
        post: (message) => sent.push(message),
        onMessage: (listener) => {
          deliver = listener;
        },
      },
      createServices: () => ({}) as WorkerServices,
      yieldToMessages: settled,
    });
    const noise = [undefined, 1, {}, { type: 'request', id: 1, method: 'toString' }, { type: 'request', id: 'x' }];
    for (const message of [...noise, { type: 'asset', id: 9, bytes: 'no' }, { type: 'cancel', id: 4 }]) {
      deliver(message as never);
    }
    expect(sent).toEqual([{ type: 'ready' }]);
  });
});
