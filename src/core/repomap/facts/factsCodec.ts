/** Facts as the index takes them in, and as bytes. Words stay bytes: the index compares them without making strings. */
import { FILE_OUTCOMES, type FileOutcome } from '../../model/repoMap';
import { SYMBOL_KINDS } from '../../ports/symbolKind';
import { encodeTexts } from '../../text/bytes';
import { errorClass } from '../../text/phrase';
import { languageOf, TABLES_VERSION } from './languages';
import type { Definition, FileFacts } from './types';
import { ByteReader, ByteWriter } from './varint';

/** All words of a file, references first. */
export interface PackedWords {
  /** How often each of the first words is mentioned in code. */
  readonly referenceCounts: Uint32Array;
  /** Length in bytes of each word. */
  readonly lengths: Uint32Array;
  /** The words in UTF-8, one after another; may be a view of something larger. */
  readonly text: Uint8Array;
  /** The definitions that hold each word, as `wordPostings.ts` packs it; undefined when that is not known. */
  readonly postings: Uint8Array | undefined;
}

/** A file's facts, its words packed. */
export interface PackedFacts extends Omit<FileFacts, 'references' | 'words'> {
  readonly packed: PackedWords;
}

/** Facts of a file whose text was not read, or gave nothing. */
export function factsWithoutText(
  { path, contentHash }: Pick<FileFacts, 'path' | 'contentHash'>,
  outcome: FileOutcome,
  lineCount = 0,
): FileFacts {
  return { path, contentHash, language: languageOf(path), outcome, lineCount, definitions: [], references: [] };
}

const ENCODER = new TextEncoder();

const NO_WORDS: PackedWords = {
  referenceCounts: new Uint32Array(),
  lengths: new Uint32Array(),
  text: new Uint8Array(),
  postings: undefined,
};

/** Packs the words of facts. */
export function packFacts({ references, words, ...head }: FileFacts): PackedFacts {
  // Thousands of files in a folder are only listed.
  if (references.length === 0 && words === undefined) return { ...head, packed: NO_WORDS };
  const { bytes: text, lengths } = encodeTexts([...references.map(([name]) => name), ...(words?.others ?? [])]);
  const referenceCounts = Uint32Array.from(references, ([, count]) => count);
  return { ...head, packed: { referenceCounts, lengths, text, postings: words?.postings } };
}

/** Raise when the shape of encoded facts, the walk or the identifier scan changes. */
const CODEC_VERSION = 10;

/** Facts of another version are worthless: the codec's, the language tables' or the grammars' changed. */
export const FACTS_VERSION = `${CODEC_VERSION}-${TABLES_VERSION}`;

const KIND_CODES = new Map(SYMBOL_KINDS.map((kind, code) => [kind, code]));

/** Bytes that are no encoded facts of this version. Callers parse the file again. */
export class FactsCodecError extends errorClass<'malformed' | 'version'>('FactsCodecError') {}

function encodeDefinition(definition: Definition): readonly unknown[] {
  const { kind, name, signature, doc, lineStart, lineEnd, parent, scope, isLocal, isGuessed } = definition;
  const row = [KIND_CODES.get(kind), name, signature, doc, lineStart, lineEnd - lineStart, parent];
  if (isGuessed) return [...row, scope ?? 0, isLocal ? 1 : 0, 1];
  if (isLocal) return [...row, scope ?? 0, 1];
  return scope === undefined ? row : [...row, scope];
}

/** Used for all files in turn; it stays as large as the largest needed. */
const WRITER = new ByteWriter();

/** Facts as compact UTF-8 JSON, a NUL and the packed words; the inverse of `openFacts`. */
export function encodeFacts(facts: FileFacts): Uint8Array {
  const value = [
    FACTS_VERSION,
    facts.path,
    facts.contentHash,
    facts.language ?? 0,
    facts.outcome,
    facts.lineCount,
    facts.definitions.map(encodeDefinition),
    facts.isGenerated ? 1 : 0,
    facts.words ? 1 : 0,
  ];
  const out = WRITER;
  out.clear();
  out.append(ENCODER.encode(JSON.stringify(value)));
  out.number(0);
  // Numbers of words and references, counts of these, lengths of those, their text, postings.
  const { referenceCounts, lengths, text, postings } = packFacts(facts).packed;
  out.number(lengths.length);
  out.number(referenceCounts.length);
  for (const count of referenceCounts) out.number(count);
  for (const length of lengths) out.number(length);
  out.append(text);
  if (postings) out.append(postings);
  return out.bytes();
}

function malformed(what: string): never {
  throw new FactsCodecError('malformed', `encoded facts: ${what}`);
}

function asText(value: unknown, what: string): string {
  return typeof value === 'string' ? value : malformed(`${what} is not a string`);
}

function asCount(value: unknown, what: string): number {
  return Number.isSafeInteger(value) && (value as number) >= 0
    ? (value as number)
    : malformed(`${what} is not a count`);
}

function asList(value: unknown, what: string): readonly unknown[] {
  return Array.isArray(value) ? value : malformed(`${what} is not a list`);
}

