import { renderElement, renderMissingEntries } from '../../render/element';
import { elementName } from '../../text/elements';
import { type LineTokenCounter, NO_SIZE, type Size } from '../../tokens/lines';
import { keepNewest, type ListHints, readEntries } from './entries';
import { type ContentForms, largestForm } from './forms';

/** What the forms of a text are made of. */
interface TextFacts {
  readonly id: string;
  readonly handle: string;
  /** Stands before the list and always stays. */
  readonly head: string;
  readonly text: string;
  readonly hints: ListHints;
  readonly counter: LineTokenCounter;
}

/** A text that is shown whole or not at all. */
export function wholeForm(id: string, text: string, counter: LineTokenCounter): ContentForms {
  const size = counter.measure(renderElement(id, text));
  return { count: 1, size: () => size, render: () => text, shown: () => ({ isPartial: false }) };
}

/**
 * Forms of one text: one entry, two entries … all. Measured once, entry by entry: exact without rendering, because
 * segments start at points where token counts add up; what stands before the first entry is counted together with the
 * opening tag, since it may start with `/`. Lists without dates keep their first entries.
 */
export function textForms({ id, head, text, hints, counter }: TextFacts): ContentForms {
  const read = readEntries(text, hints);
  if (!read) return wholeForm(id, head + text, counter);
  const isByAge = read.isDated || hints.newestEnd === 'last' || hints.kind === 'line';
  const list = isByAge || hints.newestEnd ? read : (readEntries(text, { ...hints, newestEnd: 'first' }) ?? read);
  const range = isByAge ? 'newest' : 'first';
  const fixed = list.segments.filter((segment) => !segment.isEntry);
  const opensWithFixed = list.segments[0]?.isEntry === false;
  const opening = `<${elementName(id)}>\n${head}${opensWithFixed ? (fixed[0]?.text ?? '') : ''}`;
  const others = [...fixed.slice(opensWithFixed ? 1 : 0).map((segment) => segment.text), `</${elementName(id)}>\n`];
  const add = (size: Size, part: string): Size => ({
    tokens: size.tokens + counter.count(part),
    chars: size.chars + part.length,
  });
  const frame = others.reduce(add, add(NO_SIZE, opening));
  const note = renderMissingEntries(id, isByAge);
  const sizes: Size[] = [];
  let full = frame;
  for (const index of list.newestFirst) {
    full = add(full, list.segments[index]?.text ?? '');
    sizes.push(add(full, note));
  }
  const total = sizes.length;
  // The line that says what is missing may cost more than the last entries: then nothing would be saved.
  const fits = (form: number): boolean => {
    const { tokens, chars } = sizes[form] ?? full;
    return tokens <= full.tokens && chars <= full.chars;
  };
  const partial = largestForm(0, total - 2, fits) + 1;
  return {
    count: partial + 1,
    size: (form) => (form < partial ? (sizes[form] ?? full) : full),
    render: (form) => (form < partial ? head + keepNewest(list, form + 1) + note : head + text),
    shown: (form) => ({
      entries: { shown: form < partial ? form + 1 : total, total, range },
      isPartial: form < partial,
    }),
  };
}
