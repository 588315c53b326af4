import { Language, Parser } from 'web-tree-sitter';
import type { AssetSource } from '../../core/ports';
import { type LanguageTable, parseLanguageTable, parseWorkspaceTable } from '../../core/repomap/languageTable';
import { type CompiledLanguage, compileLanguage } from './compiledLanguage';
import { isWasmFailure, ParserCrash } from './parserCrash';

/** Emscripten's module object: it puts a view of the wasm memory on the options it was given. */
interface RuntimeOptions {
  wasmBinary: Uint8Array;
  HEAPU8?: Uint8Array;
}

/** Loads the tree-sitter runtime once, and language tables with their grammars when a file first needs them. */
export class GrammarLoader {
  readonly #assets: AssetSource;
  readonly #languages = new Map<string, Promise<CompiledLanguage>>();
  #runtime: Promise<RuntimeOptions> | undefined;
  #options: RuntimeOptions | undefined;

  constructor(assets: AssetSource) {
    this.#assets = assets;
  }

  /** Size of the wasm memory in bytes; it never shrinks. 0 before the runtime is loaded. */
  get memoryBytes(): number {
    return this.#options?.HEAPU8?.byteLength ?? 0;
  }

  /** @throws ParserCrash `notLoaded` when the product's own files are missing or broken. */
  load(language: string): Promise<CompiledLanguage> {
    return this.#once(language, () =>
      this.#load(
        `grammars/${language}.json`,
        (table) => `grammars/${table.grammar.file}`,
        (value) => parseLanguageTable(value, language),
      ),
    );
  }

  /**
   * A workspace's own language: `asset` with the endings `.json` and `.wasm` are its table and grammar.
   * @throws ParserCrash `notLoaded` when they are not what they should be, `aborted` when they killed WebAssembly.
   */
  loadOwn(asset: string): Promise<CompiledLanguage> {
    return this.#once(asset, () =>
      this.#load(
        `${asset}.json`,
        () => `${asset}.wasm`,
        (value) => parseWorkspaceTable(value, asset),
      ),
    );
  }

  async #once(key: string, load: () => Promise<CompiledLanguage>): Promise<CompiledLanguage> {
    let loading = this.#languages.get(key);
    if (!loading) {
      loading = load();
      this.#languages.set(key, loading);
    }
    try {
      return await loading;
    } catch (cause) {
      if (ParserCrash.is(cause)) throw cause;
      const reason = isWasmFailure(cause) ? 'aborted' : 'notLoaded';
      throw new ParserCrash(reason, `The grammar of ${key} did not load.`, { cause });
    }
  }

  async #load(
    tableAsset: string,
    wasmAsset: (table: LanguageTable) => string,
    parseTable: (value: unknown) => LanguageTable,
  ): Promise<CompiledLanguage> {
    this.#runtime ??= this.#init();
    const [, json] = await Promise.all([this.#runtime, this.#assets.read(tableAsset)]);
    const table = parseTable(JSON.parse(new TextDecoder().decode(json)));
    const grammar = await Language.load(await this.#assets.read(wasmAsset(table)));
    return compileLanguage(table, grammar);
  }

  async #init(): Promise<RuntimeOptions> {
    const options: RuntimeOptions = { wasmBinary: await this.#assets.read('grammars/web-tree-sitter.wasm') };
    await Parser.init(options);
    this.#options = options;
    return options;
  }
}
