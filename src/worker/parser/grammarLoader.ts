import { Language, Parser } from 'web-tree-sitter';
import type { AssetSource } from '../../core/ports/ports';
import { type LanguageTable, parseLanguageTable, parseWorkspaceTable } from '../../core/repomap/facts/languageTable';
import { Lexis } from '../../core/repomap/facts/lexer';
import { largestFunctionBytes } from '../../core/repomap/facts/wasmFile';
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

/**
 * From here on V8's second, optimizing compilation of a grammar's lexer costs more than it can win back (measured): 14 s
 * of processor time for PowerShell's 459 KB, which read five small scripts in 0.1 s without it, and 0.7 s for Bash's
 * 160 KB. Below it pays: 8 % of the time for 65 MB of Go.
 */
const HUGE_FUNCTION_BYTES = 128 * 1024;

/** Compiles a module such that the engine leaves it at its first, quick compilation. */
export type CompileOnce = (wasm: Uint8Array) => WebAssembly.Module;

/** web-tree-sitter has one runtime a thread: the options of a second `init` are not looked at. */
let runtimeOfThread: RuntimeOptions | undefined;

/** Loads the tree-sitter runtime once, and language tables with their grammars when a file first needs them. */
export class GrammarLoader {
  readonly #assets: AssetSource;
  readonly #compileOnce: CompileOnce | undefined;
  readonly #languages = new Map<string, Promise<CompiledLanguage>>();
  readonly #tables = new Map<string, Promise<LoadedTable>>();
  #runtime: Promise<RuntimeOptions> | undefined;
  #options: RuntimeOptions | undefined;

  /** `compileOnce` is for grammars with a huge lexer; hosts that have no say in compiling give none. */
  constructor(assets: AssetSource, compileOnce?: CompileOnce) {
    this.#assets = assets;
    this.#compileOnce = compileOnce;
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
      return compileLanguage(table, await this.#compile(await this.#assets.read(`grammars/${table.grammar.file}`)));
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
      return compileLanguage(table, await this.#compile(await this.#assets.read(`${asset}.wasm`)));
    });
  }

  async #compile(wasm: Uint8Array): Promise<Language> {
    const once = largestFunctionBytes(wasm) < HUGE_FUNCTION_BYTES ? undefined : this.#compileOnce;
    return once ? Language.loadSync(once(wasm)) : Language.load(wasm);
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
    if (options.HEAPU8) runtimeOfThread = options;
    this.#options = runtimeOfThread ?? options;
    return this.#options;
  }
}
