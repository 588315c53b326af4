/** The ways to show a content in part. Sizes are sums of cached counts: to measure a form, nothing is rendered. */
import type { ShownFile } from '../../model/report';
import { renderElement } from '../../render/element';
import type { LineTokenCounter, Size } from '../../tokens/lines';

/** A content that can be shown in part: form 0 shows least, the last one all. Neither unit falls as the number grows. */
export interface ContentForms {
  /** At least 1. */
  readonly count: number;
  /** Of the whole element, tags included. Sums of cached counts: nothing is rendered. */
  size(form: number): Size;
  /** The element's content. */
  render(form: number): string;
  readonly shown: (form: number) => ContentShown;
  /** Forms up to this one are granted with `P2` (the best files for the task); absent without any. */
  readonly early?: number;
}

/** What a form shows, for reasons and counts. */
export interface ContentShown {
  /** Entries shown of all, where the content has entries. `range`: which ones stay. */
  readonly entries?: { readonly shown: number; readonly total: number; readonly range: 'newest' | 'first' };
  /** Lines of a text; one that is shown up to a sentence counts as not shown. */
  readonly lines?: { readonly shown: number; readonly total: number };
  /** What is missing of the texts that are shown, a folder's together. `lines`: those of no entry that is missing. */
  readonly left?: { readonly entries: number; readonly lines: number };
  /** Of a folder, in rank order. */
  readonly files?: readonly ShownFile[];
  /** True when something is left out. */
  readonly isPartial: boolean;
}

/** Largest form from `least` to `most` that `fits`, which holds up to some form and not beyond; `least - 1` without any. */
export function largestForm(least: number, most: number, fits: (form: number) => boolean): number {
  let low = least - 1;
  let high = most;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (fits(middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** A text that is shown whole or not at all. */
export function wholeForm(id: string, text: string, counter: LineTokenCounter): ContentForms {
  const size = counter.measure(renderElement(id, text));
  return { count: 1, size: () => size, render: () => text, shown: () => ({ isPartial: false }) };
}
