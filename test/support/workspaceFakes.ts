import type { ContextEngine, EngineRestart } from '../../src/core/engine/engine';
import type { CandidateRequest } from '../../src/core/engine/map';
import type { FileParser, ParseInput } from '../../src/core/engine/parser';
import type { CountRequest, StoredCounts } from '../../src/core/engine/report';
import type { ContextReport, PayloadReport, ReportRequest, ReportSection } from '../../src/core/model/report';
import type { CollectedSection } from '../../src/core/model/section';
import type { ObservationFeed } from '../../src/core/observations/observationIndex';
import { ObservationQueries } from '../../src/core/observations/observationQueries';
import type { ObservationAnswer, ObservationInquiry } from '../../src/core/observations/observationStore';
import type {
  CacheStore,
  Clock,
  Disposable,
  Logger,
  ProcessOutcome,
  ProcessRequest,
  StoredPack,
} from '../../src/core/ports/ports';
import { buildRelaySection, type RelayFiles, type RelaySection } from '../../src/core/relay/relaySection';
import { encodeFacts } from '../../src/core/repomap/facts/factsCodec';
import { splitContents } from '../../src/core/repomap/index/fileContent';
import { factsKey, type SavedSegment } from '../../src/core/repomap/index/storedIndex';
import type { Project } from '../../src/core/repomap/project/packages';
import { decodeText } from '../../src/core/text/decode';
import type { WorkspacePorts, WorkspacePreferences } from '../../src/core/workspace/workspace';
import { MemoryFiles, type MemoryNode } from './memoryFiles';
import { decodeFacts } from './repoMapBuilders';

/** Time that moves only when told. */
export class FakeClock implements Clock {
  #now = 0;
  #timers: { at: number; callback: () => void }[] = [];

  now(): number {
    return this.#now;
  }

  schedule(callback: () => void, delayMs: number): Disposable {
    const timer = { at: this.#now + delayMs, callback };
    // "As soon as possible" needs no time to pass.
    if (delayMs <= 0) queueMicrotask(() => this.advance(0));
    this.#timers.push(timer);
    return {
      dispose: () => {
        this.#timers = this.#timers.filter((other) => other !== timer);
      },
    };
  }

  get waiting(): number {
    return this.#timers.length;
  }

  advance(ms: number): void {
    this.#now += ms;
    const due = this.#timers.filter((timer) => timer.at <= this.#now);
    this.#timers = this.#timers.filter((timer) => timer.at > this.#now);
    for (const timer of due) timer.callback();
  }
}

/** What a section has read; of a folder each file below its path. */
export function bodyText({ body }: CollectedSection): string {
  if (body.kind === 'folder') return body.files.map(({ path, text }) => `# ${path}\n${text}`).join('\n');
  return body.kind === 'text' ? body.text : '';
}

function reportSection(request: ReportRequest, index: number): ReportSection {
  const section = request.sections[index]!;
  const text = bodyText(section);
  const isPending = section.body.kind === 'pending' || (section.body.kind === 'repoMap' && !request.isIndexReady);
  return { id: section.id, title: section.title, text, isPending, source: section.source } as ReportSection;
}

/** An engine that keeps what it is told and reports sections as they come. */
export class FakeEngine implements ContextEngine {
  readonly files = new Map<string, string>();
  readonly requests: ReportRequest[] = [];
  failReports: Error | undefined;
  #restarted: ((restart: EngineRestart) => void) | undefined;

  onDidRestart(listener: (restart: EngineRestart) => void): Disposable {
    this.#restarted = listener;
    return {
      dispose: () => {
        this.#restarted = undefined;
      },
    };
  }

  restart(): void {
    this.files.clear();
    this.#stored.clear();
    this.#restarted?.({ reason: 'crashed', shouldRefill: true });
  }

  readonly #desk = new ObservationQueries();

  async feedObservations(feed: ObservationFeed): Promise<boolean> {
    return this.#desk.feed(feed);
  }

  async askObservations({ at, question }: ObservationInquiry): Promise<ObservationAnswer> {
    return this.#desk.ask(at, question, { name: 'o200k_base', count: (text) => text.length });
  }

  async buildRelay(files: RelayFiles): Promise<RelaySection> {
    return buildRelaySection(files);
  }

  async upsertFiles(encodedFacts: readonly Uint8Array[]): Promise<void> {
    for (const bytes of encodedFacts) {
      const facts = decodeFacts(bytes);
      this.files.set(facts.path, `${facts.outcome}:${facts.contentHash}`);
    }
  }

  /** What segments hold, by content hash. */
  readonly #stored = new Map<string, string>();

  async loadIndex(segments: readonly Uint8Array[]): Promise<void> {
    for (const bytes of segments)
      for (const row of new TextDecoder().decode(bytes).split(' ')) this.#stored.set(row.split(':')[1] ?? '', row);
  }

