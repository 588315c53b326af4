/**
 * The engine over messages. It decides how a host survives the loss of the engine's state; what the engine computes is
 * `src/worker/engine.ts`.
 */
import { type ContextEngine, ENGINE_CALLS, type EngineRestart } from '../core/engine/engine';
import type { Disposable } from '../core/ports/ports';
import { Fallback, remoteService, type ServiceClientOptions } from './fallback';
import { WorkerClient } from './workerClient';

const DEFAULT_DEADLINE_MS = 60_000;
/** CONVENTIONS: after three failures the index is not filled again. */
const MAX_CRASHES = 3;

/** `ContextEngine` in a worker. Every method rejects with a `WorkerError` and nothing else; so do those pending on `dispose`. */
export function connectEngine(options: ServiceClientOptions<ContextEngine>): Required<ContextEngine> & Disposable {
  const listeners = new Set<(restart: EngineRestart) => void>();
  let holdsIndex = false;
  let crashesInARow = 0;
  const loseIndex = (reason: string): void => {
    if (!holdsIndex) return;
    holdsIndex = false;
    const shouldRefill = ++crashesInARow < MAX_CRASHES;
    for (const listener of [...listeners]) listener({ reason, shouldRefill });
  };
  const client = new WorkerClient({ ...options, mayStopWhenIdle: () => !holdsIndex, onDidCrash: loseIndex });
  const calls = remoteService<typeof ENGINE_CALLS>(ENGINE_CALLS, {
    client,
    fallback: new Fallback<ContextEngine>(options.createFallback),
    deadlineMs: options.deadlineMs ?? DEFAULT_DEADLINE_MS,
    onDidStart: ({ isKept }) => {
      holdsIndex ||= isKept === true;
    },
    onDidAnswer: ({ showsHealth }) => {
      if (showsHealth) crashesInARow = 0;
    },
  });
  return {
    ...calls,
    /** Calls `listener` after a crash of a worker that held an index. The new engine starts empty, with the next call. */
    onDidRestart: (listener) => {
      listeners.add(listener);
      return { dispose: () => listeners.delete(listener) };
    },
    dispose: () => {
      listeners.clear();
      client.dispose();
    },
  };
}
