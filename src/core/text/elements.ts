import { hashText } from './hash';
import { toSentence } from './sentence';

/** Element names the text form uses itself; no section may have one of them as its id. */
export const RESERVED_ELEMENTS: readonly string[] = ['context-index', 'context-notes'];

/** What a section may be called: letters and digits of any script, `_` and `-`. */
export const SECTION_ID = /^[\p{L}\p{N}][\p{L}\p{N}_-]{0,79}$/u;

/** Longer names would not fit a row of the panel. */
export const MAX_ID_CHARS = 80;

/** Lower-case letters, digits and single hyphens; other characters become hyphens. May be empty. */
export function slug(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
}

/** An element's name for any text; the same for the same text and key. Matches `^[a-z][a-z0-9-]*$`. */
export function readableName(text: string, key: string): string {
  const plain = slug(text);
  const lettered = /^[a-z]/.test(plain) ? plain : `s-${plain}`;
  // Letters outside a–z are lost in a slug; the hash keeps two such names apart, and stable.
  const hasLost = /[^\p{ASCII}]/u.test(text);
  if (!hasLost && lettered.length <= MAX_ID_CHARS) return lettered;
  const stem = lettered.slice(0, MAX_ID_CHARS - 7).replace(/-+$/, '');
  return `${stem}-${hashText(key).slice(0, 6)}`;
}

/** The element that a section's id becomes: `recent_conversations` is `<recent-conversations>`, `2026` is `<s-2026>`. */
export function elementName(id: string): string {
  return /^[a-z][a-z0-9-]*$/.test(id) ? id : readableName(id, id);
}

/**
 * What a reader does not see: controls, format characters (zero-width ones), what fonts leave out (Unicode's
 * Default_Ignorable_Code_Point: variation selectors, Hangul fillers), and the blank of Braille.
 */
const UNSEEN = '\\p{Cc}\\p{Cf}\\p{Default_Ignorable_Code_Point}\\u2800';

/** What may stand between the parts of a tag. */
const GAP = `[\\s${UNSEEN}]*`;

/** Unseen characters may also be inside a name; white space ends it. */
const INSIDE = '[\\0-\\x08\\x0e-\\x1f\\x7f-\\x84\\x86-\\x9f\\p{Cf}\\p{Default_Ignorable_Code_Point}\\u2800]*';

/** `<`, an optional `/` and a name that ends a tag or goes on with attributes; gaps anywhere. Linear. */
const NAMED_TAG = new RegExp(`<(?=${GAP}(?:/${GAP})?([a-z](?:${INSIDE}[a-z0-9-])*)(?:[\\s${UNSEEN}/>]|$))`, 'giu');

const ALL_UNSEEN = new RegExp(`[${UNSEEN}]`, 'gu');

/**
 * A bare tag where one of our elements could begin: at the start of a line, a gap before it aside. That gap ends where
 * `^` finds another line, else a run of line separators would be scanned again from each of them.
 */
const LINE_START_TAG = new RegExp(
  `^([\\t\\v\\f\\p{Zs}\\p{Cf}\\p{Default_Ignorable_Code_Point}\\u2800\\0-\\x08\\x0e-\\x1f\\x7f-\\x9f]*)<(?=${GAP}(?:/${GAP})?[a-z](?:${INSIDE}[\\w:.-])*${GAP}>)`,
  'gimu',
);

/** Makes untrusted text unable to close or forge an element of a payload. */
export type Escape = (text: string) => string;

function escapeNamed(text: string, names: ReadonlySet<string>): string {
  return text.replace(NAMED_TAG, (bracket, name: string) =>
    names.has(name.replace(ALL_UNSEEN, '').toLowerCase()) ? '&lt;' : bracket,
  );
}

/**
 * An escape for a payload whose elements are the given section ids: `<` becomes `&lt;` where it opens or closes a tag of
 * one of those names or a reserved one (any case, any white space), and where a bare tag of any name starts a line,
 * since our elements always begin there. All other text stays as it is: `Promise<number>`, `a < b`, `<div class="x">`.
 */
export function createEscape(sectionIds: Iterable<string>): Escape {
  const names = new Set([...RESERVED_ELEMENTS, ...[...sectionIds].map(elementName)]);
  return (text) => (text.includes('<') ? escapeNamed(text, names).replace(LINE_START_TAG, '$1&lt;') : text);
}

const RESERVED = new Set(RESERVED_ELEMENTS);

/** An escape for a payload whose only elements are reserved ones: markup in source code stays as it is. */
export function escapeReserved(text: string): string {
  return text.includes('<') ? escapeNamed(text, RESERVED) : text;
}

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

