/** Definitions from the symbols that the editor's language extensions tell, for files without a grammar. */
import type { EditorSymbol } from '../../ports/ports';
import { foldLines } from './signature';
import type { Definition } from './types';

/** A file with more symbols is data (a dictionary, a lock file), and says nothing in a map. */
const MAX_SYMBOLS = 1000;
/** Symbols nest as the source does; a hostile provider's at will. */
const MAX_DEPTH = 50;
/** What opens a body and says nothing. */
const OPENERS = /[\s{:=(]+$/u;

/** The line that names the symbol, else its name and the detail that the extension gives. */
function signatureOf({ name, detail, nameLine }: EditorSymbol, lines: readonly string[]): string {
  const line = foldLines(lines[nameLine - 1] ?? '').trim();
  const full = line.includes(name) ? line.replace(OPENERS, '') : '';
  return full === '' ? foldLines(`${name} ${detail}`).trim() : full;
}

/** Lines of a file, 1-based, from whatever numbers an extension gave. */
function clamp(line: number, lines: readonly string[]): number {
  return Number.isSafeInteger(line) ? Math.min(Math.max(line, 1), Math.max(lines.length, 1)) : 1;
}

/** Parents before children, in the order given; empty when there are none, or too many to be code. */
export function readEditorSymbols(text: string, symbols: readonly EditorSymbol[]): readonly Definition[] {
  const lines = text.split(/\r\n|\r|\n/u);
  const definitions: Definition[] = [];
  const add = (list: readonly EditorSymbol[], parent: number, depth: number): void => {
    for (const symbol of list) {
      const { kind, name, lineStart, lineEnd, children } = symbol;
      if (definitions.length > MAX_SYMBOLS || depth > MAX_DEPTH) return;
      let place = parent;
      if (kind !== undefined && name.trim() !== '') {
        const start = clamp(lineStart, lines);
        const end = Math.max(start, clamp(lineEnd, lines));
        const signature = signatureOf(symbol, lines);
        const folded = foldLines(name).trim();
        definitions.push({ kind, name: folded, signature, doc: '', lineStart: start, lineEnd: end, parent });
        place = definitions.length - 1;
      }
      add(children, place, depth + 1);
    }
  };
  add(symbols, -1, 0);
  return definitions.length > MAX_SYMBOLS ? [] : definitions;
}
