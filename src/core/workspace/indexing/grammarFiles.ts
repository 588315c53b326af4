/**
 * Reads one language table of a workspace and the `.wasm` that it names. It decides what is wrong with them as far as
 * that shows without running anything; whether the grammar works is the parser's to say.
 */
import { lineAt, parseConfigTree } from '../../config/configTree';
import type { FileRead, FileSource } from '../../ports/ports';
import { type LanguageTable, LanguageTableError, parseWorkspaceTable } from '../../repomap/facts/languageTable';
import { wasmKindOf } from '../../repomap/facts/wasmFile';
import { bytesOf } from '../../text/counts';
import { decodeText } from '../../text/decode';
import { hashBytes } from '../../text/hash';
import { type Phrase, phrase } from '../../text/phrase';

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
  | { readonly kind: 'failed'; readonly message: Phrase; readonly watch: readonly string[] };

/** What is wrong with a file that has no bytes. */
function whyNot(path: string, read: Exclude<FileRead, { readonly kind: 'ok' }>, limit: number): Phrase {
  switch (read.kind) {
    case 'missing':
      return phrase('{0} is not there. Put it there, or change repo_map.grammars', path);
    case 'tooLarge':
      return phrase('{0} has {1}, the limit is {2}', path, bytesOf(read.sizeBytes), limit);
    case 'unreadable':
      return phrase('{0} could not be read: {1}', path, read.message);
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

/** What is wrong with a text that is not JSON, and where; the parser's own words have one language. */
function whyNotJson(text: string, path: string): Phrase {
  const [first] = parseConfigTree(text).findings;
  return first
    ? phrase('{0}, line {1}: {2}', path, String(lineAt(text, first.offset)), first.words)
    : phrase('{0} is not JSON: comments, and a comma before a closing bracket, are not for this file', path);
}

type TableRead =
  | { readonly kind: 'ok'; readonly table: LanguageTable }
  | { readonly kind: 'failed'; readonly why: Phrase };

function readTable(bytes: Uint8Array, path: string): TableRead {
  const decoded = decodeText(bytes);
  if (decoded.kind !== 'text') return { kind: 'failed', why: phrase('{0} is not text', path) };
  let value: unknown;
  try {
    value = JSON.parse(decoded.text);
  } catch {
    return { kind: 'failed', why: whyNotJson(decoded.text, path) };
  }
  try {
    return { kind: 'ok', table: parseWorkspaceTable(value, path) };
  } catch (error) {
    if (LanguageTableError.is(error)) return { kind: 'failed', why: error.words };
    throw error;
  }
}

function whyNotWasm(wasm: Uint8Array, path: string): Phrase | undefined {
  switch (wasmKindOf(wasm)) {
    case 'current':
      return undefined;
    case 'notWasm':
      return phrase('{0} is no WebAssembly file', path);
    case 'old':
      return phrase('{0} was built for tree-sitter before 0.26. Build it again: {1}', path, 'tree-sitter build --wasm');
  }
}

/** What is wrong with the grammar that a table names. */
function ofGrammar(table: string, what: Phrase): Phrase {
  return phrase('{0}: {1}: {2}', table, 'grammar.file', what);
}

/** Reads a table and its grammar. Never rejects for what they contain. */
export async function readGrammarFiles(source: FileSource, path: string): Promise<GrammarRead> {
  const failed = (message: Phrase, ...watch: string[]): GrammarRead => ({
    kind: 'failed',
    message,
    watch: [path, ...watch],
  });
  const tableRead = await source.read(path, MAX_TABLE_BYTES);
  if (tableRead.kind !== 'ok') return failed(whyNot(path, tableRead, MAX_TABLE_BYTES));
  const read = readTable(tableRead.bytes, path);
  if (read.kind === 'failed') return failed(read.why);
  const { table } = read;
  if (table.extensions.length + table.fileNames.length === 0)
    return failed(phrase('{0}: extensions: name an extension or a file name, else no file is in this language', path));
  const wasmPath = resolveBeside(path, table.grammar.file);
  if (wasmPath === undefined) {
    const outside = phrase('"{0}" is outside of the folder. Name a file inside of it', table.grammar.file);
    return failed(ofGrammar(path, outside));
  }
  const wasmRead = await source.read(wasmPath, MAX_WASM_BYTES);
  if (wasmRead.kind !== 'ok') return failed(ofGrammar(path, whyNot(wasmPath, wasmRead, MAX_WASM_BYTES)), wasmPath);
  const notWasm = whyNotWasm(wasmRead.bytes, wasmPath);
  if (notWasm !== undefined) return failed(ofGrammar(path, notWasm), wasmPath);
  const version = `${hashBytes(tableRead.bytes)}${hashBytes(wasmRead.bytes)}`;
  const files = { path, wasmPath, table, tableBytes: tableRead.bytes, wasm: wasmRead.bytes, version };
  return { kind: 'ok', files, watch: [path, wasmPath] };
}
