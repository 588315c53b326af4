import type { RepoMapView } from '../../model/repoMap';
import { renderElement } from '../../render/element';
import type { RankedMap } from '../../repomap/facts/types';
import { filesOf } from '../../text/counts';
import type { Escape } from '../../text/elements';
import { formatCount, plural } from '../../text/numbers';
import { inEnglish, type Phrase, phrase } from '../../text/phrase';
import type { LineTokenCounter, Size } from '../../tokens/lines';

/**
 * Item counts by which a map shrinks from `current` (not included) to `floor`: by a thirty-second of what is left, at
 * least one, so that a large map needs some hundred renderings at most. It does not depend on any cap.
 */
export function* mapFormCounts(current: number, floor: number): Generator<number> {
  let count = current;
  while (count > floor) {
    count = Math.max(floor, count - Math.max(1, count >> 5));
    yield count;
  }
}

/** A ranked map with the size of its element for every number of items kept. */
export interface MapTable {
  /** Items whose element fits `map_tokens`. */
  readonly size: number;
  /** One sentence on the map of `size` items. */
  readonly summary: string;
  measure(count: number): Size;
  /** Whether `count` items name every file. */
  isWhole(count: number): boolean;
  /** Content of the element. */
  render(count: number): { readonly text: string; readonly view: RepoMapView };
}

/** `38 of 1,545 files`. */
export function mapShareWords(view: RepoMapView): Phrase {
  return phrase('{0} of {1}', view.filesShown, filesOf(view.filesTotal));
}

export function isWholeView({ filesShown, filesTotal }: RepoMapView): boolean {
  return filesShown === filesTotal;
}

/** Largest `n ≤ size` whose measure fits; measures do not fall as `n` grows. */
function largestFitting(size: number, fits: (count: number) => boolean): number {
  let low = 0;
  let high = size;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (fits(middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Fits a ranked map into `mapTokens`, the element's tags and escapes included. */
export function fitMap(
  id: string,
  map: RankedMap,
  context: { readonly counter: LineTokenCounter; readonly escapeTags: Escape; readonly mapTokens: number },
): MapTable {
  const render = (count: number): { text: string; view: RepoMapView } => {
    const { text, view } = map.render(count);
    return { text: context.escapeTags(text), view };
  };
  const sizes = new Map<number, Size>();
  const measure = (count: number): Size => {
    const size = sizes.get(count) ?? context.counter.measure(renderElement(id, render(count).text));
    sizes.set(count, size);
    return size;
  };
  const size = largestFitting(map.size, (count) => measure(count).tokens <= context.mapTokens);
  const { view } = render(size);
  const symbols = view.items.reduce((sum, file) => sum + file.symbols.length, 0);
  return {
    size,
    summary: `${inEnglish(mapShareWords(view))}, ${formatCount(symbols)} of ${plural(view.symbolsTotal, 'symbol')}, best ranked first`,
    measure,
    isWhole: (count) => isWholeView(render(count).view),
    render,
  };
}
