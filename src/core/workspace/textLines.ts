/** The lines of code that say a text, such as a message that somebody saw or a name in use, each with what it stands in. */
import type { TextHolders } from '../model/repoMap';
import { ellipsize, foldLines } from '../repomap/facts/signature';
import { type Masks, maskStrings } from '../secrets/masking';
import { splitIdentifier, stemOf } from '../text/terms';

/** A line that holds a text, or most of its words. */
export interface TextLine {
  readonly path: string;
  /** 1-based. */
  readonly line: number;
  /** The definition that it stands in; `''` outside of all. */
  readonly name: string;
  /** Without its indentation, cut to one row. UTF-16 code units. */
  readonly text: string;
  /** It holds the text itself, or every word of it. */
  readonly isWhole: boolean;
}

/** Files that are read for one question. */
const MAX_FILES = 16;
/** Lines of one definition: more of them are found by reading it. */
const MAX_OF_ONE = 2;
const MAX_LINE_CHARS = 100;
/** Share of the words' weight that a line must hold where it does not hold the text itself. */
const MIN_SHARE = 0.6;
/** The same where no line of the source holds so many of them; few of these are told. */
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

function shownText(line: string): string {
  return ellipsize(foldLines(line.trim()), MAX_LINE_CHARS);
}

interface Scored extends TextLine {
  readonly score: number;
  readonly isSource: boolean;
}

/** The best lines of one definition. */
function linesOf(
  { path, name, lineStart, lineEnd, worth }: TextHolders['holders'][number],
  lines: readonly string[],
  words: TextHolders['words'],
  phrase: string,
): readonly Scored[] {
  const total = words.reduce((sum, { weight }) => sum + weight, 0);
  const beginnings = words.map(({ word }) => beginningOf(word));
  const found: Scored[] = [];
  for (let line = lineStart; line <= Math.min(lineEnd, lines.length); line++) {
    const text = lines[line - 1] ?? '';
    const lower = text.toLowerCase();
    if (!beginnings.some((beginning) => lower.includes(beginning))) continue;
    const held = wordsOfLine(text);
    const share =
      words.reduce((sum, { word, weight }) => sum + (held.has(word) || held.has(stemOf(word)) ? weight : 0), 0) / total;
    const isPhrase = plain(text).includes(phrase);
    if (share < FEWER_SHARE && !isPhrase) continue;
    found.push({
      path,
      line,
      name,
      text: shownText(text),
      score: isPhrase ? 2 : share,
      isWhole: isPhrase || share >= 1,
      isSource: worth === 1 && !IMPORT.test(text),
    });
  }
  return found.sort((a, b) => b.score - a.score || a.line - b.line).slice(0, MAX_OF_ONE);
}

/** Lines told of one question: who has more of them asks for something rarer. */
const MAX_LINES = 24;
/** Lines of tests, docs, generated code and imports that are told beside those of the source. */
const MAX_BESIDE = 2;

/** The lines that say `text`, those that hold all of it first, and the texts of their files. Reads each file once. */
export async function findTextLines(
  { words, holders }: TextHolders,
  text: string,
  readText: (path: string) => Promise<string | undefined>,
): Promise<{ readonly lines: readonly TextLine[]; readonly texts: ReadonlyMap<string, string> }> {
  const paths = words.length === 0 ? [] : [...new Set(holders.map(({ path }) => path))].slice(0, MAX_FILES);
  const texts = new Map<string, string>();
  for (const [at, read] of (await Promise.all(paths.map(readText))).entries())
    if (read !== undefined) texts.set(paths[at] as string, read);
  const linesIn = new Map([...texts].map(([path, read]) => [path, read.split('\n')]));
  const phrase = plain(text);
  const found = new Map<string, Scored>();
  for (const holder of holders)
    for (const each of linesOf(holder, linesIn.get(holder.path) ?? [], words, phrase)) {
      const key = `${each.path}\0${each.line}`;
      // A file's own lines are looked for among all of it: what stands in a definition is told with it.
      if (!found.has(key) || found.get(key)?.name === '') found.set(key, each);
    }
  const sorted = [...found.values()].sort((a, b) => b.score - a.score);
  const ofSource = sorted.filter(({ isSource }) => isSource);
  const most = ofSource.filter(({ score }) => score >= MIN_SHARE);
  const sources = most.length > 0 ? most : ofSource.slice(0, MAX_FEWER);
  const besideThem = sorted.filter(({ isSource, score }) => !isSource && score >= 1);
  const beside = besideThem.slice(0, sources.length > 0 ? MAX_BESIDE : MAX_LINES);
  const lines = [...sources, ...beside].slice(0, MAX_LINES);
  const shown = new Set(lines.map(({ path }) => path));
  return {
    lines: lines.map(({ score, isSource, ...line }) => line),
    texts: new Map([...texts].filter(([path]) => shown.has(path))),
  };
}

/** The same lines without secrets: whole files are masked, since what gives a secret away may stand above. @throws NotScanned */
export function maskTextLines(
  lines: readonly TextLine[],
  texts: ReadonlyMap<string, string>,
  masks: Masks,
): readonly TextLine[] {
  const masked = new Map([...texts].map(([path, text]) => [path, maskStrings(text, masks).split('\n')]));
  return lines.map((each) => ({
    ...each,
    ...maskStrings({ path: each.path, name: each.name }, masks),
    text: shownText(masked.get(each.path)?.[each.line - 1] ?? ''),
  }));
}
