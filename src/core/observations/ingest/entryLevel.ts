/**
 * Which level of a section is the one of entries: the heading with all under it, or what stands under it. Structure
 * decides first: text before lists, fields, numbers, marks, check boxes, headings below. What items say decides the rest.
 */
import { findDate, isDateAlone } from '../../text/dates';
import { simplified } from '../../text/simplified';
import { isEnglishOrChinese } from '../../text/terms';
import {
  areAnswers,
  areFields,
  countActs,
  hasAct,
  isField,
  isHead,
  isMetaKey,
  isRecordKey,
  keyOf,
  tellsAct,
} from './acts';
import { isTimed } from './logEvent';
import { type Block, drawnBox, type Item, LABEL_LEVEL, type Paragraph, type Section } from './outline';
import {
  AGENT_NAME,
  bareHeading,
  type HeadingKind,
  hasName,
  isChange,
  isCounted,
  isMarked,
  isMarkedDone,
  isOrdinal,
  isOut,
  isSitting,
} from './sectionWords';
import { isFieldTable } from './tableEvents';

/** `account`: the heading is one entry; `list`: what stands under it is; `state`: nothing under it happened. */
export type Reading = 'account' | 'list' | 'state';

/** What is known of a section before it is read. */
export interface SectionFacts {
  readonly kind: HeadingKind;
  /** What its heading says beside the day. */
  readonly title: string;
  /** Its heading is a day, the number of a sitting or a release, and no more. */
  readonly isBare: boolean;
  /** Its heading is a day and no more, or a day and what its author calls all such days. */
  readonly isDay: boolean;
  /** Its heading names a day or a time. */
  readonly isOwn: boolean;
  /** Its heading does so in a remark: `Parser (by the docs of 2026-02-03)`. */
  readonly isInside: boolean;
  /** Its heading names a time of day. */
  readonly hasClock: boolean;
  /** A heading above names a day too. */
  readonly isDated: boolean;
  /** Whether several headings of the log say the same. */
  readonly isRepeated: (heading: string) => boolean;
  /** Whether several days have the title. */
  readonly isOfAll: (title: string) => boolean;
  /** Whether the log's words are English or Chinese. */
  readonly isLanguageKnown: boolean;
  /** Share of acts in all lists of the log. */
  readonly share: number;
}

/** How many items the share of the whole log counts for. */
const PRIOR_ITEMS = 2;
/** From this share of acts on, each item of a list is one. */
const MIN_SHARE = 0.5;

export const itemsOf = ({ children }: Section): readonly Item[] => children.filter((block) => block.kind === 'item');
/** The headings right below. */
const belowOf = ({ children }: Section): readonly Section[] =>
  children.filter((block) => block.kind === 'section').filter(({ level }) => level < LABEL_LEVEL);
const hasBox = ({ box, children }: Item): boolean => box !== undefined || children.some(hasBox);

/** Blocks under a heading and its labels, to the first heading below. A label that groups what was done is no part of it. */
function* leadOf({ children }: Section): Generator<Exclude<Block, Section>> {
  for (const block of children) {
    if (block.kind !== 'section') yield block;
    else if (block.level < LABEL_LEVEL) return;
    else if (!isOut(block.says) && !findDate(block.text)) yield* leadOf(block);
  }
}

/** Whether a heading counts or marks what it tells, and is more than the head of a list of boxes or of headings. */
export function isWhole(
  section: Section,
  { isDated, isDay, isRepeated }: Pick<SectionFacts, 'isDated' | 'isDay' | 'isRepeated'>,
): boolean {
  // `5.27 Monday` is a day and no chapter.
  if ((isDay || !isOrdinal(section.text)) && !isMarked(section.text)) return false;
  const lead = [...leadOf(section)];
  const isSplit = ({ text, ...rest }: Item): boolean => isTimed(text) || hasBox({ text, ...rest });
  if (lead.some((block) => block.kind === 'item' && isSplit(block))) return false;
  const below = belowOf(section);
  const isSure = areSides(below, isRepeated) || (isOrdinal(section.text) && isMarkedDone(section.text));
  if (!isSure && below.some(({ says }) => says === 'group')) return false;
  return lead.length > 0 || isMarkedDone(section.text) || (isDated && section.children.length === 0);
}

