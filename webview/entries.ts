/** The entries of a section that is a list, one line each. Pure. */
import type { ReportSection } from '../src/core/model/report';
import { entryTexts } from '../src/protocol/panel';

/** Entries listed until all are asked for. */
export const FIRST_ENTRIES = 5;

/** More of them are slow to lay out; the text has them. */
export const MOST_ENTRIES = 100;

/** One entry of a section's text. */
export interface EntryView {
  /** Its first line, without the mark that makes it an entry. */
  readonly line: string;
  /** The same without a date in front: newest first says enough. */
  readonly title: string;
  /** Its share of the section's tokens, by characters: an estimate. */
  readonly tokens: number;
}

/** The rows of an opened folder, as the list's keys know them: its files by their handles, then what unfolds the rest. */
export function fileRows({ id, files = [] }: ReportSection, hasAll: boolean): readonly string[] {
  const shown = files.slice(0, hasAll ? MOST_ENTRIES : FIRST_ENTRIES).map(({ handle }) => handle);
  return files.length > FIRST_ENTRIES ? [...shown, entriesItem(id)] : shown;
}

/** The name of a section's whole list of entries in the panel's state. */
export const entriesItem = (sectionId: string): string => `entries ${sectionId}`;

/** The name of a section's details in the panel's state. */
export const detailsItem = (sectionId: string): string => `details ${sectionId}`;

/** The name of a section's text in the panel's state. */
export const textItem = (sectionId: string): string => `text ${sectionId}`;

const MARK = /^\s*(?:#{1,6}\s+|(?:[-*+•]|\d{1,9}[.)])\s+|\|\s*)/;
const DATE = /^\[?\d{4}[-/.]\d{1,2}[-/.]\d{1,2}(?:[T ]\d{1,2}:\d{2}\S*)?\]?[\s:–—-]+(?=\S)/;
const MOST_TITLE_CHARS = 200;

function lineOf(text: string): string {
  const [line = ''] = text.slice(0, 2 * MOST_TITLE_CHARS).split('\n', 1);
  return line.replace(MARK, '').slice(0, MOST_TITLE_CHARS).trim();
}

/** Lines that say what is left out: no part of an entry. */
const MARKS = /^… .*\n?/gm;

/**
 * The entries that a section shows, newest first; empty where its text is no list, or is read as one with another number
 * of entries than the report says: then only the report is right. Linear in the text.
 */
export function entriesOf({ text, entries, files, tokens, chars }: ReportSection): readonly EntryView[] {
  if (files || !entries || entries.shown === 0) return [];
  const shown = text.replace(MARKS, '');
  const list = [entryTexts(shown), entryTexts(shown, { kind: 'line', newestEnd: 'first' })].find(
    (each) => each.length === entries.shown,
  );
  return (list ?? []).map((entry) => {
    const line = lineOf(entry);
    return { line, title: line.replace(DATE, ''), tokens: tokens * (entry.length / Math.max(1, chars)) };
  });
}