  async adoptFiles(files: string): Promise<readonly string[]> {
    return splitContents(files).flatMap(({ path, contentHash, unread }) => {
      const row = unread ? `${unread}:${contentHash}` : this.#stored.get(contentHash);
      if (row !== undefined) this.files.set(path, row);
      return row === undefined ? [path] : [];
    });
  }

  async saveIndex({ paths }: { readonly paths: readonly string[] | 'all' }): Promise<SavedSegment | undefined> {
    const rows = (paths === 'all' ? [...this.files.keys()] : paths).flatMap((path) => {
      const row = this.files.get(path);
      return row === undefined ? [] : [{ key: factsKey(path, row.split(':')[1] ?? ''), row }];
    });
    const bytes = new TextEncoder().encode(rows.map(({ row }) => row).join(' '));
    const scanned = rows.flatMap(({ row }, at) => (row.startsWith('scanned:') ? [at] : []));
    return rows.length > 0 ? { keys: rows.map(({ key }) => key), scanned, bytes } : undefined;
  }

  async removeFiles(paths: readonly string[]): Promise<void> {
    for (const path of paths) this.files.delete(path);
  }

  readonly projects: Project[] = [];

  async setProject(project: Project): Promise<void> {
    this.projects.push(project);
  }

  async buildReport(request: ReportRequest): Promise<ContextReport> {
    if (this.failReports) throw this.failReports;
    this.requests.push(request);
    const sections = request.sections.map((_, i) => reportSection(request, i));
    const isExact = !request.isEstimate && sections.every((section) => !section.isPending);
    const payload = { sections, budget: { isExact } } as unknown as PayloadReport;
    return {
      profile: request.profile.name,
      payloads: { index: payload, expanded: payload },
      problems: request.problems,
    };
  }

  async maskTexts(texts: readonly string[]) {
    return texts.map((text) => ({ text, secrets: [] }));
  }

  async buildMap(request: Parameters<ContextEngine['buildMap']>[0]) {
    return {
      text: `map within ${request.budgetTokens}\n`,
      tokens: 3,
      budgetTokens: request.budgetTokens,
      view: { filesTotal: 0, filesShown: 0, symbolsTotal: 0, items: [] },
      secrets: [],
    };
  }

  async buildDetail(request: Parameters<ContextEngine['buildDetail']>[0]) {
    const items = request.items.map(({ handle, asked = handle, title, text }) => ({
      handle,
      asked,
      title,
      text,
      outline: [],
      rest: undefined,
      tokens: 1,
      tokensFull: 1,
      linesShown: 1,
      linesTotal: 1,
    }));
    return {
      items,
      omitted: [],
      asRows: [],
      pastLimit: [],
      downgradeApplied: [],
      text: request.items.map((item) => item.text).join(''),
      tokens: 1,
    };
  }

  /** Cites the first section by each turn's whole reply. */
  async findCitations({ payload, turns }: Parameters<ContextEngine['findCitations']>[0]) {
    const [first] = payload.sections;
    return turns.map(({ replyText }) => (first ? [{ id: first.id, evidence: 'tag' as const, what: replyText }] : []));
  }

  /** Scanned files that fit a task, by path. */
  candidates: readonly string[] = [];

  /** Tasks that were announced. */
  readonly expected: string[] = [];

  async expectTask({ query }: CandidateRequest) {
    this.expected.push(query);
  }

  async findCandidates() {
    return this.candidates.filter((path) => this.files.get(path)?.startsWith('scanned:'));
  }

  async findNames() {
    return { how: 'exact' as const, symbols: [] };
  }

  async findHolders() {
    return { words: [], holders: [], total: 0 };
  }

  async findSymbols(handles: readonly string[]) {
    return handles.map((handle) =>
      handle === 'sym:00000001'
        ? [
            {
              handle,
              path: 'src/a.ts',
              kind: 'function' as const,
              name: 'a',
              qualifiedName: 'a',
              signature: 'a()',
              doc: '',
              lineStart: 2,
              lineEnd: 3,
            },
          ]
        : [],
    );
  }

  async listTroubled() {
    return [];
  }

  /** Counts as they were given and are to be saved. */
  readonly loadedCounts: StoredCounts[] = [];
  newCounts: Uint8Array | undefined;

  async loadCounts(packs: readonly StoredCounts[]) {
    this.loadedCounts.push(...packs);
  }

  async saveCounts() {
    const bytes = this.newCounts;
    this.newCounts = undefined;
    return bytes;
  }

  async countingWork() {
    return { parts: 0, sections: 0, sectionsTotal: 0 };
  }

