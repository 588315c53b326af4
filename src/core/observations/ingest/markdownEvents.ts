/**
 * Events of a Markdown or plain log. What counts as one: an entry that says its own time; each item, table row or
 * account under a day; check boxes anywhere; in a file without any date each item of a list that is no plan, rule or
 * description. An entry owns what is indented under it and the paragraphs up to the next one.
 */
import { findDate } from '../../text/dates';
import { type Entry, entryEvent, isBareDay, KEY_LINE, plainText, restOf } from './entryText';
import {
  clockAtEnd,
  eventDay,
  type FoundEvents,
  type LogEvent,
  timeAtHead,
  timeInside,
  type WrittenTime,
} from './logEvent';
import {
  type Block,
  type Item,
  LABEL_LEVEL,
  type Paragraph,
  readOutline,
  type Section,
  STARTS_WITH_ID,
} from './outline';
import {
  areFields,
  isCounted,
  isDone,
  isGroup,
  isLogName,
  isNoLog,
  isNumbered,
  isOrdinal,
  isPart,
  isTimed,
  isTimeless,
  keyOf,
  readingOf,
  shareOfActs,
  tellsMany,
} from './sectionWords';
import { readTableEvents } from './tableEvents';

/** A field that dates the whole file, and one that only names a year. */
const FILE_DAY = /^\W*(?:session )?(?:date|day|日期|时间|時間)\W*[:：]/iu;
/** An item that says that there is nothing. */
const NOTHING = /^(?:[-–—_.…\s]*|(?:n\/?a|none|nothing|tbd|无|無|暂无)(?: (?:yet|so far|left|today))?[.!。]?)$/iu;
/** Fields of a file, no events. */
const META =
  /^(?:(?:last )?(?:updated?|modified|created|generated|started)(?: on| at| by)?|date|as of|version|status|authors?|owner|maintainers?|(?:active |current )?branch|repo(?:sitory)?|更新(?:时间|日期)?|创建(?:时间|日期)?|日期|版本|作者|状态)$/iu;
const VERSION_HEAD = /^[^\p{L}\p{N}]*v?\d+\.\d+(?:\.\d+)*[^\p{L}\p{N}]*/iu;

/** What holds for the entries of a section. */
interface Scope {
  /** `YYYY-MM-DD`, for entries without one. */
  readonly day: string | undefined;
  /** A heading names a day, perhaps one whose year nobody knows. */
  readonly isDated: boolean;
  readonly phase: string;
  /** Plans and descriptions: only what has a time or a box of its own happened. */
  readonly isNoLog: boolean;
  /** Part of an account: the same. */
  readonly isAccount: boolean;
  /** A heading says that it is done. */
  readonly isDone: boolean;
  /** Half of the list or more tells acts, or its heading says that it does. */
  readonly isActs: boolean;
}

/** Reads the outline of one log. */
class MarkdownReader {
  readonly #entries: Entry[] = [];
  readonly #rows: LogEvent[] = [];
  readonly #problems: { line: number; why: string }[] = [];
  readonly #read = new Set<number>();
  readonly #hasDates: boolean;
  readonly #year: string | undefined;
  readonly #title: Section | undefined;
  /** Day of the entry above, and of the one above under the same heading. */
  #lastDay: string | undefined;
  #listDay: string | undefined;

  constructor(
    private readonly lines: readonly string[],
    private readonly outline: ReturnType<typeof readOutline>,
    private readonly fileDay: string | undefined,
  ) {
    const { root } = outline;
    this.#title = root.children.find((block) => block.kind === 'section');
    const dated = this.lines
      .map((line) => findDate(line.slice(0, 200))?.day)
      .find((day) => day?.startsWith('0000') === false);
    this.#year = (fileDay ?? dated)?.slice(0, 4);
    this.#hasDates = fileDay !== undefined || this.#isDated(root);
  }

