/**
 * What a reply says that is no evidence: what it merely repeats of the payload, and what it did not use. Quoting is no
 * use: pasted elements, copied lines and long verbatim runs are taken out before anything is looked for; what is said
 * about them stays.
 */
import { elementName, RESERVED_ELEMENTS } from '../../text/elements';
import type { CitablePayload } from './citablePayload';

/** Words of a verbatim run that make it a quotation; a character of Chinese counts half. */
const RUN_WEIGHT = 8;
/** Words of shingles: runs of that many are looked up, longer ones overlap. */
const RUN_WORDS = 8;
/** Words of a run between quotation marks, which say that it is quoted. */
const SAID_WORDS = 3;
/** A copied line of fewer words may be a coincidence. */
const LINE_WEIGHT = 3;
/** A quotation in marks is not longer than this. UTF-16 code units. */
const MAX_SAID_CHARS = 1000;

const WORD =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]|[^\s\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{P}\p{S}][^\s\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}"'`<>()[\]{},;!?|，。；：！？、（）「」『』《》“”‘’]*/gu;
const WIDE = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]$/u;
const SAID = new RegExp(
  ['""', '“”', '「」', '『』']
    .map(([open, close]) => `${open}[^${open}${close}\\n]{1,${MAX_SAID_CHARS}}${close}`)
    .join('|'),
  'gu',
);
const TAG = /<([a-z][a-z0-9-]*)>/gu;
/** In place of what was taken out: nothing joins over it. */
const GAP = '\n\n';

export interface Word {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly weight: number;
}

interface Range {
  readonly start: number;
  readonly end: number;
}

/** Two characters of Chinese are a word, some five of Katakana. */
function weightOfWord(word: string): number {
  if (/^[\p{Script=Katakana}ー]$/u.test(word)) return 0.2;
  return WIDE.test(word) ? 0.5 : 1;
}

export function wordsOf(text: string): readonly Word[] {
  return [...text.matchAll(WORD)].map(({ 0: word, index }) => {
    const bare = word.replace(/[.:]+$/u, '');
    return { text: bare.toLowerCase(), start: index, end: index + word.length, weight: weightOfWord(word) };
  });
}

/** Two 32-bit hashes as one number that a double holds exactly. */
export function shingle(ids: readonly number[], from: number, count: number): number {
  let left = 0;
  let right = 7;
  for (let at = from; at < from + count; at++) {
    left = (Math.imul(left, 0x01000193) ^ (ids[at] as number)) >>> 0;
    right = (Math.imul(right, 0x85ebca6b) + (ids[at] as number)) >>> 0;
  }
  return left * 0x200000 + (right >>> 11);
}

function shinglesOf(ids: readonly number[], count: number): ReadonlySet<number> {
  const all = new Set<number>();
  for (let from = 0; from + count <= ids.length; from++) all.add(shingle(ids, from, count));
  return all;
}

/** A line without the marks of quotes, lists and tables. */
function bareLine(line: string): string {
  return line
    .replace(/^[\s>*+-]+/u, '')
    .replace(/\s+/gu, ' ')
    .trim()
    .toLowerCase();
}

/** Lines that quote, with `>` at the start as in Markdown; code such as `>= 3` is none. */
function quotedLines(text: string): readonly Range[] {
  return [...text.matchAll(/^[ \t]{0,8}(?:[-*+] )?>(?=[\s>]|$)[^\n]*/gmu)].map(({ 0: line, index: start }) => ({
    start,
    end: start + line.length,
  }));
}

/** Knows a payload's text; finds it again in replies. Building and asking are linear. */
export class Quotes {
  readonly #ids = new Map<string, number>();
  readonly #runs: ReadonlySet<number>;
  readonly #said: ReadonlySet<number>;
  readonly #lines: ReadonlySet<string>;
  readonly #elements: ReadonlySet<string>;

  constructor({ text, sections }: CitablePayload) {
    const payload = text.normalize('NFKC');
    const ids = wordsOf(payload).map(({ text: word }) => {
      const id = this.#ids.get(word) ?? this.#ids.size + 1;
      this.#ids.set(word, id);
      return id;
    });
    this.#runs = shinglesOf(ids, RUN_WORDS);
    this.#said = shinglesOf(ids, SAID_WORDS);
    // A section of one line stands between its tags.
    const texts = [payload, ...sections.map((section) => section.text.normalize('NFKC'))];
    this.#lines = new Set(texts.flatMap((each) => each.split('\n').map(bareLine)));
    this.#elements = new Set([...RESERVED_ELEMENTS, ...sections.map(({ id }) => elementName(id))]);
  }

