import { renderMissingEntries } from '../../render/element';
import { elementName } from '../../text/elements';
import { type LineTokenCounter, NO_SIZE, type Size } from '../../tokens/lines';
import { type EntryList, keepNewest } from './entries';

/** A list of entries with the size of its element for every number of entries kept. */
export interface EntryTable {
  readonly total: number;
  /** True when the newest are kept, false when the first are, as in built-in lists. */
  readonly isByAge: boolean;
  /** See `EntryList.isDated`. */
  readonly isDated: boolean;
  /** See `ListHints.heads`; oldest first. */
  readonly heads: readonly string[] | undefined;
  readonly full: Size;
  /** Size of the element that keeps the newest `count` of fewer than all entries. */
  measure(count: number): Size;
  /** Content that keeps the newest `count` entries and says that there are more. */
  render(count: number): string;
  /** Tokens of the entries that `count` leaves out. */
  missingTokens(count: number): number;
}

/**
 * Measures a section's list once, entry by entry. `head` stands before the list and always stays. Exact without
 * rendering, because segments start at points where token counts add up; what stands before the first entry is
 * counted together with the opening tag, since it may start with `/`.
 */
export function measureEntries(
  id: string,
  head: string,
  list: EntryList,
  isByAge: boolean,
  counter: LineTokenCounter,
): EntryTable {
  const fixed = list.segments.filter((segment) => !segment.isEntry);
  const opensWithFixed = list.segments[0]?.isEntry === false;
  const name = elementName(id);
  const opening = `<${name}>\n${head}${opensWithFixed ? (fixed[0]?.text ?? '') : ''}`;
  const others = [...fixed.slice(opensWithFixed ? 1 : 0).map((segment) => segment.text), `</${name}>\n`];
  const add = (size: Size, text: string): Size => ({
    tokens: size.tokens + counter.count(text),
    chars: size.chars + text.length,
  });
  const frame = others.reduce(add, add(NO_SIZE, opening));
  const sums: Size[] = [frame];
  for (const index of list.newestFirst) sums.push(add(sums.at(-1) ?? frame, list.segments[index]?.text ?? ''));
  const full = sums.at(-1) ?? frame;
  const note = renderMissingEntries(id, isByAge);
  const noteSize = counter.measure(note);
  const at = (count: number): Size => sums[count] ?? full;
  return {
    total: list.newestFirst.length,
    isByAge,
    isDated: list.isDated,
    heads: list.heads,
    full,
    measure: (count) => ({ tokens: at(count).tokens + noteSize.tokens, chars: at(count).chars + noteSize.chars }),
    render: (count) => head + keepNewest(list, count) + note,
    missingTokens: (count) => full.tokens - at(count).tokens,
  };
}