  read(): FoundEvents {
    const { root, structure } = this.outline;
    const day = this.fileDay ?? this.#metaDay(root);
    this.#section(root, {
      ...{ day, isDated: day !== undefined, phase: '' },
      ...{ isNoLog: false, isAccount: false, isDone: false, isActs: false },
    });
    const events = [
      ...this.#entries.map((entry, at) => entryEvent(entry, this.lines, this.#entries[at + 1]?.line, this.#year)),
      ...this.#rows,
    ];
    events.sort((left, right) => left.line - right.line);
    const unread = this.lines.flatMap((line, at) =>
      line.trim() === '' || structure.has(at + 1) || this.#read.has(at + 1) ? [] : [at + 1],
    );
    return { events, problems: this.#problems, unread };
  }

  #isDated(block: Block): boolean {
    if (block.kind === 'table')
      return readTableEvents(block.table, { day: undefined, year: '2000', mode: 'timed' }) !== undefined;
    if (block.kind === 'section') {
      const isOwn = block.level > 0 && timeInside(block.text) !== undefined;
      return isOwn || block.children.some((child) => this.#isDated(child));
    }
    return timeAtHead(block.text)?.day !== undefined || (block.kind === 'paragraph' && FILE_DAY.test(block.text));
  }

  /** The day of a line such as `**Date**: 2026-02-03` above everything else. */
  #metaDay(root: Section): string | undefined {
    for (const block of [...root.children, ...(this.#title?.children ?? [])].slice(0, 6)) {
      const head = block.kind === 'paragraph' || block.kind === 'item' ? block.text : '';
      if (FILE_DAY.test(head)) return this.#dayOf(findDate(head)?.day, undefined);
    }
    return undefined;
  }

  #dayOf(day: string | undefined, context: string | undefined): string | undefined {
    if (!day?.startsWith('0000')) return day;
    const year = (context ?? this.#lastDay)?.slice(0, 4) ?? this.#year;
    return year === undefined ? undefined : year + day.slice(4);
  }

  #section(section: Section, above: Scope): void {
    const { text, level } = section;
    if (level < LABEL_LEVEL) this.#listDay = undefined;
    const title = plainText(text);
    const atEnd = isNoLog(title) ? undefined : clockAtEnd(text);
    const own = level === 0 ? undefined : (timeAtHead(text) ?? timeInside(text) ?? atEnd);
    const ownDay = this.#dayOf(own?.day, above.day);
    const isOwn = own?.day !== undefined || (own?.clock !== undefined && above.isDated);
    const isLabel = level >= LABEL_LEVEL;
    const scope: Scope = {
      day: ownDay ?? (own?.day === undefined ? above.day : undefined),
      isDated: isOwn || above.isDated,
      phase: level === 0 || section === this.#title || isOwn || !above.isDated ? '' : title,
      isNoLog:
        isTimeless(title) ||
        (!isOwn && (above.isNoLog || isNoLog(title) || (isLabel && !above.isDated && !isLogName(title)))),
      isAccount: above.isAccount && !isOwn && (isLabel || isPart(title) || !tellsMany(section)),
      isDone: above.isDone || isDone(title),
      isActs: isGroup(title) || isNumbered(title) || (isLabel && above.isActs),
    };
    const isTitle =
      section === this.#title && section.level === 1 && section.children.some(({ kind }) => kind === 'section');
    const isOne = isCounted(section);
    const isHeading =
      level > 0 &&
      !isTitle &&
      !scope.isNoLog &&
      !scope.isAccount &&
      (scope.isDated || isNumbered(title) || isOne) &&
      (!isLabel || isOrdinal(title)) &&
      (isOwn || isOne || !isPart(title));
    const isAside = (isLabel || isPart(title)) && !isOwn && scope.isDated && !scope.isActs && !tellsMany(section);
    const reading = isHeading ? readingOf(section, isBareDay(text, own), isOwn) : isAside ? 'state' : 'list';
    const { line, end } = section;
    const entry = { line, end, time: own, day: above.day, text, phase: above.phase, isHeading: true };
    const count = this.#entries.length + this.#rows.length;
    if (reading === 'account') this.#add(entry);
    this.#blocks(section.children, { ...scope, isAccount: reading !== 'list' || scope.isAccount });
    // A day's title says what happened where nothing under it does.
    const isAlone = this.#entries.length + this.#rows.length === count;
    if (
      isAlone &&
      isOwn &&
      !above.isNoLog &&
      !scope.isNoLog &&
      !(isTitle && isBareDay(text, own)) &&
      !isBareDay(text, own)
    )
      this.#add(entry);
  }

  #blocks(blocks: readonly Block[], scope: Scope): void {
    const items = blocks.filter((block) => block.kind === 'item');
    const isDatedList = items.some(({ text }) => timeAtHead(text)?.day !== undefined);
    const isTimedText = blocks.some((block) => block.kind === 'paragraph' && isTimed(block.text));
    const isFields = !scope.isDated && areFields(items);
    const isActs = scope.isActs || shareOfActs(items) >= 0.5;
    /** A paragraph that is an entry owns the items behind it. */
    let hasOwner = false;
    for (const block of blocks) {
      switch (block.kind) {
        case 'section':
          hasOwner = false;
          this.#section(block, scope);
          break;
        case 'table':
          this.#table(block.table, scope);
          break;
        case 'paragraph':
          hasOwner = this.#paragraph(block, scope, isTimedText);
          break;
        case 'item':
          this.#item(block, { ...scope, isAccount: scope.isAccount || hasOwner || isFields, isActs }, isDatedList);
      }
    }
  }

  #table(table: Parameters<typeof readTableEvents>[0], scope: Scope): void {
    const mode = scope.isAccount || scope.isNoLog ? 'timed' : scope.isDated ? 'all' : 'status';
    const found = readTableEvents(table, { day: scope.day, year: this.#year, mode });
    if (!found) return;
    this.#rows.push(...found.events.map((event) => ({ ...event, phase: event.phase || scope.phase })));
    this.#problems.push(...found.problems);
    const bad = new Set(found.problems.map(({ line }) => line));
    for (const { line } of table.rows) if (!bad.has(line)) this.#read.add(line);
  }

  /** Gives whether the paragraph is an entry. */
  #paragraph(block: Paragraph, scope: Scope, isTimedText: boolean): boolean {
    const { text, line, end } = block;
    const head = timeAtHead(text);
    const isStated = !scope.isDated && !scope.isNoLog && !block.isQuoted && !KEY_LINE.test(text.slice(0, 60));
    const own = head ?? (isStated ? eventDay(text) : undefined);
    const isId = STARTS_WITH_ID.test(text) && !scope.isNoLog && !scope.isAccount;
    const isLead = isTimedText && scope.isDated && !scope.isNoLog && /^\*\*[^*]+\*\*/.test(text);
    const day = this.#dayOf(own?.day, scope.day);
    const isEntry = own ? (day !== undefined || scope.isDated) && restOf(text, own) !== '' : isLead || isId;
    if (isEntry) this.#add({ line, end, time: own, day: scope.day, text, phase: scope.phase, isHeading: false });
    return isEntry;
  }

  #item(item: Item, scope: Scope, isDatedList: boolean): void {
    const { text, line, end, box, children } = item;
    const head = timeAtHead(text);
    const headDay = this.#dayOf(head?.day, scope.day);
    const own = headDay !== undefined || (scope.day ?? this.#lastDay) !== undefined ? head : undefined;
    const rest = plainText(restOf(text, own));
    const group = own ? rest === '' : VERSION_HEAD.test(text);
    if (group && children.length > 0) {
      const isSaid = rest.replace(VERSION_HEAD, '') !== '';
      if (isSaid && this.#counts(item, scope, own, isDatedList)) this.#addItem({ ...item, end: line }, scope, own);
      this.#read.add(line);
      for (const child of children) this.#item(child, { ...scope, day: headDay ?? scope.day }, false);
      return;
    }
    const value = KEY_LINE.exec(rest)?.[2];
    if (NOTHING.test(rest) || (value !== undefined && end === line && box === undefined && NOTHING.test(value))) return;
    if (!this.#counts(item, scope, own, isDatedList)) {
      for (const child of children) this.#item(child, { ...scope, isAccount: true }, false);
      return;
    }
    this.#addItem({ line, end, box, text }, scope, own);
  }

  #addItem(
    { line, end, box, text }: Pick<Item, 'line' | 'end' | 'box' | 'text'>,
    scope: Scope,
    own: WrittenTime | undefined,
  ): void {
    const inside = own ?? (scope.isDated ? undefined : eventDay(text));
    const day = scope.day ?? (own ? this.#lastDay : this.#listDay);
    this.#add({ line, end, box, text, time: inside, day, phase: scope.phase, isHeading: false });
  }

  /** Whether an item is an entry. */
  #counts({ text, box }: Item, scope: Scope, own: WrittenTime | undefined, isDatedList: boolean): boolean {
    if (own || box) return true;
    if (scope.isAccount || scope.isNoLog) return false;
    if (scope.isDated || isDatedList) return true;
    if (META.test(keyOf({ text, box }) ?? '')) return false;
    if (eventDay(text) !== undefined) return true;
    // `Done` and `Unreleased` tell what happened in a log of dates too.
    return scope.isDone || (!this.#hasDates && scope.isActs);
  }

  #add(entry: Entry): void {
    this.#entries.push(entry);
    this.#listDay = this.#dayOf(entry.time?.day, entry.day) ?? entry.day ?? this.#listDay;
    this.#lastDay = this.#listDay ?? this.#lastDay;
    for (let line = entry.line; line <= entry.end; line++) this.#read.add(line);
  }
}

/** Events of a Markdown or plain log. A file's `name` may hold the day of what names none. Linear in the text. */
export function readMarkdownEvents(text: string, name = ''): FoundEvents {
  const lines = text.split(/\r\n?|\n/);
  const day = findDate(name)?.day;
  return new MarkdownReader(lines, readOutline(lines), day?.startsWith('0000') ? undefined : day).read();
}
