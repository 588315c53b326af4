import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { ThreadLauncher } from '../../../src/node/workerLauncher';
import { WORKER_ROLE, type WorkerToHost } from '../../../src/protocol/worker';
import { RecordingLogger } from '../../support/recordingLogger';
import { tempFolder } from '../../support/tempFolder';
import { until } from '../../support/until.mjs';

/** Answers each request with its role, environment and params; `crash` and `print` do as they say. */
const SCRIPT = `
  const { parentPort, workerData } = require('node:worker_threads');
  parentPort.on('message', ({ id, method, params }) => {
    if (method === 'crash') throw new Error('broken inside');
    if (method === 'print') console.log('a stray print');
    parentPort.postMessage({ type: 'result', id, value: { workerData, env: process.env, params } });
  });
`;

async function launch(script: string, logger = new RecordingLogger()) {
  const folder = await tempFolder({ 'worker.js': script });
  const handle = new ThreadLauncher(path.join(folder, 'worker.js'), logger).launch();
  const exited = new Promise<string | undefined>((resolve) => handle.onExit(resolve));
  const next = () => new Promise<WorkerToHost>((resolve) => handle.pipe.onMessage(resolve));
  const request = (method: string, params?: unknown) => ({ type: 'request', id: 1, method, params }) as never;
  return { handle, exited, next, request, logger };
}

describe('ThreadLauncher', () => {
  it('carries messages and transfers buffers, in a thread that has our role and nothing of our environment', async () => {
    const { handle, exited, next, request } = await launch(SCRIPT);
    const bytes = new Uint8Array([1, 2, 3]);
    const answer = next();
    handle.pipe.post(request('echo', bytes), [bytes.buffer]);
    expect(await answer).toEqual({
      type: 'result',
      id: 1,
      value: { workerData: { role: WORKER_ROLE }, env: {}, params: new Uint8Array([1, 2, 3]) },
    });
    expect(bytes.length).toBe(0);
    handle.terminate();
    await exited;
  });

  it('tells why a worker ended', async () => {
    const { handle, exited, request } = await launch(SCRIPT);
    handle.pipe.post(request('crash'));
    expect(await exited).toBe('broken inside');
  });

  it('tells that a worker ended before it began', async () => {
    const missing = new ThreadLauncher(path.join(await tempFolder(), 'none.js'), new RecordingLogger()).launch();
    const reason = await new Promise<string | undefined>((resolve) => missing.onExit(resolve));
    expect(reason).toContain('Cannot find module');
  });

  it('keeps what a worker prints away from stdout', async () => {
    const { handle, exited, next, request, logger } = await launch(SCRIPT);
    const answer = next();
    handle.pipe.post(request('print'));
    await answer;
    await until('the print is logged', () => logger.lines.length > 0);
    expect(logger.lines).toEqual(['debug: worker: a stray print']);
    handle.terminate();
    await exited;
  });
});
