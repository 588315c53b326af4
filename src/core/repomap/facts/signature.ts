import { stripComments } from './identifiers';
import type { Lexis } from './lexer';

/**
 * Facts keep a signature whole up to here (UTF-16 code units); beyond it is data, not a signature, such as a generated
 * table in a default value.
 */
export const MAX_SIGNATURE_CHARS = 4000;

/** A value (of a constant, an alias) is shown up to here. */
const MAX_VALUE_CHARS = 60;

/** Cuts at a code point, with `…`, so that the result has at most `maxChars` code units. */
export function ellipsize(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  let end = Math.max(0, maxChars - 1);
  const last = text.charCodeAt(end - 1);
  if (last >= 0xd800 && last <= 0xdbff) end--;
  return `${text.slice(0, end).trimEnd()}…`;
}

/** Whether there is nothing to fold: printable ASCII with single spaces inside, as most signatures are. */
function isFolded(text: string): boolean {
  let before = 32;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code < 32 || code > 126 || (code === 32 && before === 32)) return false;
    before = code;
  }
  return before !== 32 || text === '';
}

/** White space folded to single spaces; brackets that were broken over lines are closed up. */
export function foldLines(text: string): string {
  if (isFolded(text)) return text;
  return text
    .replace(/\\\r?\n/g, ' ')
    .replace(/([([<])\s*\n\s*/g, '$1')
    .replace(/,?\s*\n\s*([)\]>])/g, '$1')
    .replace(/[\s\u0085\p{Cc}]+/gu, ' ')
    .trim();
}

/** Source ranges that make a signature, as offsets into the file's text. */
export interface SignatureRanges {
  readonly start: number;
  /** Exclusive. */
  readonly end: number;
  /** A long value inside of the signature. */
  readonly value: { readonly start: number; readonly end: number } | undefined;
  /** Left out: annotations, decorators. In document order, without overlap. */
  readonly omitted: readonly { readonly start: number; readonly end: number }[];
  /** Word to put in front when the text does not begin with it. */
  readonly prefix: string | undefined;
  /** Removed from the end of a signature that has no value. */
  readonly trailing?: RegExp | undefined;
}

function clean(text: string, lexis: Lexis): string {
  return foldLines(stripComments(text, lexis));
}

/** The signature on one line: comments, annotations and the opening of the body removed, a long value cut. */
export function buildSignature(text: string, ranges: SignatureRanges, lexis: Lexis): string {
  const until = ranges.value?.start ?? ranges.end;
  let source = '';
  let from = ranges.start;
  for (const omitted of ranges.omitted) {
    if (omitted.start < from || omitted.end > until) continue;
    source += `${text.slice(from, omitted.start)} `;
    from = omitted.end;
  }
  source += text.slice(from, Math.max(from, Math.min(until, from + 4 * MAX_SIGNATURE_CHARS)));
  let signature = clean(source, lexis);
  if (ranges.value) {
    // Read a little more than is shown: folding only makes it shorter.
    const value = clean(text.slice(ranges.value.start, Math.min(ranges.value.end, ranges.value.start + 1000)), lexis);
    const space = /\s/u.test(text.charAt(ranges.value.start - 1)) ? ' ' : '';
    signature = `${signature}${space}${ellipsize(value.replace(/^[|&] /u, ''), MAX_VALUE_CHARS)}`;
  } else {
    signature = signature.replace(/(?:\s|[{:;])+$/u, '');
    if (ranges.trailing) signature = signature.replace(ranges.trailing, '').replace(/[\s;]+$/u, '');
  }
  if (ranges.prefix && !signature.startsWith(`${ranges.prefix} `)) signature = `${ranges.prefix} ${signature}`;
  return ellipsize(signature, MAX_SIGNATURE_CHARS);
}
