/**
 * Reads one language table of a workspace and the `.wasm` that it names. It decides what is wrong with them as far as
 * that shows without running anything; whether the grammar works is the parser's to say.
 */
import { hashBytes } from '../hash';
import type { FileRead, FileSource } from '../ports';
import { type LanguageTable, LanguageTableError, parseWorkspaceTable } from '../repomap/languageTable';
import { wasmKindOf } from '../repomap/wasmFile';
import { formatCount } from '../report/words';
import { decodeText } from '../text/decode';

/** The largest table of the product has 20 KB. */
const MAX_TABLE_BYTES = 1_000_000;
/** Five times the largest grammar that npm has (PERFORMANCE §1). */
const MAX_WASM_BYTES = 32_000_000;

/** A table with its grammar, read and valid. */
export interface GrammarFiles {
  readonly path: string;
  readonly wasmPath: string;
  readonly table: LanguageTable;
  readonly tableBytes: Uint8Array;
  readonly wasm: Uint8Array;
  /** Hash of table and `.wasm`: another one makes other facts. */
  readonly version: string;
}

/** What reading gave; `watch` are the files whose change is worth another try. */
export type GrammarRead =
  | { readonly kind: 'ok'; readonly files: GrammarFiles; readonly watch: readonly string[] }
  | { readonly kind: 'failed'; readonly message: string; readonly watch: readonly string[] };

/** Why a file has no bytes, as it reads after its name; undefined when it has. */
function whyNot(read: FileRead, limit: number): string | undefined {
  switch (read.kind) {
    case 'ok':
      return undefined;
    case 'missing':
      return 'is not there. Put it there, or change repo_map.grammars';
    case 'tooLarge':
      return `has ${formatCount(read.sizeBytes)} bytes, the limit is ${formatCount(limit)}`;
    case 'unreadable':
      return `could not be read: ${read.message}`;
  }
}

/** `file` as seen from the folder of `table`, both of the workspace; undefined when it leaves the workspace. */
export function resolveBeside(table: string, file: string): string | undefined {
  if (file.startsWith('/') || /[\\\0]|^[A-Za-z]:/.test(file)) return undefined;
  const segments = table.split('/').slice(0, -1);
  for (const segment of file.split('/')) {
    if (segment === '..') {
      if (segments.pop() === undefined) return undefined;
    } else if (segment !== '' && segment !== '.') segments.push(segment);
  }
  return segments.length === 0 ? undefined : segments.join('/');
}

function readTable(bytes: Uint8Array, path: string): LanguageTable | string {
  const decoded = decodeText(bytes);
  if (decoded.kind !== 'text') return `${path} is not text`;
  let value: unknown;
  try {
    value = JSON.parse(decoded.text);
  } catch (error) {
    return `${path} is not JSON: ${error instanceof Error ? error.message : String(error)}`;
  }
  try {
    return parseWorkspaceTable(value, path);
  } catch (error) {
    if (LanguageTableError.is(error)) return error.message;
    throw error;
  }
}

function whyNotWasm(wasm: Uint8Array): string | undefined {
  switch (wasmKindOf(wasm)) {
    case 'current':
      return undefined;
    case 'notWasm':
      return 'is no WebAssembly file';
    case 'old':
      return 'was built for tree-sitter before 0.26. Build it again: tree-sitter build --wasm';
  }
}

/** Reads a table and its grammar. Never rejects for what they contain. */
export async function readGrammarFiles(source: FileSource, path: string): Promise<GrammarRead> {
  const failed = (message: string, ...watch: string[]): GrammarRead => ({
    kind: 'failed',
    message,
    watch: [path, ...watch],
  });
  const tableRead = await source.read(path, MAX_TABLE_BYTES);
  if (tableRead.kind !== 'ok') return failed(`${path} ${whyNot(tableRead, MAX_TABLE_BYTES)}`);
  const table = readTable(tableRead.bytes, path);
  if (typeof table === 'string') return failed(table);
  if (table.extensions.length + table.fileNames.length === 0)
    return failed(`${path}: extensions: name an extension or a file name, else no file is in this language`);
  const wasmPath = resolveBeside(path, table.grammar.file);
  if (wasmPath === undefined)
    return failed(`${path}: grammar.file: "${table.grammar.file}" is outside of the folder. Name a file inside of it`);
  const wasmRead = await source.read(wasmPath, MAX_WASM_BYTES);
  const problem = whyNot(wasmRead, MAX_WASM_BYTES);
  if (wasmRead.kind !== 'ok') return failed(`${path}: grammar.file: ${wasmPath} ${problem}`, wasmPath);
  const notWasm = whyNotWasm(wasmRead.bytes);
  if (notWasm !== undefined) return failed(`${path}: grammar.file: ${wasmPath} ${notWasm}`, wasmPath);
  const version = `${hashBytes(tableRead.bytes)}${hashBytes(wasmRead.bytes)}`;
  const files = { path, wasmPath, table, tableBytes: tableRead.bytes, wasm: wasmRead.bytes, version };
  return { kind: 'ok', files, watch: [path, wasmPath] };
}
