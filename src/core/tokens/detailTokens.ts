import type { Tokenizer } from '../ports/ports';
import { cleanText } from '../text/cleanText';
import { renderDetail } from '../text/elements';
import { escapeReserved } from '../text/escape';

/** Tokens of an item shown in full, tags included. */
export function wholeDetailTokens(
  source: { readonly handle: string; readonly title: string; readonly text: string },
  counter: Tokenizer,
): number {
  return counter.count(renderDetail(source, escapeReserved(cleanText(source.text))));
}
