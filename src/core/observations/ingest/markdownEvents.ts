/**
 * Events of a Markdown or plain log. What counts as one: an entry that says its own time; each item, table row or
 * account under a day; check boxes anywhere; in a file without any date each item of a list that is no plan, rule or
 * description. An entry owns what is indented under it and the paragraphs up to the next one.
 */
import { findDate } from '../../text/dates';
import {
  beginsWithState,
  datedLink,
  datedName,
  IS_ADDRESS,
  IS_HEADING,
  IS_LEGEND,
  IS_PATH,
  IS_TO_DO,
  isContents,
  isMetaKey,
  isName,
  isPlanKey,
  isStamped,
  isTicked,
  keyOf,
  NOTHING,
  PLACEHOLDER,
  tellsAct,
  tellsDoneBelow,
  tellsPast,
  tellsTaskState,
} from './acts';
import { type BlockList, judgeBlocks, TAG } from './blockList';
import { type Entry, entryEvent, isBareDay, KEY_LINE, plainText, restOf, SHORT_CHARS } from './entryText';
import {
  eventDay,
  type FoundEvents,
  LINE_END,
  type LineDates,
  type LogEvent,
  readShortDay,
  timeAtHead,
  type WrittenTime,
} from './logEvent';
import { dayOverClocks, factsOf, givenYear, headDay, type LogFacts, NO_SCOPE, type Scope } from './logFacts';
import { type Block, drawnBox, type Item, LABEL_LEVEL, type Paragraph, readOutline, type Section } from './outline';
import { judgeSection, type LogContext, timeOf, VERSION_HEAD } from './sectionScope';
import { bareHeading, IS_DONE, isReportName, kindOf } from './sectionWords';
import { readTableEvents } from './tableEvents';

/** `{{project}}`, `- DATE: {{date}}`: what is to be filled in; so many make a template. */
const BLANK = /^[^{}]{0,40}\{\{ ?[\w.-]{1,40} ?\}\}\s*$/;
const MIN_BLANKS = 3;

/** `To develop:`, `后续功能开发`: a short line above a list, or first in a text, that is a name and no sentence. */
const NAME_OF_LIST = /^(?=.{2,30}$)[^.。!！?？,，;；|]+(?:[:：]|(?<=^\p{Script=Han}+))$/u;
/** A line of a list that is written without a mark of Markdown. */
const IS_NUMBERED = /^\d{1,2}[.、．)]/u;

/** Whether what stands behind a text is to do. @param isPlan whether it was before */
function namesPlan(lines: readonly string[], isPlan: boolean): boolean {
  const [first = '', last = first] = [lines[0]?.trim(), lines.at(-1)?.trim()];
  const name = [first, last].find((line) => NAME_OF_LIST.test(line));
  return name === undefined ? isPlan && IS_NUMBERED.test(first) : kindOf(name) === 'plan';
}

/** `新增功能`, `修复问题`: kinds of changes, each over a list of them. */
const SORT_OF_CHANGES =
  /^(?:新增|增加|优化|改进|修[复改]|完善|调整|更新|删除|重构)(?:功能|问题|体验|性能|内容|接口|bug)?$/iu;

/** What a list is that is said to be done, though its heading tells how things stand. */
const DONE = { isState: false, isDone: true };

/** What the blocks above say of the next one under the same heading. */
interface Above {
  within: Scope;
  /** The last entry owns the items behind it, as a paragraph or the head of a record does. */
  hasOwner: boolean;
  owner?: Entry | undefined;
  /** Of the record that owns what stands behind. */
  recordLine?: number | undefined;
  /** A line above says that what stands behind is done. */
  isDone: boolean;
  /** A line above says that what stands behind is to do. */
  isPlan: boolean;
}

/** Reads the outline of one log. */
class MarkdownReader {
  readonly #entries: Entry[] = [];
  readonly #rows: LogEvent[] = [];
  readonly #problems: { line: number; why: string }[] = [];
  readonly #read = new Set<number>();
  readonly #facts: LogFacts;
  readonly #context: LogContext;
  /** Day of the entry above, and of the one above under the same heading. */
  #lastDay: string | undefined;
  #listDay: string | undefined;

