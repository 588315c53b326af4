/**
 * Reads a text as pieces of whole lines (DESIGN §3.1, Entries): headings, entries of dated lists, items of undated ones
 * and blocks of prose. It decides what belongs together and which entries are newest, not what is shown.
 */

import { type FoundDate, isDateFirst } from '../../text/dates';
import { entryDate, type Place, rankPlaces, recordDates, rowDate, titleDate } from './listOrder';
import { findMessages, readLines, type TextLine } from './textLines';

/** What is known of a text before it is read. */
export interface ListHints {
  /** Every line is an entry of one list. */
  readonly kind?: 'line';
  /** Without `kind`: what matters most stands first, whatever the dates say (built-in lists). */
  readonly newestEnd?: 'first' | 'last';
}

/** Whole lines that are shown together, or from their start. */
export interface Piece {
  /** Ends with `\n`. Never starts with a blank line or `/`, but for the text's very first: so token counts add up. */
  readonly text: string;
  /** Its first line in the text, from 0. */
  readonly line: number;
  /**
   * `head`: a heading or a table's header, shown with the first piece below it. `entry`: of a dated list. `item`: of an
   * undated one. `block`: a paragraph, a code block, a heading with nothing below.
   */
  readonly kind: 'head' | 'entry' | 'item' | 'block';
  /** Index of the head that it stands below, else -1. */
  readonly under: number;
  /** Of an entry: 0 is the newest of its list. */
  readonly rank: number;
  /** Of an entry: `YYYY-MM-DD`, empty where none is known. */
  readonly day: string;
}

/** What starts at a line. */
interface Start {
  readonly kind: Piece['kind'];
  /** Of headings, and entries that are headings: they end what stands below heads of this level or deeper. */
  readonly level?: number;
  readonly inTable?: boolean;
  readonly place?: Place;
}

/** A table's header is the deepest head. */
const TABLE_LEVEL = 7;

const JSON_LINE = /^\{\s*"[^\n]*\}\s*$/;
const BULLET_MARK = /^\s*(?:[-*+•]|\d{1,9}[.)])\s+(?:\[[ xX]\]\s+)?/;

/** Reads one text; each method decides what starts at some of its lines. */
class PieceReader {
  readonly #starts: (Start | undefined)[] = [];
  /** Lines that are decided: in entries that are headings, in messages of a chat. */
  readonly #isOwned: Uint8Array;

  constructor(
    private readonly lines: readonly TextLine[],
    private readonly hints: ListHints,
  ) {
    this.#isOwned = new Uint8Array(lines.length);
  }

  read(): readonly Piece[] {
    if (this.hints.kind === 'line') this.#list(this.lines.flatMap(({ isBlank }, line) => (isBlank ? [] : [{ line }])));
    else if (!this.#readJsonLines()) this.#readMarkdown();
    return this.#build();
  }

  #list(entries: readonly { readonly line: number; readonly date?: FoundDate | undefined; readonly level?: number }[]) {
    const places = entries.map(({ line, date }) => ({ line, date, rank: 0, day: '' }));
    rankPlaces(places, this.hints.newestEnd);
    for (const [at, { line, level }] of entries.entries()) {
      const place = places[at];
      if (place) this.#starts[line] = { kind: 'entry', place, ...(level === undefined ? {} : { level }) };
    }
  }

  /** Messages and lines of JSON: the newest stand last, unless all are dated. */
  #listRecords(found: readonly number[]): void {
    const dates = recordDates(found.map((line) => this.#text(line)));
    this.#list(found.map((line, at) => ({ line, date: dates[at] })));
  }

  #text(line: number): string {
    return this.lines[line]?.head ?? '';
  }

