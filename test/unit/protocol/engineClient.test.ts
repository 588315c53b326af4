import { beforeEach, describe, expect, it } from 'vitest';
import type { ContextEngine, EngineRestart } from '../../../src/core/engine/engine';
import { connectEngine } from '../../../src/protocol/engineClient';
import { WorkerError } from '../../../src/protocol/worker';
import { FakeClock, FakeLauncher, type FakeWorker, fakeAssets, settled } from '../../support/protocolFakes';

/** Answers every request at once with its method's name. */
const answering = (worker: FakeWorker): void => {
  worker.onRequest = ({ id, method }) => worker.emit({ type: 'result', id, value: method });
  queueMicrotask(() => worker.emit({ type: 'ready' }));
};

describe('connectEngine', () => {
  let clock: FakeClock;
  let launcher: FakeLauncher;

  const createClient = (options: Partial<Parameters<typeof connectEngine>[0]> = {}) =>
    connectEngine({ launcher, clock, assets: fakeAssets(), ...options });

  beforeEach(() => {
    clock = new FakeClock();
    launcher = new FakeLauncher();
    launcher.script = answering;
  });

  it('forwards each method with its parameters', async () => {
    const client = createClient();
    await client.upsertFiles([Uint8Array.of(1)]);
    await client.removeFiles(['a.ts']);
    expect(await client.findSymbols(['sym:1'])).toBe('findSymbols');
    expect(await client.listTroubled()).toBe('listTroubled');
    expect(await client.countTokens({ texts: ['x'], tokenizer: 'cl100k_base' })).toBe('countTokens');
    const map = { tokenizer: 'o200k_base', budgetTokens: 9, focusPaths: [] } as const;
    expect(await client.buildMap(map)).toBe('buildMap');
    expect(launcher.last.requests().map(({ method, params }) => [method, params])).toEqual([
      ['upsertFiles', [Uint8Array.of(1)]],
      ['removeFiles', ['a.ts']],
      ['findSymbols', ['sym:1']],
      ['listTroubled', undefined],
      ['countTokens', { texts: ['x'], tokenizer: 'cl100k_base' }],
      ['buildMap', map],
    ]);
  });

  it('is stopped when idle while it holds nothing, and kept once it holds an index', async () => {
    const client = createClient();
    await client.listTroubled();
    clock.advance(30_000);
    expect(launcher.last.isTerminated).toBe(true);
    await client.upsertFiles([Uint8Array.of(1)]);
    clock.advance(600_000);
    expect(launcher.last.isTerminated).toBe(false);
    client.dispose();
    expect(launcher.last.isTerminated).toBe(true);
  });

  it('asks the host to fill it again after a crash, and not when it held nothing', async () => {
    const client = createClient();
    const restarts: EngineRestart[] = [];
    client.onDidRestart((restart) => restarts.push(restart));
    await client.listTroubled();
    launcher.last.exit('killed');
    expect(restarts).toEqual([]);
    await client.upsertFiles([Uint8Array.of(1)]);
    launcher.last.exit('killed');
    expect(restarts).toEqual([{ reason: 'the worker ended: killed.', shouldRefill: true }]);
    await client.upsertFiles([Uint8Array.of(2)]);
    expect(launcher.workers).toHaveLength(3);
  });

  it('asks no more after the third crash in a row, and again after an answer', async () => {
    const client = createClient();
    const refills: boolean[] = [];
    client.onDidRestart(({ shouldRefill }) => refills.push(shouldRefill));
    for (let i = 0; i < 3; i++) {
      await client.upsertFiles([Uint8Array.of(1)]);
      launcher.last.exit();
    }
    expect(refills).toEqual([true, true, false]);
    await client.buildMap({ tokenizer: 'o200k_base', budgetTokens: 1, focusPaths: [] });
    await client.upsertFiles([Uint8Array.of(1)]);
    launcher.last.exit();
    expect(refills.at(-1)).toBe(true);
  });

  it('ends a hung engine at its deadline and says that the index is gone', async () => {
    const client = createClient({ deadlineMs: 5000 });
    const restarts: EngineRestart[] = [];
    client.onDidRestart((restart) => restarts.push(restart));
    await client.upsertFiles([Uint8Array.of(1)]);
    launcher.last.onRequest = undefined;
    const call = client.listTroubled();
    clock.advance(5000);
    await expect(call).rejects.toSatisfy((error) => WorkerError.is(error, 'deadline'));
    expect(restarts).toHaveLength(1);
  });

  it('gives way to the engine in this process after three failed launches', async () => {
    launcher.script = (worker) => queueMicrotask(() => worker.exit('cannot start'));
    const upserted: (readonly Uint8Array[])[] = [];
    const fallback = {
      upsertFiles: async (facts: readonly Uint8Array[]) => void upserted.push(facts),
      listTroubled: async () => [{ path: 'a.ts', outcome: 'deadline' }],
    } as unknown as ContextEngine;
    const client = createClient({ createFallback: () => fallback });
    await Promise.all([client.upsertFiles([Uint8Array.of(7)]), client.upsertFiles([Uint8Array.of(8)])]);
    expect(upserted).toEqual([[Uint8Array.of(7)], [Uint8Array.of(8)]]);
    expect(await client.listTroubled()).toEqual([{ path: 'a.ts', outcome: 'deadline' }]);
    expect(launcher.workers).toHaveLength(3);
  });

  it('rejects as unavailable when no worker starts and there is no fallback', async () => {
    launcher.launchError = new Error('no threads');
    await expect(createClient().listTroubled()).rejects.toSatisfy((error) => WorkerError.is(error, 'unavailable'));
  });

  it('rejects pending calls on dispose', async () => {
    launcher.script = (worker) => worker.emit({ type: 'ready' });
    const client = createClient();
    const call = client.listTroubled();
    await settled();
    client.dispose();
    await expect(call).rejects.toSatisfy((error) => WorkerError.is(error, 'stopped'));
  });
});
