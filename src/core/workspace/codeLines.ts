/** Searches code for a text, such as an error message or a name in use: its lines, each with the definition around it. */
import type { TextHolders } from '../model/repoMap';
import { type Masks, maskStrings } from '../secrets/masking';
import { ellipsize } from '../text/sentence';
import { splitIdentifier, stemOf } from '../text/terms';

/** Lines of one definition that hold a text or most of its words; where they are few, with what stands around them. */
export interface TextBlock {
  readonly path: string;
  /** The definition that they stand in; `''` outside of all. */
  readonly name: string;
  /** The best of them, 1-based. */
  readonly line: number;
  /** The type that the definition belongs to, where that stands elsewhere in the file: its name and first line. */
  readonly type?: TextHolders['holders'][number]['type'];
  /** It holds the text itself, or every word of it that neither its path nor its definition's name holds. */
  readonly isWhole: boolean;
  /** In the order of the file, without the indentation that they share, each cut to one row. */
  readonly lines: readonly { readonly line: number; readonly text: string }[];
}

/** Files that are read for one question. */
const MAX_FILES = 16;
/** Lines of one definition: more of them are found by reading it. */
const MAX_OF_ONE = 4;
const MAX_PARTS_OF_ONE = 2;
/** A row of an answer; UTF-16 code units. Around few lines there is room for longer ones. */
const MAX_LINE_CHARS = 110;
const MAX_AROUND_CHARS = 160;
/** Blocks that are shown with the lines around them, and what all of these together have room for. */
const MAX_AROUND_BLOCKS = 3;
const CHARS_AROUND = 750;
/** What a row costs beside its text: its number. */
const ROW_CHARS = 8;
/** What a line is worth whose path or definition has words that it does not have itself. */
const PLACE_SHARE = 0.95;
/** What the first line of a definition is worth more. */
const DEFINES = 0.06;
/** Share of the words' weight that a line must hold where it does not hold the text itself. */
const MIN_SHARE = 0.6;
/** Share that is enough where no line reaches `MIN_SHARE`; few such lines are given. */
const FEWER_SHARE = 0.4;
const MAX_FEWER = 3;

