/** Token counts that add up: where a text may be split so that the parts' counts sum to its own, and their cache. */
import type { Tokenizer, TokenizerName } from '../ports/ports';
import { renderDetail } from '../text/elements';
import { cleanText } from '../text/sentence';
import { KnownCounts } from './knownCounts';

/** Tokens of an item shown in full, its marker lines and the line below them included. */
export function wholeDetailTokens(
  source: { readonly handle: string; readonly title: string; readonly text: string; readonly uses?: string },
  counter: Tokenizer,
): number {
  return counter.count(renderDetail(source, cleanText(source.text)));
}

/** Size of rendered text. */
export interface Size {
  readonly tokens: number;
  /** UTF-16 code units. */
  readonly chars: number;
}

export const NO_SIZE: Size = { tokens: 0, chars: 0 };

export function addSizes(left: Size, right: Size): Size {
  return { tokens: left.tokens + right.tokens, chars: left.chars + right.chars };
}

export function subtractSizes(left: Size, right: Size): Size {
  return { tokens: left.tokens - right.tokens, chars: left.chars - right.chars };
}

/** Whether neither unit is over `caps`. */
export function isWithin({ tokens, chars }: Size, caps: Size): boolean {
  return tokens <= caps.tokens && chars <= caps.chars;
}

const NEWLINE = 10;
const CARRIAGE_RETURN = 13;
const SLASH = 47;

/** Whether `\s` of a JavaScript regular expression matches the code unit. */
function isSpace(unit: number): boolean {
  if (unit < 128) return unit === 32 || (unit >= 9 && unit <= 13);
  return /\s/.test(String.fromCharCode(unit));
}

/** Whether the piece pattern ends at `start`, the start of a line: not before `/`, and not inside a run of blank lines. */
function isSplitPoint(text: string, start: number): boolean {
  if (text.charCodeAt(start) === SLASH) return false;
  for (let at = start; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit === NEWLINE || unit === CARRIAGE_RETURN) return false;
    if (!isSpace(unit)) return true;
  }
  return true;
}

/**
 * Splits `text` after each `\n` whose rest is neither `\s*[\r\n]` nor starts with `/`. For o200k_base and cl100k_base
 * the token counts of the parts sum exactly to the count of the whole: their piece patterns never match across such a
 * point (measured without one error on 23,452 documents; a punctuation piece is `[^\s\p{L}\p{N}]+[\r\n/]*`, hence the
 * slash). Parts joined give `text` again. Linear, on hostile input too.
 *
 * @example splitExactly('a\n\n  b\n// c\nd') // ['a\n\n', '  b\n// c\n', 'd']
 */
export function splitExactly(text: string): readonly string[] {
  const parts: string[] = [];
  let partStart = 0;
  for (let newline = text.indexOf('\n'); newline >= 0; newline = text.indexOf('\n', newline + 1)) {
    const lineStart = newline + 1;
    if (lineStart < text.length && isSplitPoint(text, lineStart)) {
      parts.push(text.slice(partStart, lineStart));
      partStart = lineStart;
    }
  }
  if (partStart < text.length) parts.push(text.slice(partStart));
  return parts;
}

/** A text of so many characters is remembered as a whole too: the next process need not split it. */
const WHOLE_CHARS = 500;

/**
 * Counts part by part and remembers the counts, so that a text that changed in one place costs one line. Counts equal
 * the inner tokenizer's: it splits with `splitExactly`.
 */
export class LineTokenCounter implements Tokenizer {
  readonly name: TokenizerName;
  readonly #countPart: (part: string) => number;
  readonly #watched = new Map<string, boolean>();
  #calls = 0;

  /** @param known counts of earlier, which may outlive this counter */
  constructor(
    inner: Tokenizer,
    private readonly known = new KnownCounts(),
  ) {
    this.name = inner.name;
    this.#countPart = (part) => {
      this.#calls++;
      return inner.count(part);
    };
  }

  /** The given tokenizer if it already counts by parts, else one around it. */
  static over(tokenizer: Tokenizer): LineTokenCounter {
    return tokenizer instanceof LineTokenCounter ? tokenizer : new LineTokenCounter(tokenizer);
  }

  count(text: string): number {
    return text.length < WHOLE_CHARS ? this.#sum(text) : this.known.countOf(text, () => this.#sum(text));
  }

  #sum(text: string): number {
    let total = 0;
    for (const part of splitExactly(text)) total += this.known.countOf(part, this.#countPart);
    return total;
  }

  measure(text: string): Size {
    return { tokens: this.count(text), chars: text.length };
  }

  /** Does work that measures the section `id`; `worked` tells later whether the tokenizer was needed for it. */
  watching<T>(id: string, measureIt: () => T): T {
    const before = this.#calls;
    const made = measureIt();
    this.#watched.set(id, this.#watched.get(id) === true || this.#calls > before);
    return made;
  }

  /** What the tokenizer had to do since the start: parts counted, and of the watched sections those that had any. */
  get worked(): CountingWork {
    const counted = [...this.#watched.values()].filter((isCounted) => isCounted).length;
    return { parts: this.#calls, sections: counted, sectionsTotal: this.#watched.size };
  }
}

/** See `LineTokenCounter.worked`. */
export interface CountingWork {
  readonly parts: number;
  readonly sections: number;
  readonly sectionsTotal: number;
}

/** UTF-8 bytes per token. */
const BYTES_PER_TOKEN = 4;

/**
 * A cheap estimate of the token count, to be shown with `≈` only: UTF-8 bytes ÷ 4, rounded up. Measured against
 * o200k_base on whole repositories of code: −5 % to +3 % on TypeScript, Go and Rust, +10 % and +17 % on Python; on
 * prose: Chinese −13 %, Japanese −2 %, Korean +3 % (characters ÷ 4 is off by −61 % on Chinese).
 */
export function estimateTokens(text: string): number {
  let bytes = 0;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    const isSurrogate = unit >= 0xd800 && unit <= 0xdfff;
    bytes += unit < 0x80 ? 1 : unit < 0x800 || isSurrogate ? 2 : 3;
  }
  return Math.ceil(bytes / BYTES_PER_TOKEN);
}