  #readJsonLines(): boolean {
    const filled = this.lines.filter(({ isBlank }) => !isBlank).length;
    const found = this.lines.flatMap(({ head, text, isCode }, line) =>
      !isCode && head.startsWith('{') && JSON_LINE.test(text) ? [line] : [],
    );
    if (found.length < 2 || found.length * 2 < filled) return false;
    this.#listRecords(found);
    return true;
  }

  #readMarkdown(): void {
    const isByAge = this.hints.newestEnd === undefined;
    for (const chat of isByAge ? findMessages(this.lines) : []) {
      this.#listRecords(chat.starts);
      this.#isOwned.fill(1, chat.starts[0], chat.end);
    }
    const days = this.#readHeadings(isByAge);
    let from = 0;
    let day = '';
    for (let line = 0; line <= this.lines.length; line++) {
      const isEnd = line === this.lines.length;
      if (!isEnd && this.#isOwned[line] === 0 && this.lines[line]?.heading === 0) continue;
      if (from < line) this.#readBody(from, line, isByAge ? day : undefined);
      from = line + 1;
      day = days.get(line) ?? day;
    }
  }

  /** Headings that are entries: at least two dated ones below the same heading. Returns the day that each heading is below. */
  #readHeadings(isByAge: boolean): ReadonlyMap<number, string> {
    type Heading = { readonly line: number; readonly level: number; readonly date: FoundDate | undefined; end: number };
    const open: { readonly heading: Heading; readonly day: string }[] = [];
    const below = new Map<Heading | undefined, Heading[]>();
    const days = new Map<number, string>();
    for (const [line, { heading: level, head }] of this.lines.entries()) {
      if (level === 0 || this.#isOwned[line] === 1) continue;
      while ((open.at(-1)?.heading.level ?? 0) >= level) {
        const closed = open.pop();
        if (closed) closed.heading.end = line;
      }
      const parent = open.at(-1);
      const date = isByAge ? titleDate(head.slice(level + 1), parent?.day ?? '') : undefined;
      const heading = { line, level, date, end: this.lines.length };
      const siblings = below.get(parent?.heading) ?? [];
      siblings.push(heading);
      below.set(parent?.heading, siblings);
      const day = date?.day ?? parent?.day ?? '';
      days.set(line, day);
      open.push({ heading, day });
      this.#starts[line] = { kind: 'head', level };
    }
    // Parents come before their children: what stands in an entry is read as its text.
    for (const [parent, siblings] of below) {
      const dated = siblings.filter(({ date }) => date);
      if (dated.length < 2 || (parent && this.#isOwned[parent.line] === 1)) continue;
      this.#list(dated);
      for (const { line, end } of dated) {
        this.#isOwned.fill(1, line, end);
        for (let inner = line + 1; inner < end; inner++) this.#starts[inner] = undefined;
      }
    }
    return days;
  }

  /** What stands between two headings. `day`: named by a heading above, empty without one; undefined: dates do not count. */
  #readBody(from: number, to: number, day: string | undefined): void {
    if (day !== undefined) {
      const paragraphs = this.#datedParagraphs(from, to, day);
      const [first] = paragraphs;
      if (first && paragraphs.length > 1) {
        this.#list(paragraphs);
        this.#readUndated(from, first.line, day);
        return;
      }
    }
    const bullets = this.#datedBullets(from, to, day);
    const dated = bullets.flatMap(({ date }, at) => (date ? [at] : []));
    const [first = 0, last = 0] = [dated[0], dated.at(-1)];
    const next = bullets[last + 1];
    // Undated bullets above the first dated one, and below a blank line after the last, are no part of the log.
    const isApart = next !== undefined && this.lines[next.line - 1]?.isBlank === true;
    const end = isApart ? last + 1 : bullets.length;
    if (dated.length < 2 || dated.length * 2 < end - first) {
      this.#readUndated(from, to, day);
      return;
    }
    const list = bullets.slice(first, end);
    this.#list(list);
    this.#readUndated(from, list[0]?.line ?? to, day);
    if (isApart) this.#readUndated(next.line, to, day);
  }

  #datedParagraphs(from: number, to: number, day: string) {
    const found: { line: number; date: FoundDate }[] = [];
    for (let line = from; line < to; line++) {
      const { head = '', isCode, bullet = -1, isRow } = this.lines[line] ?? {};
      if (isCode || isRow || bullet >= 0 || /^\s|^$/.test(head)) continue;
      const date = entryDate(head, day);
      if (date && isDateFirst(head, date)) found.push({ line, date });
    }
    return found;
  }

  /** The bullets of the least indent. */
  #bullets(from: number, to: number): readonly number[] {
    const found: number[] = [];
    let least = Number.POSITIVE_INFINITY;
    for (let line = from; line < to; line++) {
      const { bullet = -1 } = this.lines[line] ?? {};
      if (bullet < 0 || bullet > least) continue;
      if (bullet < least) found.length = 0;
      least = bullet;
      found.push(line);
    }
    return found;
  }

  #datedBullets(from: number, to: number, day: string | undefined) {
    const bullets = this.#bullets(from, to).map((line) => {
      const text = this.#text(line).replace(BULLET_MARK, '');
      const date = day === undefined ? undefined : entryDate(text, day);
      return { line, date, isFirst: date !== undefined && isDateFirst(text, date) };
    });
    // Where entries start with their date, one in the middle of another is what that speaks of.
    const areFirst = bullets.filter(({ isFirst }) => isFirst).length > 1;
    return bullets.map(({ line, date, isFirst }) => ({ line, date: areFirst && !isFirst ? undefined : date }));
  }

  #readUndated(from: number, to: number, day: string | undefined): void {
    const items = new Set(this.#bullets(from, to));
    for (let line = from; line < to; line++) {
      const { head = '', isBlank, isRow, isCode } = this.lines[line] ?? {};
      const before = line === from ? undefined : this.lines[line - 1];
      const isOutside = !/^\s/.test(head);
      if (isBlank) continue;
      if (items.has(line)) this.#starts[line] = { kind: 'item' };
      else if (isRow && isOutside) line = this.#readTable(line, to, day) - 1;
      else if (isCode && before?.isCode && !this.lines[line]?.opensFence) continue;
      else if (!before || (isOutside && (before.isBlank || before.isCode || isCode || before.isRow)))
        this.#starts[line] = { kind: 'block' };
    }
  }

  /** Returns the line behind the table. */
  #readTable(from: number, to: number, day: string | undefined): number {
    let end = from;
    while (end < to && this.lines[end]?.isRow) end++;
    const hasHeader = this.lines[from + 1]?.isDivider === true && from + 1 < end;
    if (hasHeader) this.#starts[from] = { kind: 'head', level: TABLE_LEVEL };
    const rows: { readonly line: number; readonly date: FoundDate | undefined }[] = [];
    for (let line = hasHeader ? from + 2 : from; line < end; line++) {
      const date = day === undefined ? undefined : rowDate(this.#text(line));
      if (!this.lines[line]?.isDivider) rows.push({ line, date });
    }
    const dated = rows.filter(({ date }) => date).length;
    if (dated > 1 && dated * 2 >= rows.length) this.#list(rows);
    else for (const { line } of rows) this.#starts[line] = { kind: 'item' };
    for (const { line } of rows) {
      const start = this.#starts[line];
      if (start) this.#starts[line] = { ...start, inTable: true };
    }
    return end;
  }

  #build(): readonly Piece[] {
    const pieces: { texts: string[]; line: number; start: Start; under: number; hasMore: boolean }[] = [];
    const heads: { readonly level: number; readonly at: number }[] = [];
    let isBlankSoFar = true;
    for (const [line, { text, isBlank }] of this.lines.entries()) {
      const start = this.#starts[line] ?? (isBlankSoFar ? { kind: 'block' as const } : undefined);
      const last = pieces.at(-1);
      // A line that is blank or starts with `/` joins what stands before it, else token counts would not add up.
      if (last && (!start || isBlank || (text.startsWith('/') && !isBlankSoFar))) last.texts.push(text);
      else if (last && start && isBlankSoFar) {
        last.texts.push(text);
        last.start = start;
      } else if (start) {
        const level = start.level ?? (start.inTable ? TABLE_LEVEL + 1 : TABLE_LEVEL);
        while ((heads.at(-1)?.level ?? 0) >= level) heads.pop();
        const under = heads.at(-1)?.at ?? -1;
        const above = pieces[under];
        if (above) above.hasMore = true;
        pieces.push({ texts: [text], line, start, under, hasMore: false });
      }
      isBlankSoFar &&= isBlank;
      const at = pieces.length - 1;
      const made = pieces[at];
      if (start && made?.start === start && start.kind === 'head')
        heads.push({ level: start.level ?? TABLE_LEVEL, at });
    }
    return pieces.map(({ texts, line, start: { kind, place }, under, hasMore }) => {
      const joined = texts.join('');
      return {
        text: joined.endsWith('\n') ? joined : `${joined}\n`,
        line,
        kind: kind === 'head' && !hasMore ? 'block' : kind,
        under,
        rank: place?.rank ?? 0,
        day: place?.day ?? '',
      };
    });
  }
}

