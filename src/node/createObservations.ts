import type { ContextEngine } from '../core/engine/engine';
import { ObservationService, type ObservationSettings } from '../core/observations/observationService';
import { EngineObservationStore } from '../core/observations/observationStore';
import type { Disposable, FileSource, Logger } from '../core/ports/ports';
import { FileAssetSource } from './assets';
import { NodeClock } from './clock';
import { type CreateEngines, createWorkerEngines } from './engines';
import { JsonlObservationLog } from './records/fileLogs';

/** What the observations of a folder are made of, without a session. */
export interface NodeObservationsOptions {
  /** The folder's real path. */
  readonly realRoot: string;
  readonly files: FileSource;
  /** Workspace-relative. */
  readonly path: string;
  readonly settings: ObservationSettings;
  /** The folder that holds `dist/`. Absolute. */
  readonly productRoot: string;
  readonly logger: Logger;
  /** Worker threads unless given. */
  readonly createEngines?: CreateEngines;
}

/** Observations with the engine under them; `dispose` ends its worker. */
export interface NodeObservations extends Disposable {
  readonly service: ObservationService;
  readonly engine: ContextEngine;
}

/** Observations of a folder on their own: nothing else of it is read. */
export function createNodeObservations(options: NodeObservationsOptions): NodeObservations {
  const { realRoot, files, path, settings, productRoot, logger } = options;
  const engines = (options.createEngines ?? createWorkerEngines)({
    productRoot,
    assets: new FileAssetSource(productRoot),
    clock: new NodeClock(),
    logger,
  });
  const store = new EngineObservationStore(new JsonlObservationLog({ realRoot, path }), engines.engine);
  const service = new ObservationService(store, files, () => settings);
  return { service, engine: engines.engine, dispose: () => engines.dispose() };
}