function escapeSpecial(text: string): string {
  return text.replace(/[&<>"]/g, (character) => ESCAPES[character] ?? '');
}

/** What XML 1.0 forbids even as references (§2.2), lone surrogates included. */
const FORBIDDEN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: finding control characters is its purpose.
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

/** `text` as the content of an XML 1.0 element; forbidden characters are left out. */
export function escapeXml(text: string): string {
  return escapeSpecial(text.replace(FORBIDDEN, ''));
}

/** A start tag, or an empty element; `null` and `undefined` attributes are left out. Names must be XML names. */
export function xmlTag(name: string, attributes: Readonly<Record<string, unknown>>, form: 'open' | 'empty'): string {
  const written = Object.entries(attributes)
    .filter(([, value]) => value !== null && value !== undefined)
    .map(
      ([key, value]) =>
        ` ${key}="${escapeXml(String(value)).replace(/[\t\n\r]/g, (space) => `&#${space.charCodeAt(0)};`)}"`,
    );
  return `<${name}${written.join('')}${form === 'empty' ? '/' : ''}>`;
}

/** Wrapper of the rows of an index-only payload. */
export const INDEX_ELEMENT = 'context-index';

/** Closing element that says how to ask for more. */
export const NOTES_ELEMENT = 'context-notes';

/** The handle that expands a section. */
export function sectionHandle(id: string): string {
  return `section:${id}`;
}

/** Of `section:ID` and `section:ID/KEY`, a file of a folder section, with any lines; undefined for other handles. */
export function sectionOfHandle(handle: string): { readonly id: string; readonly key: string | undefined } | undefined {
  const groups = /^section:(?<id>[^/]*)(?:\/(?<key>.+))?$/s.exec(splitLines(handle).base)?.groups;
  return groups && { id: groups.id ?? '', key: groups.key };
}

/** Lines in a handle, such as `#L41-L60`; `#L41C120` begins inside of a line. A file's path may hold `#L` itself. */
const LINES = /^(?!file:)(?<base>.+)#L(?<line>[1-9]\d{0,8})(?:C(?<column>[1-9]\d{0,8}))?(?:-L?(?<end>[1-9]\d{0,8}))?$/;
const FILE_LINES = /^(?<base>file:.+?)(?:#L(?<line>\d+)(?:C(?<column>\d+))?(?:-L?(?<end>\d+))?)?$/;

/** Lines of a text, from 1 on; to its end where `end` is none. */
export interface LineRange {
  readonly line: number;
  /** Of the first line, where the range begins; from 1 on, in UTF-16 code units. Absent: with the line. */
  readonly column?: number;
  readonly end: number | undefined;
}

function linesIn(pattern: RegExp, handle: string): LineRange & { readonly base: string } {
  const { base = handle, line, column, end } = pattern.exec(handle)?.groups ?? {};
  const from = { base, line: Math.max(1, Number(line ?? 1)) };
  const last = end === undefined ? undefined : Number(end);
  return Number(column ?? 1) > 1 ? { ...from, column: Number(column), end: last } : { ...from, end: last };
}

/** The handle of a whole text and the lines of it that are meant: all of them where it names none, or is a file's. */
export function splitLines(handle: string): LineRange & { readonly base: string } {
  return linesIn(LINES, handle);
}

/** Splits off the lines of a file's handle, `file:src/a.ts#L10-L40`; a first line alone is a range of one line. */
export function splitFileLines(handle: string): LineRange & { readonly base: string } {
  const { end, ...from } = linesIn(FILE_LINES, handle);
  return { ...from, end: end ?? (from.base === handle ? undefined : from.line) };
}

/** The handle of those lines. */
export function withLines(base: string, { line, column, end }: LineRange): string {
  return `${base}#L${line}${column === undefined ? '' : `C${column}`}${end === undefined ? '' : `-L${end}`}`;
}

/** Back-ticks, three at least, that are more than any run in the text: no line of it can close a block (CommonMark 4.5). */
export function fenceOf(text: string): string {
  const runs = text.match(/`+/g) ?? [];
  return '`'.repeat(runs.reduce((longest, run) => Math.max(longest, run.length), 2) + 1);
}

/** What stands beside a text, and its fence where only a part of it is shown. */
interface DetailFrame {
  /** Whole lines. */
  readonly before?: string;
  readonly after?: string;
  readonly fence?: string;
}

/**
 * The text behind a handle between two marker lines that do not occur in it; nothing of it is changed. The first names
 * the handle, and the title where that says more; who uses it stands below the second. Ends with `\n`.
 */
export function renderDetail(
  { handle, title, uses }: { readonly handle: string; readonly title: string; readonly uses?: string | undefined },
  text: string,
  { before = '', after = '', fence = fenceOf(text) }: DetailFrame = {},
): string {
  const isSaid = handle.includes(title) || handle.startsWith(`file:${title.replace(/:(?=\d+$)/u, '#L')}`);
  const about = isSaid ? '' : ` ${toSentence(title, 200)}`;
  const name = `${toSentence(handle)}${about}`.replaceAll('`', "'");
  const end = text === '' || text.endsWith('\n') ? '' : '\n';
  return `${before}${fence} ${name}\n${text}${end}${fence}\n${uses === undefined ? '' : `${uses}\n`}${after}`;
}
