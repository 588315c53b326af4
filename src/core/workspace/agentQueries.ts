import type { AgentCoverage } from '../agents/agentCoverage';
import { type AgentFile, readAgentFile, unreadAgentFile } from '../agents/agentFile';
import { chainOf } from '../agents/agentRules';
import { AGENT_TABLE } from '../agents/agentTable';
import { type CoverInput, coverAgent } from '../agents/coverAgents';
import { cutNotices } from '../agents/cutNotices';
import { importCandidates, looksLikeFile } from '../agents/mentions';
import type { FileNotice } from '../agents/stale/stalePaths';
import type { AgentId } from '../model/agent';
import type { Problem } from '../model/problem';
import { isForeign } from '../pipeline/collect/fileRules';
import type { Clock } from '../ports/ports';
import { Limiter } from '../text/limiter';
import { isAgentPath, isOfChain, namedPaths, nearestFiles } from './agentPaths';
import { filterInStretches } from './coalescingLoop';
import type { WorkspaceEvent, WorkspacePorts } from './workspaceState';

/** The folder as a listing has it. */
interface ListedFolder {
  readonly files: ReadonlySet<string>;
  /** Those that are links, with their targets. */
  readonly links: ReadonlyMap<string, string>;
  /** Folders that begin a Git repository. */
  readonly repositories: ReadonlySet<string>;
}

/** Files read at once. */
const CONCURRENCY = 8;

/** Some files of a folder: found once a listing, each read once and again when it is said to have changed. */
export class KnownFiles<T> {
  readonly #limiter = new Limiter(CONCURRENCY);
  readonly #read = new Map<string, Promise<T>>();
  #found: { readonly files: ReadonlySet<string>; readonly wanted: readonly string[] } | undefined;

  constructor(
    private readonly clock: Clock,
    private readonly isWanted: (path: string) => boolean,
    private readonly readNow: (path: string) => Promise<T>,
  ) {}