  constructor(
    private readonly lines: readonly string[],
    private readonly outline: ReturnType<typeof readOutline>,
    name: string,
    private readonly fileDay: string | undefined,
    private readonly dates: LineDates | undefined,
  ) {
    const { root } = outline;
    const title = root.children.find((block) => block.kind === 'section');
    this.#facts = factsOf(root, lines, fileDay);
    this.#context = { root, lines, name, facts: this.#facts, title, dayOf: this.#dayOf };
  }

  read(): FoundEvents {
    const { root, structure } = this.outline;
    const head = headDay(root, this.#context.title, this.lines, this.#facts.isKnown) ?? dayOverClocks(root, this.lines);
    const day = this.fileDay ?? this.#dayOf(head, undefined, 1);
    // A template tells nothing but what is marked as done.
    const isNoLog = this.lines.filter((line) => BLANK.test(line)).length >= MIN_BLANKS;
    this.#section(root, { ...NO_SCOPE, day, isDated: day !== undefined, isNoLog }, false);
    const events = [
      ...this.#entries.map((entry, at) => {
        const year = this.#yearOf(entry.time?.day, entry.line);
        return entryEvent(entry, this.lines, this.#entries[at + 1]?.line, year);
      }),
      ...this.#rows,
    ];
    events.sort((left, right) => left.line - right.line);
    const unread = this.lines.flatMap((line, at) =>
      line.trim() === '' || structure.has(at + 1) || this.#read.has(at + 1) ? [] : [at + 1],
    );
    return { events, problems: this.#problems, unread };
  }

  /** The year of a day without one, where nothing above it has one. */
  readonly #yearOf = (day: string | undefined, line: number): string | undefined =>
    this.#facts.yearOver(line) ?? this.#facts.year ?? givenYear(this.dates, day, line);

  readonly #dayOf: LogContext['dayOf'] = (day, context, line) => {
    if (!day?.startsWith('0000')) return day && this.#facts.asMeant(day, line);
    const year = this.#facts.yearOver(line) ?? (context ?? this.#lastDay)?.slice(0, 4) ?? this.#yearOf(day, line);
    return year === undefined ? undefined : year + day.slice(4);
  };

  /** `isAlike`: those beside it are entries each. */
  #section(section: Section, above: Scope, isAlike: boolean): void {
    const { text, level, line, end } = section;
    if (level < LABEL_LEVEL) this.#listDay = undefined;
    const judged = judgeSection(section, above, this.#context);
    const { own, scope, isSubject, isNamed } = judged;
    const reading = isAlike ? 'account' : judged.reading;
    const { day, phase } = above;
    const entry = { line, end, time: own, day, text, phase, actor: scope.actor, isHeading: true };
    const count = this.#entries.length + this.#rows.length;
    if (reading === 'account') this.#add(entry);
    const isAccount = reading !== 'list' || scope.isAccount;
    // What has a subject of its own is told under it, list by list; of a day or a sitting each list tells something else.
    const isWhole = scope.isWhole || isAlike || (reading === 'account' && isSubject);
    const isState = scope.isState || reading === 'state';
    this.#blocks(section.children, { ...scope, isAccount, isWhole, isState });
    // A day's title says what happened where nothing under it does.
    if (this.#entries.length + this.#rows.length === count && isNamed) this.#add(entry);
  }

  #blocks(blocks: readonly Block[], given: Scope): void {
    const list = judgeBlocks(blocks, given, this.#context);
    const above: Above = { within: list.scope, hasOwner: false, isDone: false, isPlan: false };
    for (const block of blocks) {
      if (block.kind === 'section') this.#sectionOf(list, block, above);
      else if (block.kind === 'paragraph') this.#paragraphOf(list, block, above);
      else if (block.kind === 'item') this.#itemOf(list, block, above);
      else this.#table(block.table, list.scope);
    }
  }

  #sectionOf({ scope, alike, isOfLog }: BlockList, section: Section, above: Above): void {
    above.hasOwner = false;
    above.isDone = false;
    above.isPlan = false;
    above.within = this.#dayAlone(section, scope) ?? above.within;
    const { within } = above;
    const below = isOfLog(section) ? { ...within, day: within.day ?? this.#lastDay, isDated: true } : within;
    this.#section(section, below, alike.has(section));
  }

  #paragraphOf({ scope, areTagged }: BlockList, paragraph: Paragraph, above: Above): void {
    const lines = this.lines.slice(paragraph.line - 1, paragraph.end);
    above.hasOwner = this.#paragraph(paragraph, scope, areTagged && !scope.isNoLog && !scope.isAccount);
    above.owner = above.hasOwner ? this.#entries.at(-1) : undefined;
    if (!above.hasOwner) above.isPlan = namesPlan(lines, above.isPlan);
    above.isDone = !above.hasOwner && tellsDoneBelow(lines.join('\n'));
  }

