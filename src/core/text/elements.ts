import { toSentence } from './sentence';

/** Wrapper of the rows of an index-only payload. */
export const INDEX_ELEMENT = 'context-index';

/** Closing element that says how to ask for more. */
export const NOTES_ELEMENT = 'context-notes';

/** The handle that expands a section. */
export function sectionHandle(id: string): string {
  return `section:${id}`;
}

/** Of what is no file, since a file's handle ends where its lines do. */
export const FROM_LINE = /^(?!file:)(?<base>.+)#L(?<line>[1-9]\d{0,8})$/;

/** The handle of a whole text and the line to go on from; 1 where it names none, or is a file's. */
export function splitFromLine(handle: string): { readonly base: string; readonly line: number } {
  const groups = FROM_LINE.exec(handle)?.groups;
  return { base: groups?.base ?? handle, line: Number(groups?.line ?? 1) };
}

/** The element of one item; handle and title are attributes, since handles are no element names. */
export const DETAIL_ELEMENT = 'detail';

export function toAttribute(text: string): string {
  return toSentence(text, 200)
    .replace(/&/g, '&amp;')
    .replace(/"/g, '&quot;')
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;');
}

/** The element of one item; `content` is escaped already. Ends with `\n`. */
export function renderDetail(
  { handle, title }: { readonly handle: string; readonly title: string },
  content: string,
): string {
  const tag = `${DETAIL_ELEMENT} handle="${toAttribute(handle)}" title="${toAttribute(title)}"`;
  const body = content === '' ? '' : content.endsWith('\n') ? content : `${content}\n`;
  return `<${tag}>\n${body}</${DETAIL_ELEMENT}>\n`;
}
