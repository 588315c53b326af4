import { type AnyCall, type AnyMethod, methodOf, type Service } from '../core/engine/call';
import { type ContextEngine, ENGINE_CALLS } from '../core/engine/engine';
import type { FileParser } from '../core/engine/parser';
import type { AssetSource, Clock, Disposable, Logger } from '../core/ports/ports';
import type { SecretScanner } from '../core/secrets/secretScanner';
import { connectEngine } from './engineClient';
import { Fallback, remoteService, type ServiceClientOptions } from './fallback';
import { ParserPool, type ParserPoolOptions } from './parserPool';
import { discard, SECRET_CALLS, WorkerError } from './worker';
import { WorkerClient, type WorkerLauncher } from './workerClient';

/** An engine and a parser for one folder, and the secret scanner. Each starts with its first call. Their maker disposes them. */
export interface Engines extends Disposable {
  readonly engine: ContextEngine;
  readonly parser: FileParser;
  readonly secrets: SecretScanner;
}

/** What the worker bundle gives a host that runs it without a worker. */
export type CreateInProcess = (assets: AssetSource) => Omit<Engines, 'dispose'>;

/** What clients of workers need of their host. */
interface EngineClientsOptions {
  readonly launcher: WorkerLauncher;
  readonly assets: AssetSource;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Loads the worker bundle into this thread; throws when it cannot. */
  readonly loadInProcess: () => CreateInProcess;
  /** Said once, when that happens. */
  readonly inProcessWarning: string;
  /**
   * The engine works in this thread: for a process that gives one answer, which costs a quarter of its start less. Nothing
   * ends a call that takes too long.
   */
  readonly engineHere?: boolean | undefined;
  /** The pool's own numbers where they are left out. */
  readonly pool?: Pick<ParserPoolOptions, 'workers' | 'batchDeadlineMs' | 'fileDeadlineMs'>;
}

/** Per scan: fifty times what hostile text of 1 MB takes (0.3 s, measured), so that a hang ends. */
const SCAN_DEADLINE_MS = 15_000;

/**
 * `SecretScanner` in a worker of its own, so that a copy neither waits for the index nor can hang it; it starts with the
 * first scan and ends when idle. Rejects with a `WorkerError`, `deadline` among them.
 */
export function connectSecretScanner(options: ServiceClientOptions<SecretScanner>): SecretScanner & Disposable {
  const client = new WorkerClient(options);
  const { scan } = remoteService(SECRET_CALLS, {
    client,
    fallback: new Fallback(options.createFallback),
    deadlineMs: options.deadlineMs ?? SCAN_DEADLINE_MS,
  });
  return {
    scan: async (texts) => (texts.every((text) => text === '') ? texts.map(() => []) : scan(texts)),
    dispose: () => client.dispose(),
  };
}

/** `ContextEngine` in this thread, made with its first call or as soon as the thread has nothing else to do. */
function engineInThread(make: () => ContextEngine, clock: Clock): ContextEngine & Disposable {
  let made: ContextEngine | undefined;
  let isDisposed = false;
  const idle = clock.schedule(() => {
    // What is wrong is told with the first call.
    try {
      made ??= make();
    } catch {}
  }, 0);
  const methods = Object.entries<AnyCall>(ENGINE_CALLS).map(([name, { drops }]) => {
    const method: AnyMethod = async (params, signal) => {
      if (isDisposed) throw new WorkerError('stopped', `${name}: the engine was stopped.`);
      made ??= make();
      const result = await methodOf(made, name)(params, signal);
      discard(drops?.(params as never) ?? []);
      return result;
    };
    return [name, method] as const;
  });
  return {
    ...(Object.fromEntries(methods) as Service<typeof ENGINE_CALLS>),
    dispose: () => {
      idle.dispose();
      isDisposed = true;
      made = undefined;
    },
  };
}

/** Engine, parser and scanner in workers, or in this thread after three failed starts in a row. */
export function connectEngines(options: EngineClientsOptions): Engines {
  const { launcher, assets, clock, logger, loadInProcess, inProcessWarning, engineHere, pool } = options;
  let hasWarned = false;
  // Each call makes new ones: a parser whose wasm has died in this thread is replaced like a worker.
  const inProcess = (why?: WorkerError): ReturnType<CreateInProcess> => {
    const create = loadInProcess();
    if (!hasWarned) logger.warn(why ? `${inProcessWarning}: ${why.message}` : inProcessWarning);
    hasWarned = true;
    return create(assets);
  };
  const worker = { launcher, assets, clock };
  const engine = engineHere
    ? engineInThread(() => loadInProcess()(assets).engine, clock)
    : connectEngine({ ...worker, createFallback: (why) => inProcess(why).engine });
  const parser = new ParserPool({ ...worker, ...pool, createFallback: (why) => inProcess(why).parser });
  const secrets = connectSecretScanner({ ...worker, createFallback: (why) => inProcess(why).secrets });
  return {
    engine,
    parser,
    secrets,
    dispose: () => {
      engine.dispose();
      parser.dispose();
      secrets.dispose();
    },
  };
}
