/**
 * Files to facts. Decides what a file is (binary, too large, without grammar), parses it within a deadline and walks
 * the tree. It reads no files and keeps no index; a file can only be described, never make it fail, except by
 * killing WebAssembly itself (`ParserCrash`).
 */
import { Parser } from 'web-tree-sitter';
import type { FileParser, ParseInput } from '../../core/engine/parser';
import type { FileOutcome } from '../../core/model/repoMap';
import type { AssetSource } from '../../core/ports/ports';
import { InnerPlaces, rangesWithoutBodies, type TextRange } from '../../core/repomap/facts/bodyRanges';
import { readEditorSymbols } from '../../core/repomap/facts/editorSymbols';
import { readHeadings, readNotebook, readScripts } from '../../core/repomap/facts/embedded';
import { encodeFacts, factsWithoutText } from '../../core/repomap/facts/factsCodec';
import { referencesOf, scanWords } from '../../core/repomap/facts/identifiers';
import {
  hasGrammar,
  languageOf,
  languageOfText,
  looksGenerated,
  MAX_PARSE_BYTES,
  parseLimitOf,
  readerOf,
} from '../../core/repomap/facts/languages';
import { addLineDefinitions, type RowRange } from '../../core/repomap/facts/lineScan';
import type { FileFacts } from '../../core/repomap/facts/types';
import { packUnownedWords, packWords } from '../../core/repomap/index/wordPostings';
import { partsOfOne } from '../../core/text/bytes';
import { decodeText } from '../../core/text/decode';
import { type CompiledLanguage, lineRules } from './compiledLanguage';
import { type WalkSource, walkDefinitions } from './definitionWalker';
import { type CompileOnce, GrammarLoader } from './grammarLoader';
import { isWasmFailure, ParserCrash, parseDeadline } from './parserCrash';

/** Text without grammar is scanned for words up to here: a README is, a data set is not. */
const MAX_PLAIN_CHARS = 100_000;
/** Work at most so long before messages (a cancellation) can come in. */
const SLICE_MS = 50;

type Outline = Pick<FileFacts, 'outcome' | 'definitions'>;
type Reading = Outline & Pick<FileFacts, 'references' | 'words'>;

function countLines(text: string): number {
  if (text === '') return 0;
  let lines = text.endsWith('\n') ? 0 : 1;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines++;
  return lines;
}

/** Definitions of a text by the lines of its file. */
function inFile(definitions: FileFacts['definitions'], rows: readonly number[] | undefined): FileFacts['definitions'] {
  if (!rows) return definitions;
  const lineOf = (line: number): number => (rows[line - 1] ?? 0) + 1;
  return definitions.map((each) => ({ ...each, lineStart: lineOf(each.lineStart), lineEnd: lineOf(each.lineEnd) }));
}

/** Adds what the lines of `rows` define by their looks. */
function withLines(
  { lines: rules, lexis }: CompiledLanguage,
  { text, proseLines }: Pick<WalkSource, 'text' | 'proseLines'>,
  rows: readonly RowRange[],
  definitions: FileFacts['definitions'],
): FileFacts['definitions'] {
  return addLineDefinitions(definitions, text, rows, { rules, lexis, proseRows: proseLines });
}

/** `FileParser` over web-tree-sitter, one file after another in the calling thread. */
export class TreeSitterParser implements FileParser {
  readonly #loader: GrammarLoader;
  #parser: Parser | undefined;
  #crash: ParserCrash | undefined;

  /**
   * `assets` has `grammars/web-tree-sitter.wasm`, `grammars/<language>.json` and the grammars they name.
   * @param compileOnce see `GrammarLoader`
   * @param spentMs processor time used so far by this process in milliseconds; the clock unless given
   */
  constructor(
    assets: AssetSource,
    private readonly now: () => number = () => performance.now(),
    private readonly spentMs: () => number = now,
    compileOnce?: CompileOnce,
  ) {
    this.#loader = new GrammarLoader(assets, compileOnce);
  }

