/**
 * What a workspace answers beside its snapshots: texts behind handles, maps, counts, citations. It decides what each
 * question has to wait for; the engine computes the answers.
 */
import type { MapResult } from '../engine/map';
import type { IndexStats } from '../model/repoMap';
import type { ContextReport } from '../model/report';
import type { CollectedSection, PayloadMode } from '../model/section';
import { NEVER_ABORTED } from '../ports/ports';
import { maskStrings } from '../secrets/masking';
import { splitFromLine } from '../text/elements';
import type { CitingTurn } from '../usage/citations/findCitations';
import type { Citation } from '../usage/usageRecord';
import {
  answerDetail,
  type DetailAnswer,
  type DetailWorld,
  masksFor,
  type ResolvedHandles,
  resolveHandles,
} from './detailResolver';
import { mapWithinChars } from './mapFiles';
import type { WorkspaceReader } from './reading/workspaceReader';
import type { Scheduler } from './scheduler';
import type { MapOptions, SecretOptions, Workspace, WorkspacePorts } from './workspace';
import type { WorkspaceState } from './workspaceState';

/** Tokens kept free for the tags around one expanded section. */
const DETAIL_OVERHEAD_TOKENS = 60;

/** What the text of a section comes from. */
interface SectionTextSources {
  readonly sections: readonly CollectedSection[];
  readonly report: ContextReport | undefined;
  /** Cap of one item of a detail payload. */
  readonly detailTokens: number;
  /** The repo map within a budget. */
  mapText(budgetTokens: number): Promise<string>;
}

/** The whole text behind `section:<id>`; undefined when there is no such section. */
async function sectionText(
  id: string,
  { sections, report, detailTokens, mapText }: SectionTextSources,
): Promise<{ readonly title: string; readonly text: string } | undefined> {
  const section = sections.find((candidate) => candidate.id === id);
  if (!section) return undefined;
  const { title, body } = section;
  if (body.kind === 'text') return { title, text: body.text };
  if (body.kind === 'observations') return { title, text: body.rows.map((row) => row.text).join('') };
  if (body.kind === 'repoMap')
    return { title, text: await mapText(Math.max(0, detailTokens - DETAIL_OVERHEAD_TOKENS)) };
  const fitted = report?.payloads.expanded.sections.find((candidate) => candidate.id === id);
  return { title, text: fitted?.text || fitted?.explanation || '' };
}

/** What queries wait for, and what the workspace keeps itself. */
type QueriedWorkspace = Pick<Workspace, 'snapshot' | 'whenListed' | 'whenCollected' | 'whenReady' | 'observations'>;

export class Queries {
  constructor(
    private readonly ports: WorkspacePorts,
    private readonly state: WorkspaceState,
    private readonly workspace: QueriedWorkspace,
    private readonly work: Scheduler,
    private readonly reader: Pick<WorkspaceReader, 'isOpenable'>,
  ) {}

  async detail(handles: readonly string[], options: SecretOptions = {}): Promise<DetailAnswer> {
    await this.#readyFor(handles);
    const { profile, preferences } = this.state;
    return answerDetail(this.#detailWorld(options), handles, profile, preferences.tokenizer, options);
  }

  async resolve(handles: readonly string[]): Promise<ResolvedHandles> {
    await this.#readyFor(handles);
    return resolveHandles(this.#detailWorld({}), handles);
  }

  async isOpenable(path: string): Promise<boolean> {
    await this.workspace.whenListed();
    return this.reader.isOpenable(path);
  }

  countTokens(texts: readonly string[]): Promise<readonly number[]> {
    return this.ports.engine.countTokens({ texts, tokenizer: this.state.preferences.tokenizer });
  }

  async masked<T>(value: T): Promise<T> {
    return maskStrings(value, await masksFor(this.ports.engine, value));
  }

  async map(options: MapOptions): Promise<MapResult> {
    const isPlain = options.query === undefined && options.focusPaths === undefined;
    const asked = isPlain ? this.state.query : { query: this.state.preferences.task ?? '', focusPaths: [] };
    const query = options.query?.trim() ?? asked.query;
    const focusPaths = options.focusPaths ?? asked.focusPaths;
    this.#warmTokenizer();
    if (query === '') await this.work.idle(NEVER_ABORTED);
    else await this.work.mappable({ query, focusPaths });
    // The config may have been read, and preferences changed, while it waited.
    const { profile, preferences } = this.state;
    const request = {
      tokenizer: preferences.tokenizer,
      focusPaths,
      query,
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

  async findCitations(turns: readonly CitingTurn[], payload: PayloadMode): Promise<readonly (readonly Citation[])[]> {
    const { report } = await this.workspace.whenReady();
    if (!report) return turns.map(() => []);
    return this.ports.engine.findCitations({ payload: report.payloads[payload], turns });
  }

  async indexStats(): Promise<IndexStats> {
    await this.workspace.whenReady();
    return this.ports.engine.stats();
  }

  /** Has the engine start, and load its tokenizer, while files are read. What it fails with is told by the call that needs it. */
  #warmTokenizer(): void {
    this.countTokens([]).catch(() => undefined);
  }

  /** Texts that are read need no symbol index, which takes its time in a large folder. */
  async #readyFor(handles: readonly string[]): Promise<void> {
    if (handles.some((handle) => /^\s*sym:/.test(handle))) await this.workspace.whenReady();
    else if (handles.every((handle) => /^\s*file:/.test(handle))) await this.workspace.whenListed();
    else {
      await this.workspace.whenCollected();
      const ids = handles.flatMap((handle) => /^section:(.*)$/.exec(splitFromLine(handle.trim()).base)?.[1] ?? []);
      if (ids.length > 0 && (this.work.isLate || !ids.every((id) => this.#isRead(id))))
        await this.workspace.whenReady();
    }
  }

  /** Whether a section's text is there as it is; true for a section that does not exist. */
  #isRead(id: string): boolean {
    const kind = this.state.sections.find((section) => section.id === id)?.body.kind;
    return kind === undefined || kind === 'text' || kind === 'observations';
  }

  /** Where texts behind handles come from. */
  #detailWorld(options: SecretOptions): DetailWorld {
    const { engine, files } = this.ports;
    const { config, profile } = this.state;
    return {
      engine,
      files,
      maxFileBytes: config.repoMap.maxFileBytes,
      isOpenable: (path) => this.reader.isOpenable(path),
      observation: async (id) => (await this.workspace.observations?.details([id]))?.items[0],
      sectionText: (id) => {
        const { sections } = this.state;
        const { report } = this.workspace.snapshot;
        const mapText = async (budgetTokens: number) => (await this.map({ budgetTokens, ...options })).text;
        return sectionText(id, { sections, report, detailTokens: profile.detailTokens, mapText });
      },
    };
  }
}