/** `**Time spent: 2h**`, `耗时：2 小时` */
const SPENT = /^[^\p{L}\p{N}]*(?:time spent|hours(?: spent)?|temps passé|耗时|用时)[^\p{L}\p{N}]{0,4}[:：]/iu;

/** Whether a line under a heading says how long it took. */
export const isSpent = ({ children }: Section): boolean =>
  children.some((block) => block.kind !== 'table' && isLine(block) && SPENT.test(block.text));
/** Whether a heading's list begins with `Status: done` and has other fields alone. */
export function saysDone({ children }: Section): boolean {
  const [first] = children;
  if (first?.kind !== 'item' || !children.every((block) => block.kind === 'item' && keyOf(block) !== undefined))
    return false;
  const [, name = '', value = ''] = STATE_LINE.exec(first.text) ?? [];
  return (
    /^(?:status|状态|статус)$/iu.test(simplified(name)) &&
    /^[\s*_✅☑✔]*(?:done|completed?|finished|shipped|merged|已?完成)[\s*_.!✅☑✔]*$/iu.test(value.slice(0, 40))
  );
}
const STATE_LINE = /^[*_]*(\p{L}+)[*_]*\s?[:：][*_]*\s*(.*)$/u;

const isLine = (block: Exclude<Block, { readonly kind: 'table' }>): boolean =>
  block.kind !== 'section' || block.level >= LABEL_LEVEL;

/** The first lines of a paragraph. */
const textOf = ({ line, end }: Paragraph, lines: readonly string[]): string =>
  lines.slice(line - 1, Math.min(end, line + 5)).join('\n');

/** Whether a paragraph is nothing but fields such as a date and a state. */
const isMeta = (block: Paragraph, lines: readonly string[]): boolean =>
  lines.slice(block.line - 1, block.end).every((text) => {
    const key = keyOf({ text });
    return (key !== undefined && isMetaKey(key)) || (isTimed(text) && isDateAlone(text.replace(/\d/g, '')));
  });

function saidBy(block: Exclude<Block, Section>, lines: readonly string[]): string {
  if (block.kind === 'paragraph') return textOf(block, lines);
  return block.kind === 'item' ? block.text : '';
}

/** Whether each item of a list is one thing that was done. */
export function areActs(items: readonly Item[], share: number): boolean {
  const acts = countActs(items);
  return acts > 0 && acts + PRIOR_ITEMS * share >= MIN_SHARE * (items.length + PRIOR_ITEMS);
}

/** Whether what stands under a heading within an account is entries of its own and no more of the account. */
export function tellsMany(section: Section): boolean {
  const items = itemsOf(section);
  return section.says === 'group' || isOrdinal(section.text) || countActs(items) > MIN_SHARE * items.length;
}

/** Whether a heading that no day holds for tells something in the text under it. */
export function tellsStory(section: Section, lines: readonly string[]): boolean {
  const [first] = leadOf(section);
  return first?.kind === 'paragraph' && hasAct(`${section.text}\n${textOf(first, lines)}`);
}

/** What an account of a repair or a feature calls the side that tells what was done. */
const REMEDY = /^(?:solution|fix(?:es)?|resolution|implementation|解决.*|修复.*)$/iu;

