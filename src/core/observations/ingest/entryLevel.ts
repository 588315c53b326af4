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
import { SPENT } from './entryText';
import { isTimed } from './logEvent';
import { type Block, drawnBox, type Item, LABEL_LEVEL, type Paragraph, type Section } from './outline';
import {
  areSides,
  belowOf,
  hasBox,
  hasBoxes,
  hasItem,
  hasLeads,
  hasStates,
  hasWrittenBox,
  itemsOf,
  leadOf,
  SORTS_CHANGES,
  sortChanges,
} from './sectionBlocks';
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
  isSitting,
  kindOfSubject,
  WHOLE_VERSION,
} from './sectionWords';
import { isFieldTable, isTimedTable, saysDoneRows, tellsDeeds } from './tableEvents';

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
  /** It stands, among others like it, under a heading that says that they were done. */
  readonly isInGroup: boolean;
  /** Whether several headings of the log say the same. */
  readonly isRepeated: (heading: string) => boolean;
  /** Whether items under several headings have the name. */
  readonly isFieldOfMany: (key: string) => boolean;
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

/** Whether most headings are subjects with a mark: what stands over them only groups. */
function areMarkedSubjects(below: readonly Section[]): boolean {
  const marked = below.filter(({ text }) => isMarked(text));
  return below.length > 1 && marked.length * 2 > below.length;
}

/** Whether a heading counts or marks what it tells, and is more than the head of a list of boxes or of headings. */
export function isWhole(
  section: Section,
  { isDated, isDay, isRepeated }: Pick<SectionFacts, 'isDated' | 'isDay' | 'isRepeated'>,
): boolean {
  // `5.27 Monday` is a day and no chapter.
  if ((isDay || !isOrdinal(section.text)) && !isMarked(section.text)) return false;
  const lead = [...leadOf(section)];
  const mayHaveBoxes = isMarkedDone(section.text);
  // Drawn marks below a number say how its parts went.
  const isNumber = isOrdinal(section.text) && /^\W*\d/u.test(section.text);
  const hasOwnBox = (item: Item): boolean => (isNumber && item.box !== 'open' ? hasWrittenBox(item) : hasBox(item));
  const isSplit = (item: Item): boolean => isTimed(item.text) || (!mayHaveBoxes && hasOwnBox(item));
  if (lead.some((block) => block.kind === 'item' && isSplit(block))) return false;
  if (hasStates(lead)) return false;
  const says = isOrdinal(section.text) ? kindOfSubject(section.text) : section.says;
  if (says === 'group' && !isMarked(section.text)) return false;
  const [first] = lead;
  if (first?.kind === 'table' && (tellsDeeds(first.table) || isTimedTable(first.table))) return false;
  // `Phase 1: parser` over its tasks, and nothing else that tells of the phase.
  const isOfTasks = section.children.length === 1 && isCounted(section.text) && !isMarked(section.text);
  if (first?.kind === 'table' && isOfTasks && saysDoneRows(first.table)) return false;
  const below = belowOf(section);
  if (section.children[0]?.kind === 'section' && areMarkedSubjects(below)) return false;
  // Boxes below what is marked as done are its parts where all are done, and no subject stands between.
  const isLeft = (side: Section) => (item: Item) =>
    hasWrittenBox(item) && !(mayHaveBoxes && side.says !== 'title' && item.box === 'done');
  if (below.some((side) => hasItem(side, isLeft(side)))) return false;
  const isSure = areSides(below, isRepeated) || (isOrdinal(section.text) && isMarkedDone(section.text));
  if (!isSure && below.some(({ says }) => says === 'group')) return false;
  return lead.length > 0 || isMarkedDone(section.text) || (isDated && section.children.length === 0);
}

/** `Session 3` over what was done in it, which neither boxes nor subjects part. */
const isOneSitting = (section: Section): boolean =>
  isSitting(section.text) && !hasBoxes(section) && !belowOf(section).some(({ says }) => says === 'title');

/** Whether a line under a heading says how long it took. */
export const isSpent = ({ children }: Section): boolean =>
  children.some((block) => block.kind !== 'table' && isLine(block) && SPENT.test(block.text));