/** Reads a text as pieces; joined they are the text, with a final `\n`. Linear in the text. */
export function readPieces(text: string, hints: ListHints = {}): readonly Piece[] {
  return new PieceReader(readLines(text), hints).read();
}

/** The indices of the entries, newest first over all lists; within a list in its order. */
export function newestFirst(pieces: readonly Piece[]): readonly number[] {
  const entries = pieces.flatMap(({ kind, day, rank }, at) => (kind === 'entry' ? [{ at, day, rank }] : []));
  entries.sort((a, b) => (a.day === b.day ? a.rank - b.rank || a.at - b.at : a.day < b.day ? 1 : -1));
  return entries.map(({ at }) => at);
}

/** The entries that a shown text has, for people: dated ones newest first, else the items in their order. */
export function entryTexts(text: string, hints: ListHints = {}): readonly string[] {
  const pieces = readPieces(text, hints);
  const dated = newestFirst(pieces).flatMap((at) => pieces[at]?.text ?? []);
  return dated.length > 0 ? dated : pieces.flatMap((piece) => (piece.kind === 'item' ? [piece.text] : []));
}

/** What ends a part of a folder's text: a file's row as a heading. */
const FILE_HEAD = /^# .* \| section:\S+\/\S+$/;
/** Says that entries or files are left out; is no part of the one before. */
const MORE_NOTE = /^… (?:(?:[\d,]+ )?older entr(?:y|ies)|more entries|\d+ more files?): section:/;
/** Stands where an entry or a text was cut. */
const CUT_MARK = /^… section:\S+#L\d+$/m;

/** The dated entries of a section as a payload shows it, of a folder file by file; those that were cut are left out. */
export function wholeEntries(shown: string): readonly string[] {
  const files: string[][] = [[]];
  for (const line of shown.split('\n')) {
    if (FILE_HEAD.test(line)) files.push([]);
    else if (!MORE_NOTE.test(line)) files.at(-1)?.push(line);
  }
  const entries = files.flatMap((lines) => readPieces(lines.join('\n')).filter(({ kind }) => kind === 'entry'));
  return entries.flatMap(({ text }) => (CUT_MARK.test(text) ? [] : [text]));
}
