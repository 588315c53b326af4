/**
 * Text as it was before JSON, HTML or a URL escaped it: names and values of secrets stand in it as in any other text. It
 * decides what is an escape; what is a secret decides the scanner.
 */
import type { SecretMatch } from './secretScanner';

/** Ways to write a sign: in strings of code and JSON, in HTML, in URLs. Each is undone on its own, since they may nest. */
const ESCAPES: readonly RegExp[] = [
  /\\{1,8}(?:u(?<code>[\da-f]{4})|x(?<byte>[\da-f]{2})|(?<sign>["'/]))/gi,
  /&(?:#x(?<code>[\da-f]{2,4})|#(?<decimal>\d{2,5})|(?<name>quot|apos|amp|lt|gt));/gi,
  /%(?<byte>[2-7][\da-f])/gi,
];
const ENTITIES: Readonly<Record<string, string>> = { quot: '"', apos: "'", amp: '&', lt: '<', gt: '>' };

/** How often the same escape is undone: `%253A`, `&amp;quot;`. */
const MAX_LEVELS = 3;

/** Stands between lines that may not be neighbours: no name and no value reaches over it. */
const BETWEEN_LINES = '\n;\n';

/** A text without one kind of escape. */
interface Plain {
  readonly text: string;
  /** Where a character of `text` begins in the escaped text. */
  readonly sourceOf: (at: number) => number;
}

/** The same, as scanners use it. */
export interface Unescaped {
  readonly text: string;
  /** The match in the escaped text; undefined where it is of several lines. */
  readonly toSource: (match: SecretMatch) => SecretMatch | undefined;
}

function signOf({ code, byte, decimal, name, sign }: Readonly<Record<string, string | undefined>>): string {
  const hex = code ?? byte;
  if (hex !== undefined) return String.fromCharCode(Number.parseInt(hex, 16));
  if (decimal !== undefined) return String.fromCharCode(Number(decimal));
  return ENTITIES[name?.toLowerCase() ?? ''] ?? sign ?? '';
}

/** The lines of a text that have such an escape, without it; undefined where none has. */
function unescaped({ text, sourceOf }: Plain, pattern: RegExp): Plain | undefined {
  const pieces: string[] = [];
  const offsets: number[] = [];
  let [done, lineEnd] = [0, -1];
  const copyTo = (to: number): void => {
    pieces.push(text.slice(done, to));
    for (let at = done; at < to; at++) offsets.push(at);
  };
  for (const { 0: whole, index, groups = {} } of text.matchAll(pattern)) {
    if (index >= lineEnd) {
      if (lineEnd >= 0) {
        copyTo(lineEnd);
        pieces.push(BETWEEN_LINES);
        offsets.push(...Array.from(BETWEEN_LINES, () => lineEnd));
      }
      done = text.lastIndexOf('\n', index) + 1;
      const newline = text.indexOf('\n', index);
      lineEnd = newline < 0 ? text.length : newline;
    }
    copyTo(index);
    pieces.push(signOf(groups));
    offsets.push(index);
    done = index + whole.length;
  }
  if (lineEnd < 0) return undefined;
  copyTo(lineEnd);
  return { text: pieces.join(''), sourceOf: (at) => sourceOf(offsets[at] ?? lineEnd) };
}

function forScanners({ text, sourceOf }: Plain): Unescaped {
  const toSource = ({ start, end, label }: SecretMatch): SecretMatch | undefined =>
    text.slice(start, end).includes('\n') ? undefined : { start: sourceOf(start), end: sourceOf(end), label };
  return { text, toSource };
}

/** The lines of `text` that have escapes, without them: at most three texts for each kind of escape. Linear. */
export function unescapedTexts(text: string): readonly Unescaped[] {
  return ESCAPES.flatMap((pattern) => {
    const found: Plain[] = [];
    let plain = unescaped({ text, sourceOf: (at) => at }, pattern);
    while (plain && found.length < MAX_LEVELS) {
      found.push(plain);
      plain = unescaped(plain, pattern);
    }
    return found.map(forScanners);
  });
}