  /** Bytes of WebAssembly memory, which never shrinks: hosts replace a worker that has grown too large. */
  get memoryBytes(): number {
    return this.#loader.memoryBytes;
  }

  /**
   * Encoded facts of each file, in order; fewer when cancelled.
   * @throws ParserCrash when WebAssembly failed or could not be loaded; every later call throws it too.
   */
  async parse(files: readonly ParseInput[], signal?: AbortSignal): Promise<readonly Uint8Array[]> {
    const encoded: Uint8Array[] = [];
    let sliceStart = this.now();
    for (const file of files) {
      if (signal?.aborted) break;
      encoded.push(encodeFacts(await this.parseFile(file)));
      if (this.now() - sliceStart > SLICE_MS) {
        await new Promise<void>((resolve) => setTimeout(resolve, 0));
        sliceStart = this.now();
      }
    }
    return partsOfOne(encoded, Uint8Array);
  }

  /** Facts of one file. @throws ParserCrash as `parse` does. */
  async parseFile(file: ParseInput): Promise<FileFacts> {
    if (this.#crash) throw this.#crash;
    const named = languageOf(file.path);
    const isLarge = file.bytes.length > parseLimitOf(file.path, MAX_PARSE_BYTES);
    if (isLarge && !hasGrammar(named ?? '')) return factsWithoutText(file, 'tooLarge');
    const decoded = decodeText(file.bytes);
    if (decoded.kind === 'binary') return factsWithoutText(file, 'binary');
    const { text } = decoded;
    const lineCount = countLines(text);
    // Pictures in a notebook's outputs make lines as long as those of minified code.
    const isNotebook = named !== undefined && readerOf(named) === 'notebook';
    const facts = {
      path: file.path,
      contentHash: file.contentHash,
      lineCount,
      ...(!isNotebook && looksGenerated(text, lineCount) ? { isGenerated: true } : {}),
    };
    if (isLarge && named !== undefined) {
      if (facts.isGenerated) return factsWithoutText(file, 'tooLarge', lineCount);
      return { ...facts, ...(await this.#scanLines(named, text, file.path, lineCount)) };
    }
    if (file.symbols !== undefined) {
      const definitions = readEditorSymbols(text, file.symbols);
      const words = packWords(scanWords(text.length <= MAX_PLAIN_CHARS ? text : ''), definitions, lineCount);
      return { ...facts, language: undefined, outcome: 'editorSymbols', definitions, ...words };
    }
    if (named === undefined) {
      const references = text.length <= MAX_PLAIN_CHARS ? referencesOf(scanWords(text)) : [];
      return { ...facts, language: undefined, outcome: 'noGrammar', definitions: [], references };
    }
    if (readerOf(named)) return { ...facts, ...(await this.#readEmbedded(named, text, file.path, lineCount)) };
    if (file.depth === 'words') return { ...facts, ...(await this.#scan(named, text, file.path)) };
    let language = await this.#load(named);
    const actual = languageOfText(language.table, file.path, text);
    if (actual !== named) language = await this.#load(actual);
    return { ...facts, language: actual, ...this.#read(language, text, file.path, lineCount) };
  }

  /** Words without definitions; needs no grammar. */
  async #scan(named: string, text: string, path: string): Promise<Reading & Pick<FileFacts, 'language'>> {
    let { table, lexis } = await this.#loader.loadTable(named);
    const language = languageOfText(table, path, text);
    if (language !== named) ({ table, lexis } = await this.#loader.loadTable(language));
    return {
      language,
      outcome: 'scanned',
      definitions: [],
      references: [],
      words: packUnownedWords(scanWords(text, lexis)),
    };
  }

  /** A file that is too large to parse: its words, and what its lines define by their looks. */
  async #scanLines(
    named: string,
    text: string,
    path: string,
    lineCount: number,
  ): Promise<Reading & Pick<FileFacts, 'language'>> {
    let { table, lexis } = await this.#loader.loadTable(named);
    const language = languageOfText(table, path, text);
    if (language !== named) ({ table, lexis } = await this.#loader.loadTable(language));
    const scan = scanWords(text, lexis);
    const rules = lineRules(table);
    const options = { rules, lexis, proseRows: scan.proseLines };
    const definitions = addLineDefinitions([], text, [{ first: 0, last: lineCount }], options);
    if (definitions.length === 0) return { language, outcome: 'tooLarge', definitions, references: [] };
    return { language, outcome: 'lineScan', definitions, ...packWords(scan, definitions, lineCount, lexis.ignored) };
  }

  /** A file of a language without a grammar of its own: what is embedded in it, or its headings. */
  async #readEmbedded(
    named: string,
    text: string,
    path: string,
    lineCount: number,
  ): Promise<Reading & Pick<FileFacts, 'language'>> {
    const reader = readerOf(named);
    const plain = (outcome: FileOutcome, definitions: FileFacts['definitions']) => {
      const scan = scanWords(text.length <= MAX_PLAIN_CHARS ? text : '');
      return { language: named, outcome, definitions, ...packWords(scan, definitions, lineCount) };
    };
    if (reader === 'headings') return plain('parsed', readHeadings(text));
    const source = reader === 'scripts' ? readScripts(text) : readNotebook(text);
    if (!source || !hasGrammar(source.language)) return plain('noGrammar', []);
    // A UTF-16 unit has at least one byte: what is longer was over the cap before.
    if (source.text.length > MAX_PARSE_BYTES) return plain('tooLarge', []);
    const language = await this.#load(source.language);
    const reading = this.#read(language, source.text, path, countLines(source.text));
    return { ...reading, language: named, definitions: inFile(reading.definitions, source.rows) };
  }

  async #load(language: string): Promise<CompiledLanguage> {
    try {
      return await this.#loader.load(language);
    } catch (error) {
      if (ParserCrash.is(error, 'aborted')) this.#crash = error;
      throw error;
    }
  }

  #read(language: CompiledLanguage, text: string, path: string, lineCount: number): Reading {
    const scan = scanWords(text, language.lexis);
    const outline = this.#outline(language, text, path, scan.proseLines);
    return { ...outline, ...packWords(scan, outline.definitions, lineCount, language.lexis.ignored) };
  }

  #outline(language: CompiledLanguage, text: string, path: string, proseLines: ReadonlySet<number>): Outline {
    const isOver = parseDeadline(this.now, this.spentMs);
    try {
      const inner = new InnerPlaces(text, language.inner);
      const code = language.blanks ? text.replace(language.blanks, (word) => ' '.repeat(word.length)) : text;
      const source = { text, code, path, inner, proseLines };
      const ranges = language.bodyHead && rangesWithoutBodies(text, language.bodyHead, proseLines, inner);
      const outline = ranges && this.#walk(language, source, isOver, ranges);
      // Where the layout misled, the whole text decides.
      return outline?.outcome === 'parsed' ? outline : this.#walk(language, source, isOver);
    } catch (cause) {
      if (!isWasmFailure(cause)) return { outcome: 'failed', definitions: [] };
      this.#parser = undefined;
      this.#crash = new ParserCrash('aborted', `WebAssembly failed while parsing ${path}.`, { cause });
      throw this.#crash;
    }
  }

  #walk(language: CompiledLanguage, source: WalkSource, isOver: () => boolean, ranges?: readonly TextRange[]): Outline {
    this.#parser ??= new Parser();
    const parser = this.#parser;
    parser.setLanguage(language.grammar);
    const options = { progressCallback: isOver };
    const tree = parser.parse(source.code, null, ranges ? { ...options, includedRanges: [...ranges] } : options);
    if (!tree) {
      parser.reset();
      return { outcome: 'deadline', definitions: [] };
    }
    try {
      if (ranges && tree.rootNode.hasError) return { outcome: 'partial', definitions: [] };
      const { definitions, isComplete, errors } = walkDefinitions(tree, language, source);
      if (isComplete && !tree.rootNode.hasError) return { outcome: 'parsed', definitions };
      return { outcome: 'partial', definitions: withLines(language, source, errors, definitions) };
    } finally {
      tree.delete();
    }
  }
}
