import { findStalePaths, mentionsOf } from '../agents/stale/staleMentions';
import type { FileNotice, PlacedPath } from '../agents/stale/stalePaths';
import { fileRole, isForeign } from '../pipeline/collect/fileRules';
import { decodeText } from '../text/decode';
import { KnownFiles, nearestFiles } from './agentQueries';
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
  readonly #mentions: KnownFiles<readonly PlacedPath[]>;
  #made: { readonly files: ReadonlySet<string> } | undefined;
  #notices: readonly FileNotice[] = [];

  constructor(private readonly ports: Pick<WorkspacePorts, 'files' | 'clock'>) {
    this.#mentions = new KnownFiles(ports.clock, isInstruction, (path) => this.#read(path));
  }

  /** Of the last refresh, by path and line. */
  get notices(): readonly FileNotice[] {
    return this.#notices;
  }

  /** Takes an event in: forgets what was read of files that changed. */
  take(event: WorkspaceEvent): void {
    if (event.kind === 'rescan') this.#forget();
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
  }

  /** Reads what is not known and looks paths up if anything differs. */
  async refresh(folder: InstructedFolder): Promise<void> {
    const { files, links, isIgnored } = folder;
    if (this.#made?.files === files) return;
    const made = { files };
    this.#made = made;
    const found = await this.#mentions.among(files);
    const paths = nearestFiles(found.filter((path) => !files.has(links.get(path) ?? '')));
    const read = await Promise.all(paths.map((path) => this.#mentions.read(path)));
    const notices = await findStalePaths(read.flat(), {
      listing: () => yieldBetween(files, this.ports.clock),
      isIgnored,
      exists: (path) => this.#exists(path),
    });
    // Something changed meanwhile: the round that its event asked for looks again.
    if (this.#made === made) this.#notices = notices;
  }

  #forget(): void {
    this.#mentions.forgetAll();
    this.#made = undefined;
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
