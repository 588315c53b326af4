import type { ContextEngine } from '../core/engine/engine';
import { ObservationService, type ObservationSettings } from '../core/observations/observationService';
import { EngineObservationStore } from '../core/observations/observationStore';
import type { Disposable, FileSource, Logger } from '../core/ports/ports';
import { type CreateEngines, createWorkerEngines } from './engines';
import { JsonlObservationLog } from './records/fileLogs';

/** What the observations of a folder are made of. */
interface NodeObservationsOptions {
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
  readonly createEngines?: CreateEngines | undefined;
}

/** Observations with the engine under them; `dispose` ends its worker. */
interface NodeObservations extends Disposable {
  readonly service: ObservationService;
  readonly engine: ContextEngine;
}

/** Opens the observations of a folder on their own: nothing else of the folder is read. */
export function createNodeObservations(options: NodeObservationsOptions): NodeObservations {
  const { realRoot, files, path, settings, productRoot, logger } = options;
  const engines = (options.createEngines ?? createWorkerEngines)({ productRoot, logger });
  const store = new EngineObservationStore(new JsonlObservationLog({ realRoot, path }), engines.engine);
  const service = new ObservationService(store, files, () => settings);
  return { service, engine: engines.engine, dispose: () => engines.dispose() };
}
