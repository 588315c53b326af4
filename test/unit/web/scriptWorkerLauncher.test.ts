import { describe, expect, it } from 'vitest';
import type { HostToWorker } from '../../../src/protocol/worker';
import { ScriptWorkerLauncher, type StartedWorker } from '../../../src/web/scriptWorkerLauncher';

const request = (id: number): HostToWorker => ({ type: 'request', id, method: 'listTroubled', params: undefined });
const turn = () => new Promise((resolve) => setImmediate(resolve));

/** A browser's worker as a test sees it. */
class FakeWorker implements StartedWorker {
  readonly posted: unknown[] = [];
  isTerminated = false;
  send: (data: unknown) => void = () => undefined;
  fail: (message: string) => void = () => undefined;

  constructor(readonly script: string) {}

  post(message: unknown, transfer: readonly ArrayBuffer[]): void {
    this.posted.push([message, transfer.length]);
  }

  onMessage(listener: (data: unknown) => void): void {
    this.send = listener;
  }

  onError(listener: (message: string) => void): void {
    this.fail = listener;
  }

  terminate(): void {
    this.isTerminated = true;
  }
}

function launcherOf(readScript: () => Promise<string>) {
  const workers: FakeWorker[] = [];
  const launcher = new ScriptWorkerLauncher(readScript, (script) => {
    const worker = new FakeWorker(script);
    workers.push(worker);
    return worker;
  });
  return { launcher, workers };
}

describe('ScriptWorkerLauncher', () => {
  it('keeps what is posted before the script is there, in order, and delivers both ways', async () => {
    const { launcher, workers } = launcherOf(async () => 'the script');
    const handle = launcher.launch();
    const received: unknown[] = [];
    handle.pipe.onMessage((message) => received.push(message));
    const buffer = new ArrayBuffer(8);
    handle.pipe.post(request(1), [buffer]);
    handle.pipe.post(request(2));
    expect(workers).toEqual([]);
    await turn();
    const [worker] = workers;
    expect(worker?.script).toBe('the script');
    handle.pipe.post(request(3));
    expect(worker?.posted).toEqual([
      [request(1), 1],
      [request(2), 0],
      [request(3), 0],
    ]);
    worker?.send({ type: 'ready' });
    expect(received).toEqual([{ type: 'ready' }]);
  });

  it('says once why a worker has ended, and ends it', async () => {
    const { launcher, workers } = launcherOf(async () => '');
    const handle = launcher.launch();
    const reasons: unknown[] = [];
    handle.onExit((reason) => reasons.push(reason));
    await turn();
    workers[0]?.fail('out of memory');
    workers[0]?.fail('again');
    expect(reasons).toEqual(['out of memory']);
    expect(workers[0]?.isTerminated).toBe(true);
  });

  it.each([
    [
      'the script cannot be read',
      () => Promise.reject(new Error('Unavailable')),
      () => new FakeWorker(''),
      'Unavailable',
    ],
    [
      'workers are not allowed',
      () => Promise.resolve(''),
      () => {
        throw new Error('refused by the page');
      },
      'refused by the page',
    ],
  ])('tells the failure as an exit when %s', async (_what, readScript, start, reason) => {
    const handle = new ScriptWorkerLauncher(readScript, start).launch();
    const reasons: unknown[] = [];
    handle.onExit((why) => reasons.push(why));
    handle.pipe.post(request(1));
    await turn();
    expect(reasons).toEqual([reason]);
  });

  it('starts nothing when it was ended meanwhile', async () => {
    const { launcher, workers } = launcherOf(async () => '');
    const handle = launcher.launch();
    const reasons: unknown[] = [];
    handle.onExit((why) => reasons.push(why));
    handle.terminate();
    handle.pipe.post(request(1));
    await turn();
    expect(workers).toEqual([]);
    expect(reasons).toEqual([]);
  });
});