/** Whether what stands under a heading tells by named sides what was wrong or wanted and what was done, as among lessons. */
export function tellsRemedy(section: Section, lines: readonly string[]): boolean {
  const sides = [...leadOf(section)].filter((block) => block.kind === 'paragraph');
  const labels = section.children.flatMap((block) => (block.kind === 'section' ? block.text : []));
  const keys = [...sides.map((side) => keyOf({ text: side.text }) ?? ''), ...labels];
  return (
    new Set(keys).size > 1 &&
    keys.some((key) => REMEDY.test(bareHeading(key))) &&
    sides.some((side) => hasAct(textOf(side, lines).replace(/^\*\*[^*]+\*\*[:：]?\s*/, '')))
  );
}

/** Whether a heading says more than a day, a version or the number of a sitting. */
export const hasSubject = ({ kind, isBare, title }: Pick<SectionFacts, 'kind' | 'isBare' | 'title'>): boolean =>
  kind === 'title' && !isBare && (!isCounted(title) || hasName(title));

/** Whether something is true of an item anywhere under a heading. */
const hasItem = ({ children }: Section, is: (item: Item) => boolean): boolean =>
  children.some((block) => (block.kind === 'item' ? is(block) : block.kind === 'section' && hasItem(block, is)));
const hasBoxes = (section: Section): boolean => hasItem(section, hasBox);

/** `Completed`, `What was done`: of one subject several deeds are told, not its sides. */
const isDeeds = (section: Section): boolean => {
  const name = bareHeading(section.text);
  return (IS_DEEDS.test(name) || SORTS_CHANGES.test(name)) && itemsOf(section).length > 1;
};
const IS_DEEDS =
  /^(?:what (?:was|we|i|got) (?:done|did|accomplished|completed)|(?:work |tasks? )?(?:done|completed?|accomplish(?:ed|ments)|finished|shipped|delivered|achievements|progress)(?!\p{L}))|^(?:本[轮次日周]|今[日天])?已?完成(?:事项|内容|工作|情况|的)?/iu;

/** `[x]`, and no drawn mark, which says how a side went. */
const hasWrittenBox = ({ text, box, children }: Item): boolean =>
  (box !== undefined && drawnBox(text) === undefined) || children.some(hasWrittenBox);

const IS_AGENT = new RegExp(AGENT_NAME, 'iu');

/** `Session 3: parser`: a weekday, a day or an agent behind the number is no subject. */
function hasSubjectBehindNumber(title: string): boolean {
  const rest = /^\P{N}*\d+\s?(?:[(（][^()（）]{1,30}[)）]\s?)?(?:[:：–—-])\s?(.+)$/u.exec(title)?.[1] ?? '';
  return (
    rest !== '' && isSitting(title) && !IS_AGENT.test(rest) && !isDateAlone(rest) && !findDate(rest, { inside: true })
  );
}

/** Whether headings are sides of one account: most come again under others, and they neither sort changes nor hold boxes. */
const areSides = (sides: readonly Section[], isRepeated: SectionFacts['isRepeated']): boolean =>
  sides.length > 1 &&
  sides.filter(({ text }) => isRepeated(text)).length * 3 >= sides.length * 2 &&
  sides.filter(({ text }) => SORTS_CHANGES.test(bareHeading(text))).length * 2 < sides.length &&
  !sides.some((side) => hasItem(side, hasWrittenBox));
/** `Added`: of a release each change is told. */
const SORTS_CHANGES =
  /^(?:(?:added|changed|fixed|removed|deprecated|security|(?:new )?features|bug fixes|(?:major|minor|patch) changes)(?!\p{L})|(?:fixes|新增|修[复復]|优化|变更|改进)$)/iu;

/** Whether what stands under a heading can be told as one, where those beside it are: nothing in it is an entry by itself. */
export function isOneAccount(section: Section, isRepeated: SectionFacts['isRepeated']): boolean {
  const below = belowOf(section);
  const isSplit = below.some(({ says }) => says === 'group') && !areSides(below, isRepeated);
  return section.children.length > 0 && !isSplit && !hasTime(section) && !hasItem(section, hasWrittenBox);
}
const hasTime = ({ children }: Section): boolean =>
  children.some(
    (block) => block.kind !== 'table' && (isTimed(block.text) || (block.kind === 'section' && hasTime(block))),
  );

