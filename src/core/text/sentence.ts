import stripAnsi from 'strip-ansi';

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
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' });
  let end = 0;
  for (const { index, segment } of segmenter.segment(line.slice(0, maxChars * 4))) {
    if (index + segment.length > maxChars - 1) break;
    end = index + segment.length;
  }
  const space = line.lastIndexOf(' ', end);
  const isWordCut = space > maxChars / 2 && end < line.length && /\w/.test(line.charAt(end));
  return `${line.slice(0, isWordCut ? space : end).trimEnd()}…`;
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

/** One line of at most `maxChars` UTF-16 code units: cut at a space or between code points, with `…`. */
export function toSentence(text: string, maxChars: number = MAX_SENTENCE_CHARS): string {
  const line = toOneLine(text.length > HEAD_CHARS ? text.slice(0, HEAD_CHARS) : text);
  if (line.length <= maxChars) return line;
  const room = maxChars - 1;
  const space = line.lastIndexOf(' ', room);
  const isPairCut = /[\ud800-\udbff]/.test(line.charAt(room - 1));
  const end = space > room / 2 ? space : isPairCut ? room - 1 : room;
  return `${line.slice(0, end).trimEnd()}…`;
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
    if (/^\s*(?:```|~~~)/.test(line)) continue;
    const bare = toSentence(stripMarks(line.slice(0, LINE_CHARS)));
    if (/[\p{L}\p{N}]/u.test(bare)) return bare;
  }
  return '';
}