function decodeDefinition(value: unknown, count: number): Definition {
  const row = asList(value, 'a definition');
  const kind = SYMBOL_KINDS[asCount(row[0], 'a kind')] ?? malformed('a kind is unknown');
  const lineStart = asCount(row[4], 'a line');
  const parent = row[6];
  if (!Number.isSafeInteger(parent) || (parent as number) < -1 || (parent as number) >= count) {
    malformed('a parent is not an index');
  }
  const scope = row[7] ?? 0;
  return {
    kind,
    name: asText(row[1], 'a name'),
    signature: asText(row[2], 'a signature'),
    doc: asText(row[3], 'a doc line'),
    lineStart,
    lineEnd: lineStart + asCount(row[5], 'a line count'),
    parent: parent as number,
    ...(scope === 0 ? {} : { scope: asText(scope, 'a scope') }),
    ...(row[8] === 1 ? { isLocal: true } : {}),
    ...(row[9] === 1 ? { isGuessed: true } : {}),
  };
}

/** Parents must not form a loop, or naming and rendering would not end. */
function checkParents(definitions: readonly Definition[]): void {
  const state = new Uint8Array(definitions.length);
  for (let start = 0; start < definitions.length; start++) {
    const chain: number[] = [];
    let at = start;
    while (at >= 0 && state[at] === 0) {
      state[at] = 1;
      chain.push(at);
      at = definitions[at]?.parent ?? -1;
    }
    if (at >= 0 && state[at] === 1) malformed('parents form a loop');
    for (const index of chain) state[index] = 2;
  }
}

const STRICT_UTF8 = new TextDecoder('utf-8', { fatal: true });

/** The JSON part and what follows the NUL; JSON itself holds no NUL. */
function split(bytes: Uint8Array): { readonly value: unknown; readonly tail: Uint8Array | undefined } {
  const end = bytes.indexOf(0);
  const json = end < 0 ? bytes : bytes.subarray(0, end);
  try {
    const value: unknown = JSON.parse(STRICT_UTF8.decode(json));
    return { value, tail: end < 0 ? undefined : bytes.subarray(end + 1) };
  } catch (cause) {
    throw new FactsCodecError('malformed', 'encoded facts: not JSON', { cause });
  }
}

function readWords(tail: Uint8Array | undefined, hasPostings: boolean): PackedWords {
  if (!tail || tail.length < 2) return malformed('the words are missing');
  const reader = new ByteReader(tail);
  const count = reader.number();
  const referenceCount = reader.number();
  // Each takes a byte at least: no list is longer than what there is.
  if (referenceCount > count || count + referenceCount > reader.left) malformed('there are fewer words than it says');
  const referenceCounts = reader.numbers(referenceCount);
  const lengths = reader.numbers(count);
  const end = lengths.reduce((sum, length) => sum + length, reader.at);
  if (end > tail.length) malformed('the words end early');
  const text = tail.subarray(reader.at, end);
  // A copy: the facts may be a view of a whole pack, which must not be kept for it.
  return { referenceCounts, lengths, text, postings: hasPostings ? tail.slice(end) : undefined };
}

/**
 * Reads what `encodeFacts` wrote. Postings are not checked: their readers skip owners that do not exist.
 * @throws FactsCodecError `version` for facts of another version, `malformed` for anything else.
 */
export function openFacts(bytes: Uint8Array): PackedFacts {
  const { value, tail } = split(bytes);
  const [version, path, contentHash, language, outcome, lineCount, rows, generated, hasPostings] = asList(
    value,
    'the whole',
  );
  if (version !== FACTS_VERSION) throw new FactsCodecError('version', `encoded facts of version ${String(version)}`);
  const rowList = asList(rows, 'the definitions');
  const definitions = rowList.map((row) => decodeDefinition(row, rowList.length));
  checkParents(definitions);
  return {
    path: asText(path, 'the path'),
    contentHash: asText(contentHash, 'the content hash'),
    language: language === 0 ? undefined : asText(language, 'the language'),
    outcome: FILE_OUTCOMES.find((known) => known === outcome) ?? malformed('the outcome is unknown'),
    lineCount: asCount(lineCount, 'the line count'),
    definitions,
    ...(generated === 1 ? { isGenerated: true } : {}),
    packed: readWords(tail, hasPostings === 1),
  };
}

/** Bytes of `"`, `\\` and `,` in UTF-8. */
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;

/** The `at`-th element of the encoded array, one of the plain ones before the definitions: its first byte and its end. */
function elementRange(encoded: Uint8Array, at: number): readonly [start: number, end: number] {
  let isInString = false;
  let element = 0;
  let start = 1;
  for (let i = 1; i < encoded.length; i++) {
    const byte = encoded[i];
    if (byte === BACKSLASH) i++;
    else if (byte === QUOTE) isInString = !isInString;
    else if (byte === COMMA && !isInString) {
      if (element === at) return [start, i];
      element++;
      start = i + 1;
    }
  }
  return malformed('it ends early');
}

/** The outcome alone, without decoding the rest. @throws FactsCodecError `malformed` when there is none. */
export function outcomeOf(encoded: Uint8Array): FileOutcome {
  const [start, end] = elementRange(encoded, 4);
  const text = new TextDecoder().decode(encoded.subarray(start + 1, end - 1));
  return FILE_OUTCOMES.find((known) => known === text) ?? malformed('the outcome is unknown');
}