  #itemOf({ scope, record, ...list }: BlockList, item: Item, above: Above): void {
    // What a paragraph owns are no records of their own.
    const isOfParagraph = above.hasOwner && above.owner?.line !== above.recordLine;
    const isHead = record !== undefined && keyOf(item) === record && !isOfParagraph;
    if (isHead) above.hasOwner = false;
    const isAccount = scope.isAccount || above.hasOwner || (list.isNote && item.box === undefined);
    const isNoLog = scope.isNoLog || (above.isPlan && !tellsPast(item.text));
    const told = above.isDone && !isAccount ? DONE : {};
    this.#item(item, { ...scope, ...told, isAccount, isGroup: list.isGroup, isNoLog }, list.isDatedList);
    const last = this.#entries.at(-1);
    if (isHead) {
      above.hasOwner = last?.line === item.line;
      above.owner = above.hasOwner ? last : undefined;
      above.recordLine = above.owner?.line;
    } else if (above.owner && last === above.owner) above.owner = this.#lengthen(above.owner, item.end);
  }

  /** A heading that is a day, with nothing under it, holds for the headings behind it. */
  #dayAlone(section: Section, scope: Scope): Scope | undefined {
    const own = section.children.length === 0 ? timeOf(section, this.#context) : undefined;
    if (own?.day === undefined || !(isBareDay(section.text, own) || isReportName(restOf(section.text, own))))
      return undefined;
    return { ...scope, day: this.#dayOf(own.day, scope.day, section.line), isDated: true, isUnderDay: true };
  }

  #table(table: Parameters<typeof readTableEvents>[0], scope: Scope): void {
    const isTold = (scope.isDated && !scope.isState) || scope.isDone;
    const ofAccount = scope.isAccount && scope.isWhole ? 'timeline' : 'timed';
    const mode = scope.isAccount || scope.isNoLog ? ofAccount : isTold ? 'all' : 'status';
    const found = readTableEvents(table, { day: scope.day, yearOf: this.#yearOf, asMeant: this.#facts.asMeant, mode });
    if (!found) return;
    this.#rows.push(...found.events.map((event) => ({ ...event, phase: event.phase || scope.phase })));
    this.#problems.push(...found.problems);
    const bad = new Set(found.problems.map(({ line }) => line));
    for (const { line } of table.rows) if (!bad.has(line)) this.#read.add(line);
  }

  /** Gives whether the paragraph is an entry. */
  #paragraph(block: Paragraph, scope: Scope, areTagged: boolean): boolean {
    const { text, line, end } = block;
    if (isContents(text)) return false;
    if (isMetaKey(keyOf({ text: text.replace(/^[*_]+/, '') }) ?? '')) return false;
    const head = timeAtHead(text);
    const isStated =
      !scope.isDated &&
      !scope.isNoLog &&
      !scope.isState &&
      !block.isQuoted &&
      (datedName(text) !== undefined || !KEY_LINE.test(text.slice(0, 60)));
    const own = head ?? (isStated || block.stamp === 'label' ? eventDay(text) : undefined);
    // What is done of a plan is told, as by a box.
    const mayBeId = block.stamp !== undefined && (block.stamp !== 'lead' || scope.isUnderDay);
    const isId = mayBeId && !scope.isAccount && (!scope.isNoLog || block.stamp === 'state');
    const isTagged = areTagged && TAG.test(text);
    const day = this.#dayOf(own?.day, scope.day, line);
    const isSaid = own && restOf(text, own) !== '' && !isBareDay(text, own);
    const isEntry = own ? (day !== undefined || scope.isDated) && isSaid === true : isId || isTagged;
    if (isEntry)
      this.#add({
        line,
        end,
        time: own,
        day: scope.day,
        text,
        phase: scope.phase,
        actor: scope.actor,
        isHeading: false,
      });
    return isEntry;
  }

  #item(given: Item, scope: Scope, isDatedList: boolean): void {
    const item = { ...given, text: datedLink(given.text) ?? given.text };
    const { text, line, end, box, children } = item;
    const head = timeAtHead(text) ?? (this.#facts.shortDays && children.length > 0 ? readShortDay(text) : undefined);
    const headDay = this.#dayOf(head?.day, scope.day, line);
    const own = headDay !== undefined || (scope.day ?? this.#lastDay) !== undefined ? head : undefined;
    const rest = plainText(restOf(text, own));
    if (scope.isNoLog || scope.isState) {
      const then = datedName(text);
      if (then && this.#readDatedName(item, then, scope)) return;
    }
    // What is done may be told among how things stand: `- 已完成：`.
    const name = bareHeading(text);
    const isDone =
      !own &&
      box === undefined &&
      /[:：][*_]*$/.test(text) &&
      ((IS_DONE.test(name) && kindOf(name) === 'group') || (scope.isDated && SORT_OF_CHANGES.test(name)));
    if (isDone && children.length > 0 && !scope.isNoLog && (!scope.isAccount || scope.isState)) {
      for (const child of children) this.#item(child, { ...scope, ...DONE, isNoLog: false, isAccount: false }, false);
      this.#read.add(line);
      return;
    }
    const group = own
      ? rest === '' && own.clock === undefined
      : IS_HEADING.test(text) ||
        (box === undefined && VERSION_HEAD.test(text) && rest.replace(VERSION_HEAD, '').length < SHORT_CHARS);
    if (group && children.length > 0) {
      const isSaid = rest.replace(VERSION_HEAD, '') !== '' && !IS_HEADING.test(text);
      if (isSaid && this.#counts(item, scope, own, isDatedList)) this.#addItem({ ...item, end: line }, scope, own);
      this.#read.add(line);
      const below = headDay === undefined ? scope : { ...scope, day: headDay, isDated: true };
      for (const child of children) this.#item(child, below, false);
      return;
    }
    const value = KEY_LINE.exec(rest)?.[2];
    const isPath = children.length === 0 && IS_PATH.test(text);
    const isPointer =
      (isPath && !scope.isDone) ||
      IS_ADDRESS.test(text) ||
      isContents(text) ||
      (!own && value !== undefined && IS_ADDRESS.test(value));
    if (box === undefined && isPointer && !isTicked(item)) return;
    const isMoment = own?.clock !== undefined && children.length > 0;
    if (
      (NOTHING.test(rest) && !isMoment) ||
      (value !== undefined && end === line && box === undefined && NOTHING.test(value))
    )
      return;
    // What stands above a checklist names it.
    const hasBoxes = children.some((child) => child.box !== undefined);
    const isNameOfBoxes = !own && hasBoxes && box === undefined;
    if (!isNameOfBoxes && this.#counts(item, scope, own, isDatedList)) {
      this.#addItem({ line, end, box, text }, scope, own);
      for (const child of children) this.#boxes(child, scope, box === 'done');
    } else for (const child of children) this.#item(child, { ...scope, isAccount: true }, false);
  }

  /** What a name with a day tells, or the items under it. */
  #readDatedName(item: Item, { day, rest }: { readonly day: string; readonly rest: string }, scope: Scope): boolean {
    const { line, children } = item;
    const then = { ...scope, day, isDated: true, isNoLog: false, isState: false };
    if (rest !== '') this.#addItem(item, then, undefined);
    else for (const child of children) this.#item(child, then, false);
    this.#read.add(line);
    return rest !== '' || children.length > 0;
  }

  /** Check boxes below an entry are entries too; below a box that is done, those that are done are its parts. */
  #boxes({ children, ...item }: Item, scope: Scope, isUnderDone: boolean): void {
    const isDone = item.box === 'done';
    const isPart = isUnderDone && isDone && timeAtHead(item.text) === undefined;
    if (item.box !== undefined && !isPart && !NOTHING.test(plainText(item.text))) this.#addItem(item, scope, undefined);
    for (const child of children) this.#boxes(child, scope, isDone);
  }

  #addItem(
    { line, end, box, text }: Pick<Item, 'line' | 'end' | 'box' | 'text'>,
    scope: Scope,
    own: WrittenTime | undefined,
  ): void {
    const inside = own ?? (scope.isDated ? undefined : eventDay(text));
    const day = scope.day ?? (own ? this.#lastDay : this.#listDay);
    const { phase, actor } = scope;
    this.#add({ line, end, box, text, time: inside, day, phase, actor, isHeading: false });
  }

  /** Whether an item is an entry. */
  #counts(
    { line, end, text, box, children }: Item,
    scope: Scope,
    own: WrittenTime | undefined,
    isDatedList: boolean,
  ): boolean {
    if (box === 'open' && PLACEHOLDER.test(text)) return false;
    if (own) return true;
    // `❌ Parser` under a plan is what is left to do.
    if (scope.isNoLog && drawnBox(text) === 'open') return false;
    // Of what is told as a whole, drawn marks say how it went, and boxes that are done what was checked.
    const isPart = scope.isAccount && (drawnBox(text) !== undefined || (scope.isWhole && box === 'done'));
    if (box && !isPart) return !IS_LEGEND.test(text);
    if (!scope.isDone && children.length === 0 && end === line && text.length < SHORT_CHARS && isName(text))
      return false;
    // The head of a list may be longer than a key.
    const key = keyOf({ text, box }) ?? (/[:：]\**$/.test(text) ? text : '');
    if (!scope.isAccount && (scope.isNoLog ? isStamped(text) : tellsTaskState(text))) return true;
    if (scope.isAccount || scope.isNoLog || scope.isState || (key !== '' && isPlanKey(key) && !tellsAct({ text: key })))
      return false;
    if (beginsWithState({ text })) return true;
    if (isMetaKey(key) || IS_TO_DO.test(text)) return false;
    if (scope.isDated || isDatedList) return true;
    if (eventDay(text) !== undefined) return true;
    // `Done` and `Unreleased` tell what happened in a log of dates too.
    return scope.isDone || (scope.isGroup && (!this.#facts.hasDates || scope.isSitting || scope.isRelease));
  }

  /** What stands behind the last entry is a part of it too. */
  #lengthen(entry: Entry, end: number): Entry {
    const longer = { ...entry, end };
    this.#entries.splice(-1, 1, longer);
    for (let line = entry.end + 1; line <= end; line++) this.#read.add(line);
    return longer;
  }

  #add(entry: Entry): void {
    const { time } = entry;
    const day = time?.day && this.#facts.asMeant(time.day, entry.line);
    this.#entries.push(time && day !== undefined ? { ...entry, time: { ...time, day } } : entry);
    this.#listDay = this.#dayOf(entry.time?.day, entry.day, entry.line) ?? entry.day ?? this.#listDay;
    this.#lastDay = this.#listDay ?? this.#lastDay;
    for (let line = entry.line; line <= entry.end; line++) this.#read.add(line);
  }
}

/**
 * Events of a Markdown or plain log. A file's `name` may hold the day of what names none; `dates`
 * tell the year of days without one. Linear in the text.
 */
export function readMarkdownEvents(text: string, name = '', dates?: LineDates): FoundEvents {
  const lines = text.split(LINE_END);
  const day = findDate(name)?.day;
  return new MarkdownReader(lines, readOutline(lines), name, day?.startsWith('0000') ? undefined : day, dates).read();
}
