/** Which language a file is in: by name and extension from the manifest of the tables, by content where one says so. */
import manifest from '../../../../grammars/manifest.json';
import { nameOf } from '../../text/safePath';
import type { EmbeddedReader } from './embedded';
import type { LanguageTable } from './languageTable';

/** What generators write near the top of a file: Go's convention, Meta's `@generated`, and prose of the same meaning. */
const MARK =
  /@generated\b|\bcode generated\b.*\bdo not edit\b|\bdo not (?:edit|modify)\b.*\bgenerated\b|^\W*(?:auto-?|automatically )generated\b|\b(?:file|code|source|class|module|content|header)s?\b.*\b(?:auto-?|automatically )generated\b|\bgenerated (?:by|from)\b.*\bdo not\b/iu;
const HEADER_CHARS = 1000;
/** Mean line length of minified code; people stay below a tenth of it. */
const MINIFIED_LINE_CHARS = 500;

/** What is said of a part of the file only. */
const PART = /\b(?:region|section|block|part|below|following|begin|start)\b/iu;
/** A line of the comment at a file's head, or one that may stand above it. */
const HEAD = /^\s*(?:$|#|<\?php|<\?xml|['"]use strict|\/\/|\/\*|\*|<!--|--|;|"""|''')/u;
const OPENING = /\/\*|<!--|"""|'''/u;
const CLOSING = /\*\/|-->|"""|'''/u;

/** The lines before the first one of code. */
function headLines(header: string): readonly string[] {
  const lines: string[] = [];
  let isOpen = false;
  for (const line of header.split('\n')) {
    if (!isOpen && !HEAD.test(line)) break;
    const opening: number = isOpen ? -1 : line.search(OPENING);
    isOpen = isOpen ? !CLOSING.test(line) : opening >= 0 && !CLOSING.test(line.slice(opening + 3));
    lines.push(line);
  }
  return lines;
}

/** True for a text whose head says that it was generated, or that is minified. Reads the first 1,000 characters. */
export function looksGenerated(text: string, lineCount: number): boolean {
  if (text.length > MINIFIED_LINE_CHARS * Math.max(1, lineCount)) return true;
  const header = text.slice(0, HEADER_CHARS);
  // What all marks have in common; looking for it takes a twentieth of the time.
  if (!/generated/iu.test(header)) return false;
  return headLines(header).some((line) => MARK.test(line) && !PART.test(line));
}

const BY_EXTENSION = new Map<string, string>();
const BY_FILE_NAME = new Map<string, string>();
const LANGUAGES = new Map(manifest.languages.map((language) => [language.id, language]));
for (const { id, extensions, fileNames } of manifest.languages) {
  for (const extension of extensions) BY_EXTENSION.set(extension, id);
  for (const fileName of fileNames) BY_FILE_NAME.set(fileName, id);
}

/** Changes when a table or a grammar does: part of every cache key of facts. */
export const TABLES_VERSION: string = manifest.tablesVersion;

/** Extensions of a file, longest first, lower case: `.d.ts`, `.ts`. A leading dot begins a name, not an extension. */
function extensionsOf(path: string): readonly string[] {
  const base = nameOf(path).toLowerCase();
  const extensions: string[] = [];
  for (let dot = base.indexOf('.', 1); dot >= 0; dot = base.indexOf('.', dot + 1)) extensions.push(base.slice(dot));
  return extensions;
}

/** The last extension, with its dot, in lower case; the name itself for a file without one. */
export function extensionOf(path: string): string {
  return extensionsOf(path).at(-1) ?? nameOf(path);
}

/** The language's id by name alone, else by the longest extension; `undefined` when no table claims the file. */
export function languageOf(path: string): string | undefined {
  const extension = extensionsOf(path).find((each) => BY_EXTENSION.has(each));
  return BY_FILE_NAME.get(nameOf(path)) ?? (extension === undefined ? undefined : BY_EXTENSION.get(extension));
}

/** What of a path its facts depend on, besides the content: the language, and the extensions that tables ask for. */
export function parseTraits(path: string): string {
  return `${languageOf(path) ?? ''}${extensionsOf(path)[0] ?? ''}`;
}

/** How files of a language without a grammar of its own are read. */
export function readerOf(language: string): EmbeddedReader | undefined {
  const entry = LANGUAGES.get(language);
  return entry && 'reader' in entry ? (entry.reader as EmbeddedReader) : undefined;
}

/** Whether a grammar table has this id. */
export function hasGrammar(language: string): boolean {
  return LANGUAGES.has(language) && readerOf(language) === undefined;
}

/** Languages of one family see each other's names; files without a language are a family of their own, `''`. */
export function familyOf(language: string | undefined): string {
  return language === undefined ? '' : (LANGUAGES.get(language)?.family ?? language);
}

/** The language's id when the text is known too: a `.h` file of C++ is not C. */
export function languageOfText(table: LanguageTable, path: string, text: string): string {
  const extensions = extensionsOf(path);
  const other = table.unless?.find(
    (rule) =>
      rule.extensions.some((extension) => extensions.includes(extension)) && new RegExp(rule.pattern, 'mu').test(text),
  );
  return other?.language ?? table.id;
}

/** PERFORMANCE §3: larger files are generated or data, and hostile ones take the wasm memory to its limit. */
export const MAX_PARSE_BYTES = 1_000_000;
/** Larger files are not even read for their lines, nor for a notebook's cells: 4 MB take about 10 ms to hash. */
const MAX_SCAN_BYTES = 4_000_000;

/** How large a file may be to be parsed, where others may have `maxBytes`: a notebook's outputs are most of its bytes. */
export function parseLimitOf(path: string, maxBytes: number): number {
  const isNotebook = readerOf(languageOf(path) ?? '') === 'notebook';
  return isNotebook ? Math.max(maxBytes, MAX_SCAN_BYTES) : maxBytes;
}

/** How large it may be to be read at all: unless people set a lower limit, larger ones are scanned for their lines. */
export function readLimitOf(path: string, maxBytes: number): number {
  const isScanned = maxBytes >= MAX_PARSE_BYTES && hasGrammar(languageOf(path) ?? '');
  return isScanned ? Math.max(maxBytes, MAX_SCAN_BYTES) : parseLimitOf(path, maxBytes);
}