/** Whether a heading's list begins with `Status: done` and has other fields alone. */
export function saysDone({ children }: Section): boolean {
  const [first] = children;
  if (first?.kind === 'paragraph' && DONE_LINE.test(first.text)) return true;
  if (first?.kind !== 'item' || !children.every((block) => block.kind === 'item' && keyOf(block) !== undefined))
    return false;
  const [, name = '', value = ''] = STATE_LINE.exec(first.text) ?? [];
  return (
    /^(?:status|状态|статус)$/iu.test(simplified(name)) &&
    /^[\s*_✅☑✔]*(?:done|completed?|finished|shipped|merged|已?完成)[\s*_.!✅☑✔]*$/iu.test(value.slice(0, 40))
  );
}
/** `✅ **Completada** — nine of nine` */
const DONE_LINE =
  /^[✅☑✔]\uFE0F?\s*\*{0,2}(?:complet(?:ed?|ad[oa]s?)|done|finished|conclu[ií]d[oa]s?|terminad[oa]s?|terminé|erledigt|fertig|выполнено|готово|已?完成)\*{0,2}(?!\p{L})/iu;
/** Whether a heading's first line is a field that says how it went, and more stands below. */
export function saysState({ children }: Section): boolean {
  const [first] = children;
  if (first === undefined || first.kind === 'section' || first.kind === 'table' || children.length < 2) return false;
  return WENT.test(first.text);
}
const WENT =
  /^[*_]*(?:status|state|estado|état|etat|stato|stand|статус|状态)[*_]*\s?[:：][*_]*\s*(?:[✅☑✔]\uFE0F?\s*)?(?:done|completed?|fixed|finished|shipped|merged|resolved|closed|partial|passed|failed|hech[oa]|terminad[oa]|fatto|fini|terminé|erledigt|fertig|behoben|готово|выполнено|исправлено|已?完成|已修[复正]|已解决)(?=[\s*_]*(?:$|[✅☑✔.!,，;；(（—–-]))/imu;
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
const REMEDY = /^(?:solution|fix(?:e[ds])?|resolution|implementation|解决.*|修复.*)$/iu;

/** Whether what stands under a heading tells by named sides what was wrong or wanted and what was done, as among lessons. */
export function tellsRemedy(section: Section, lines: readonly string[]): boolean {
  const sides = [...leadOf(section)].filter((block) => block.kind === 'paragraph');
  const labels = section.children.flatMap((block) => (block.kind === 'section' ? block.text : []));
  const keys = [...sides.map((side) => keyOf({ text: side.text }) ?? ''), ...labels];
  const isRemedy = (key: string): boolean => REMEDY.test(bareHeading(key));
  // Labels that are sides: a heading such as `Fix the build` is a deed of its own.
  const tells = (side: Block): boolean =>
    side.kind === 'section' && side.level >= LABEL_LEVEL && isRemedy(side.text) && side.children.length > 0;
  return (
    new Set(keys).size > 1 &&
    keys.some(isRemedy) &&
    (sides.some((side) => hasAct(textOf(side, lines).replace(/^\*\*[^*]+\*\*[:：]?\s*/, ''))) ||
      section.children.some(tells))
  );
}

/** Whether a heading says more than a day, a version or the number of a sitting. */
export const hasSubject = ({ kind, isBare, title }: Pick<SectionFacts, 'kind' | 'isBare' | 'title'>): boolean =>
  kind === 'title' && !isBare && (!isCounted(title) || hasName(title));

/** `Completed`, `What was done`: of one subject several deeds are told, not its sides. */
const isDeeds = (section: Section): boolean => {
  const name = bareHeading(section.text);
  return (IS_DEEDS.test(name) || SORTS_CHANGES.test(name)) && itemsOf(section).length > 1;
};
const IS_DEEDS =
  /^(?:what (?:was|we|i|got) (?:done|did|accomplished|completed)|(?:work |tasks? )?(?:done|completed?|accomplish(?:ed|ments)|finished|shipped|delivered|achievements|progress)(?!\p{L}))|^(?:本[轮次日周]|今[日天])?已?完成(?:事项|内容|工作|情况|的)?/iu;

const IS_AGENT = new RegExp(AGENT_NAME, 'iu');

/** `Session 3: parser`: a weekday, a day or an agent behind the number is no subject. */
export function hasSubjectBehindNumber(title: string): boolean {
  const rest = /^\P{N}*\d+\s?(?:[(（][^()（）]{1,30}[)）]\s?)?[:：·–—-]\s?(.+)$/u.exec(title)?.[1] ?? '';
  return (
    rest !== '' && isSitting(title) && !IS_AGENT.test(rest) && !isDateAlone(rest) && !findDate(rest, { inside: true })
  );
}

/** Whether what stands under a heading can be told as one, where those beside it are: nothing in it is an entry by itself. */
export function isOneAccount(section: Section, isRepeated: SectionFacts['isRepeated']): boolean {
  const below = belowOf(section);
  const isSplit = below.some(({ says }) => says === 'group') && !areSides(below, isRepeated);
  return (
    (section.children.length > 0 || isSitting(section.text)) &&
    !isSplit &&
    !hasTime(section) &&
    !hasItem(section, hasWrittenBox)
  );
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
  // Days of a week are no sides of it.
  if (sides.every(({ text }) => isDateAlone(text))) return false;
  return isFirst && sides.length > 1 && subjects * 2 <= sides.length && sides.every(isSide);
}

/** `Status: partial`, and no plan. */
const STATE_FIELD =
  /^[*_]*(?:status|state|状态)[*_]*\s?[:：][*_]*\s*(?!.{0,12}(?:not started|planned|to ?do|pending|upcoming|open|blocked|未开始|计划|待))\S/iu;
/** `HTML report fixes`: words beside those of a group. */
const hasOwnName = (title: string): boolean => bareHeading(title).split(/\s+/u).length > 2;

/** Whether a subject starts with fields that say when it was or how it ended: all under it is one record. */
function isRecord({ children }: Section, lines: readonly string[]): boolean {
  const [first] = children;
  if (first?.kind === 'item') {
    const fields = children.filter((block) => block.kind === 'item');
    const isList = fields.length === children.length;
    return !isList && fields.every((item) => keyOf(item) !== undefined) && isRecordKey(keyOf(first) ?? '');
  }
  if (first?.kind === 'paragraph' && STATE_FIELD.test(first.text)) return true;
  if (first?.kind !== 'paragraph' || !isMeta(first, lines)) return false;
  const keys = lines.slice(first.line - 1, first.end).map((text) => keyOf({ text }) ?? '');
  return keys.some((key) => isRecordKey(key));
}

/** Whether each item has another name, as fields have, and the names do not sort changes. */
function areNamedApart(keys: readonly (string | undefined)[]): boolean {
  const sorting = keys.filter((key = '') => SORTS_CHANGES.test(key)).length;
  return !keys.includes(undefined) && new Set(keys).size === keys.length && sorting * 2 < keys.length;
}

/** Whether most items of a subject, or all of a day's, have names that come again under other headings. */
function haveSameNames(items: readonly Item[], facts: SectionFacts): boolean {
  const keys = items.map(keyOf);
  const named = keys.filter((key = '') => facts.isFieldOfMany(key)).length;
  const isMany = hasSubject(facts) ? named * 2 > items.length : named > 2 && named === items.length;
  return items.length > 1 && isMany && (!facts.isLanguageKnown || areNamedApart(keys));
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

const isVersionFirst = (title: string): boolean => /^\W*v?\d+\.\d+/i.test(title) || WHOLE_VERSION.test(title);

/** Whether headings below are entries or days themselves: `10:00 Alarm`, `Phase 3`, `Parser ✅`; or sort changes. */
export function isGrouping(section: Section): boolean {
  const below = belowOf(section);
  if (below.some(({ text }) => isTimed(text))) return true;
  const isWholeOne = ({ text }: Section): boolean =>
    isMarked(text) ||
    drawnBox(text) !== undefined ||
    isCounted(text) ||
    isOrdinal(text) ||
    isDateAlone(text) ||
    isVersionFirst(text);
  const sorts = below.filter(({ text, says }) =>
    VERSION.test(section.text) ? says === 'group' || isChange(text) : SORTS_CHANGES.test(bareHeading(text)),
  ).length;
  return (
    below.filter(isWholeOne).length * 2 > below.length ||
    (sorts > 0 && sorts * 2 >= below.length) ||
    countThrough(below)
  );
}

/** Whether the numbers of headings go on from one group to the next: `### Layout`, `#### 1. …`, `### Search`, `#### 2. …`. */
function countThrough(groups: readonly Section[]): boolean {
  const numbers = groups.flatMap((group) =>
    belowOf(group).map(({ text }) => (isOrdinal(text) ? Number.parseInt(text, 10) : 0)),
  );
  const hasMany = groups.filter((group) => belowOf(group).length > 0).length > 1 && numbers.length > 2;
  return hasMany && numbers.every((number, at) => number === at + 1);
}

/** Whether a day, a sitting or a release has a subject, which all that is told below is about. */
export function isOneSubject(section: Section, facts: SectionFacts): boolean {
  const { title, isOwn, isInside } = facts;
  const isNamed = hasSubject(facts) && (!isSitting(title) || hasSubjectBehindNumber(title));
  const isOpen = isMarked(section.text) && !isMarkedDone(section.text);
  return (
    ((isOwn && !isInside) || (isSitting(title) && !hasBoxes(section)) || isVersionFirst(title)) &&
    isNamed &&
    !isOpen &&
    !facts.isOfAll(title) &&
    !isGrouping(section)
  );
}

/** Whether headings or labels with numbers stand right below a heading: `**1. Parser**`, `**2. Lexer**`. */
function areNumbered({ children }: Section): boolean {
  const below = children.filter((block) => block.kind === 'section');
  const numbered = below.filter(({ text }) => isOrdinal(text)).length;
  return children[0]?.kind === 'section' && numbered > 1 && numbered * 2 > below.length;
}

/** Whether what stands below a day with its time is told of that moment, and is no plan, box or change of its own. */
function isMoment(section: Section): boolean {
  const below = belowOf(section);
  const isPlanned = below.length > 0 && below.every(({ says }) => says === 'plan');
  const isSplit = hasTime(section) || hasItem(section, hasWrittenBox) || isGrouping(section) || sortChanges(below);
  return section.children.length > 0 && !isPlanned && !isSplit;
}

/** Blocks under a heading without headings, those below, and what these are. */
interface Contents {
  readonly lead: readonly Exclude<Block, Section>[];
  readonly items: readonly Item[];
  /** Kinds of the headings below. */
  readonly kinds: readonly HeadingKind[];
}

/** Whether a heading is one entry by its mark, its fields, its sides or the moment that it names, whatever its list says. */
function isEntryByForm(section: Section, facts: SectionFacts, lines: readonly string[]): boolean {
  const { kind, isBare, hasClock } = facts;
  const isOne = isSpent(section) || saysDone(section) || (saysState(section) && !isGrouping(section));
  if (isWhole(section, facts) || (!isBare && isOne) || (isSpent(section) && isOneSitting(section))) return true;
  if (section.level < LABEL_LEVEL - 2 && isBare && hasClock && facts.isDay && isMoment(section)) return true;
  const hasSections = section.children.some((block) => block.kind === 'section');
  if (hasSections && isOneSubject(section, facts)) return true;
  const isNamed = hasSubject(facts) || (kind === 'group' && hasOwnName(facts.title));
  if (isNamed && isRecord(section, lines) && !isGrouping(section)) return true;
  const isTold = isReport(section, facts) || tellsRemedy(section, lines);
  return hasSubject(facts) && isTold && !sortChanges(belowOf(section));
}

/** What a paragraph right under a heading makes of it; undefined where it only introduces a list. */
function readingOfText(
  section: Section,
  facts: SectionFacts,
  lines: readonly string[],
  first: Paragraph,
  { lead, items, kinds }: Contents,
): Reading | undefined {
  const { kind, isBare, isOwn, hasClock, share } = facts;
  // Boxes are entries, whatever stands over their lists.
  if (!isOwn && belowOf(section).some((side) => hasItem(side, hasWrittenBox))) return 'list';
  if (hasStates(lead) || (isBare && (hasLeads(lead) || areNumbered(section))) || isTimed(first.text)) return 'list';
  const below = belowOf(section);
  if ((below.length > 1 && isGrouping(section)) || (isOwn && sortChanges(below))) return 'list';
  const key = keyOf({ text: first.text }) ?? '';
  const isFact = /^\*\*[^*]{1,40}(?:[:：]\*\*|\*\*[:：])/.test(first.text) || (key !== '' && isField(key));
  if (isFact && !hasClock && isToldBelow(section, kinds, facts)) return 'list';
  // What introduces the list of a day or a release is no entry beside it.
  const isSaid = first.end - first.line < 2 && !/[:：]\W*$/u.test(lines[first.end - 1] ?? '');
  const isListBehind = lead.length > 1 && lead.slice(1).every((block) => block.kind === 'item');
  const mayIntroduce = areActs(items, share) || !hasAct(textOf(first, lines));
  if (isBare && !hasClock && isSaid && isListBehind && mayIntroduce) return 'list';
  // A release may be introduced; its changes stand below.
  if (isBare && kinds.includes('group')) return 'list';
  const isList = isBare || kind === 'group';
  const line = lines[first.line - 1]?.trim() ?? '';
  // `重大更新` above the list of a day.
  const isShortLine = first.end === first.line && line.length < 40 && !/[.!?。！？]$/.test(line);
  const isCaption = isList && facts.isLanguageKnown && isShortLine && !hasAct(line);
  // What is said before the sentence that introduces a list is told too.
  const next = section.children[1];
  const isBefore = next?.kind === 'item' || (isBare && next?.kind === 'section');
  const isIntro = isBefore && (isCaption || /^(?!.*(?:[.!?]\s|[。！？])\s*\S).*[:：]\**$/.test(line));
  if (isIntro && (isList || items.some((item) => isHead(item) || isTimed(item.text)))) return undefined;
  const text = lead.map((block) => saidBy(block, lines)).join('\n');
  const isTold = !isEnglishOrChinese(text) || hasAct(section.text) || hasAct(text);
  return isOwn || isCounted(section.text) || isTold ? 'account' : 'state';
}

/** What a list under a heading makes of it. */
function readingOfList(section: Section, facts: SectionFacts, { lead, items }: Contents): Reading {
  const { kind, isBare, isOwn, hasClock, isDated, share } = facts;
  if (areAnswers(items)) return 'state';
  if (kind !== 'group' && (areFields(items, hasSubject(facts)) || haveSameNames(items, facts))) return 'account';
  // Of a moment, drawn marks say how its parts went.
  const isSplit = items.some((item) => isTimed(item.text) || (hasClock ? hasWrittenBox(item) : hasBox(item)));
  // A list that is followed by text is a side of what that tells.
  const isFollowed = lead.at(-1)?.kind === 'paragraph';
  // A time of day with its subject is one thing, as a line with them is.
  const isMomentOf = hasClock && !isBare && section.level < LABEL_LEVEL;
  if (isOwn && !isSplit && (isMomentOf || (hasSubject(facts) && isFollowed))) return 'account';
  if (isBare || kind === 'group' || items.length === 0 || isSplit) return 'list';
  // `Added` over subjects: each of them was added.
  if (kind === 'title' && !isOwn && facts.isInGroup) return 'account';
  // What was seen at one moment, each under its name, is one entry.
  const isSeen = hasClock && items.every((item) => keyOf(item) !== undefined);
  if (!isSeen && areActs(items, share)) return 'list';
  // What days call a part of them is no subject of one.
  if (!isOwn && !isCounted(section.text) && facts.isRepeated(section.text)) return 'state';
  const isTold = [section, ...items].some((block) => tellsAct(block) || isField(keyOf(block) ?? ''));
  return isDated || isTold || isCounted(section.text) ? 'account' : 'state';
}

export function readingOf(section: Section, facts: SectionFacts, lines: readonly string[]): Reading {
  if (isEntryByForm(section, facts, lines)) return 'account';
  const { isBare, isOwn } = facts;
  if (!isOwn && section.children.some((block) => block.kind === 'section' && isDeeds(block))) return 'list';
  const lead = [...leadOf(section)].filter(
    (block) => block.kind !== 'paragraph' || !(block.isQuoted || isMeta(block, lines)),
  );
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
  const contents = { lead, kinds, items: lead.filter((block) => block.kind === 'item') };
  const told = first.kind === 'paragraph' ? readingOfText(section, facts, lines, first, contents) : undefined;
  return told ?? readingOfList(section, facts, contents);
}