  /** The reply without what it quotes. */
  strip(reply: string): string {
    const own = this.#withoutElements(reply);
    return this.#withoutRuns(cut(own, quotedLines(own)));
  }

  /** The reply without what it pastes or copies line by line; words of the payload in its own sentences stay. */
  ownWords(reply: string): string {
    const own = this.#withoutElements(reply);
    return cut(
      own,
      [...this.#copiedLines(own), ...quotedLines(own)].sort((a, b) => a.start - b.start),
    );
  }

  /** A text without what stands in it between quotation marks and is the payload's. */
  withoutSaid(text: string): string {
    const words = wordsOf(text);
    return cut(text, this.#saidRanges(text, this.#covered(words, this.#idsOf(words), SAID_WORDS, this.#said)));
  }

  #idsOf(words: readonly Word[]): readonly number[] {
    return words.map(({ text }) => this.#ids.get(text) ?? 0);
  }

  #withoutElements(reply: string): string {
    const ranges: Range[] = [];
    const lastCloses = new Map<string, number>();
    let done = 0;
    for (const { 0: tag, 1: name = '', index } of reply.matchAll(TAG)) {
      if (index < done || !this.#elements.has(name)) continue;
      const close = `</${name}>`;
      const last = lastCloses.get(name) ?? reply.lastIndexOf(close);
      lastCloses.set(name, last);
      // Without an end only the tag goes; what of the text is copied, the runs show.
      done = last < index ? index + tag.length : reply.indexOf(close, index) + close.length;
      ranges.push({ start: index, end: done });
    }
    return cut(reply, ranges);
  }

  #withoutRuns(reply: string): string {
    const words = wordsOf(reply);
    const ids = this.#idsOf(words);
    const ranges = [
      ...this.#covered(words, ids, RUN_WORDS, this.#runs).filter((range) => range.weight >= RUN_WEIGHT),
      ...this.#copiedLines(reply),
      ...this.#saidRanges(reply, this.#covered(words, ids, SAID_WORDS, this.#said)),
    ];
    return cut(
      reply,
      ranges.sort((a, b) => a.start - b.start),
    );
  }

  /** Runs of words that stand so in the payload. */
  #covered(
    words: readonly Word[],
    ids: readonly number[],
    count: number,
    known: ReadonlySet<number>,
  ): (Range & { readonly weight: number })[] {
    const runs: { start: number; end: number; weight: number }[] = [];
    let until = -1;
    for (let from = 0; from + count <= ids.length; from++) {
      if (!known.has(shingle(ids, from, count))) continue;
      const last = runs.at(-1);
      const isNew = from > until || !last;
      const run = isNew ? { start: words[from]?.start ?? 0, end: 0, weight: 0 } : last;
      if (isNew) runs.push(run);
      for (let at = Math.max(isNew ? from : until, from); at < from + count; at++) run.weight += words[at]?.weight ?? 0;
      until = from + count;
      run.end = words[until - 1]?.end ?? run.end;
    }
    return runs;
  }

  #copiedLines(reply: string): readonly Range[] {
    const ranges: Range[] = [];
    for (let start = 0; start < reply.length; ) {
      const newline = reply.indexOf('\n', start);
      const end = newline < 0 ? reply.length : newline;
      const line = reply.slice(start, end);
      // A heading is a name, however short.
      const isLong = line.startsWith('#') || weightOf(line) >= LINE_WEIGHT;
      if (isLong && this.#lines.has(bareLine(line))) ranges.push({ start, end });
      start = end + 1;
    }
    return ranges;
  }

  /** What stands between quotation marks and is the payload's from end to end. */
  #saidRanges(reply: string, covered: readonly Range[]): readonly Range[] {
    const said = [...reply.matchAll(SAID)].map(({ 0: text, index }) => ({
      start: index,
      end: index + text.length,
      text,
    }));
    const found: Range[] = [];
    let at = 0;
    for (const { start, end, text } of said) {
      while ((covered[at]?.end ?? end) < start) at++;
      let chars = 0;
      for (let next = at; next < covered.length && (covered[next]?.start ?? end) < end; next++) {
        const run = covered[next];
        if (run) chars += Math.min(run.end, end) - Math.max(run.start, start);
      }
      if (chars >= text.length * 0.8) found.push({ start, end });
    }
    return found;
  }
}

