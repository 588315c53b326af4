/**
 * The worker's entry in browsers, and the same services in this thread for hosts whose workers do not start. The only
 * file of the worker that knows a browser.
 */
import { decompress } from 'brotli/decompress';
import type { AssetSource } from '../core/ports/ports';
import { type HostToWorker, type MessagePipe, WORKER_ROLE, type WorkerToHost } from '../protocol/worker';
import { Engine } from './engine';
import { packedAssets } from './packedAssets';
import { TreeSitterParser } from './parser/fileParser';
import { serveWorker, type WorkerServices } from './runtime';
import { librarySecretScanner } from './secrets/librarySecretScanner';

declare const self: DedicatedWorkerGlobalScope & { readonly workerRole?: unknown };

/** Engine, parser and scanner in this thread, over product files as they ship: correct, but long work blocks it. */
export function createInProcess(productFiles: AssetSource): WorkerServices {
  // Few browsers undo Brotli for a script: in JavaScript it takes a moment per grammar, here in a worker, once.
  const assets = packedAssets(productFiles, (packed) => decompress(packed));
  const secrets = librarySecretScanner;
  return { engine: new Engine(assets, secrets), parser: new TreeSitterParser(assets), secrets };
}

function pipe(): MessagePipe<WorkerToHost, HostToWorker> {
  return {
    post: (message, transfer = []) => self.postMessage(message, [...transfer]),
    onMessage: (listener) => self.addEventListener('message', ({ data }) => listener(data as HostToWorker)),
  };
}

/** Waits for one message to itself: browsers deliver messages in order, and hold timers back for milliseconds. */
function messageTurns(): () => Promise<void> {
  const { port1, port2 } = new MessageChannel();
  const waiting: (() => void)[] = [];
  port1.onmessage = () => waiting.shift()?.();
  return () =>
    new Promise((resolve) => {
      waiting.push(resolve);
      port2.postMessage(undefined);
    });
}

// Set in front of the bundle by `src/web/blobWorker.ts`: an extension host that loads it in process is a worker as well.
if (self.workerRole === WORKER_ROLE) {
  serveWorker({ pipe: pipe(), createServices: createInProcess, yieldToMessages: messageTurns() });
}
