/** The blocks of a Markdown log or of a plain one: headings with what stands under them, list items, paragraphs, tables. */
import { findClock, findDate, isDateAlone } from '../../text/dates';
import { FENCE } from '../../text/markdown';
import type { ItemText } from './acts';
import { logEnd } from './fences';
import { LineHeads, type Stamp } from './lineHeads';
import { DATE_NAME, readShortDay, shortDaysOf } from './logEvent';
import { AGENT_NAME, type HeadingKind, isOrdinal, isOut, isSentence, kindOf } from './sectionWords';
import { type PipeTable, readTable } from './tableColumns';

interface Place {
  /** 1-based. */
  readonly line: number;
  /** Last line of it, with all that belongs to it. */
  end: number;
}

export interface Section extends Place {
  readonly kind: 'section';
  /** Who tells what stands under it. */
  readonly author?: string | undefined;
  /** 0 for the whole text, 1…6 for headings, 7 for a line that is a day, 8 a time of day, 9 `**Done:**`, 10 `Done:` before a list. */
  readonly level: number;
  text: string;
  /** What the heading says of what stands under it. */
  readonly says: HeadingKind;
  readonly children: Block[];
}

export interface Item extends Place, ItemText {
  readonly kind: 'item';
  readonly indent: number;
  readonly children: Item[];
}

export interface Paragraph extends Place {
  readonly kind: 'paragraph';
  /** Its first line. */
  readonly text: string;
  readonly isQuoted: boolean;
  /** How it starts where each such line is an entry. */
  readonly stamp: Stamp | undefined;
}

interface Table extends Place {
  readonly kind: 'table';
  readonly table: PipeTable;
}

export type Block = Section | Item | Paragraph | Table;

/** Level of a line that is a day, of one that is a time, and of labels: lines that stand as headings without being one. */
const DAY_LEVEL = 7;
const CLOCK_LEVEL = 8;
export const LABEL_LEVEL = 9;
/** Level of labels in bold below one with a number: `**1. Parser**`, `**Lexer**`. */
const SUBLABEL_LEVEL = 9.5;