/** Whether the headings and labels under a subject are its sides, such as its problem, its changes and their tests. */
function isReport(section: Section, facts: SectionFacts): boolean {
  const { children } = section;
  const { isRepeated } = facts;
  const sides = children.filter((block) => block.kind === 'section');
  const areSame = sides.length > 2 && areSides(sides, isRepeated);
  const isSide = (side: Section): boolean => areSame || !isSeparate(side);
  // What stands under several subjects by the same name is a side of each, in whatever language.
  const subjects = sides.filter(({ says, text }) => says === 'title' && !isRepeated(text)).length;
  const isFirst = children[0]?.kind === 'section';
  return isFirst && sides.length > 1 && subjects * 2 <= sides.length && sides.every(isSide);
}

/** Whether a subject starts with fields that say when it was or how it ended: all under it is one record. */
function isRecord({ children }: Section, lines: readonly string[]): boolean {
  const [first] = children;
  const isSplit = children.some(({ kind }) => kind === 'section') || !children.some(({ kind }) => kind === 'item');
  if (first?.kind !== 'paragraph' || !isMeta(first, lines) || !isSplit) return false;
  const keys = lines.slice(first.line - 1, first.end).map((text) => keyOf({ text }) ?? '');
  return keys.some((key) => isRecordKey(key));
}

/** Whether most items of a subject, or all of a day's, have names that come again under other headings. */
function haveSameNames(items: readonly Item[], facts: SectionFacts): boolean {
  const named = items.filter((item) => facts.isRepeated(keyOf(item) ?? '')).length;
  const isMany = hasSubject(facts) ? named * 2 > items.length : named > 2 && named === items.length;
  return !facts.isLanguageKnown && items.length > 1 && isMany;
}

/** Whether what stands under a side is several deeds or tasks of their own. */
const isSeparate = (side: Section): boolean => isDeeds(side) || hasBoxes(side);

/** Whether below a heading's fields each heading, of these `kinds`, tells something else, and is no side of one account. */
function isToldBelow(section: Section, kinds: readonly HeadingKind[], facts: SectionFacts): boolean {
  const sides = belowOf(section);
  // What was wanted, done and seen, under each subject by the same names; or a problem, its cause and more.
  const areParts =
    (sides.length > 2 && areSides(sides, facts.isRepeated)) || (kinds.includes('part') && !kinds.includes('group'));
  if (hasSubject(facts) && areParts) return false;
  return sides.some((_, at) => kinds[at] === 'group' || kinds[at] === 'title');
}

/** `1.2`, `v1.2.0` */
const VERSION = /(?<![\p{L}\d.])v?\d+\.\d+/iu;

/** Whether headings below are entries or days themselves: `10:00 Alarm`, `Phase 3`, `Parser ✅`; or sort changes. */
function isGrouping(section: Section): boolean {
  const below = belowOf(section);
  if (below.some(({ text }) => isTimed(text))) return true;
  const isWholeOne = ({ text }: Section): boolean =>
    isMarked(text) || drawnBox(text) !== undefined || isCounted(text) || isDateAlone(text) || VERSION.test(text);
  const sorts = below.filter(({ text, says }) =>
    VERSION.test(section.text) ? says === 'group' || isChange(text) : SORTS_CHANGES.test(bareHeading(text)),
  ).length;
  return below.filter(isWholeOne).length * 2 > below.length || (sorts > 0 && sorts * 2 >= below.length);
}

const VERSION_FIRST = /^\W*v?\d+\.\d+/i;

