import { Language, Parser } from 'web-tree-sitter';
import type { AssetSource } from '../../core/ports';
import { parseLanguageTable } from '../../core/repomap/languageTable';
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
  async load(language: string): Promise<CompiledLanguage> {
    let loading = this.#languages.get(language);
    if (!loading) {
      loading = this.#load(language);
      this.#languages.set(language, loading);
    }
    try {
      return await loading;
    } catch (cause) {
      if (ParserCrash.is(cause)) throw cause;
      throw new ParserCrash(
        isWasmFailure(cause) ? 'aborted' : 'notLoaded',
        `The grammar of ${language} did not load.`,
        {
          cause,
        },
      );
    }
  }

  async #load(language: string): Promise<CompiledLanguage> {
    this.#runtime ??= this.#init();
    const [, json] = await Promise.all([this.#runtime, this.#assets.read(`grammars/${language}.json`)]);
    const table = parseLanguageTable(JSON.parse(new TextDecoder().decode(json)), language);
    const grammar = await Language.load(await this.#assets.read(`grammars/${table.grammar.file}`));
    return compileLanguage(table, grammar);
  }

  async #init(): Promise<RuntimeOptions> {
    const options: RuntimeOptions = { wasmBinary: await this.#assets.read('grammars/web-tree-sitter.wasm') };
    await Parser.init(options);
    this.#options = options;
    return options;
  }
}