function weightOf(line: string): number {
  return wordsOf(line).reduce((sum, { weight }) => sum + weight, 0);
}

/** The text without the ranges, which are in order and may overlap. */
function cut(text: string, ranges: readonly Range[]): string {
  if (ranges.length === 0) return text;
  const kept: string[] = [];
  let from = 0;
  for (const { start, end } of ranges) {
    if (start > from) kept.push(text.slice(from, start));
    from = Math.max(from, end);
  }
  kept.push(text.slice(from));
  return kept.join(GAP);
}

// What a reply says it did not use: `I did not open src/a.ts`, `not relevant here`, `没有用到`. Such sentences are no
// evidence, whatever they name. Rules that forbid something (`never use floats`) are content and stay.

/** Between sentences; a turn of the thought parts them too, as in `not needed here, but src/a.ts is`. */
const SENTENCE_END =
  /(?<=[.!?;])(?<!\b(?:no|nr|obs)\.)\s+|(?<=[。！？；])|(?=\b(?:but|because|however|since|instead|although|yet)\b)|(?=, (?:(?:so|and|hence|thus|therefore) )?(?:I|we)\b)|(?=但|因为|不过|而是|只改|所以)/iu;

const NOT = "(?:not|n't|never)";
const USED = '(?:use|need|open|read|touch|consult|change|load|look|follow|refer|require|expand|apply|go|rely)';

const DISMISSALS: readonly RegExp[] = [
  // Of the past or of oneself; an imperative is a rule.
  new RegExp(`\\b(?:did|was|were|have|has|had|could|would|will|do|does)(?: ?${NOT})(?: \\w+)? ${USED}`, 'iu'),
  new RegExp(
    `\\b(?:is|are|was|were|isn't|aren't|wasn't|weren't) ?(?:${NOT} )?(?:irrelevant|unrelated|unused|untouched)`,
    'iu',
  ),
  /(?:\bnot|n't) (?:\w+ )?(?:relevant|needed|used|necessary|required|useful|related|affected|involved|touched)\b/iu,
  /\bno need\b|\bnothing to do with\b|\bout of scope\b|\bwithout (?:using|needing|reading|opening|looking)\b/iu,
  /\bI(?:'ve| have)? (?:also )?(?:skip(?:ped)?|ignored?)\b/iu,
  /\bleft\b[^\n]{0,80}\b(?:alone|untouched)\b/iu,
  /\bneed(?:s|ed)? neither\b|\bneither (?:\w+ )?(?:mentions?|says?|helps?|applies|apply)\b/iu,
  /(?:没有?|未|并未|不)(?:再)?(?:使用|用到|用上|需要|参考|打开|读取|查看|涉及|改动|动到|相关)|无需|不必|没必要|无关|跳过|忽略了/u,
];

/** `Do not use X` at the beginning of a sentence is a rule. */
const IMPERATIVE = /^\W*(?:please )?(?:do not|don't|never)\b/iu;

/** True for a sentence that says what was not used. */
function isDismissal(sentence: string): boolean {
  return !IMPERATIVE.test(sentence) && DISMISSALS.some((pattern) => pattern.test(sentence));
}

/** A sentence in its halves where what was not used stands behind the colon alone: `Full-speed first: I did not open it`. */
function halvesOf(sentence: string): readonly string[] {
  const at = sentence.search(/: |：/u);
  const head = sentence.slice(0, at + 1);
  return at < 0 || !isDismissal(sentence) || isDismissal(head) ? [sentence] : [head, sentence.slice(at + 1)];
}

/** The sentences of one line. What ends one within inline code, as in `go test ./...`, does not. */
function sentencesOf(line: string): readonly string[] {
  const sentences: string[] = [];
  let isInCode = false;
  for (const part of line.split(SENTENCE_END)) {
    if (isInCode) sentences.push(`${sentences.pop()} ${part}`);
    else sentences.push(part);
    if (part.split('`').length % 2 === 0) isInCode = !isInCode;
  }
  // A single mark is none of code.
  return isInCode ? line.split(SENTENCE_END) : sentences;
}

/** The text's sentences, without those that say what was not used. Linear. */
export function usedSentences(text: string): readonly string[] {
  return text
    .split(/\n+/u)
    .flatMap(sentencesOf)
    .flatMap(halvesOf)
    .filter((sentence) => sentence.trim() !== '' && !isDismissal(sentence));
}
