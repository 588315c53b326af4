import { Language, Parser } from 'web-tree-sitter';
import type { AssetSource } from '../../core/ports';
import { type LanguageTable, parseLanguageTable, parseWorkspaceTable } from '../../core/repomap/languageTable';
import { Lexis } from '../../core/repomap/lexis';
import { type CompiledLanguage, compileLanguage } from './compiledLanguage';
import { isWasmFailure, ParserCrash } from './parserCrash';

/** Emscripten's module object: it puts a view of the wasm memory on the options it was given. */
interface RuntimeOptions {
  wasmBinary: Uint8Array;
  HEAPU8?: Uint8Array;
}

/** What a text can be scanned by. */
export interface LoadedTable {
  readonly table: LanguageTable;
  readonly lexis: Lexis;
}

/** Loads the tree-sitter runtime once, and language tables with their grammars when a file first needs them. */
export class GrammarLoader {
  readonly #assets: AssetSource;
  readonly #languages = new Map<string, Promise<CompiledLanguage>>();
  readonly #tables = new Map<string, Promise<LoadedTable>>();
  #runtime: Promise<RuntimeOptions> | undefined;
  #options: RuntimeOptions | undefined;

  constructor(assets: AssetSource) {
    this.#assets = assets;
  }

  /** Size of the wasm memory in bytes; it never shrinks. 0 before the runtime is loaded. */
  get memoryBytes(): number {
    return this.#options?.HEAPU8?.byteLength ?? 0;
  }

  /** A language's table without its grammar. @throws ParserCrash `notLoaded` when the product's own files are missing or broken. */
  loadTable(language: string): Promise<LoadedTable> {
    return this.#once(this.#tables, language, async () => {
      const json = await this.#assets.read(`grammars/${language}.json`);
      const table = parseLanguageTable(JSON.parse(new TextDecoder().decode(json)), language);
      return { table, lexis: new Lexis(table.lexis) };
    });
  }

  /** @throws ParserCrash `notLoaded` when the product's own files are missing or broken. */
  load(language: string): Promise<CompiledLanguage> {
    return this.#once(this.#languages, language, async () => {
      this.#runtime ??= this.#init();
      const [{ table }] = await Promise.all([this.loadTable(language), this.#runtime]);
      return compileLanguage(table, await Language.load(await this.#assets.read(`grammars/${table.grammar.file}`)));
    });
  }

  /**
   * A workspace's own language: `asset` with the endings `.json` and `.wasm` are its table and grammar.
   * @throws ParserCrash `notLoaded` when they are not what they should be, `aborted` when they killed WebAssembly.
   */
  loadOwn(asset: string): Promise<CompiledLanguage> {
    return this.#once(this.#languages, asset, async () => {
      this.#runtime ??= this.#init();
      const [, json] = await Promise.all([this.#runtime, this.#assets.read(`${asset}.json`)]);
      const table = parseWorkspaceTable(JSON.parse(new TextDecoder().decode(json)), asset);
      return compileLanguage(table, await Language.load(await this.#assets.read(`${asset}.wasm`)));
    });
  }

  async #once<T>(loaded: Map<string, Promise<T>>, key: string, load: () => Promise<T>): Promise<T> {
    let loading = loaded.get(key);
    if (!loading) {
      loading = load();
      loaded.set(key, loading);
    }
    try {
      return await loading;
    } catch (cause) {
      if (ParserCrash.is(cause)) throw cause;
      const reason = isWasmFailure(cause) ? 'aborted' : 'notLoaded';
      throw new ParserCrash(reason, `The grammar of ${key} did not load.`, { cause });
    }
  }

  async #init(): Promise<RuntimeOptions> {
    const options: RuntimeOptions = { wasmBinary: await this.#assets.read('grammars/web-tree-sitter.wasm') };
    await Parser.init(options);
    this.#options = options;
    return options;
  }
}
