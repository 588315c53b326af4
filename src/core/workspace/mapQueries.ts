/** Maps of one folder: for a task, for what is being worked on, of what changed. */
import type { MapResult } from '../engine/map';
import { NEVER_ABORTED } from '../ports/ports';
import type { ChangeQueries, ReadChangeSet } from './changeQueries';
import type { ProjectReader } from './indexing/projectReader';
import type { Scheduler } from './scheduler';
import type { CountCache } from './symbolCache/countCache';
import type { MapOptions, WorkspacePorts, WorkspaceState } from './workspaceState';

/** Room for what a smaller map has more of: its lines are not all of one length. */
const SHARE = 0.97;

/**
 * A map of at most `maxChars` characters too: its lines are chosen by tokens, so it is asked for again with fewer of
 * them until it fits. What was asked for stays in `budgetTokens`. Seldom more than two maps.
 */
export async function mapWithinChars(
  build: (budgetTokens: number) => Promise<MapResult>,
  budgetTokens: number,
  maxChars: number,
): Promise<MapResult> {
  let asked = budgetTokens;
  let map = await build(asked);
  while (map.text.length > maxChars && asked > 1) {
    const share = (maxChars / map.text.length) * SHARE;
    asked = Math.max(1, Math.floor(Math.min(asked, map.tokens) * share));
    map = await build(asked);
  }
  return asked === budgetTokens ? map : { ...map, budgetTokens, maxChars };
}

export class MapQueries {
  /** @param ended fires when the workspace was disposed */
  constructor(
    private readonly ports: Pick<WorkspacePorts, 'engine'>,
    private readonly state: WorkspaceState,
    private readonly parts: {
      readonly changes: ChangeQueries;
      readonly project: ProjectReader;
      readonly work: Pick<Scheduler, 'idle' | 'mappable'>;
      readonly counts: Pick<CountCache, 'load'>;
    },
    private readonly ended: AbortSignal,
  ) {}

  /** For a task: as soon as the files that it may show are in the index as they are now; no section is waited for. */
  async map(options: MapOptions): Promise<MapResult> {
    if (options.changedSince) return this.#mapOfChanges(options.changedSince.base, options);
    const isPlain = options.query === undefined && options.focusPaths === undefined;
    if (isPlain && this.state.preferences.showsChanges) {
      await this.parts.work.idle(NEVER_ABORTED);
      const { shown } = this.parts.changes;
      if (shown && shown.changes.files.length > 0) return this.#changesMap(shown, options);
    }
    const asked = isPlain ? this.state.query : { query: this.state.preferences.task ?? '', focusPaths: [] };
    const query = options.query?.trim() ?? asked.query;
    const focusPaths = options.focusPaths ?? asked.focusPaths;
    // The engine starts, and loads its tokenizer, while files are read. The call that needs it tells what it fails with.
    this.ports.engine.countTokens({ texts: [], tokenizer: this.state.preferences.tokenizer }).catch(() => undefined);
    const { project, work, counts } = this.parts;
    const loadCounts = counts.load(this.state.preferences.tokenizer);
    if (query === '') {
      await work.idle(NEVER_ABORTED);
      await project.refresh(this.ended);
    } else {
      // What is asked for a task and shown by nothing else needs no packages.
      const isAsked = options.query !== undefined;
      const learn = (): Promise<void> => (isAsked ? project.refreshHistory(this.ended) : project.refresh(this.ended));
      // Git is asked while files are listed and read. It is asked again where that failed.
      if (isAsked) learn().catch(() => undefined);
      await work.mappable({ query, focusPaths }, learn);
    }
    // Where all lines are known, the vocabulary is not unpacked.
    await loadCounts;
    // The config may have been read, and preferences changed, while it waited.
    const { profile, preferences } = this.state;
    const request = {
      tokenizer: preferences.tokenizer,
      focusPaths,
      query,
      orGeneral: options.query === undefined,
      ...(options.leastShare === undefined ? {} : { leastShare: options.leastShare }),
      withReasons: options.withReasons ?? false,
      isUnmasked: options.isUnmasked ?? false,
      ...(options.leftOut ? { leftOut: options.leftOut } : {}),
    };
    return mapWithinChars(
      (budgetTokens) => this.ports.engine.buildMap({ ...request, budgetTokens }),
      options.budgetTokens ?? profile.mapTokens,
      profile.hardCapChars,
    );
  }

  /** What changed, its callers and its tests; `base` as in `MapOptions`. @throws ChangesError */
  async #mapOfChanges(base: string | undefined, options: MapOptions): Promise<MapResult> {
    // Callers may be in any file; a folder that is not trusted needs no index to say so.
    const reading = this.parts.changes.since(base, this.ended);
    const [read] = await Promise.all([reading, reading.then(() => this.parts.work.idle(NEVER_ABORTED))]);
    return this.#changesMap(read, options);
  }

  async #changesMap({ changes, ...since }: ReadChangeSet, options: MapOptions): Promise<MapResult> {
    const { profile, preferences } = this.state;
    const request = {
      tokenizer: preferences.tokenizer,
      focusPaths: [],
      changes,
      withReasons: options.withReasons ?? false,
      isUnmasked: options.isUnmasked ?? false,
      ...(options.leftOut ? { leftOut: options.leftOut } : {}),
    };
    const map = await mapWithinChars(
      (budgetTokens) => this.ports.engine.buildMap({ ...request, budgetTokens }),
      options.budgetTokens ?? profile.mapTokens,
      profile.hardCapChars,
    );
    return { ...map, since: { ...since, files: changes.files.length } };
  }
}
