import { CONFIG_PATH } from '../../config/config';
import type { ContextEngine } from '../../engine/engine';
import type { FileParser } from '../../engine/parser';
import type { Clock, Disposable, EditorSymbolSource, FileSource, Logger } from '../../ports/ports';
import { openFacts } from '../../repomap/facts/factsCodec';
import { extensionOf, languageOf } from '../../repomap/facts/languages';
import { hashBytes } from '../../text/hash';
import { mapFiles } from '../mapFiles';
import type { WorkspaceReader } from '../reading/workspaceReader';
import type { WorkspacePorts } from '../workspace';
import type { SymbolIndexing } from './symbolIndexing';

// Symbols of files without a grammar, from the editor's language extensions. It decides which files they are asked for
// and when: opening a document wakes the extensions of its language, so only documents that are open already, and after
// one of them has symbols, some other files of the same extension, whose language therefore runs. One file at a time,
// after everything else has been quiet, and never the same content twice.

interface EditorSymbolPorts {
  readonly source: EditorSymbolSource;
  readonly files: FileSource;
  readonly parser: FileParser;
  readonly engine: ContextEngine;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Starts this long after the last change. */
const IDLE_MS = 1500;
/** Between two files, so that extensions and editor come first. */
const PAUSE_MS = 100;
/** Files that are not open and are asked for in one session. */
const MAX_UNOPENED = 50;
/** Larger files are data, or too much to ask an extension for. */
const MAX_FILE_BYTES = 200_000;

class EditorSymbolIndexer implements Disposable {
  readonly #ports: EditorSymbolPorts;
  readonly #listFiles: () => readonly string[];
  readonly #onDidIndex: () => void;
  readonly #store: Disposable[] = [];
  readonly #ended = new AbortController();
  /** Content hash of what was asked for, by path. */
  readonly #asked = new Map<string, string>();
  /** Extensions of files that an extension of the editor gave symbols for. */
  readonly #known = new Set<string>();
  #unopened = 0;
  #timer: Disposable | undefined;
  #running: Promise<void> | undefined;

  /**
   * @param listFiles the files of the map that no grammar claims
   * @param onDidIndex called after a run that changed the index
   */
  constructor(ports: EditorSymbolPorts, listFiles: () => readonly string[], onDidIndex: () => void) {
    this.#ports = ports;
    this.#listFiles = listFiles;
    this.#onDidIndex = onDidIndex;
    this.#store.push(ports.source.onDidChange(() => this.request()));
  }

  /** Looks for work when it has been quiet for a while. */
  request(): void {
    if (this.#ended.signal.aborted) return;
    this.#timer?.dispose();
    this.#timer = this.#ports.clock.schedule(() => {
      this.#timer = undefined;
      this.#start();
    }, IDLE_MS);
  }

  /** Forgets what was asked, for an engine that was restarted empty. */
  reset(): void {
    this.#asked.clear();
    this.request();
  }

  dispose(): void {
    this.#ended.abort();
    this.#timer?.dispose();
    for (const disposable of this.#store) disposable.dispose();
  }

  #start(): void {
    // One run after another: whatever came up meanwhile is found by the next.
    const before = this.#running ?? Promise.resolve();
    const run: Promise<void> = before
      .then(() => this.#run(this.#ended.signal))
      .catch((cause: unknown) => this.#ports.logger.warn(`symbols of the editor were not read: ${String(cause)}`))
      .finally(() => {
        if (this.#running === run) this.#running = undefined;
      });
    this.#running = run;
  }

  async #run(signal: AbortSignal): Promise<void> {
    const files = this.#listFiles();
    const listed = new Set(files);
    for (const path of [...this.#asked.keys()]) if (!listed.has(path)) this.#asked.delete(path);
    const open = this.#ports.source.openFiles().filter((path) => listed.has(path));
    let hasNews = false;
    for (const path of open) hasNews = (await this.#index(path, signal)) || hasNews;
    const isOpen = new Set(open);
    for (const path of files) {
      if (signal.aborted || this.#unopened >= MAX_UNOPENED) break;
      if (isOpen.has(path) || this.#asked.has(path) || !this.#known.has(extensionOf(path))) continue;
      this.#unopened++;
      hasNews = (await this.#index(path, signal)) || hasNews;
    }
    if (hasNews && !signal.aborted) this.#onDidIndex();
  }

  /** True when the file's symbols changed in the index. */
  async #index(path: string, signal: AbortSignal): Promise<boolean> {
    if (signal.aborted) return false;
    const { source, files, parser, engine } = this.#ports;
    const read = await files.read(path, MAX_FILE_BYTES);
    if (read.kind !== 'ok') return false;
    const hash = hashBytes(read.bytes);
    if (this.#asked.get(path) === hash) return false;
    this.#asked.set(path, hash);
    const symbols = await source.symbolsOf(path);
    await new Promise<void>((resolve) => this.#ports.clock.schedule(resolve, PAUSE_MS));
    if (signal.aborted || !symbols || symbols.length === 0) return false;
    const [facts] = await parser.parse([{ path, contentHash: hash, bytes: read.bytes, symbols }], signal);
    if (!facts || openFacts(facts).definitions.length === 0) return false;
    this.#known.add(extensionOf(path));
    await engine.upsertFiles([facts]);
    return true;
  }
}

/** What says which files no grammar claims. */
interface Sources {
  readonly reader: Pick<WorkspaceReader, 'config' | 'files'>;
  readonly indexing: Pick<SymbolIndexing, 'isIdle'>;
}

/** The editor's symbols in a session's index, for files of the map without a grammar; nothing where there is no editor. */
export class SessionEditorSymbols implements Disposable {
  readonly #sources: Sources;
  readonly #indexer: EditorSymbolIndexer | undefined;
  #revision = 0;

  /** @param onDidIndex called when the index changed */
  constructor(ports: WorkspacePorts, sources: Sources, onDidIndex: () => void) {
    this.#sources = sources;
    const source = ports.editor?.symbols;
    if (!source) return;
    this.#indexer = new EditorSymbolIndexer(
      { ...ports, source },
      () => this.#filesWithoutGrammar(),
      () => {
        this.#revision++;
        onDidIndex();
      },
    );
  }

  /** Times that the editor's symbols changed the index. */
  get revision(): number {
    return this.#revision;
  }

  /** Looks for work when it has been quiet for a while. */
  request(): void {
    this.#indexer?.request();
  }

  /** Forgets what was asked, for an engine that was restarted empty. */
  reset(): void {
    this.#indexer?.reset();
  }

  dispose(): void {
    this.#indexer?.dispose();
  }

  #filesWithoutGrammar(): readonly string[] {
    const { reader, indexing } = this.#sources;
    if (!indexing.isIdle) return [];
    // The config is opened to be edited: the keys of our own settings would then fill the map, in this host alone.
    const bare = [...reader.files].filter((path) => path !== CONFIG_PATH && languageOf(path) === undefined);
    return mapFiles(reader.config.repoMap, bare);
  }
}