/** Whether a day, a sitting or a release has a subject, which all that is told below is about. */
export function isOneSubject(section: Section, facts: SectionFacts): boolean {
  const { title, isOwn, isInside } = facts;
  const isNamed = hasSubject(facts) && (!isSitting(title) || hasSubjectBehindNumber(title));
  const isOpen = isMarked(section.text) && !isMarkedDone(section.text);
  return (
    ((isOwn && !isInside) || isSitting(title) || VERSION_FIRST.test(title)) &&
    isNamed &&
    !isOpen &&
    !facts.isOfAll(title) &&
    !isGrouping(section)
  );
}

export function readingOf(section: Section, facts: SectionFacts, lines: readonly string[]): Reading {
  const { kind, isBare, isOwn, hasClock, isDated, share } = facts;
  if (isWhole(section, facts) || (!isBare && saysDone(section))) return 'account';
  const hasSections = section.children.some((block) => block.kind === 'section');
  if (hasSections && isOneSubject(section, facts)) return 'account';
  const lead = [...leadOf(section)].filter(
    (block) => block.kind !== 'paragraph' || !(block.isQuoted || isMeta(block, lines)),
  );
  if (hasSubject(facts) && (isRecord(section, lines) || isReport(section, facts))) return 'account';
  const kinds = belowOf(section).map(({ says, text }) =>
    isBare && says === 'state' && isChange(text) ? 'group' : says,
  );
  const [first] = lead;
  if (!first) {
    const subjects = kinds.filter((each) => each === 'title').length;
    const isParts = !isBare && kinds.includes('part') && !kinds.includes('group') && subjects * 3 <= kinds.length;
    return isParts ? 'account' : 'list';
  }
  if (first.kind === 'table' && isOwn && isFieldTable(first.table)) return 'account';
  const items = lead.filter((block) => block.kind === 'item');
  const isList = isBare || kind === 'group';
  if (first.kind === 'paragraph') {
    if (isTimed(first.text)) return 'list';
    const key = keyOf({ text: first.text }) ?? '';
    const isFact = /^\*\*[^*]{1,40}(?:[:：]\*\*|\*\*[:：])/.test(first.text) || (key !== '' && isField(key));
    if (isFact && !hasClock && isToldBelow(section, kinds, facts)) return 'list';
    // A release may be introduced; its changes stand below.
    if (isBare && kinds.includes('group')) return 'list';
    const line = lines[first.line - 1]?.trim() ?? '';
    // `重大更新` above the list of a day.
    const isCaption =
      isList &&
      facts.isLanguageKnown &&
      first.end === first.line &&
      !hasAct(line) &&
      line.length < 40 &&
      !/[.!?。！？]$/.test(line);
    // What is said before the sentence that introduces a list is told too.
    const next = section.children[1];
    const isBefore = next?.kind === 'item' || (isBare && next?.kind === 'section');
    const isIntro = isBefore && (isCaption || /^(?!.*(?:[.!?]\s|[。！？])\s*\S).*[:：]\**$/.test(line));
    if (!isIntro || !(isList || items.some((item) => isHead(item) || isTimed(item.text)))) {
      const text = lead.map((block) => saidBy(block, lines)).join('\n');
      return isOwn || isCounted(section.text) || !isEnglishOrChinese(text) || hasAct(section.text) || hasAct(text)
        ? 'account'
        : 'state';
    }
  }
  if (areAnswers(items)) return 'state';
  if (kind !== 'group' && (areFields(items) || haveSameNames(items, facts))) return 'account';
  if (isList || items.length === 0 || items.some((item) => isTimed(item.text) || hasBox(item))) return 'list';
  // What was seen at one moment, each under its name, is one entry.
  const isMoment = hasClock && items.every((item) => keyOf(item) !== undefined);
  if (!isMoment && areActs(items, share)) return 'list';
  // What days call a part of them is no subject of one.
  if (!isOwn && !isCounted(section.text) && facts.isRepeated(section.text)) return 'state';
  const isTold = [section, ...items].some((block) => tellsAct(block) || isField(keyOf(block) ?? ''));
  return isDated || isTold || isCounted(section.text) ? 'account' : 'state';
}
