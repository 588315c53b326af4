import { Language, Parser } from 'web-tree-sitter';
import type { AssetSource } from '../../core/ports/ports';
import type { LanguageTable } from '../../core/repomap/facts/languageTable';
import { Lexer } from '../../core/repomap/facts/lexer';
import { type CompiledLanguage, compileLanguage } from './compiledLanguage';
import { isWasmFailure, ParserCrash } from './parserCrash';

/** Emscripten's module object: it puts views of the wasm memory and its functions on the options it was given. */
interface RuntimeOptions {
  wasmBinary: Uint8Array;
  HEAPU8?: Uint8Array;
  /** Another one when the memory has grown. */
  HEAP32?: Int32Array;
  setValue?(address: number, value: number, type?: string): void;
  getValue?(address: number, type?: string): number;
}

const IS_LITTLE_ENDIAN = new Uint8Array(Uint32Array.of(1).buffer)[0] === 1;

/**
 * The library moves each number of each node by these two, which take the name of its type apart every time: 3 % of the
 * time that a folder takes. Nearly all are 32 bits wide.
 */
function moveNumbersStraight(runtime: RuntimeOptions): void {
  const { setValue, getValue } = runtime;
  if (!IS_LITTLE_ENDIAN || !runtime.HEAP32 || !setValue || !getValue) return;
  runtime.setValue = (address, value, type) => {
    if (type === 'i32') (runtime.HEAP32 as Int32Array)[address >> 2] = value;
    else setValue(address, value, type);
  };
  runtime.getValue = (address, type) =>
    type === 'i32' ? ((runtime.HEAP32 as Int32Array)[address >> 2] as number) : getValue(address, type);
}

/** What scanning a text takes. */
interface LoadedTable {
  readonly table: LanguageTable;
  readonly lexis: Lexer;
}

/**
 * From here on V8's second, optimizing compilation of a grammar's lexer costs more than it can win back (measured): 14 s
 * of processor time for PowerShell's 459 KB, which read five small scripts in 0.1 s without it, and 0.7 s for Bash's
 * 160 KB. Below it pays: 8 % of the time for 65 MB of Go.
 */
const HUGE_FUNCTION_BYTES = 128 * 1024;

/** Compiles a module such that the engine leaves it at its first, quick compilation. */
export type CompileOnce = (wasm: Uint8Array) => WebAssembly.Module;

/** Length of a module's header: `\0asm` and the version. */
const HEADER_BYTES = 8;
/** The section that holds the bodies of all functions. */
const CODE_SECTION = 10;

/** A LEB128 number and where it ends. */
function readLength(bytes: Uint8Array, start: number): { readonly value: number; readonly end: number } {
  let value = 0;
  let at = start;
  for (let shift = 0; shift < 35; shift += 7) {
    const byte = bytes[at++] ?? 0;
    value += (byte & 0x7f) * 2 ** shift;
    if (byte < 0x80) break;
  }
  return { value, end: at };
}

/**
 * Bytes of the largest function of a WebAssembly module, 0 for one without functions and for a file that breaks off. In
 * grammars it is the lexer, one `switch` over all states: 8 KB in Go's, 459 KB in PowerShell's.
 */
export function largestFunctionBytes(bytes: Uint8Array): number {
  let largest = 0;
  for (let at = HEADER_BYTES; at < bytes.length; ) {
    const size = readLength(bytes, at + 1);
    const end = size.end + size.value;
    if (bytes[at] === CODE_SECTION) {
      const count = readLength(bytes, size.end);
      for (let body = count.end; body < end; ) {
        const length = readLength(bytes, body);
        largest = Math.max(largest, length.value);
        body = length.end + length.value;
      }
    }
    at = end;
  }
  return largest;
}

/** web-tree-sitter has one runtime a thread: the options of a second `init` are not looked at. */
let runtimeOfThread: RuntimeOptions | undefined;

/** Loads the tree-sitter runtime once, and language tables with their grammars when a file first needs them. */
export class GrammarLoader {
  readonly #languages = new Map<string, Promise<CompiledLanguage>>();
  readonly #tables = new Map<string, Promise<LoadedTable>>();
  #runtime: Promise<RuntimeOptions> | undefined;
  #options: RuntimeOptions | undefined;

  /** `compileOnce` is for grammars with a huge lexer; absent in hosts that cannot choose how modules compile. */
  constructor(
    private readonly assets: AssetSource,
    private readonly compileOnce: CompileOnce | undefined,
  ) {}

  /** Size of the wasm memory in bytes; it never shrinks. 0 before the runtime is loaded. */
  get memoryBytes(): number {
    return this.#options?.HEAPU8?.byteLength ?? 0;
  }

  /** A language's table without its grammar. @throws ParserCrash `notLoaded` when the product's own files are missing or broken. */
  loadTable(language: string): Promise<LoadedTable> {
    return this.#once(this.#tables, language, async () => {
      const json = await this.assets.read(`grammars/${language}.json`);
      const table: LanguageTable = JSON.parse(new TextDecoder().decode(json));
      return { table, lexis: new Lexer(table.lexis) };
    });
  }

  /** @throws ParserCrash `notLoaded` when the product's own files are missing or broken. */
  load(language: string): Promise<CompiledLanguage> {
    return this.#once(this.#languages, language, async () => {
      this.#runtime ??= this.#init();
      const [{ table }] = await Promise.all([this.loadTable(language), this.#runtime]);
      return compileLanguage(table, await this.#compile(await this.assets.read(`grammars/${table.grammar.file}`)));
    });
  }

  async #compile(wasm: Uint8Array): Promise<Language> {
    const once = largestFunctionBytes(wasm) < HUGE_FUNCTION_BYTES ? undefined : this.compileOnce;
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
    const options: RuntimeOptions = { wasmBinary: await this.assets.read('grammars/web-tree-sitter.wasm') };
    await Parser.init(options);
    if (options.HEAPU8) {
      runtimeOfThread = options;
      moveNumbersStraight(options);
    }
    this.#options = runtimeOfThread ?? options;
    return this.#options;
  }
}
