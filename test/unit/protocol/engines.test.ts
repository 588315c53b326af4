import { beforeEach, describe, expect, it } from 'vitest';
import { connectSecretScanner } from '../../../src/protocol/engines';
import { FakeClock, FakeLauncher, type FakeWorker, fakeAssets, settled } from '../../support/protocolFakes';

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
