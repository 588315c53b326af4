import type { SecretMatch } from './secretScanner';

const MARKER = /-----(BEGIN|END) [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g;

/** Characters of a key of 16,384 bits in PEM, and half as many again for indentation. */
const MAX_CHARS = 20_000;

/** Digits that a key has at least; a placeholder such as `...` has none. */
const MIN_DIGITS = 40;

/** One line of base64, or a header of an encrypted key; behind what a quotation, a list or a diff puts before it. */
const KEY_LINE =
  /^[\s>|+\-*"']{0,40}(?:[A-Za-z0-9+/=]{1,100}|(?:Proc-Type|DEK-Info|Comment|Version): [^\n]{1,80})?(?:\\n|[\s"',\\])*$/;

function base64Digits(text: string): number {
  return (
    text
      .replaceAll(/\\[nrt]/g, '')
      .match(/[A-Za-z0-9+/]{16,}/g)
      ?.join('').length ?? 0
  );
}

/** The end of a key whose last line is missing: after the lines that can be of one. */
function endOfLines(text: string, from: number, limit: number): number {
  let end = from;
  for (let at = text.indexOf('\n', from); at >= 0 && at < limit; ) {
    const next = text.indexOf('\n', at + 1);
    const line = text.slice(at + 1, next < 0 ? text.length : next);
    if (line.length > 200 || line.trim() === '' || !KEY_LINE.test(line)) break;
    end = at + 1 + line.length;
    at = next;
  }
  return end;
}

/**
 * Private keys in PEM, encrypted, indented, quoted or cut short as well, which libraries take for none. A mention of the
 * marker alone is no key. Linear.
 */
export function findPrivateKeys(text: string): readonly SecretMatch[] {
  const markers = [...text.matchAll(MARKER)];
  return markers.flatMap((marker, at): readonly SecretMatch[] => {
    if (marker[1] !== 'BEGIN') return [];
    const next = markers[at + 1];
    const body = marker.index + marker[0].length;
    const isClosed = next?.[1] === 'END' && next.index - body <= MAX_CHARS;
    const limit = Math.min(next?.index ?? text.length, body + MAX_CHARS);
    const end = isClosed ? next.index + next[0].length : endOfLines(text, body, limit);
    if (base64Digits(text.slice(body, end)) < MIN_DIGITS) return [];
    return [{ start: marker.index, end, label: 'private key' }];
  });
}
