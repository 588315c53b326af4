import type { ObservationRow } from '../model/observation';
import type { ObservationSection, RowLimit } from '../model/section';
import { ObservationError } from '../observations/observationError';
import { ObservationService, type ReadBlame } from '../observations/observationService';
import { EngineObservationStore } from '../observations/observationStore';
import { readBlameDays } from '../pipeline/collect/gitSource';
import { bytesOf } from '../text/counts';
import { phrase } from '../text/phrase';
import type { WorkspacePorts, WorkspaceState } from './workspaceState';

/** The newest so many rows are measured: each needs the token count of its detail. */
const MEASURED_ROWS = 500;

/** The observations of a workspace: opened at the first use, again when the config names another file. */
export class WorkspaceObservations {
  #open: { readonly path: string; readonly service: ObservationService } | undefined;

  constructor(
    private readonly ports: WorkspacePorts,
    private readonly state: WorkspaceState,
  ) {}

  get service(): ObservationService | undefined {
    const { openObservationLog, engine, files, processes } = this.ports;
    if (!openObservationLog) return undefined;
    const { path } = this.state.config.observations;
    if (this.#open?.path !== path) {
      const store = new EngineObservationStore(openObservationLog(path), engine);
      const settings = () => {
        const { config, profile, preferences } = this.state;
        return {
          profile,
          tokenizer: preferences.tokenizer,
          sources: config.observations.sources,
          usageLog: config.usageLog,
        };
      };
      const readBlame: ReadBlame = async (file, signal) => {
        const isAllowed = processes !== undefined && this.state.preferences.isTrusted;
        return isAllowed ? readBlameDays(processes, file, signal) : new Map();
      };
      this.#open = { path, service: new ObservationService(store, files, settings, readBlame) };
    }
    return this.#open.service;
  }

  /** The index as the section of the payload, as it is: the pipeline masks sections. Never rejects. */
  async readSection(): Promise<ObservationSection | undefined> {
    const { path } = this.state.config.observations;
    try {
      const layer = await this.service?.index({ isUnmasked: true });
      const unread = this.service?.store.unreadBytes ?? 0;
      if (layer?.total === 0 && unread > 0) {
        const message = phrase('it is too large: {0} were not read, and the rest has no observations', bytesOf(unread));
        return { kind: 'failed', path, message };
      }
      if (!layer || layer.total === 0) return undefined;
      const { rows, total, downgradeApplied } = layer;
      const shown = rows.length < total ? phrase('{0} of {1}', rows.length, total) : undefined;
      const note = unread > 0 ? phrase('{0} of {1}; {2} not read', rows.length, total, bytesOf(unread)) : shown;
      if (rows.length === total) return { kind: 'rows', rows: { rows, total }, note };
      const { topK, indexTokens } = this.state.profile;
      const limit: RowLimit =
        downgradeApplied.length > 0
          ? { setting: 'index_tokens', value: indexTokens }
          : { setting: 'top_k.index', value: topK.index };
      return { kind: 'rows', rows: { rows, total, older: await this.#rowsAfter(rows), limit }, note };
    } catch (error) {
      if (!ObservationError.is(error)) throw error;
      return { kind: 'failed', path, message: error.words };
    }
  }

  /** The text of the rows that follow, as far as they are measured. */
  async #rowsAfter(shown: readonly ObservationRow[]): Promise<string> {
    const limit = MEASURED_ROWS - shown.length;
    if (limit <= 0) return '';
    const page = await this.service?.list({ limit, after: shown.at(-1)?.id, isUnmasked: true });
    return page?.rows.map(({ text }) => text).join('') ?? '';
  }
}
