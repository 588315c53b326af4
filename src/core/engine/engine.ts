/**
 * The engine: the stateful heart that lives in a worker. It holds the symbol index and the tokenizer, and runs the
 * pure pipeline (route → score → fit → render) over what the host collected. `src/worker/engine.ts` implements it;
 * `src/protocol/engineClient.ts` implements it over messages; hosts see only this interface.
 */
import type { Disposable } from '../ports/ports';
import type { Service } from './call';
import { LOG_CALLS } from './logs';
import { MAP_CALLS } from './map';
import { REPORT_CALLS } from './report';

/** The engine has lost its index. */
export interface EngineRestart {
  /** Why, for the log. */
  readonly reason: string;
  /**
   * True when the host should fill the index again. False from the third loss in a row without a report, map or detail
   * between, so that an input that kills the engine cannot keep it dying: the index then stays empty.
   */
  readonly shouldRefill: boolean;
}

export const ENGINE_CALLS = { ...MAP_CALLS, ...REPORT_CALLS, ...LOG_CALLS };

export interface ContextEngine extends Service<typeof ENGINE_CALLS> {
  /** Present where the engine can lose its index (a worker that died); the host then fills it again. */
  onDidRestart?(listener: (restart: EngineRestart) => void): Disposable;
}
