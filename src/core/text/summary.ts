import { cleanText } from './cleanText';
import { MAX_SENTENCE_CHARS, toOneLine } from './sentence';

/** How much of a text a summary is made from: more could not show. */
export const SUMMARY_HEAD_CHARS = 4000;

export let segmenter: Intl.Segmenter | undefined;

/** Cuts between what people see as characters; `…` takes the last of `maxChars` UTF-16 code units. */
export function cutAtGrapheme(line: string, maxChars: number): string {
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
