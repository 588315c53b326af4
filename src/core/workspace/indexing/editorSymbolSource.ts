import { CONFIG_PATH } from '../../config/config';
import type { Disposable } from '../../ports/ports';
import { languageOf } from '../../repomap/facts/languages';
import { mapFiles } from '../mapFiles';
import type { SectionReader } from '../reading/workspaceReader';
import type { SessionPorts } from '../workspace';
import { EditorSymbolIndexer } from './editorSymbolIndexer';
import type { SymbolIndexing } from './symbolIndexing';

/** What says which files no grammar claims. */
interface Sources {
  readonly reader: Pick<SectionReader, 'config' | 'files'>;
  readonly indexing: Pick<SymbolIndexing, 'isIdle'>;
}

/** The editor's symbols in a session's index, for files of the map without a grammar; nothing where there is no editor. */
export class SessionEditorSymbols implements Disposable {
  readonly #sources: Sources;
  readonly #indexer: EditorSymbolIndexer | undefined;
  #revision = 0;

  /** @param onDidIndex called when the index changed */
  constructor(ports: SessionPorts, sources: Sources, onDidIndex: () => void) {
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
