import { WORKER_ROLE } from '../protocol/worker';
import type { StartedWorker } from './scriptWorkerLauncher';

/**
 * Starts a browser's worker from the text of the worker bundle. The text travels as a blob, since a script of another
 * origin (where the web puts extensions) may be read but not started. Throws where workers are not allowed.
 */
export function startBlobWorker(script: string): StartedWorker {
  // The bundle is CommonJS, so that it can be loaded in process too; in a worker of ours it is told to serve.
  const head = `var module = { exports: {} }, exports = module.exports; self.workerRole = ${JSON.stringify(WORKER_ROLE)};\n`;
  const url = URL.createObjectURL(new Blob([head, script], { type: 'text/javascript' }));
  let worker: Worker;
  try {
    worker = new Worker(url, { name: 'context-budget' });
  } catch (error) {
    URL.revokeObjectURL(url);
    throw error;
  }
  const revoke = (): void => URL.revokeObjectURL(url);
  // The first message or error shows that loading has ended.
  worker.addEventListener('message', revoke, { once: true });
  worker.addEventListener('error', revoke, { once: true });
  return {
    post: (message, transfer) => worker.postMessage(message, [...transfer]),
    onMessage: (listener) => worker.addEventListener('message', ({ data }) => listener(data)),
    onError: (listener) => {
      worker.addEventListener('error', (event) => listener(event.message || 'the script did not load'));
      worker.addEventListener('messageerror', () => listener('a message could not be read'));
    },
    terminate: () => {
      revoke();
      worker.terminate();
    },
  };
}