/** Lines that bring a name in and do nothing with it. */
const IMPORT =
  /^\s*(?:import\b|from\s\S+\simport\b|use\s|using\s|#\s*include\b|export\s*(?:\*|\{)|(?:const|var|let)\s[^=]+=\s*require\()/u;

/** The words of a line and their parts in lower case, and the stems of these. */
function wordsOfLine(line: string): ReadonlySet<string> {
  const words = line.match(/[\p{L}_$][\p{L}\p{N}_$]*/gu) ?? [];
  const parts = words.flatMap((word) => [word.toLowerCase(), ...splitIdentifier(word)]);
  return new Set([...parts, ...parts.map(stemOf)]);
}

/** What every form of a word begins with. */
function beginningOf(word: string): string {
  const stem = stemOf(word);
  return stem.slice(0, Math.max(2, Math.min(4, stem.length - 1)));
}

/** Blanks in a row as one, in lower case. */
function plain(text: string): string {
  return text.replace(/\s+/gu, ' ').trim().toLowerCase();
}

interface Scored {
  readonly path: string;
  readonly name: string;
  readonly line: number;
  readonly isWhole: boolean;
  /** Each word in the form that was asked for. */
  readonly isAsAsked: boolean;
  readonly score: number;
  readonly isSource: boolean;
  /** Of the definition. */
  readonly range: readonly [first: number, last: number];
  readonly type: TextBlock['type'];
}

/** Lines of decorators that may stand above a name. */
const MAX_DECORATORS = 4;

/** The line that has the name of a definition: the first but for what stands above it; 0 outside of all. */
function firstLineOf(name: string, lineStart: number, lines: readonly string[]): number {
  if (name === '') return 0;
  const own = name.slice(name.lastIndexOf('.') + 1);
  const at = lines.slice(lineStart - 1, lineStart + MAX_DECORATORS).findIndex((line) => line.includes(own));
  return lineStart + Math.max(0, at);
}

/** The best lines of one definition. */
function linesOf(
  { path, name, lineStart, lineEnd, worth, type }: TextHolders['holders'][number],
  lines: readonly string[],
  words: TextHolders['words'],
  asked: string,
): readonly Scored[] {
  const phrase = plain(asked);
  const isOneName = !phrase.includes(' ');
  const total = words.reduce((sum, { weight }) => sum + weight, 0);
  const beginnings = words.map(({ word }) => beginningOf(word));
  const around = wordsOfLine(`${path.replaceAll('/', ' ')} ${name}`);
  const first = firstLineOf(name, lineStart, lines);
  const found: Scored[] = [];
  for (let line = lineStart; line <= Math.min(lineEnd, lines.length); line++) {
    const text = lines[line - 1] ?? '';
    const lower = text.toLowerCase();
    if (!beginnings.some((beginning) => lower.includes(beginning))) continue;
    const held = wordsOfLine(text);
    const shareOf = (...sets: readonly ReadonlySet<string>[]): number =>
      words.reduce(
        (sum, { word, weight }) => sum + (sets.some((set) => set.has(word) || set.has(stemOf(word))) ? weight : 0),
        0,
      ) / total;
    const asAsked = words.every(({ word }) => held.has(word) || around.has(word));
    const own = shareOf(held);
    const share = own === 0 ? 0 : Math.max(own, shareOf(held, around) * PLACE_SHARE);
    const isPhrase = plain(text).includes(phrase);
    if (share < FEWER_SHARE && !isPhrase) continue;
    const asWritten = isPhrase && text.includes(asked.trim()) ? 0.1 : 0;
    // What defines something comes before what uses it.
    const defines = line === first ? DEFINES : 0;
    found.push({
      path,
      line,
      name,
      score: (isPhrase ? 2 + asWritten : share) + defines,
      isWhole: isPhrase || share >= PLACE_SHARE,
      isAsAsked: isPhrase || (asAsked && !isOneName),
      isSource: worth === 1 && !IMPORT.test(text),
      range: [lineStart, lineEnd],
      type,
    });
  }
  const most = found.some(({ isWhole }) => isWhole) ? MAX_OF_ONE : MAX_PARTS_OF_ONE;
  return found.sort((a, b) => b.score - a.score || a.line - b.line).slice(0, most);
}

/** Lines told of one question: who has more of them asks for something rarer. */
const MAX_LINES = 24;
/** Lines of tests, docs, generated code and imports that are told beside those of the source. */
const MAX_BESIDE = 1;

/** Those of the source that hold all of the text, else those that hold most of it, and few others. */
function bestOf(found: readonly Scored[]): readonly Scored[] {
  const sorted = [...found].sort((a, b) => b.score - a.score);
  const ofSource = sorted.filter(({ isSource }) => isSource);
  const whole = ofSource.filter(({ isWhole }) => isWhole);
  const asAsked = whole.filter(({ isAsAsked }) => isAsAsked);
  const all = asAsked.length > 0 ? asAsked : whole;
  const most = all.length > 0 ? all : ofSource.filter(({ score }) => score >= MIN_SHARE);
  const sources = most.length > 0 ? most : ofSource.slice(0, MAX_FEWER);
  const besideThem = sorted.filter(({ isSource, score }) => !isSource && score >= 1);
  const beside = besideThem.slice(0, sources.length > 0 ? MAX_BESIDE : MAX_LINES);
  return [...sources, ...beside].slice(0, MAX_LINES);
}

function sizeOf(line: string | undefined): number {
  return Math.min((line ?? '').trim().length, MAX_AROUND_CHARS) + ROW_CHARS;
}

/** The numbers of the lines of one definition that are shown: as many around them as there is room for, more below than above. */
function linesAround(
  lines: readonly Scored[],
  room: number,
  text: readonly string[],
  isTold: (line: number) => boolean,
): readonly number[] {
  const numbers = new Set(lines.map(({ line }) => line));
  let chars = [...numbers].reduce((sum, line) => sum + sizeOf(text[line - 1]), 0);
  const [first, last] = lines[0]?.range ?? [1, text.length];
  const ends = [...numbers].map((line) => ({ above: line, below: line }));
  const isIn = (line: number): boolean => line >= first && line <= Math.min(last, text.length);
  for (let step = 0; chars < room && ends.some(({ above, below }) => isIn(above - 1) || isIn(below + 1)); step++)
    for (const end of ends) {
      const isAbove = step % 3 === 2 ? isIn(end.above - 1) : !isIn(end.below + 1);
      const next = isAbove ? --end.above : ++end.below;
      if (!isIn(next) || numbers.has(next) || isTold(next)) continue;
      chars += sizeOf(text[next - 1]);
      if (chars <= room) numbers.add(next);
    }
  const shown = [...numbers].sort((a, b) => a - b);
  return shown.filter((line) => (text[line - 1] ?? '').trim() !== '');
}

/** The lines that say `text`, those that hold all of it first, and the texts of their files. Reads each file once. */
export async function findTextBlocks(
  { words, holders }: TextHolders,
  text: string,
  readText: (path: string) => Promise<string | undefined>,
): Promise<{ readonly blocks: readonly TextBlock[]; readonly texts: ReadonlyMap<string, string> }> {
  const paths = words.length === 0 ? [] : [...new Set(holders.map(({ path }) => path))].slice(0, MAX_FILES);
  const texts = new Map<string, string>();
  for (const [at, read] of (await Promise.all(paths.map(readText))).entries())
    if (read !== undefined) texts.set(paths[at] as string, read);
  const linesIn = new Map([...texts].map(([path, read]) => [path, read.split('\n')]));
  const found = new Map<string, Scored>();
  for (const holder of holders)
    for (const each of linesOf(holder, linesIn.get(holder.path) ?? [], words, text)) {
      const key = `${each.path}\0${each.line}`;
      // A file's own lines are looked for among all of it: what stands in a definition is told with it.
      if (!found.has(key) || found.get(key)?.name === '') found.set(key, each);
    }
  const grouped = new Map<string, Scored[]>();
  for (const each of bestOf([...found.values()])) {
    const key = `${each.path}\0${each.name}\0${each.range[0]}`;
    grouped.set(key, [...(grouped.get(key) ?? []), each]);
  }
  const hasAround = grouped.size <= MAX_AROUND_BLOCKS;
  const told = new Set([...grouped.values()].flatMap((lines) => lines.map(({ path, line }) => `${path}:${line}`)));
  const room = hasAround ? CHARS_AROUND / grouped.size : 0;
  const numbersOf = new Map<readonly Scored[], readonly number[]>();
  // What stands outside of all definitions gets what these leave.
  const groups = [...grouped.values()];
  for (const lines of [...groups].sort((a, b) => Number(a[0]?.name === '') - Number(b[0]?.name === ''))) {
    const { path, isWhole } = lines[0] as Scored;
    const isTold = (line: number): boolean => told.has(`${path}:${line}`);
    const numbers = linesAround(lines, isWhole ? room : 0, linesIn.get(path) ?? [], isTold);
    for (const line of numbers) told.add(`${path}:${line}`);
    numbersOf.set(lines, numbers);
  }
  const blocks = groups.map((lines): TextBlock => {
    const { path, name, line, isWhole, type } = lines[0] as Scored;
    const numbers = numbersOf.get(lines) ?? [];
    return {
      path,
      name,
      line,
      isWhole,
      type: hasAround ? type : undefined,
      lines: numbers.map((each) => ({ line: each, text: '' })),
    };
  });
  const shown = new Set(blocks.map(({ path }) => path));
  return { blocks, texts: new Map([...texts].filter(([path]) => shown.has(path))) };
}

/** Without the blanks that all of them begin with. */
function withoutIndent(lines: readonly string[]): readonly string[] {
  let shared = /^\s*/u.exec(lines[0] ?? '')?.[0] ?? '';
  for (const line of lines) while (!line.startsWith(shared)) shared = shared.slice(0, -1);
  return lines.map((line) => line.slice(shared.length).trimEnd());
}

/** A line as a row: as it is written but for control characters. */
function rowOf(line: string, most: number): string {
  return ellipsize(line.replace(/[^\P{Cc}\t]|[\u2028\u2029]/gu, ' '), most);
}

/** Masks the secrets in blocks: whole files are masked, since what gives a secret away may stand above. @throws NotScanned */
export function maskTextBlocks(
  blocks: readonly TextBlock[],
  texts: ReadonlyMap<string, string>,
  masks: Masks,
): readonly TextBlock[] {
  const masked = new Map([...texts].map(([path, text]) => [path, maskStrings(text, masks).split('\n')]));
  const most = blocks.length <= MAX_AROUND_BLOCKS ? MAX_AROUND_CHARS : MAX_LINE_CHARS;
  return blocks.map((each) => {
    const told = withoutIndent(each.lines.map(({ line }) => masked.get(each.path)?.[line - 1] ?? ''));
    return {
      ...each,
      ...maskStrings({ path: each.path, name: each.name, type: each.type }, masks),
      lines: each.lines.map(({ line }, at) => ({ line, text: rowOf(told[at] ?? '', most) })),
    };
  });
}
