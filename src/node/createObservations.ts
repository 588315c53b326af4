import { ObservationService, type ObservationSettings, type ReadBlame } from '../core/observations/observationService';
import { EngineObservationStore } from '../core/observations/observationStore';
import type { FileSource, Logger } from '../core/ports/ports';
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
  /** Without it undated entries of run logs have the file's day. */
  readonly readBlame?: ReadBlame | undefined;
  /** Worker threads unless given. */
  readonly createEngines?: CreateEngines | undefined;
}

/** Opens the observations of a folder, and nothing else of it, with the engine under them; `dispose` ends its worker. */
export function createNodeObservations(options: NodeObservationsOptions) {
  const { realRoot, files, path, settings, productRoot, logger } = options;
  const engines = (options.createEngines ?? createWorkerEngines)({ productRoot, logger });
  const store = new EngineObservationStore(new JsonlObservationLog({ realRoot, path }), engines.engine);
  const service = new ObservationService(store, files, () => settings, options.readBlame);
  return { service, engine: engines.engine, dispose: () => engines.dispose() };
}
