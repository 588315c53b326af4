/** What the entries of a list are. */
type EntryKind = 'heading' | 'bullet' | 'row' | 'line';

/** Which end of a list holds its newest entries. */
type NewestEnd = 'first' | 'last';

/** A stretch of whole lines; only entries may be left out. */
export interface Segment {
  /** Ends with `\n`. Never starts with a blank line or `/` (but for the text's very first), so token counts add up. */
  readonly text: string;
  readonly isEntry: boolean;
}

/** A text that is a list of entries, with what surrounds them: preamble, headings between, table headers. */
export interface EntryList {
  readonly kind: EntryKind;
  readonly newestEnd: NewestEnd;
  /** In text order; joined they are the text (with a final `\n`). */
  readonly segments: readonly Segment[];
  /** Indices into `segments` of the entries, newest first. */
  readonly newestFirst: readonly number[];
  /** At least half of the entries start with a date: the list is one by age, and not one of rules. */
  readonly isDated: boolean;
  /** Those of the hints. */
  readonly heads?: readonly string[] | undefined;
}

/** What a line is to the list it stands in. */
interface Line {
  readonly text: string;
  /** Inside a fenced code block, its fences included: never a place to cut. */
  readonly isCode: boolean;
  readonly isBlank: boolean;
  /** 1…6 for a heading, else 0. */
  readonly heading: number;
  /** Indent of a bullet or number that starts an item, else -1. */
  readonly bullet: number;
  readonly isRow: boolean;
}

