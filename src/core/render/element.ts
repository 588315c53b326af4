/**
 * The pieces of the text form: elements, index rows and the one-liners that stand for a section. It decides how a piece
 * is written, not which pieces a payload has. Every piece starts at a line start with a letter or `<` and ends with
 * `\n`, so that the token counts of pieces add up to the count of the whole (`tokens/lines.ts`).
 */

import type { Status } from '../model/section';
import type { Escape } from '../text/elements';
import { elementName, sectionHandle } from '../text/elements';
import { toSentence } from '../text/sentence';

/** `<id>one line</id>` or the content on lines of its own; `content` is escaped already. Ends with `\n`. */
export function renderElement(id: string, content: string): string {
  const name = elementName(id);
  if (!content.includes('\n')) return `<${name}>${content}</${name}>\n`;
  return `<${name}>\n${content}${content.endsWith('\n') ? '' : '\n'}</${name}>\n`;
}

/** A cell of a row: one escaped line of at most a sentence's length, without the row's separator. */
export function toCell(text: string, escapeTags: Escape): string {
  // Folding white space may form a tag that was none before: escape comes last.
  return escapeTags(toSentence(text).replaceAll('|', '¦'));
}

/** What a row or a one-liner says of a section. */
interface RowFacts {
  readonly id: string;
  readonly status: Status;
  /** The sentence as a cell. */
  readonly cell: string;
  /** Tokens of the section in full. */
  readonly tokensFull: number;
}

/** A row of the index: `STATUS | id | sentence | ~N tok | section:id`, ends with `\n`. */
export function renderRow({ id, status, cell, tokensFull }: RowFacts): string {
  return `${status} | ${id} | ${cell} | ~${tokensFull} tok | ${sectionHandle(id)}\n`;
}

/** The content of an element that keeps one sentence; an alarm keeps its status word. */
export function renderSentence({ id, status, cell, tokensFull }: RowFacts): string {
  const alarm = status === 'OK' ? '' : `${status} | `;
  return `${alarm}${cell} | ~${tokensFull} tok | ${sectionHandle(id)}`;
}

/**
 * The content of a stub: that the section exists, what it would cost, how to ask for it. `titleCell` may be empty.
 * `lastCitedCycle`: the cycle's number, not its age, so that the line stays the same until it is cited again.
 */
export function renderStub(id: string, titleCell: string, tokensFull: number, lastCitedCycle?: number): string {
  const cited = lastCitedCycle === undefined ? '' : `last cited in cycle ${lastCitedCycle} | `;
  return `${titleCell === '' ? '' : `${titleCell} | `}~${tokensFull} tok | ${cited}${sectionHandle(id)}`;
}
