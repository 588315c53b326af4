import type { RepoMapView } from '../../model/repoMap';
import { renderElement } from '../../render/element';
import type { RankedMap } from '../../repomap/facts/types';
import { filesOf } from '../../text/counts';
import type { Escape } from '../../text/elements';
import { formatCount, plural } from '../../text/numbers';
import { inEnglish, type Phrase, phrase } from '../../text/phrase';
import type { LineTokenCounter, Size } from '../../tokens/lines';
import { type ContentForms, largestForm } from './forms';

/** The forms of a ranked map: one item, two items … all that fit `map_tokens`. */
export interface MapForms extends ContentForms {
  /** One sentence on the largest form. */
  readonly summary: string;
  view(form: number): RepoMapView;
}

/** `38 of 1,545 files`. */
export function mapShareWords(view: RepoMapView): Phrase {
  return phrase('{0} of {1}', view.filesShown, filesOf(view.filesTotal));
}

export function isWholeView({ filesShown, filesTotal }: RepoMapView): boolean {
  return filesShown === filesTotal;
}

function symbolsOf({ items }: RepoMapView): number {
  return items.reduce((sum, { symbols }) => sum + symbols.length, 0);
}

/** What of the largest form is missing in another one, or where none is shown: files and, of the files shown, symbols. */
export function leftOfMap(
  map: MapForms,
  form: number | undefined,
): { readonly files: number; readonly symbols: number } {
  const full = map.view(map.count - 1);
  if (form === undefined) return { files: full.filesShown, symbols: 0 };
  const shown = map.view(form);
  const paths = new Set(shown.items.map(({ path }) => path));
  const same = { ...full, items: full.items.filter(({ path }) => paths.has(path)) };
  return { files: full.filesShown - shown.filesShown, symbols: symbolsOf(same) - symbolsOf(shown) };
}

/** Fits a ranked map into `mapTokens`, the element's tags and escapes included; undefined where nothing of it does. */
export function fitMap(
  id: string,
  map: RankedMap,
  context: { readonly counter: LineTokenCounter; readonly escapeTags: Escape; readonly mapTokens: number },
): MapForms | undefined {
  const sizes = new Map<number, Size>();
  const textOf = (form: number): string => context.escapeTags(map.render(form + 1).text);
  const size = (form: number): Size => {
    const known = sizes.get(form) ?? context.counter.measure(renderElement(id, textOf(form)));
    sizes.set(form, known);
    return known;
  };
  const last = largestForm(0, map.size - 1, (form) => size(form).tokens <= context.mapTokens);
  if (last < 0) return undefined;
  const view = (form: number): RepoMapView => map.render(form + 1).view;
  const full = view(last);
  return {
    count: last + 1,
    summary: `${inEnglish(mapShareWords(full))}, ${formatCount(symbolsOf(full))} of ${plural(full.symbolsTotal, 'symbol')}, best ranked first`,
    size,
    render: textOf,
    view,
    shown: (form) => ({ isPartial: form < last || !isWholeView(view(form)) }),
  };
}
