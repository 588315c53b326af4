/**
 * How many columns a terminal gives a text. Decides widths only, never what is shown.
 */
import { eastAsianWidth } from 'get-east-asian-width';

/** Marks that sit on the character before them, joiners, selectors, and controls: no column of their own. */
const ZERO_WIDTH = /^[\p{Mn}\p{Me}\p{Cf}\p{Cc}]$/u;

function characterWidth(character: string): number {
  const codePoint = character.codePointAt(0) ?? 0;
  if (codePoint >= 0x20 && codePoint < 0x7f) return 1;
  if (ZERO_WIDTH.test(character)) return 0;
  return eastAsianWidth(codePoint);
}

/** Columns of `text` in a terminal. Emoji sequences count their parts, as most terminals draw them. */
export function displayWidth(text: string): number {
  let width = 0;
  for (const character of text) width += characterWidth(character);
  return width;
}

/** The longest start (or end) of `text` that fits `columns`, whole characters only. */
function take(text: string, columns: number, fromEnd: boolean): string {
  const characters = fromEnd ? [...text].reverse() : [...text];
  const kept: string[] = [];
  let width = 0;
  for (const character of characters) {
    width += characterWidth(character);
    if (width > columns) break;
    kept.push(character);
  }
  return (fromEnd ? kept.reverse() : kept).join('');
}

/** `text` in at most `columns` columns (at least 1), `…` where it is cut: at the end or in the middle, as for paths. */
export function fitWidth(text: string, columns: number, cut: 'end' | 'middle'): string {
  if (displayWidth(text) <= columns) return text;
  if (cut === 'end') return `${take(text, columns - 1, false)}…`;
  const tail = Math.ceil(((columns - 1) * 2) / 3);
  return `${take(text, columns - 1 - tail, false)}…${take(text, tail, true)}`;
}

/** `text` with spaces up to `columns`; unchanged when it is wider. */
export function padWidth(text: string, columns: number, align: 'left' | 'right'): string {
  const space = ' '.repeat(Math.max(0, columns - displayWidth(text)));
  return align === 'left' ? text + space : space + text;
}