/** At any indent: fences inside list items are indented. */
const FENCE = /^\s*(`{3,}|~{3,})/;
const HEADING = /^ {0,3}(#{1,6})(?:\s|$)/;
/** A bullet, or a number, and white space after it; thematic breaks such as `- - -` are not bullets. */
const BULLET = /^(\s*)(?:[-*+•]|\d{1,9}[.)])(?=\s+\S)/;
const BREAK = /^ {0,3}(?:(?:-\s*){3,}|(?:\*\s*){3,}|(?:_\s*){3,})$/;
const ROW = /^ {0,3}\|/;
const ROW_DIVIDER = /^ {0,3}\|[\s|:-]*-[\s|:-]*$/;

/** A date at the head of an entry: ISO with `-`, `/` or `.`, or Chinese and Japanese; an optional time after it. */
const DATE =
  /(\d{4})(?:[-/.](\d{1,2})[-/.](\d{1,2})|年\s?(\d{1,2})月\s?(\d{1,2})日)(?:[T\s,]{1,2}(\d{1,2}):(\d{2})(?::(\d{2}))?)?/;
const DATE_HEAD_CHARS = 80;

/** Lines longer than this are not looked at by expressions: no mark of a list is that far in. */
const MARK_CHARS = 300;

function readLines(text: string): readonly Line[] {
  const lines: Line[] = [];
  let fence: string | undefined;
  for (const raw of text.match(/[^\n]*\n|[^\n]+$/g) ?? []) {
    const head = raw.length > MARK_CHARS ? raw.slice(0, MARK_CHARS) : raw.replace(/\n$/, '');
    const mark = FENCE.exec(head)?.[1];
    const isCode = fence !== undefined || mark !== undefined;
    if (fence === undefined) fence = mark;
    else if (mark?.startsWith(fence) && head.trim() === mark) fence = undefined;
    const isBreak = !isCode && BREAK.test(head);
    lines.push({
      text: raw,
      isCode,
      isBlank: raw.trim() === '',
      heading: isCode ? 0 : (HEADING.exec(head)?.[1]?.length ?? 0),
      bullet: isCode || isBreak ? -1 : (BULLET.exec(head)?.[1]?.length ?? -1),
      isRow: !isCode && ROW.test(head),
    });
  }
  return lines;
}

/** Sortable `YYYYMMDDhhmmss`, or undefined. */
function dateOf(line: string): string | undefined {
  const match = DATE.exec(line.slice(0, DATE_HEAD_CHARS));
  if (!match) return undefined;
  const [, year = '', isoMonth, isoDay, month = isoMonth, day = isoDay, hour, minute, second] = match;
  return year + [month, day, hour, minute, second].map((part = '0') => part.padStart(2, '0')).join('');
}

/** The level whose headings are entries: the shallowest with two headings or more. */
function entryLevel(lines: readonly Line[]): number {
  for (let level = 1; level <= 6; level++) if (lines.filter((line) => line.heading === level).length > 1) return level;
  return 0;
}

/** Line roles under one reading of the text: where an entry starts and where text that always stays starts. */
type Role = 'entry' | 'fixed' | 'continue';

function headingRoles(lines: readonly Line[], level: number): readonly Role[] {
  let hasEntry = false;
  return lines.map((line, index) => {
    if (line.heading === 0 || line.heading > level) return index === 0 ? 'fixed' : 'continue';
    // A lone title above the first entry belongs to the preamble.
    if (line.heading < level && !hasEntry) return index === 0 ? 'fixed' : 'continue';
    hasEntry = true;
    return 'entry';
  });
}

function bulletRoles(lines: readonly Line[]): readonly Role[] {
  const indents = lines.filter((line) => line.bullet >= 0).map((line) => line.bullet);
  const indent = indents.reduce((least, each) => Math.min(least, each), Number.POSITIVE_INFINITY);
  let inEntry = false;
  return lines.map((line, index) => {
    const isAfterBlank = index === 0 || (lines[index - 1]?.isBlank ?? false);
    if (line.bullet === indent) {
      inEntry = true;
      return 'entry';
    }
    if (line.isBlank || (line.isCode && lines[index - 1]?.isCode)) return index === 0 ? 'fixed' : 'continue';
    const isOutside = line.heading > 0 || (isAfterBlank && !/^\s/.test(line.text));
    if (index > 0 && !(inEntry && isOutside)) return 'continue';
    inEntry = false;
    return 'fixed';
  });
}

function isDivider(line: Line | undefined): boolean {
  return line?.isRow === true && ROW_DIVIDER.test(line.text.trimEnd());
}

function rowRoles(lines: readonly Line[]): readonly Role[] {
  let inEntry = false;
  return lines.map((line, index) => {
    // A table's header is the row before its divider.
    if (line.isRow && !isDivider(line) && !isDivider(lines[index + 1])) {
      inEntry = true;
      return 'entry';
    }
    if (index > 0 && (!inEntry || line.isBlank)) return 'continue';
    inEntry = false;
    return 'fixed';
  });
}

function toSegments(lines: readonly Line[], roles: readonly Role[]): readonly Segment[] {
  const segments: { text: string[]; isEntry: boolean }[] = [];
  lines.forEach((line, index) => {
    const role = roles[index] ?? 'continue';
    const last = segments.at(-1);
    // A line that starts with `/` or is blank joins what stands before it, else token counts would not add up.
    if (last && (role === 'continue' || line.isBlank || line.text.startsWith('/'))) last.text.push(line.text);
    else segments.push({ text: [line.text], isEntry: role === 'entry' });
  });
  return segments.map(({ text, isEntry }) => {
    const joined = text.join('');
    return { text: joined.endsWith('\n') ? joined : `${joined}\n`, isEntry };
  });
}

/** Newest at the first end when dates mostly fall along the text; else, and without dates, at the last: logs grow down. */
function findNewestEnd(segments: readonly Segment[]): NewestEnd {
  let balance = 0;
  let before: string | undefined;
  for (const segment of segments) {
    const date = segment.isEntry ? dateOf(segment.text) : undefined;
    if (date === undefined) continue;
    if (before !== undefined && date !== before) balance += date > before ? 1 : -1;
    before = date;
  }
  return balance < 0 ? 'first' : 'last';
}

function hasDates(lines: readonly Line[]): boolean {
  return lines.filter((line) => dateOf(line.text) !== undefined).length * 2 >= lines.length;
}

/**
 * How to read the text: dated headings first, then dated bullets; else bullets when most lines belong to them, then
 * headings, then whatever there are two of.
 */
function chooseKind(lines: readonly Line[], level: number): EntryKind | undefined {
  const headings = level === 0 ? [] : lines.filter((line) => line.heading === level);
  const bullets = lines.filter((line) => line.bullet >= 0);
  const rows = lines.filter((line) => line.isRow);
  if (headings.length > 1 && hasDates(headings)) return 'heading';
  const filled = lines.filter((line) => !line.isBlank && line.heading === 0).length;
  const isMostlyBullets = bullets.length > 1 && bullets.length * 2 >= filled;
  if (isMostlyBullets || (bullets.length > 1 && hasDates(bullets))) return 'bullet';
  if (rows.length > 3 && rows.length * 2 >= filled) return 'row';
  if (headings.length > 1) return 'heading';
  if (bullets.length > 1) return 'bullet';
  return rows.length > 3 ? 'row' : undefined;
}

/** Heads are looked for one after the other, so that an entry which quotes its own, or an earlier one, stays whole. */
function headRoles(lines: readonly Line[], heads: readonly string[]): readonly Role[] {
  let next = 0;
  return lines.map((line, index) => {
    if (next >= heads.length || line.text.trimEnd() !== heads[next]?.trimEnd())
      return index === 0 ? 'fixed' : 'continue';
    next++;
    return 'entry';
  });
}

function rolesOf(kind: EntryKind, lines: readonly Line[], level: number): readonly Role[] {
  switch (kind) {
    case 'heading':
      return headingRoles(lines, level);
    case 'bullet':
      return bulletRoles(lines);
    case 'row':
      return rowRoles(lines);
    case 'line':
      return lines.map(() => 'entry');
  }
}

/** What is known of a list before it is read. */
export interface ListHints {
  readonly kind?: EntryKind;
  readonly newestEnd?: NewestEnd;
  /** The lines that start an entry, in text order: nothing else does, whatever stands in between. */
  readonly heads?: readonly string[] | undefined;
}

/**
 * Reads a text as a list of entries: bullets (numbered, dated and nested ones too), Markdown headings with what stands
 * under them, or table rows. An entry reaches to the next entry of its kind and is never divided; nothing inside a
 * fenced code block starts one. What `hints` do not say is found: the kind from what most lines are, the newest end
 * from dates. `undefined` when the text has fewer than two entries. Linear in the text.
 */
export function readEntries(text: string, hints: ListHints = {}): EntryList | undefined {
  const lines = readLines(text);
  const level = entryLevel(lines);
  const kind = hints.kind ?? (hints.heads ? 'heading' : chooseKind(lines, level));
  if (!kind) return undefined;
  const roles = hints.heads ? headRoles(lines, hints.heads) : rolesOf(kind, lines, level);
  const segments = toSegments(lines, roles);
  const entries = segments.flatMap((segment, index) => (segment.isEntry ? [index] : []));
  if (entries.length < 2) return undefined;
  const end = hints.newestEnd ?? findNewestEnd(segments);
  const dated = entries.filter((at) => dateOf(segments[at]?.text ?? '') !== undefined).length;
  return {
    kind,
    newestEnd: end,
    segments,
    isDated: dated * 2 >= entries.length,
    heads: hints.heads,
    newestFirst: end === 'first' ? entries : entries.reverse(),
  };
}

/** The text with only the newest `count` entries, in their original order; everything that is no entry stays. */
export function keepNewest(list: EntryList, count: number): string {
  const kept = new Set(list.newestFirst.slice(0, count));
  return list.segments
    .filter((segment, index) => !segment.isEntry || kept.has(index))
    .map((segment) => segment.text)
    .join('');
}
