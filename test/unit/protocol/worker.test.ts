import { describe, expect, it } from 'vitest';
import { asHostMessage, asWorkerMessage, type HostToWorker, type WorkerToHost } from '../../../src/protocol/worker';

describe('asHostMessage', () => {
  it.each<HostToWorker>([
    { type: 'request', id: 1, method: 'listTroubled', params: undefined },
    { type: 'cancel', id: 2 },
    { type: 'asset', id: 3, bytes: Uint8Array.of(1), error: undefined },
    { type: 'asset', id: 3, bytes: undefined, error: 'missing' },
  ])('accepts %j', (message) => {
    expect(asHostMessage(message)).toEqual(message);
  });

  it.each([
    ['nothing', undefined],
    ['text', 'request'],
    ['no id', { type: 'cancel' }],
    ['an unknown method', { type: 'request', id: 1, method: 'constructor', params: undefined }],
    ['an unknown type', { type: 'eval', id: 1 }],
    ['an asset that is text', { type: 'asset', id: 1, bytes: 'bytes' }],
  ])('refuses %s', (_, message) => {
    expect(asHostMessage(message)).toBeUndefined();
  });
});

describe('asWorkerMessage', () => {
  it.each<WorkerToHost>([
    { type: 'ready' },
    { type: 'result', id: 1, value: [1], isWorn: false },
    { type: 'error', id: 1, message: 'Aborted()', name: 'RuntimeError', fatal: true },
    { type: 'needAsset', id: 1, name: 'grammars/go.json' },
  ])('accepts %j', (message) => {
    expect(asWorkerMessage(message)).toEqual(message);
  });

  it.each([
    ['null', null],
    ['no id', { type: 'result', value: 1 }],
    ['an error without a message', { type: 'error', id: 1, fatal: true }],
    ['an asset without a name', { type: 'needAsset', id: 1 }],
    ['an unknown type', { type: 'log', id: 1 }],
  ])('refuses %s', (_, message) => {
    expect(asWorkerMessage(message)).toBeUndefined();
  });
});
