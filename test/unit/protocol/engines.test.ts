import { beforeEach, describe, expect, it } from 'vitest';
import { type CreateInProcess, connectEngines, connectSecretScanner } from '../../../src/protocol/engines';
import { FakeClock, FakeLauncher, type FakeWorker, fakeAssets, settled } from '../../support/protocolFakes';
import { RecordingLogger } from '../../support/recordingLogger';

const FOUND = [[{ start: 0, end: 9, label: 'key' }]];

const answering = (worker: FakeWorker): void => {
  worker.onRequest = ({ id }) => worker.emit({ type: 'result', id, value: FOUND });
  queueMicrotask(() => worker.emit({ type: 'ready' }));
};

describe('connectSecretScanner', () => {
  let clock: FakeClock;
  let launcher: FakeLauncher;
  const createClient = (createFallback?: () => { scan: () => Promise<typeof FOUND> }) =>
    connectSecretScanner({ launcher, clock, assets: fakeAssets(), ...(createFallback && { createFallback }) });

  beforeEach(() => {
    clock = new FakeClock();
    launcher = new FakeLauncher();
    launcher.script = answering;
  });

  it('starts its worker with the first text, asks it, and stops it when idle', async () => {
    const client = createClient();
    expect(await client.scan(['', ''])).toEqual([[], []]);
    expect(launcher.workers).toHaveLength(0);
    expect(await client.scan(['a text'])).toEqual(FOUND);
    expect(launcher.last.requests().map(({ method, params }) => [method, params])).toEqual([['scan', ['a text']]]);
    clock.advance(30_000);
    expect(launcher.last.isTerminated).toBe(true);
    client.dispose();
  });

  it('gives up a scan that takes too long, and its worker with it', async () => {
    launcher.script = (worker) => queueMicrotask(() => worker.emit({ type: 'ready' }));
    const client = createClient();
    const scan = client.scan(['a text']);
    const failed = expect(scan).rejects.toMatchObject({ reason: 'deadline' });
    await settled();
    clock.advance(15_000);
    await failed;
    expect(launcher.last.isTerminated).toBe(true);
  });

  it('scans in this process after three launches that failed', async () => {
    launcher.script = (worker) => queueMicrotask(() => worker.exit('no threads here'));
    const client = createClient(() => ({ scan: async () => FOUND }));
    expect(await client.scan(['a text'])).toEqual(FOUND);
    expect(launcher.workers).toHaveLength(3);
  });

  it('rejects where there is no worker and nothing else: then nothing may be copied', async () => {
    launcher.script = (worker) => queueMicrotask(() => worker.exit('no threads here'));
    await expect(createClient().scan(['a text'])).rejects.toMatchObject({ reason: 'unavailable' });
  });
});

describe('connectEngines with the engine here', () => {
  const request = { texts: ['a'], tokenizer: 'o200k_base' } as const;
  const connect = (engine: object) => {
    const launcher = new FakeLauncher();
    let made = 0;
    const loadInProcess = (): CreateInProcess => {
      made++;
      return () => ({ engine }) as unknown as ReturnType<CreateInProcess>;
    };
    const engines = connectEngines({
      ...{ launcher, assets: fakeAssets(), clock: new FakeClock(), logger: new RecordingLogger(), loadInProcess },
      ...{ inProcessWarning: 'slow', engineHere: true },
    });
    return { ...engines, launcher, made: () => made };
  };

  it('makes it once, with its first call, and starts a worker for parsing alone', async () => {
    const { engine, parser, launcher, made, dispose } = connect({ countTokens: async () => [1] });
    expect(made()).toBe(0);
    expect(await engine.countTokens(request)).toEqual([1]);
    expect(await engine.countTokens(request)).toEqual([1]);
    expect([made(), launcher.workers.length]).toEqual([1, 0]);
    expect(engine.onDidRestart).toBeUndefined();
    launcher.script = (worker) => {
      worker.onRequest = ({ id }) => worker.emit({ type: 'result', id, value: [new Uint8Array(1)] });
      queueMicrotask(() => worker.emit({ type: 'ready' }));
    };
    const file = { path: 'a.ts', contentHash: '0', bytes: new Uint8Array(1) };
    expect(await parser.parse([file])).toHaveLength(1);
    expect(launcher.workers).toHaveLength(1);
    dispose();
  });

  it('gives back the memory of what it was sent, as a worker does, and passes failures on', async () => {
    const facts = new Uint8Array(8);
    const { engine, dispose } = connect({
      upsertFiles: async ([first]: readonly Uint8Array[]) => expect(first).toHaveLength(8),
      countTokens: async () => Promise.reject(new Error('no ranks')),
    });
    await engine.upsertFiles([facts]);
    expect(facts).toHaveLength(0);
    await expect(engine.countTokens(request)).rejects.toThrow('no ranks');
    dispose();
    await expect(engine.countTokens(request)).rejects.toMatchObject({ reason: 'stopped' });
  });
});
