import { getEventListeners } from 'node:events';
import { beforeEach, describe, expect, it } from 'vitest';
import { isNotScanned } from '../../../src/core/secrets/masking';
import { WorkerError, type WorkerErrorReason } from '../../../src/protocol/worker';
import { WorkerClient, type WorkerClientOptions } from '../../../src/protocol/workerClient';
import { FakeClock, FakeLauncher, fakeAssets, settled } from '../../support/protocolFakes';

const rejection = async (promise: Promise<unknown>): Promise<WorkerErrorReason | undefined> => {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  return WorkerError.is(error) ? error.reason : undefined;
};

describe('WorkerClient', () => {
  let clock: FakeClock;
  let launcher: FakeLauncher;
  let crashes: string[];

  const createClient = (options: Partial<WorkerClientOptions> = {}): WorkerClient =>
    new WorkerClient({
      launcher,
      clock,
      assets: fakeAssets(),
      onDidCrash: (reason) => crashes.push(reason),
      ...options,
    });

  beforeEach(() => {
    clock = new FakeClock();
    launcher = new FakeLauncher();
    crashes = [];
  });

  it('starts no worker before the first call', async () => {
    const client = createClient();
    expect(launcher.workers).toHaveLength(0);
    const call = client.call('listTroubled', undefined);
    expect(launcher.workers).toHaveLength(1);
    client.dispose();
    expect(await rejection(call)).toBe('stopped');
  });

  it('gives each call its own answer, whatever order they come in', async () => {
    const client = createClient();
    const first = client.call('countTokens', { texts: ['a'], tokenizer: 'o200k_base' });
    const second = client.call('countTokens', { texts: ['b'], tokenizer: 'o200k_base' });
    const [a, b] = launcher.last.requests();
    launcher.last.emit({ type: 'result', id: b!.id, value: [2] });
    launcher.last.emit({ type: 'result', id: a!.id, value: [1] });
    expect([await first, await second]).toEqual([[1], [2]]);
  });

  it('ignores malformed messages and answers to calls that nobody waits for', async () => {
    const client = createClient();
    const call = client.call('listTroubled', undefined);
    for (const message of [
      null,
      'x',
      {},
      { type: 'result' },
      { type: 'result', id: 999, value: 1 },
      { type: '?', id: 1 },
    ]) {
      launcher.last.emit(message);
    }
    launcher.last.emit({ type: 'result', id: 1, value: { files: 0 } });
    expect(await call).toEqual({ files: 0 });
  });

  it('rejects with reason failed when the worker answers with an error, and keeps the worker', async () => {
    const client = createClient();
    const call = client.call('listTroubled', undefined);
    launcher.last.emit({ type: 'error', id: 1, message: 'boom', name: 'NotScanned', fatal: false });
    expect(await rejection(call)).toBe('failed');
    // Its class stays in the worker, its name does not.
    await expect(call).rejects.toSatisfy(isNotScanned);
    expect(client.isRunning).toBe(true);
  });

  it('replaces a worker that reports a fatal error and rejects what else was pending as crashed', async () => {
    const client = createClient();
    const culprit = client.call('parse', []);
    const other = client.call('listTroubled', undefined);
    await settled();
    const [first] = launcher.workers;
    first!.emit({ type: 'error', id: 1, message: 'Aborted()', fatal: true });
    expect([await rejection(culprit), await rejection(other)]).toEqual(['failed', 'crashed']);
    expect(first!.isTerminated).toBe(true);
    expect(crashes).toHaveLength(1);
    const next = client.call('listTroubled', undefined);
    launcher.last.emit({ type: 'result', id: 3, value: 'new' });
    expect(await next).toBe('new');
    expect(launcher.workers).toHaveLength(2);
  });

  it('rejects all pending calls when the worker dies, and drops what it said late', async () => {
    const client = createClient();
    const calls = [client.call('findSymbols', []), client.call('listTroubled', undefined)];
    await settled();
    const dead = launcher.last;
    dead.exit('out of memory');
    expect(await Promise.all(calls.map(rejection))).toEqual(['crashed', 'crashed']);
    const next = client.call('listTroubled', undefined);
    dead.emit({ type: 'result', id: 3, value: 'late' });
    launcher.last.emit({ type: 'result', id: 3, value: 'right' });
    expect(await next).toBe('right');
    expect(crashes).toEqual(['the worker ended: out of memory.']);
  });

  it('ends a worker that passes a deadline', async () => {
    const client = createClient();
    const hung = client.call('parse', [], { deadlineMs: 1000 });
    const other = client.call('listTroubled', undefined);
    await settled();
    clock.advance(999);
    expect(launcher.last.isTerminated).toBe(false);
    clock.advance(1);
    expect([await rejection(hung), await rejection(other)]).toEqual(['deadline', 'crashed']);
    expect(launcher.last.isTerminated).toBe(true);
  });

  it('gives a call longer that had to wait for the processor, until it has used its time', async () => {
    let spentMs = 5000;
    launcher.processorMs = () => spentMs;
    const call = createClient().call('parse', [], { deadlineMs: 1000 });
    await settled();
    spentMs += 300;
    clock.advance(1000);
    clock.advance(699);
    spentMs += 700;
    expect(launcher.last.isTerminated).toBe(false);
    clock.advance(1);
    expect(await rejection(call)).toBe('deadline');
  });

  it('ends a worker that only waits after six times its deadline', async () => {
    launcher.processorMs = () => 0;
    const call = createClient().call('parse', [], { deadlineMs: 1000 });
    await settled();
    for (let seconds = 1; seconds < 6; seconds++) clock.advance(1000);
    expect(launcher.last.isTerminated).toBe(false);
    clock.advance(1000);
    expect(await rejection(call)).toBe('deadline');
  });

  it('forgets the deadline of a call that was answered', async () => {
    const client = createClient();
    const call = client.call('listTroubled', undefined, { deadlineMs: 1000 });
    launcher.last.emit({ type: 'result', id: 1, value: 1 });
    await call;
    clock.advance(1000);
    expect(client.isRunning).toBe(true);
  });

  it('tells the worker of a cancelled call and rejects it without waiting', async () => {
    const client = createClient();
    const caller = new AbortController();
    const call = client.call('parse', [], { signal: caller.signal });
    caller.abort();
    expect(await rejection(call)).toBe('cancelled');
    expect(launcher.last.posted.at(-1)).toEqual({ type: 'cancel', id: 1 });
    expect(client.isRunning).toBe(true);
  });

  it('listens to its caller no more once a call is answered', async () => {
    const client = createClient();
    const { signal } = new AbortController();
    const call = client.call('listTroubled', undefined, { signal });
    expect(getEventListeners(signal, 'abort')).toHaveLength(1);
    launcher.last.emit({ type: 'result', id: 1, value: 1 });
    await call;
    expect(getEventListeners(signal, 'abort')).toHaveLength(0);
  });

  it('listens once for all calls of a caller, who ends them all', async () => {
    const client = createClient();
    const caller = new AbortController();
    const calls = Array.from({ length: 12 }, () => client.call('parse', [], { signal: caller.signal }));
    expect(getEventListeners(caller.signal, 'abort')).toHaveLength(1);
    caller.abort();
    expect(new Set(await Promise.all(calls.map(rejection)))).toEqual(new Set(['cancelled']));
    expect(getEventListeners(caller.signal, 'abort')).toHaveLength(0);
  });

  it('sends nothing for a call that was cancelled before', async () => {
    const client = createClient();
    expect(await rejection(client.call('listTroubled', undefined, { signal: AbortSignal.abort() }))).toBe('cancelled');
    expect(launcher.workers).toHaveLength(0);
  });

  it('stops an idle worker after 30 s, and starts one for the next call', async () => {
    const client = createClient();
    const call = client.call('listTroubled', undefined);
    await settled();
    launcher.last.emit({ type: 'result', id: 1, value: 1 });
    await call;
    clock.advance(29_999);
    expect(launcher.last.isTerminated).toBe(false);
    clock.advance(1);
    expect(launcher.last.isTerminated).toBe(true);
    await settled();
    expect(crashes).toEqual([]);
    void client.call('listTroubled', undefined).catch(() => undefined);
    expect(launcher.workers).toHaveLength(2);
  });

  it('does not stop while a call is pending', async () => {
    const client = createClient({ idleStopMs: 100 });
    const first = client.call('listTroubled', undefined);
    launcher.last.emit({ type: 'result', id: 1, value: 1 });
    await first;
    const second = client.call('listTroubled', undefined);
    clock.advance(10_000);
    expect(launcher.last.isTerminated).toBe(false);
    launcher.last.emit({ type: 'result', id: 2, value: 2 });
    expect(await second).toBe(2);
  });

  it('replaces a worn worker as soon as it is idle', async () => {
    const client = createClient();
    const calls = [client.call('parse', []), client.call('parse', [])];
    await settled();
    launcher.last.emit({ type: 'result', id: 1, value: [], isWorn: true });
    expect(launcher.last.isTerminated).toBe(false);
    launcher.last.emit({ type: 'result', id: 2, value: [], isWorn: false });
    expect(launcher.last.isTerminated).toBe(true);
    expect(await Promise.all(calls)).toEqual([[], []]);
    await settled();
    expect(crashes).toEqual([]);
  });

  it('keeps an idle worker whose owner says so', async () => {
    const client = createClient({ mayStopWhenIdle: () => false });
    const call = client.call('listTroubled', undefined);
    launcher.last.emit({ type: 'result', id: 1, value: 1 });
    await call;
    clock.advance(60_000);
    expect(client.isRunning).toBe(true);
  });

  it('rejects everything pending on dispose, and every later call', async () => {
    const client = createClient();
    const calls = [client.call('listTroubled', undefined, { deadlineMs: 50 }), client.call('listTroubled', undefined)];
    client.dispose();
    expect(await Promise.all(calls.map(rejection))).toEqual(['stopped', 'stopped']);
    expect(await rejection(client.call('listTroubled', undefined))).toBe('stopped');
    expect(launcher.workers).toHaveLength(1);
    expect(clock.timers).toBe(0);
    expect(client.failedLaunches).toBe(0);
  });

  it('counts launches that throw or end before the worker is ready, until one succeeds', async () => {
    const client = createClient();
    launcher.launchError = new Error('no threads');
    expect(await rejection(client.call('listTroubled', undefined))).toBe('unavailable');
    launcher.launchError = undefined;
    launcher.script = (worker, n) =>
      queueMicrotask(() => (n === 1 ? worker.exit('no such file') : worker.emit({ type: 'ready' })));
    expect(await rejection(client.call('listTroubled', undefined))).toBe('unavailable');
    expect(client.failedLaunches).toBe(2);
    const call = client.call('listTroubled', undefined);
    await settled();
    launcher.last.emit({ type: 'result', id: 2, value: 1 });
    expect(await call).toBe(1);
    expect(client.failedLaunches).toBe(0);
    expect(crashes).toEqual([]);
  });

  it('answers asset requests with bytes or with the reason why not', async () => {
    const client = createClient({ assets: fakeAssets({ 'a.wasm': Uint8Array.of(1, 2) }) });
    void client.call('listTroubled', undefined).catch(() => undefined);
    launcher.last.emit({ type: 'needAsset', id: 7, name: 'a.wasm' });
    launcher.last.emit({ type: 'needAsset', id: 8, name: 'b.wasm' });
    await settled();
    expect(launcher.last.posted.slice(1)).toEqual([
      { type: 'asset', id: 7, bytes: Uint8Array.of(1, 2), error: undefined },
      { type: 'asset', id: 8, bytes: undefined, error: 'no b.wasm' },
    ]);
  });

  it('rejects a call whose parameters cannot be sent', async () => {
    const client = createClient();
    const unsendable = { texts: [(() => 'x') as unknown as string], tokenizer: 'o200k_base' as const };
    expect(await rejection(client.call('countTokens', unsendable))).toBe('failed');
  });
});
