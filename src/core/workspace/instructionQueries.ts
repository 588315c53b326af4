import { findStalePaths, mentionsOf } from '../agents/stale/staleMentions';
import type { FileNotice, PlacedPath } from '../agents/stale/stalePaths';
import { fileRole, isForeign } from '../pipeline/collect/fileRules';
import { decodeText } from '../text/decode';
import { Limiter } from '../text/limiter';
import { nearestFiles } from './agentQueries';
import { filterInStretches, yieldBetween } from './coalescingLoop';
import type { WorkspaceEvent, WorkspacePorts } from './workspace';

/** Instructions are read by a model: longer ones are something else. */
const MAX_FILE_BYTES = 1_000_000;
/** Files read at once. */
const CONCURRENCY = 8;

/** The folder as it is now. */
interface InstructedFolder {
  readonly files: ReadonlySet<string>;
  /** Those that are links, with their targets: a text is looked at once. */
  readonly links: ReadonlyMap<string, string>;
  isIgnored(path: string, isFolder: boolean): boolean;
}

/** Whether a file tells agents how the folder is now: topic notes and dated logs speak of their own time. */
export function isInstruction(path: string): boolean {
  const kind = fileRole(path)?.kind;
  return (kind === 'instruction' || kind === 'memory') && !isForeign(path);
}

/**
 * Stale paths in the folder's instruction and memory files. Files are read and taken apart once, and again when they are
 * said to have changed; their paths are looked up again only when the listing differs.
 */
export class InstructionQueries {
  readonly #limiter = new Limiter(CONCURRENCY);
  readonly #mentions = new Map<string, Promise<readonly PlacedPath[]>>();
  #paths: { readonly files: ReadonlySet<string>; readonly all: readonly string[] } | undefined;
  #made: { readonly files: ReadonlySet<string> } | undefined;
  #notices: readonly FileNotice[] = [];

  constructor(private readonly ports: Pick<WorkspacePorts, 'files' | 'clock'>) {}

  /** Of the last refresh, by path and line. */
  get notices(): readonly FileNotice[] {
    return this.#notices;
  }

  /** Takes an event in: forgets what was read of files that changed. */
  take(event: WorkspaceEvent): void {
    if (event.kind === 'rescan') this.forget();
    if (event.kind !== 'files') return;
    const paths = [...event.changed, ...event.removed];
    for (const path of paths) this.#mentions.delete(path);
    // What is not listed may be named too.
    if (paths.some(isInstruction) || !paths.every((path) => this.#made?.files.has(path))) this.#made = undefined;
  }

  forget(): void {
    this.#mentions.clear();
    this.#made = undefined;
  }

  /** Forgets everything, notices too. */
  clear(): void {
    this.forget();
    this.#notices = [];
  }

  /** Reads what is not known and looks paths up if anything differs. */
  async refresh(folder: InstructedFolder): Promise<void> {
    const { files } = folder;
    if (this.#made?.files === files) return;
    const made = { files };
    this.#made = made;
    const read = await Promise.all((await this.#listed(folder)).map((path) => this.#mentionsOf(path)));
    const notices = await this.#findPaths(read.flat(), folder);
    // Something changed meanwhile: the round that its event asked for looks again.
    if (this.#made === made) this.#notices = notices;
  }

  #findPaths(mentions: readonly PlacedPath[], folder: InstructedFolder): Promise<readonly FileNotice[]> {
    return findStalePaths(mentions, {
      listing: () => yieldBetween(folder.files, this.ports.clock),
      isIgnored: folder.isIgnored,
      exists: (path) => this.#exists(path),
    });
  }

  async #listed({ files, links }: InstructedFolder): Promise<readonly string[]> {
    if (this.#paths?.files === files) return this.#paths.all;
    const found = await filterInStretches(files, isInstruction, this.ports.clock);
    const all = nearestFiles(found.filter((path) => !files.has(links.get(path) ?? '')));
    this.#paths = { files, all };
    return all;
  }

  #mentionsOf(path: string): Promise<readonly PlacedPath[]> {
    const known = this.#mentions.get(path);
    if (known) return known;
    const reading = this.#limiter.run(() => this.#read(path));
    this.#mentions.set(path, reading);
    return reading;
  }

  async #read(path: string): Promise<readonly PlacedPath[]> {
    const read = await this.ports.files.read(path, MAX_FILE_BYTES);
    const decoded = read.kind === 'ok' ? decodeText(read.bytes) : undefined;
    return decoded?.kind === 'text' ? mentionsOf({ path, text: decoded.text }) : [];
  }

  /** Also what the listing leaves out: empty folders, links to folders. What cannot be told counts as there. */
  async #exists(path: string): Promise<boolean> {
    const { files } = this.ports;
    const [file, folder] = await Promise.all([files.read(path, 0), files.list(path)]);
    return file.kind !== 'missing' || folder.kind !== 'missing';
  }
}
