/** Element names the text form uses itself; no section may have one of them as its id. */
export const RESERVED_ELEMENTS: readonly string[] = ['context-index', 'context-notes', 'detail'];

/** What a reader does not see between the parts of a tag: white space, controls, format characters (zero-width ones). */
const GAP = '[\\s\\p{Cc}\\p{Cf}]*';

/** `<`, an optional `/` and a name that ends a tag or goes on with attributes; gaps anywhere. Linear. */
const NAMED_TAG = new RegExp(`<(?=${GAP}(?:/${GAP})?([a-z][a-z0-9-]*)(?:[\\s\\p{Cc}\\p{Cf}/>]|$))`, 'giu');

/**
 * A bare tag where one of our elements could begin: at the start of a line, a gap before it aside. That gap ends where
 * `^` finds another line, else a run of line separators would be scanned again from each of them.
 */
const LINE_START_TAG = new RegExp(
  `^([\\t\\v\\f\\p{Zs}\\p{Cf}\\0-\\x08\\x0e-\\x1f\\x7f-\\x9f]*)<(?=${GAP}(?:/${GAP})?[a-z][\\w:.-]*${GAP}>)`,
  'gimu',
);

/** Makes untrusted text unable to close or forge an element of a payload. */
export type Escape = (text: string) => string;

function escapeNamed(text: string, names: ReadonlySet<string>): string {
  return text.replace(NAMED_TAG, (bracket, name: string) => (names.has(name.toLowerCase()) ? '&lt;' : bracket));
}

/**
 * An escape for a payload whose elements are the given section ids: `<` becomes `&lt;` where it opens or closes a tag of
 * one of those names or a reserved one (any case, any white space), and where a bare tag of any name starts a line,
 * since our elements always begin there. All other text stays as it is: `Promise<number>`, `a < b`, `<div class="x">`.
 */
export function createEscape(sectionIds: Iterable<string>): Escape {
  const names = new Set([...RESERVED_ELEMENTS, ...sectionIds]);
  return (text) => (text.includes('<') ? escapeNamed(text, names).replace(LINE_START_TAG, '$1&lt;') : text);
}

const RESERVED = new Set(RESERVED_ELEMENTS);

/** An escape for a payload whose only elements are reserved ones: markup in source code stays as it is. */
export function escapeReserved(text: string): string {
  return text.includes('<') ? escapeNamed(text, RESERVED) : text;
}
