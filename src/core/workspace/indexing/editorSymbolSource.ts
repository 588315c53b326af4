import type { Disposable, EditorSymbolSource } from '../../ports/ports';
import { openFacts } from '../../repomap/facts/factsCodec';
import { extensionOf, languageOf } from '../../repomap/facts/languages';
import { hashBytes } from '../../text/hash';
import { Limiter } from '../../text/limiter';
import type { MapFiles } from '../mapFiles';
import type { WorkspaceReader } from '../reading/workspaceReader';
import type { WorkspacePorts, WorkspaceState } from '../workspaceState';
import type { SymbolIndexing } from './symbolIndexing';

// Symbols of files without a grammar, from the editor's language extensions. It decides which files they are asked for
// and when: opening a document wakes the extensions of its language, so only documents that are open already, and after
// one of them has symbols, some other files of the same extension, whose language therefore runs. One file at a time,
// after everything else has been quiet, and never the same content twice.

type EditorSymbolPorts = Pick<WorkspacePorts, 'editor' | 'files' | 'parser' | 'engine' | 'clock' | 'logger'>;

/** What says which files of the map have no grammar. */
interface Sources {
  readonly reader: Pick<WorkspaceReader, 'files'>;
  readonly mapFiles: Pick<MapFiles, 'among'>;
  readonly indexing: Pick<SymbolIndexing, 'isIdle'>;
}

/** Starts this long after the last change. */
const IDLE_MS = 1500;
/** Between two files, so that extensions and editor come first. */
const PAUSE_MS = 100;
/** Files that are not open but are asked for, in the lifetime of a workspace. */
const MAX_UNOPENED = 50;
/** Larger files are data, or too much to ask an extension for. */
const MAX_FILE_BYTES = 200_000;
/**
 * Extensions of data, settings and prose, for which the editor also tells symbols: keys, elements and headings. They define
 * nothing, and would fill the map as soon as the user opens one such file, in the editor's hosts alone.
 */
const WITHOUT_DEFINITIONS =
  /^\.(?:json|jsonc|json5|jsonl|ndjson|geojson|code-workspace|ya?ml|toml|ini|cfg|conf|properties|env|lock|xml|svg|csv|tsv|mdx|rst|adoc|tex|txt|log|diff|patch)$/;

export class EditorSymbolIndexer implements Disposable {
  readonly #changes: Disposable | undefined;
  readonly #ended = new AbortController();
  /** Content hash of what was asked for, by path. */
  readonly #asked = new Map<string, string>();
  /** Extensions of files that an extension of the editor gave symbols for. */
  readonly #known = new Set<string>();
  #unopened = 0;
  #revision = 0;
  #timer: Disposable | undefined;
  readonly #runs = new Limiter(1);

  constructor(
    private readonly ports: EditorSymbolPorts,
    private readonly state: Pick<WorkspaceState, 'reportWanted'>,
    private readonly sources: Sources,
  ) {
    this.#changes = ports.editor?.symbols?.onDidChange(() => this.request());
  }

  /** Times that the editor's symbols changed the index. */
  get revision(): number {
    return this.#revision;
  }

  /** Looks for work when it has been quiet for a while; does nothing where there is no editor. */
  request(): void {
    const source = this.ports.editor?.symbols;
    if (!source || this.#ended.signal.aborted) return;
    this.#timer?.dispose();
    this.#timer = this.ports.clock.schedule(() => {
      this.#timer = undefined;
      this.#start(source);
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
    this.#changes?.dispose();
  }

  /** One run after another: what came up meanwhile is found by the next. */
  #start(source: EditorSymbolSource): void {
    this.#runs
      .run(() => this.#run(source, this.#ended.signal))
      .catch((cause: unknown) => this.ports.logger.warn(`symbols of the editor were not read: ${String(cause)}`));
  }

  async #run(source: EditorSymbolSource, signal: AbortSignal): Promise<void> {
    const files = this.#filesWithoutGrammar();
    const listed = new Set(files);
    for (const path of [...this.#asked.keys()]) if (!listed.has(path)) this.#asked.delete(path);
    const open = source.openFiles().filter((path) => listed.has(path));
    let hasNews = false;
    for (const path of open) hasNews = (await this.#index(source, path, signal)) || hasNews;
    const isOpen = new Set(open);
    for (const path of files) {
      if (signal.aborted || this.#unopened >= MAX_UNOPENED) break;
      if (isOpen.has(path) || this.#asked.has(path) || !this.#known.has(extensionOf(path))) continue;
      this.#unopened++;
      hasNews = (await this.#index(source, path, signal)) || hasNews;
    }
    if (!hasNews || signal.aborted) return;
    this.#revision++;
    this.state.reportWanted.fire();
  }

  /** True when the file's symbols changed in the index. */
  async #index(source: EditorSymbolSource, path: string, signal: AbortSignal): Promise<boolean> {
    if (signal.aborted) return false;
    const { files, parser, engine } = this.ports;
    const read = await files.read(path, MAX_FILE_BYTES);
    if (read.kind !== 'ok') return false;
    const hash = hashBytes(read.bytes);
    if (this.#asked.get(path) === hash) return false;
    this.#asked.set(path, hash);
    const symbols = await source.symbolsOf(path);
    await new Promise<void>((resolve) => this.ports.clock.schedule(resolve, PAUSE_MS));
    if (signal.aborted || !symbols || symbols.length === 0) return false;
    const [facts] = await parser.parse([{ path, contentHash: hash, bytes: read.bytes, symbols }], signal);
    if (!facts || openFacts(facts).definitions.length === 0) return false;
    this.#known.add(extensionOf(path));
    await engine.upsertFiles([facts]);
    return true;
  }

  #filesWithoutGrammar(): readonly string[] {
    const { reader, mapFiles, indexing } = this.sources;
    if (!indexing.isIdle) return [];
    const mayDefine = (path: string): boolean =>
      languageOf(path) === undefined && !WITHOUT_DEFINITIONS.test(extensionOf(path));
    return mapFiles.among([...reader.files].filter(mayDefine));
  }
}