  /** Those of `files` that are wanted. */
  async among(files: ReadonlySet<string>): Promise<readonly string[]> {
    if (this.#found?.files !== files)
      this.#found = { files, wanted: await filterInStretches(files, this.isWanted, this.clock) };
    return this.#found.wanted;
  }

  read(path: string): Promise<T> {
    const reading = this.#read.get(path) ?? this.#limiter.run(() => this.readNow(path));
    this.#read.set(path, reading);
    return reading;
  }

  /** Forgets what was read of a file, or of the files in a folder; true when that was anything. */
  forget(path: string): boolean {
    const known = [...this.#read.keys()].filter((key) => key === path || key.startsWith(`${path}/`));
    for (const each of known) this.#read.delete(each);
    return known.length > 0;
  }

  forgetAll(): void {
    this.#read.clear();
  }
}

/** The largest size that any agent has a rule about is 4 MiB; of larger files only the size matters. */
const MAX_FILE_BYTES = 5 * 1024 * 1024;

/** Files that imports may bring in. */
const MAX_IMPORTED = 200;

/** With more files than this, each agent has a turn of the host's thread for itself: about a millisecond a hundred files. */
const MANY_FILES = 20;

/** Imports of imports that some agent follows. */
const MAX_DEPTH = Math.max(...AGENT_TABLE.map(({ imports }) => imports?.depth ?? 0));

/**
 * What each agent makes of the folder's instruction files, for the file that is worked on. Files are read once and again
 * only when they are said to have changed; nothing is computed again while they and the active file stay the same.
 */
export class AgentQueries {
  /** Undefined: no such file, or none that can be read. */
  readonly #files: KnownFiles<AgentFile | undefined>;
  #made: { readonly key: string; readonly files: ReadonlySet<string> } | undefined;
  #coverage: readonly AgentCoverage[] | undefined;
  #problems: readonly Problem[] = [];
  #notices: { readonly key: string; readonly coverage: unknown; readonly made: readonly FileNotice[] } | undefined;

  constructor(private readonly ports: Pick<WorkspacePorts, 'files' | 'editor' | 'clock'>) {
    this.#files = new KnownFiles(ports.clock, isAgentPath, (path) => this.#read(path));
  }

  /** What is wrong with the folder, as the last refresh found it. */
  get problems(): readonly Problem[] {
    return this.#problems;
  }

  /** Of the last refresh; undefined before one. */
  get coverage(): readonly AgentCoverage[] | undefined {
    return this.#coverage;
  }

  /** Where these agents stop reading; any agent where none is known to be in use. */
  noticesFor(agents: readonly AgentId[]): readonly FileNotice[] {
    const [key, coverage] = [agents.join(), this.#coverage];
    if (this.#notices?.key !== key || this.#notices.coverage !== coverage) {
      const wanted = coverage?.filter(({ agent }) => agents.length === 0 || agents.includes(agent)) ?? [];
      this.#notices = { key, coverage, made: cutNotices(wanted) };
    }
    return this.#notices.made;
  }

  /** Takes an event in: forgets what was read of files that changed. */
  take(event: WorkspaceEvent): void {
    if (event.kind === 'rescan') {
      this.#files.forgetAll();
      this.#made = undefined;
    } else if (event.kind === 'files') {
      for (const path of [...event.changed, ...event.removed]) if (this.#files.forget(path)) this.#made = undefined;
    }
  }

  /**
   * Reads what is not known and computes coverage if anything differs. Never rejects.
   * @param activePath what is worked on, where no editor says so
   */
  async refresh(folder: ListedFolder, activePath: string | undefined): Promise<void> {
    const { files, repositories } = folder;
    const { editor } = this.ports;
    const active = editor ? editor.openEditors().find(({ isActive }) => isActive)?.path : activePath;
    const chain = chainOf(active);
    const key = active ?? '';
    if (this.#made?.key === key && this.#made.files === files) return;
    const made = { key, files };
    this.#made = made;
    const found = await this.#readAll(folder, chain);
    const coverage = await this.#cover({ files: found, activePath: active, repositories });
    // Something changed meanwhile: the round that its event asked for reads again.
    if (this.#made !== made) return;
    this.#coverage = coverage;
  }

  async #cover(input: CoverInput): Promise<readonly AgentCoverage[]> {
    const coverage: AgentCoverage[] = [];
    for (const rules of AGENT_TABLE) {
      if (input.files.size > MANY_FILES) await new Promise<void>((resolve) => this.ports.clock.schedule(resolve, 0));
      coverage.push(coverAgent(rules, input));
    }
    return coverage;
  }

  async #readAll(folder: ListedFolder, chain: readonly string[]): Promise<ReadonlyMap<string, AgentFile>> {
    const { files } = folder;
    const found = new Map<string, AgentFile>();
    let wanted: readonly string[] = [...new Set([...(await this.#listed(folder, chain)), ...namedPaths(chain)])];
    for (let depth = 0; depth <= MAX_DEPTH && wanted.length > 0; depth++) {
      const read = await Promise.all(wanted.map((path) => this.#files.read(path)));
      const news = read.filter((file) => file !== undefined);
      for (const file of news) found.set(file.path, file);
      wanted = [...new Set(news.flatMap((file) => importedBy(file, files)))].filter((path) => !found.has(path));
      if (depth > 0 || wanted.length > MAX_IMPORTED) wanted = wanted.slice(0, MAX_IMPORTED);
    }
    return found;
  }

  /**
   * Listed files that some agent has a rule for, those of the chain first: of other people's code these alone. Last are
   * links, so that copies of a text take no other's place.
   */
  async #listed({ files, links }: ListedFolder, chain: readonly string[]): Promise<readonly string[]> {
    const all = await this.#files.among(files);
    const ofChain = new Set(all.filter((path) => isOfChain(path, chain)));
    const own = all.filter((path) => !isForeign(path) || ofChain.has(path));
    const groupOf = (path: string): number => (ofChain.has(path) ? 0 : links.has(path) ? 2 : 1);
    const nearest = nearestFiles(own, groupOf);
    this.#problems = nearest.problems;
    return nearest.files;
  }

  async #read(path: string): Promise<AgentFile | undefined> {
    try {
      const read = await this.ports.files.read(path, MAX_FILE_BYTES);
      if (read.kind === 'tooLarge') return unreadAgentFile(path, read.sizeBytes);
      return read.kind === 'ok' ? readAgentFile(path, read.bytes) : undefined;
    } catch {
      // A file system that throws breaks its contract: as good as no file, and worth another try.
      this.#files.forget(path);
      return undefined;
    }
  }
}

/** Files that a file may import: listed ones, which some agents look for from the root, and others that are named like files. */
function importedBy({ path, mentions }: AgentFile, files: ReadonlySet<string>): readonly string[] {
  return mentions.flatMap(({ target }) => [
    ...importCandidates(path, target).filter((candidate) => files.has(candidate) || looksLikeFile(target)),
    ...importCandidates('', target).filter((candidate) => files.has(candidate)),
  ]);
}