/** Beside a day: `Entry 10/22/24:`, `**2026.2.3 v1.2**`. */
const DAY_NAME = /\b(?:entry|session|day|log|v?\d+(?:\.\d+)+)\b(?: ?#?\d{1,4}\b)?/giu;

const HEADING = /^ {0,3}(#{1,6})\s+/;
/** `#May 31: The case`, where more than one line is written so and none with a space; a word alone, or two, is a tag. */
const TIGHT_HEADING = /^(#{1,6})(?=\p{L}[^\s#]*\s[\p{L}\p{N}])/u;

/** Marks of a heading and its text, as a match has them; without the marks that close it. */
function headingAt(form: RegExp, line: string): readonly string[] | undefined {
  const [start = '', marks = ''] = form.exec(line) ?? [];
  if (marks === '') return undefined;
  const text = line.slice(start.length).trimEnd();
  let end = text.length;
  while (text[end - 1] === '#') end--;
  return [line, marks, text.slice(0, end).trimEnd()];
}
/** A box needs no bullet and no space behind one, a number before Chinese no space. */
const BULLET =
  /^(\s*)(?:(?:->|[-*+•]|(\d{1,9})[.)、])\s+|(\d{1,2})(?:[.、．)](?=[\p{Script=Han}【「])|、(?=[^\s\d]))|[-*+]?(?=\[[ xX✓✔/]?\] ))(?:\[([ xX✓✔/~-]?)\](?:\[[ xX]?\])*\s+)?(.*)$/u;
/** `=== Session 3 ===` */
const BANNER = /^\s{0,3}([=*~#-])\1{2,} +(?=\S)(.*[^\s=*~#-]) +\1{3,}\s*$/;
const RULE = /^\s*([-*_=─━═])(?:\s*\1){2,}\s*$/;
const QUOTE = /^\s*>\s?(.*)$/;
/** `**Done:**`, `✅ **Done**`, `**Task 1** ✅`, and with its state `**Parser** ✅ DONE`. */
const BOLD_LABEL =
  /^(?:[^\p{L}\p{N}*]{1,4})?\*\*([^*]{1,80})\*\*(?:[^\p{L}\p{N}]{0,8}|( [✅❌]\uFE0F? (?:DONE|COMPLETED?|FIXED|FAILED|已?完成)))$/u;
/** ` ✅` where a label with a subject is marked as done before or behind it, as at the end of a heading. */
const doneMark = (label: string, line: string): string =>
  /^[✅☑✔]|[✅☑✔]\uFE0F?$/u.test(line) && kindOf(label) === 'title' ? ' ✅' : '';
/** `Milestone: parser and its tests`, `状态：已完成` */
const BOLD_FIELD = /^(?:\p{L}+[:：]\s+\S+(?:\s+\S+){2,}|(?:status|state|状态|进度)\s?[:：]\s*\S)/iu;
/** A word or three and a colon. */
const PLAIN_LABEL = /^([\p{L}\p{N}'’/&_-]+(?: [\p{L}\p{N}'’/&_-]+){0,2}(?: \([^()]{1,40}\))?)\s?[:：]\s*$/u;
/** `Next: deploy`, or what goes on under it. */
const isFieldLine = (line = ''): boolean => /^(?:[\p{L} ]{1,24}[:：]\s*\S|\s{2,})/u.test(line);
const isUnderDay = ({ level, text }: Section): boolean =>
  level > 0 && findDate(text, { inside: COUNTED_DAY.test(text) }) !== undefined;
/** `Day 3 (June 27):` */
const COUNTED_DAY = /^(?:day|session|entry|week) ?#?\d{1,4}\s*[(（[]\s*([^()（）[\]]{3,40})[)）\]]\s*[:：]?\s*$/iu;

/** A heading between two rules of at least so many marks has at most so many lines. */
const MIN_BANNER_CHARS = 10;
const MAX_BANNER_LINES = 3;

/** A line longer than this is looked at to here. UTF-16 code units. */
const MAX_HEAD_CHARS = 4000;

/** `2026-02-03 — [Codex / GPT-5]`: who worked on that day. */
const AGENT_TAG = new RegExp(`(?<![\\s—–-])[\\s—–-]*\\[([^\\][]*${AGENT_NAME}[^\\][]*)\\]\\s*$`, 'iu');

/** `✅ Roof`, `⬜ Door`: a box without a bullet's brackets. */
export function drawnBox(text: string): 'done' | 'open' | undefined {
  // `❌ Seats lost → ✅ direct call`: what was wrong and is fixed.
  if (/^(?:[✅☑✔]|❌.*(?:→|[-=]>)\s*[✅☑✔])/u.test(text)) return 'done';
  return /^[❌⬜☐🔲]/u.test(text) ? 'open' : undefined;
}

/** Below a day a fence is what that tells of, below a guide an example. */
const isNoLog = ({ level, says, text }: Section): boolean =>
  level > 0 && (isOut(says) || IS_GUIDE.test(text) || findDate(text, { inside: true }) !== undefined);
const IS_GUIDE =
  /\b(?:conventions?|examples?|format|guide|how to|legend|plan|rules|template)\b|示例|格式|规范|模板|图例/iu;

class OutlineReader {
  readonly root: Section = { kind: 'section', level: 0, line: 0, end: 0, text: '', says: 'title', children: [] };
  /** Lines that are no text of an entry: headings, rules, fences, comments, the head of a table. 1-based. */
  readonly structure = new Set<number>();
  #sections: Section[] = [this.root];
  #items: Item[] = [];
  #paragraph: Paragraph | undefined;
  #isAfterBlank = true;
  /** Days without a year and without marks are read where one after the other stands alone. */
  readonly #hasShortDays: boolean;
  readonly #heads: LineHeads;
  readonly #hasTightHeadings: boolean;

  constructor(private readonly lines: readonly string[]) {
    this.#hasShortDays = shortDaysOf(lines) !== undefined;
    this.#heads = new LineHeads(lines);
    const isTight = (line: string, at: number): boolean =>
      TIGHT_HEADING.test(line) && (lines[at - 1] ?? '').trim() === '';
    this.#hasTightHeadings = lines.filter(isTight).length > 1 && !lines.some((line) => HEADING.test(line));
  }

  read(): void {
    const start = this.#frontmatterEnd();
    let fence: string | undefined;
    /** Last lines of the fences whose content is read, 0-based. */
    const logEnds = new Set<number>();
    let isComment = false;
    const lastFence = this.lines.findLastIndex((line) => FENCE.test(line));
    for (let at = start; at < this.lines.length; at++) {
      const line = this.lines[at] ?? '';
      const mark = FENCE.exec(line)?.[1];
      if (fence !== undefined) {
        if (mark?.startsWith(fence)) fence = undefined;
      } else if (logEnds.has(at)) {
        this.structure.add(at + 1);
      } else if (isComment || /^\s*<!--/.test(line)) {
        isComment = !line.includes('-->');
        this.structure.add(at + 1);
      } else if (mark !== undefined && at < lastFence) {
        // One that is never closed is none: the rest of the log would be lost in it.
        const end = this.#sections.some(isNoLog) ? undefined : logEnd(this.lines, at, mark);
        if (end === undefined) fence = mark;
        else logEnds.add(end);
        this.structure.add(at + 1);
        // A day alone between fences is the heading of what is behind.
        const day = this.lines[at + 1] ?? '';
        if (FENCE.test(this.lines[at + 2] ?? '') && day.length < 60 && this.#timeLevel(day) === DAY_LEVEL)
          this.#openSection(at + 1, DAY_LEVEL, day.trim());
      } else at = this.#readAt(at, line);
      if (line.trim() !== '') this.#touch(at + 1);
      this.#isAfterBlank = line.trim() === '';
    }
  }

  #frontmatterEnd(): number {
    // A task between rules is no frontmatter.
    if (this.lines[0]?.trim() !== '---' || this.#heads.headAt(1)) return 0;
    const end = this.lines.findIndex((line, at) => at > 0 && /^(?:---|\.\.\.)\s*$/.test(line));
    if (end < 0 || end > 60) return 0;
    for (let line = 1; line <= end + 1; line++) this.structure.add(line);
    return end + 1;
  }

  /** All that is open reaches to here. */
  #touch(line: number): void {
    for (const section of this.#sections) section.end = line;
    for (const item of this.#items) item.end = line;
    if (this.#paragraph) this.#paragraph.end = line;
  }

  /** Reads what starts at a line; gives its last line, 0-based. */
  #readAt(at: number, whole: string): number {
    const quoted = QUOTE.exec(whole);
    const line = quoted?.[1] ?? whole;
    if (line.trim() === '') {
      this.#paragraph = undefined;
      return at;
    }
    const isTight = this.#hasTightHeadings && this.#isAfterBlank;
    const heading =
      headingAt(HEADING, line) ?? (isTight ? headingAt(TIGHT_HEADING, line) : undefined) ?? this.#underlined(at, line);
    if (heading && isSentence(heading[2] ?? '')) {
      this.#readText(at, heading[2] ?? '', false);
      return at;
    }
    if (heading) {
      this.#openSection(at, heading[1]?.length ?? 1, heading[2] ?? '');
      return heading.length > 3 ? at + 1 : at;
    }
    const banner = line.length < 200 ? BANNER.exec(line)?.[2] : undefined;
    if (banner !== undefined) {
      this.#openSection(at, 2, banner);
      return at;
    }
    if (RULE.test(line)) {
      const size = this.#bannerSize(at, line);
      if (size > 0) {
        for (let each = at; each <= at + size; each++) this.structure.add(each + 1);
        const text = this.lines.slice(at + 1, at + size).map((each) => each.trim());
        this.#openSection(at + 1, 2, text.join(' — '));
        return at + size;
      }
      this.structure.add(at + 1);
      this.#closeTo(DAY_LEVEL);
      return at;
    }
    const table = line.includes('|') && !quoted ? readTable(this.lines, at) : undefined;
    if (table) return this.#readTable(at, table);
    const head = line.slice(0, MAX_HEAD_CHARS);
    const above = this.lines[at - 1] ?? '';
    const isArrowInText =
      line.startsWith('->') && !(this.#isAfterBlank || above.startsWith('->') || this.structure.has(at));
    const bullet = isArrowInText
      ? null
      : BULLET.exec(
          this.#heads.isMarked(at) && kindOf(BOLD_LABEL.exec(line)?.[1] ?? '') === 'title'
            ? `- ${head.replace(/^(?:[–—]\s+|\s+)/u, '')}`
            : head,
        );
    if (bullet) this.#openItem(at, bullet);
    else if (!this.#readLabel(at, line)) this.#readText(at, line, quoted !== null);
    return at;
  }

  /** How many lines behind a rule a like one ends a heading between both; 0 where none does. */
  #bannerSize(at: number, line: string): number {
    const rule = line.trim();
    if (rule.length < MIN_BANNER_CHARS) return 0;
    const next = this.lines.slice(at + 1, at + 2 + MAX_BANNER_LINES);
    const end = next.findIndex((each) => RULE.test(each));
    const isText = next
      .slice(0, end)
      .every((each) => /[\p{L}\p{N}]/u.test(each) && each.length < 200 && !BULLET.test(each));
    return end > 0 && isText && next[end]?.trim()[0] === rule[0] ? end + 1 : 0;
  }

  /** A heading with a line of `=` or `-` under it, as a match of `HEADING` with one group more. */
  #underlined(at: number, line: string): readonly (string | undefined)[] | undefined {
    const mark = /^\s{0,3}(=+|-{3,}|~{4,})\s*$/.exec(this.lines[at + 1] ?? '')?.[1];
    const isText =
      (this.#isAfterBlank || this.structure.has(at)) &&
      !BULLET.test(line) &&
      !line.includes('|') &&
      line.length < 200 &&
      !RULE.test(line);
    return mark !== undefined && isText ? [line, mark[0] === '=' ? '#' : '##', line.trim(), mark] : undefined;
  }

  #closeTo(level: number): void {
    while ((this.#sections.at(-1)?.level ?? 0) >= level) this.#sections.pop();
    this.#items = [];
    this.#paragraph = undefined;
  }

  get #section(): Section {
    return this.#sections.at(-1) ?? this.root;
  }

  #openSection(at: number, level: number, heading: string, teller?: string): void {
    this.#closeTo(level);
    this.structure.add(at + 1);
    const [tag, agent] = findDate(heading) ? (AGENT_TAG.exec(heading) ?? []) : [];
    const author = teller ?? agent;
    const text = tag === undefined ? heading : heading.slice(0, -tag.length);
    const says = kindOf(text);
    const section: Section = { kind: 'section', level, line: at + 1, end: at + 1, text, says, author, children: [] };
    this.#section.children.push(section);
    this.#sections.push(section);
  }

  /** Opens a section at a line that is a day, a time or a label, and gives whether it is one. */
  #readLabel(at: number, line: string): boolean {
    const isInText = this.#paragraph !== undefined && !this.#isAfterBlank;
    const level = line.length < 60 ? this.#timeLevel(line) : undefined;
    const above = this.#section;
    if (level === DAY_LEVEL && above.children.length === 0 && (DATE_NAME.test(above.text) || this.#isDayOf(above, at)))
      return false;
    if (level !== undefined && (!isInText || level === DAY_LEVEL)) {
      this.#openSection(at, level, line.trim());
      return true;
    }
    const told = isInText ? undefined : this.#heads.headAt(at);
    if (told) {
      this.#openSection(at, DAY_LEVEL, told.text, told.author);
      return true;
    }
    if (/^\s/.test(line)) return false;
    const next = this.lines.slice(at + 1, at + 3).find((text) => text.trim() !== '') ?? '';
    const plain = BULLET.test(next) ? PLAIN_LABEL.exec(line)?.[1] : undefined;
    // Within a paragraph it is the last of its fields, and no wrapped sentence.
    if (
      this.#paragraph &&
      (plain === undefined || !/^[\p{Lu}\p{Script=Han}]/u.test(line) || !isFieldLine(this.lines[at - 1]))
    )
      return false;
    const [, label, state] = BOLD_LABEL.exec(line) ?? [];
    const bold = label === undefined ? undefined : label + (state ?? doneMark(label, line));
    if (bold !== undefined && this.#isFieldOfHeading(bold)) return false;
    const isAlone = this.#isAfterBlank || this.lines[at - 1]?.startsWith('#');
    const text = bold ?? plain ?? (isAlone ? this.#heads.groupAt(at, BULLET) : undefined);
    if (text !== undefined) this.#openSection(at, bold === undefined ? LABEL_LEVEL + 1 : this.#boldLevel(bold), text);
    return text !== undefined;
  }

  /** Right under a heading a name with a value is said of it, and of no list alone. */
  #isFieldOfHeading(bold: string): boolean {
    const open = this.#sections.at(-1);
    const isFirst = open !== undefined && open.level > 0 && open.level < LABEL_LEVEL && open.children.length === 0;
    return isFirst && BOLD_FIELD.test(bold) && !isOrdinal(bold) && !findDate(open.text);
  }

  /** Right behind a label with a number stands what it is made of. */
  #boldLevel(label: string): number {
    if (isOrdinal(label)) return LABEL_LEVEL;
    const above = this.#sections.findLast(({ level }) => level <= SUBLABEL_LEVEL);
    const isBelow = above?.level === SUBLABEL_LEVEL;
    const isBehind = above?.level === LABEL_LEVEL && above.children.length === 0 && isOrdinal(above.text);
    return isBelow || isBehind ? SUBLABEL_LEVEL : LABEL_LEVEL;
  }

  /** Whether a day is the only one under a heading, and so dates it. */
  #isDayOf({ level, text }: Section, at: number): boolean {
    if (level === 0 || level >= DAY_LEVEL || !/\p{L}/u.test(text) || findDate(text, { inside: true })) return false;
    for (let next = at + 1; next < this.lines.length; next++) {
      const line = this.lines[next] ?? '';
      if (HEADING.test(line)) return true;
      if (line.length < 60 && this.#timeLevel(line) === DAY_LEVEL) return false;
    }
    return this.#sections.length > 2;
  }

  /** The level of a line that is nothing but a day or a time. */
  #timeLevel(given: string): number | undefined {
    const line = COUNTED_DAY.exec(given)?.[1] ?? given;
    const date = findDate(line);
    const isDay = date
      ? isDateAlone(
          `${line.slice(0, date.index)} ${line.slice(date.clock?.end ?? date.end)}`
            .replace(/\d{1,2}:\d\d/g, ' ')
            .replace(DAY_NAME, ' '),
        )
      : this.#hasShortDays && readShortDay(line.trim()) !== undefined;
    if (isDay) return DAY_LEVEL;
    const clock = findClock(line);
    return clock && line.slice(clock.end).trim() === '' && this.#sections.some(isUnderDay) ? CLOCK_LEVEL : undefined;
  }

  #readTable(at: number, table: PipeTable): number {
    this.#items = [];
    this.#paragraph = undefined;
    this.structure.add(at + 1).add(at + 2);
    this.#touch(table.endLine - 1);
    this.#section.children.push({ kind: 'table', table, line: at + 1, end: table.endLine - 1 });
    return table.endLine - 2;
  }

  #openItem(at: number, [, space = '', wide, narrow, mark, rest = '']: RegExpExecArray): void {
    const indent = space.replaceAll('\t', '    ').length;
    const isOrdered = (wide ?? narrow) !== undefined;
    // Bullets right behind a number belong to it, indented or not.
    const isOwner = (last: Item): boolean =>
      last.isOrdered && !isOrdered && last.indent === indent && (!this.#isAfterBlank || last.children.length > 0);
    // One space more is the same list, as Markdown has it, where both lines begin with a time.
    const look = this.#heads.lookOf(rest);
    const isBeside = (last: Item): boolean =>
      last.indent >= indent ||
      (last.indent + 1 === indent && look !== undefined && this.#heads.lookOf(last.text) === look);
    for (let last = this.#items.at(-1); last && isBeside(last) && !isOwner(last); last = this.#items.at(-1))
      this.#items.pop();
    this.#paragraph = undefined;
    const parent = this.#items.at(-1);
    const box = mark === undefined ? drawnBox(rest) : /[xX✓✔]/.test(mark) ? 'done' : 'open';
    const item: Item = { kind: 'item', line: at + 1, end: at + 1, indent, text: rest, box, isOrdered, children: [] };
    if (parent) parent.children.push(item);
    else this.#section.children.push(item);
    this.#items.push(item);
  }

  #readText(at: number, line: string, isQuoted: boolean): void {
    const look = this.#heads.lookOf(line);
    const isStamped =
      look !== undefined &&
      (!this.#paragraph ||
        this.#isAfterBlank ||
        look === 'state' ||
        this.#heads.looksLike(look, [this.#paragraph, this.#section]));
    const indent = /^\s*/.exec(line)?.[0].replaceAll('\t', '    ').length ?? 0;
    // A paragraph behind a blank line belongs to the item that it is indented under.
    if (this.#isAfterBlank && indent > 0) this.#items = this.#items.filter((item) => item.indent < indent);
    const item = this.#items.at(-1);
    if (item && !isStamped && (!this.#isAfterBlank || indent > item.indent)) return;
    if (item && indent > item.indent) return;
    if (this.#paragraph && !isStamped) return;
    this.#items = [];
    const stamp = this.#heads.stampOf(line);
    this.#paragraph = { kind: 'paragraph', line: at + 1, end: at + 1, text: line.trim(), isQuoted, stamp };
    this.#section.children.push(this.#paragraph);
  }
}

/** `## ✅ Parser`, `## ⬜ Lexer`: marks of several headings are said at their ends, as most write them. */
function moveMarks(root: Section): void {
  const found: Section[] = [];
  const walk = ({ children }: Section): void => {
    for (const block of children) {
      if (block.kind !== 'section') continue;
      if (block.level < LABEL_LEVEL && drawnBox(block.text) !== undefined) found.push(block);
      walk(block);
    }
  };
  walk(root);
  // `✅ Do`, `❌ Don't` are good and bad, not done and open.
  if (found.some(({ text }) => text.startsWith('❌'))) return;
  const counts = new Map<number, number>();
  for (const { level } of found) counts.set(level, (counts.get(level) ?? 0) + 1);
  for (const head of found) {
    const [mark = ''] = /^\S+?\uFE0F?(?=\s)/u.exec(head.text) ?? [];
    const isOneOfMany = (counts.get(head.level) ?? 0) > 1;
    if (!isOneOfMany || mark === '' || /[✅☑✔✓❌⏳]/u.test(head.text.slice(mark.length))) continue;
    head.text = `${head.text.slice(mark.length).trim()} ${mark}`;
  }
}

/** The outline of a text, and which of its lines are no text of an entry. Linear. */
export function readOutline(lines: readonly string[]): {
  readonly root: Section;
  readonly structure: ReadonlySet<number>;
} {
  const reader = new OutlineReader(lines);
  reader.read();
  moveMarks(reader.root);
  return reader;
}
