import { type PathMention, pathMentions } from '../agents/stale/pathMentions';
import {
  type Candidate,
  candidatesOf,
  dropPresent,
  type FileNotice,
  findingsOf,
  noticeOf,
  RemovedPaths,
} from '../agents/stale/stalePaths';
import type { Problem } from '../model/problem';
import { fileRole, isForeign } from '../pipeline/collect/fileRules';
import { readHead, readRemovedPaths } from '../pipeline/collect/gitSource';
import { decodeText } from '../text/decode';
import { nearestFiles } from './agentPaths';
import { KnownFiles } from './agentQueries';
import { yieldBetween } from './coalescingLoop';
import type { WorkspaceEvent, WorkspacePorts } from './workspaceState';

/** Instructions are read by a model: longer ones are something else. */
const MAX_FILE_BYTES = 1_000_000;

/** The folder as it is now. */
interface InstructedFolder {
  readonly files: ReadonlySet<string>;
  /** Those that are links, with their targets: a text is looked at once. */
  readonly links: ReadonlyMap<string, string>;
  isIgnored(path: string, isFolder: boolean): boolean;
}

/** Whether a file tells agents how the folder is now: memories and dated logs speak of their own time. */
export function isInstruction(path: string): boolean {
  return fileRole(path)?.kind === 'instruction' && !isForeign(path);
}

/**
 * Stale paths in the folder's instruction and memory files. Files are read and taken apart once, and again when they are
 * said to have changed; their paths are looked up again only when the listing differs.
 */
export class InstructionQueries {
  readonly #mentions: KnownFiles<readonly PathMention[]>;
  #history: { readonly head: string; readonly removed: RemovedPaths } | undefined;
  #made: { readonly files: ReadonlySet<string>; readonly isTrusted: boolean } | undefined;
  #notices: readonly FileNotice[] = [];
  #problems: readonly Problem[] = [];
  #isHistoryRead = true;

  constructor(
    private readonly ports: Pick<WorkspacePorts, 'files' | 'clock' | 'processes'>,
    private readonly isTrusted: () => boolean,
  ) {
    this.#mentions = new KnownFiles(ports.clock, isInstruction, (path) => this.#read(path));
  }

  /** Of the last refresh, by path and line. */
  get notices(): readonly FileNotice[] {
    return this.#notices;
  }

  /** What is wrong with the folder, as the last refresh found it. */
  get problems(): readonly Problem[] {
    return this.#problems;
  }

  /** False when the last refresh could look nothing up. */
  get isHistoryRead(): boolean {
    return this.#isHistoryRead;
  }

  /** Takes an event in: forgets what was read of files that changed. */
  take(event: WorkspaceEvent): void {
    if (event.kind === 'rescan') this.#forget();
    if (event.kind === 'git') this.#made = undefined;
    if (event.kind !== 'files') return;
    const paths = [...event.changed, ...event.removed];
    for (const path of paths) this.#mentions.forget(path);
    // What is not listed may be named too.
    if (paths.some(isInstruction) || !paths.every((path) => this.#made?.files.has(path))) this.#made = undefined;
  }

  /** Forgets everything, notices too. */
  clear(): void {
    this.#forget();
    this.#notices = [];
    this.#problems = [];
    this.#isHistoryRead = true;
  }

  /** Reads what is not known and looks paths up if anything differs. */
  async refresh(folder: InstructedFolder): Promise<void> {
    const { files, links, isIgnored } = folder;
    const isTrusted = this.isTrusted();
    if (this.#made?.files === files && this.#made.isTrusted === isTrusted) return;
    const made = { files, isTrusted };
    this.#made = made;
    const notices = await this.#find(files, links, isIgnored);
    // Something changed meanwhile: the round that its event asked for looks again.
    if (this.#made === made) this.#notices = notices;
  }

  async #find(
    files: InstructedFolder['files'],
    links: InstructedFolder['links'],
    isIgnored: InstructedFolder['isIgnored'],
  ): Promise<readonly FileNotice[]> {
    const found = await this.#mentions.among(files);
    const wanted = new Set(found);
    const own = found.filter((path) => !wanted.has(links.get(path) ?? ''));
    const { files: paths, problems } = nearestFiles(own);
    this.#problems = problems;
    this.#isHistoryRead = true;
    if (paths.length === 0) return [];
    const history = await this.#readHistory();
    this.#isHistoryRead = history !== undefined;
    if (!history || history.isEmpty) return [];
    const candidates = new Set<Candidate>();
    for (const path of paths)
      for (const each of candidatesOf(path, await this.#mentions.read(path), history))
        if (!isIgnored(each.target, false) && !isIgnored(each.target, true)) candidates.add(each);
    if (candidates.size === 0) return [];
    for await (const part of yieldBetween(files, this.ports.clock)) dropPresent(candidates, part);
    for (const each of [...candidates]) if (await this.#exists(each.target)) candidates.delete(each);
    return findingsOf(candidates, history, files).map(noticeOf);
  }

  /** Read once a commit; undefined without trust, git, a repository or a commit. */
  async #readHistory(): Promise<RemovedPaths | undefined> {
    const { processes } = this.ports;
    const head = await readHead(processes, this.isTrusted(), undefined);
    if (head === undefined || !processes) return undefined;
    if (this.#history?.head !== head) {
      const removed = await readRemovedPaths(processes, undefined);
      this.#history = removed && { head, removed: new RemovedPaths(removed) };
    }
    return this.#history?.removed;
  }

  #forget(): void {
    this.#mentions.forgetAll();
    this.#made = undefined;
  }

  async #read(path: string): Promise<readonly PathMention[]> {
    const read = await this.ports.files.read(path, MAX_FILE_BYTES);
    const decoded = read.kind === 'ok' ? decodeText(read.bytes) : undefined;
    return decoded?.kind === 'text' ? pathMentions(decoded.text) : [];
  }

  /** Also what the listing leaves out: empty folders, links to folders. What cannot be told counts as there. */
  async #exists(path: string): Promise<boolean> {
    const { files } = this.ports;
    const [file, folder] = await Promise.all([files.read(path, 0), files.list(path)]);
    return file.kind !== 'missing' || folder.kind !== 'missing';
  }
}
