import stripAnsi from 'strip-ansi';
import { FENCE } from './markdown';

/** Text as every later stage expects it: no byte order mark, no terminal colours, `\n` line ends only. Linear. */
export function cleanText(text: string): string {
  const bare = stripAnsi(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text);
  return bare.includes('\r') ? bare.replace(/\r\n?/g, '\n') : bare;
}

/** How much of a text a summary is made from: more could not show. */
const SUMMARY_HEAD_CHARS = 4000;

let segmenter: Intl.Segmenter | undefined;

/** Cuts between what people see as characters; `…` takes the last of `maxChars` UTF-16 code units. */
function cutAtGrapheme(line: string, maxChars: number): string {
  if (line.length <= maxChars) return line;
  let end = 0;
  for (const next of graphemeEnds(line.slice(0, maxChars * 4))) {
    if (next > maxChars - 1) break;
    end = next;
  }
  const space = line.lastIndexOf(' ', end);
  const isWordCut = space > maxChars / 2 && end < line.length && /\w/.test(line.charAt(end));
  return `${line.slice(0, isWordCut ? space : end).trimEnd()}…`;
}

/** 1-based line of an offset. Linear in `offset`. */
export function lineAt(text: string, offset: number): number {
  let line = 1;
  for (let at = text.indexOf('\n'); at >= 0 && at < offset; at = text.indexOf('\n', at + 1)) line++;
  return line;
}

/** Lone surrogates cannot be written as UTF-8: U+FFFD stands for them. */
export function wellFormed(text: string): string {
  return text.replace(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, '\uFFFD');
}

/** One line of at most `maxChars` UTF-16 code units, never cut inside a grapheme; `…` says that there was more. */
export function toSummary(text: string, maxChars: number = MAX_SENTENCE_CHARS): string {
  const head = text.length > SUMMARY_HEAD_CHARS ? text.slice(0, SUMMARY_HEAD_CHARS) : text;
  return cutAtGrapheme(wellFormed(toOneLine(cleanText(head))), maxChars);
}

/** A row's sentence: at most this many UTF-16 code units (DESIGN §2, observation summaries; §3.6, index rows). */
const MAX_SENTENCE_CHARS = 120;

/** How far into a text a first line is looked for: a title stands at the top. */
const HEAD_CHARS = 8000;

/** How much of a line is looked at: links in it may be longer than what they show. */
const LINE_CHARS = 1000;

/** C0 and C1 controls and Unicode line separators: nothing of them belongs into one line. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: finding control characters is its purpose.
const CONTROLS = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g;

/** Folds `text` into one line: white space runs and control characters become one space, ends are trimmed. */
export function toOneLine(text: string): string {
  return text.replace(CONTROLS, ' ').replace(/\s\s+/g, ' ').trim();
}

/** Cuts at a code point, with `…`, so that the result has at most `maxChars` code units. */
export function ellipsize(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  let end = Math.max(0, maxChars - 1);
  const last = text.charCodeAt(end - 1);
  if (last >= 0xd800 && last <= 0xdbff) end--;
  return `${text.slice(0, end).trimEnd()}…`;
}

/** One line of at most `maxChars` UTF-16 code units: cut at a space or between code points, with `…`. */
export function toSentence(text: string, maxChars: number = MAX_SENTENCE_CHARS): string {
  const line = toOneLine(text.length > HEAD_CHARS ? text.slice(0, HEAD_CHARS) : text);
  if (line.length <= maxChars) return line;
  const room = maxChars - 1;
  const space = line.lastIndexOf(' ', room);
  return space > room / 2 ? `${line.slice(0, space).trimEnd()}…` : ellipsize(line, maxChars);
}

