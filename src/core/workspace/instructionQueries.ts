import type { FileNotice } from '../agents/stale/fileNotice';
import { byPlace, findStalePaths, findStaleSymbols, type Mentions, mentionsOf } from '../agents/stale/staleMentions';
import { fileRole, isForeign } from '../pipeline/collect/fileRules';
import { decodeText } from '../text/decode';
import { Limiter } from '../text/limiter';
import type { SessionEvent, SessionPorts } from './workspace';
import { filterInStretches, inStretches } from './yieldBetween';

/** More instruction files than this are a collection of them; the nearest to the root are looked at. */
const MAX_FILES = 300;
/** Instructions are read by a model: longer ones are something else. */
const MAX_FILE_BYTES = 1_000_000;
/** Files read at once. */
const CONCURRENCY = 8;

/** The folder as it is now. */
export interface InstructedFolder {
  readonly files: ReadonlySet<string>;
  /** Those that are links, with their targets: a text is looked at once. */
  readonly links: ReadonlyMap<string, string>;
  isIgnored(path: string, isFolder: boolean): boolean;
  /** Changes with the words of the index; undefined while they are not all known. */
  readonly indexRevision: number | undefined;
}

/** Whether a file tells agents how the folder is now: topic notes and dated logs speak of their own time. */
export function isInstruction(path: string): boolean {
  const kind = fileRole(path)?.kind;
  return (kind === 'instruction' || kind === 'memory') && !isForeign(path);
}

/**
 * Stale names in the folder's instruction and memory files. Files are read and taken apart once, and again when they are
 * said to have changed; their names are looked up again only when the listing or the index differ.
 */
export class SessionInstructions {
  readonly #ports: Pick<SessionPorts, 'files' | 'engine' | 'clock'>;
  readonly #limiter = new Limiter(CONCURRENCY);
  readonly #mentions = new Map<string, Promise<Mentions | undefined>>();
  #paths: { readonly files: ReadonlySet<string>; readonly all: readonly string[] } | undefined;
  /** Paths depend on the listing alone: the index changes with every saved file. */
  #stalePaths: { readonly files: ReadonlySet<string>; readonly notices: readonly FileNotice[] } | undefined;
  #made: { readonly files: ReadonlySet<string>; readonly indexRevision: number | undefined } | undefined;
  #notices: readonly FileNotice[] = [];

  constructor(ports: Pick<SessionPorts, 'files' | 'engine' | 'clock'>) {
    this.#ports = ports;
  }

  /** Of the last refresh, by path and line. */
  get notices(): readonly FileNotice[] {
    return this.#notices;
  }

  /** Takes an event in: forgets what was read of files that changed. */
  take(event: SessionEvent): void {
    if (event.kind === 'rescan') this.forget();
    if (event.kind !== 'files') return;
    const paths = [...event.changed, ...event.removed];
    for (const path of paths) this.#mentions.delete(path);
    // What is not listed may be named too.
    if (paths.some(isInstruction) || !paths.every((path) => this.#made?.files.has(path))) this.#forgetNotices();
  }

  forget(): void {
    this.#mentions.clear();
    this.#forgetNotices();
  }

  #forgetNotices(): void {
    this.#made = undefined;
    this.#stalePaths = undefined;
  }

  /** Reads what is not known and looks names up if anything differs. An index that fails leaves symbols out. */
  async refresh(folder: InstructedFolder): Promise<void> {
    const { files, indexRevision } = folder;
    if (this.#made?.files === files && this.#made.indexRevision === indexRevision) return;
    const made = { files, indexRevision };
    this.#made = made;
    const read = await Promise.all((await this.#listed(folder)).map((path) => this.#mentionsOf(path)));
    const mentions = read.filter((each) => each !== undefined);
    const { engine } = this.#ports;
    const paths =
      this.#stalePaths?.files === files ? this.#stalePaths.notices : await this.#findPaths(mentions, folder);
    const symbols =
      indexRevision === undefined ? [] : await findStaleSymbols(mentions, (words) => engine.standingOf(words));
    // Something changed meanwhile: the round that its event asked for looks again.
    if (this.#made !== made) return;
    this.#stalePaths = { files, notices: paths };
    this.#notices = [...paths, ...symbols].sort(byPlace);
  }

  #findPaths(mentions: readonly Mentions[], folder: InstructedFolder): Promise<readonly FileNotice[]> {
    return findStalePaths(mentions, {
      listing: () => inStretches(folder.files, this.#ports.clock),
      isIgnored: folder.isIgnored,
      exists: (path) => this.#exists(path),
    });
  }

  async #listed({ files, links }: InstructedFolder): Promise<readonly string[]> {
    if (this.#paths?.files === files) return this.#paths.all;
    const depth = (path: string): number => path.split('/').length;
    const found = await filterInStretches(files, isInstruction, this.#ports.clock);
    const all = found
      .filter((path) => !files.has(links.get(path) ?? ''))
      .sort((a, b) => depth(a) - depth(b) || (a < b ? -1 : 1))
      .slice(0, MAX_FILES);
    this.#paths = { files, all };
    return all;
  }

  #mentionsOf(path: string): Promise<Mentions | undefined> {
    const known = this.#mentions.get(path);
    if (known) return known;
    const reading = this.#limiter.run(() => this.#read(path));
    this.#mentions.set(path, reading);
    return reading;
  }

  async #read(path: string): Promise<Mentions | undefined> {
    const read = await this.#ports.files.read(path, MAX_FILE_BYTES);
    const decoded = read.kind === 'ok' ? decodeText(read.bytes) : undefined;
    return decoded?.kind === 'text' ? mentionsOf({ path, text: decoded.text }) : undefined;
  }

  /** Also what the listing leaves out: empty folders, links to folders. What cannot be told counts as there. */
  async #exists(path: string): Promise<boolean> {
    const { files } = this.#ports;
    const [file, folder] = await Promise.all([files.read(path, 0), files.list(path)]);
    return file.kind !== 'missing' || folder.kind !== 'missing';
  }
}
