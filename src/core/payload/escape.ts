/** Element names the text form uses itself; no section may have one of them as its id. */
export const RESERVED_ELEMENTS: readonly string[] = ['context-index', 'context-notes', 'detail'];

/** `<`, an optional `/` and a name that ends a tag or goes on with attributes; white space anywhere. Linear. */
const NAMED_TAG = /<(?=\s*(?:\/\s*)?([a-z][a-z0-9-]*)(?:[\s/>]|$))/gi;

/**
 * A bare tag where one of our elements could begin: at the start of a line, white space before it aside. That white
 * space ends where `^` finds another line, else a run of line separators would be scanned again from each of them.
 */
const LINE_START_TAG = /^([^\S\n\r\u2028\u2029]*)<(?=\s*(?:\/\s*)?[a-z][\w:.-]*\s*>)/gim;

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