/** Removes the marks of a Markdown line: heading, bullet, quote, check box, table bars, emphasis, code, links. */
function stripMarks(line: string): string {
  return line
    .replace(/^[\s>]*(?:#{1,6}(?=\s)|[-*+](?=\s)|\d{1,9}[.)](?=\s))?\s*(?:\[[ xX]\]\s+)?/, '')
    .replace(/!?\[([^\]]{0,200})\]\([^)]{0,500}\)/g, '$1')
    .replace(/(\*\*|__|~~|`)(?=\S)/g, '')
    .replace(/(?<=\S)(\*\*|__|~~|`)/g, '')
    .replace(/^\|\s*|\s*\|\s*$/g, '')
    .replace(/\s+#+\s*$/, '');
}

/** The part of `text` after YAML front matter, if it starts with one. */
function afterFrontMatter(text: string): string {
  if (!text.startsWith('---\n')) return text;
  const end = text.indexOf('\n---', 3);
  const lineEnd = end < 0 ? -1 : text.indexOf('\n', end + 1);
  return lineEnd < 0 ? text : text.slice(lineEnd + 1);
}

/** First line of a text with a letter or digit, as a sentence without Markdown marks; empty when there is none. */
export function firstLineOf(text: string): string {
  const head = afterFrontMatter(text.slice(0, HEAD_CHARS));
  for (const line of head.replace(/<!--[\s\S]*?-->/g, '').split('\n')) {
    if (FENCE.test(line)) continue;
    const bare = toSentence(stripMarks(line.slice(0, LINE_CHARS)));
    if (/[\p{L}\p{N}]/u.test(bare)) return bare;
  }
  return '';
}

/** A terminator, what closes, white space (none after full-width ones), and a letter or digit that may start a sentence. */
const SENTENCE_BREAK =
  /[.!?؟।۔][)\]"'”’»*_`]*\s+(?=[\p{Lu}\p{Lo}\p{N}])|[。！？｡][”’」』）\]*_`]*\s*(?=[\p{L}\p{N}])/gu;
/** Ends with a full stop that ends no sentence: initials, abbreviations, numbers of lists. */
const ABBREVIATION =
  /(?:^|[^\p{L}\p{N}])(?:\p{L}|\p{L}\.\p{L}|\d{1,2}|mrs?|ms|dr|prof|st|nos?|vs|etc|approx|figs?|cf|eg|ie|jr|sr|inc|ltd|co)$/iu;

/** Whether the full stop at `dot` ends an abbreviation, and no sentence. */
export function isAbbreviation(text: string, dot: number): boolean {
  return text[dot] === '.' && ABBREVIATION.test(text.slice(Math.max(0, dot - 10), dot));
}

/** Where sentences of a line begin, its first aside: behind the white space that parts them. Linear. */
export function* sentenceStarts(line: string): Generator<number> {
  for (const { 0: end, index } of line.matchAll(SENTENCE_BREAK))
    if (!isAbbreviation(line, index)) yield index + end.length;
}

function* endsOf(pattern: RegExp, text: string): Generator<number> {
  for (const { 0: match, index } of text.matchAll(pattern)) yield index + match.length;
}

function* graphemeEnds(text: string): Generator<number> {
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' });
  for (const { index, segment } of segmenter.segment(text)) yield index + segment.length;
}

/** Where a line may be cut, the best first: behind a sentence, white space, what is no letter or digit, a character. */
const CUTS: readonly ((text: string) => Iterable<number>)[] = [
  sentenceStarts,
  (text) => endsOf(/\s+/gu, text),
  (text) => endsOf(/[^\p{L}\p{M}\p{N}_]+/gu, text),
  graphemeEnds,
  (text) => endsOf(/./gsu, text),
];

/** What stands behind a place and says whether a sentence or a character goes on. UTF-16 code units. */
const LOOKAHEAD_CHARS = 40;

/**
 * Where to cut a line within its first `maxChars` UTF-16 code units: of each kind of place the last one, the best kind
 * first, but none that shows less than a third of what has room where another kind shows more. Words are cut only where one
 * alone is longer, characters only where one is. Linear in `maxChars`.
 */
export function* cutsWithin(line: string, maxChars: number): Generator<number> {
  const head = line.slice(0, maxChars + LOOKAHEAD_CHARS);
  const lasts = CUTS.map((endsIn) => {
    let last = 0;
    for (const end of endsIn(head)) {
      if (end > maxChars) break;
      last = end;
    }
    return last;
  });
  yield* lasts.slice(0, -1).filter((last) => last > 0 && last >= maxChars / 3);
  yield* lasts.filter((last) => last > 0);
}