  async countTokens({ texts }: CountRequest) {
    return texts.map((text) => text.length);
  }
}

/** A parser that finds nothing and counts what it was asked. */
export class FakeParser implements FileParser {
  readonly parsed: string[] = [];
  readonly scanned: string[] = [];
  /** Awaited before each batch, so that a test can hold the index back. */
  gate: Promise<void> = Promise.resolve();

  async parse(files: readonly ParseInput[]): Promise<readonly Uint8Array[]> {
    await this.gate;
    return files.map(({ path, contentHash, bytes, depth }) => {
      if (depth === 'words') this.scanned.push(path);
      else this.parsed.push(path);
      const outcome = decodeText(bytes).kind !== 'text' ? 'binary' : depth === 'words' ? 'scanned' : 'parsed';
      return encodeFacts({
        path,
        contentHash,
        language: 'typescript',
        outcome,
        lineCount: 1,
        definitions: [],
        references: [],
      });
    });
  }
}

/** A cache that several sessions share, as processes share a folder. */
export class MemoryCache implements CacheStore {
  readonly packs = new Map<string, { head: Uint8Array; body: Uint8Array; usedMs: number }>();
  /** Moves only when told. */
  nowMs = 0;
  headReads = 0;
  bodyReads = 0;
  /** What saving does to the space a pack takes. */
  ratio = 1;
  /** Another start gives packs other names, and with them another order. */
  ids = 0;
  readonly #names = new Set<string>();

  makeId(): string {
    return `id-${this.ids++}`;
  }

  async list(): Promise<readonly StoredPack[]> {
    return [...this.packs].map(([name, { head, body, usedMs }]) => ({
      name,
      sizeBytes: Math.round((head.length + body.length) * this.ratio),
      idleMs: this.nowMs - usedMs,
    }));
  }

  async readHead(name: string): Promise<Uint8Array | undefined> {
    this.headReads++;
    return this.packs.get(name)?.head;
  }

  async readBody(name: string): Promise<Uint8Array | undefined> {
    this.bodyReads++;
    const pack = this.packs.get(name);
    if (pack) pack.usedMs = this.nowMs;
    return pack?.body;
  }

  async save(name: string, head: Uint8Array, body: Uint8Array): Promise<number | undefined> {
    if (this.#names.has(name)) throw new Error(`the pack ${name} was saved before`);
    this.#names.add(name);
    this.packs.set(name, { head, body, usedMs: this.nowMs });
    return Math.round((head.length + body.length) * this.ratio);
  }

  async remove(names: readonly string[]): Promise<void> {
    for (const name of names) this.packs.delete(name);
  }
}

export const SILENT: Logger = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};

export const PREFERENCES: WorkspacePreferences = {
  profile: undefined,
  isTrusted: true,
  tokenizer: 'o200k_base',
};

/** Answers git's questions for one commit that deleted `paths`; any other question finds no repository. */
export async function gitThatDeleted({ argv }: ProcessRequest, paths: readonly string[]): Promise<ProcessOutcome> {
  const head = 'a'.repeat(40);
  const stdout =
    argv.includes('rev-parse') && argv.includes('HEAD')
      ? `${head}\n`
      : argv.includes('--diff-filter=DR')
        ? `\x01${head} 2026-05-01\0\n${paths.map((path) => `D\0${path}\0`).join('')}`
        : undefined;
  const outcome = { signal: undefined, stderr: '', errorCode: undefined, durationMs: 0 };
  return { ...outcome, kind: 'exited', exitCode: stdout === undefined ? 128 : 0, stdout: stdout ?? '' };
}

/** Ports in memory over a folder of `nodes`; git is not installed there. */
export function makePorts(
  nodes: Readonly<Record<string, MemoryNode>>,
  run?: (request: ProcessRequest) => Promise<ProcessOutcome>,
) {
  const files = new MemoryFiles(nodes);
  const ports = {
    files,
    engine: new FakeEngine(),
    parser: new FakeParser(),
    clock: new FakeClock(),
    logger: SILENT,
    processes: run && {
      run: (request: ProcessRequest) =>
        request.argv[0] === 'git'
          ? Promise.resolve<ProcessOutcome>({
              kind: 'notStarted',
              exitCode: undefined,
              signal: undefined,
              stdout: '',
              stderr: '',
              errorCode: 'ENOENT',
              durationMs: 0,
            })
          : run(request),
    },
    editor: undefined,
    cache: new MemoryCache(),
  } satisfies WorkspacePorts;
  return ports;
}

/** What a plug-in that printed `stdout` and ended well leaves behind. */
export function printed(stdout: string): ProcessOutcome {
  return { kind: 'exited', exitCode: 0, signal: undefined, stdout, stderr: '', errorCode: undefined, durationMs: 1 };
}
