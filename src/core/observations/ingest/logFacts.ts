/** What is known of a whole Markdown log, and of a section of it, before its entries are read. */
import { findDate, isBareDate, isDateAlone } from '../../text/dates';
import { isEnglishOrChinese } from '../../text/terms';
import { countActs, keyOf } from './acts';
import {
  DATE_FIELD,
  DATE_NAME,
  type DayFirst,
  dayFirstDates,
  type LineDates,
  type ShortDays,
  shortDaysOf,
  timeAtHead,
  timeOfHeading,
  type WrittenTime,
} from './logEvent';
import type { Block, Section } from './outline';
import { itemsOf } from './sectionBlocks';
import { bareHeading } from './sectionWords';
import { isTimedTable } from './tableEvents';

export interface LogFacts {
  /** A heading, an entry or the file's name names a day. */
  readonly hasDates: boolean;
  /** Year of the first day that names one. */
  readonly year: string | undefined;
  /** Year in the last line above the given one (1-based) that is a year alone. */
  readonly yearOver: (line: number) => string | undefined;
  /** How days without a year and without marks are written that stand as headings, where such do. */
  readonly shortDays: ShortDays | undefined;
  /** What a day that was read from a line (1-based), or from one of the next, is where the log writes days first. */
  readonly asMeant: (day: string, line: number) => string;
  /** Its words are English or Chinese. */
  readonly isKnown: boolean;
  /** Whether headings under several others, or names of fields, say the same, such as `Problem` under each day. */
  readonly isRepeated: (heading: string) => boolean;
  /** Whether items under several headings have the name. */
  readonly isFieldOfMany: (key: string) => boolean;
  /** Whether several headings with days say the same beside their day, as a log's name may stand in each. */
  readonly isOfAll: (title: string) => boolean;
  /** Share of items that tell an act. */
  readonly share: number;
}

/** What holds for the entries of a section. */
export interface Scope {
  /** `YYYY-MM-DD`, for entries without one. */
  readonly day: string | undefined;
  /** A heading names a day, perhaps one without a known year. */
  readonly isDated: boolean;
  /** A heading other than the title names it. */
  readonly isUnderDay: boolean;
  readonly phase: string;
  /** Who tells it. */
  readonly actor: string;
  /** Plans: only what has a time or a box of its own happened. */
  readonly isNoLog: boolean;
  /** How things stand: the same, but for what is done. */
  readonly isState: boolean;
  /** Part of an account: the same. */
  readonly isAccount: boolean;
  /** The account is all that stands under its heading. */
  readonly isWhole: boolean;
  /** A heading says that it is done. */
  readonly isDone: boolean;
  /** A heading says that each item is one. */
  readonly isGroup: boolean;
  /** It stands under a heading that says so over several subjects, and over nothing else. */
  readonly isOfSubjects: boolean;
  /** A heading above it counts a day, a session or the like. */
  readonly isSitting: boolean;
  /** A heading above it counts one of many accounts, with or without a name. */
  readonly isCounted: boolean;
  /** It is what changed with a version. */
  readonly isRelease: boolean;
}

export const NO_SCOPE: Scope = {
  ...{ day: undefined, isDated: false, isUnderDay: false, phase: '', actor: '', isNoLog: false, isState: false },
  ...{
    isAccount: false,
    isWhole: false,
    isDone: false,
    isGroup: false,
    isOfSubjects: false,
    isSitting: false,
    isCounted: false,
    isRelease: false,
  },
};

/** Lines below a heading that may hold its date. */
const FIELD_LINES = 6;
/** Characters of a log from which its language is told, in UTF-16 code units. */
const KNOWN_CHARS = 20_000;
const sectionsOf = (section: Section): readonly Section[] => [
  section,
  ...section.children.flatMap((block) => (block.kind === 'section' ? sectionsOf(block) : [])),
];

const nameOf = (heading: string): string => bareHeading(heading).toLowerCase();
/** Apart from those of headings. */
const fieldName = (key: string): string => `\x01${nameOf(key)}`;

function isDated(block: Block, short: ShortDays | undefined): boolean {
  if (block.kind === 'table') return isTimedTable(block.table);
  if (block.kind === 'section') {
    const isOwn = block.level > 0 && timeOfHeading(block.text, short) !== undefined;
    return isOwn || block.children.some((child) => isDated(child, short));
  }
  return timeAtHead(block.text)?.day !== undefined || (block.kind === 'paragraph' && DATE_FIELD.test(block.text));
}

/** `## 2026`, `2026年` */
const YEAR_ALONE = /^[#*\s]*((?:19|20)\d\d)(?:\s?[年년])?[*:：\s]*$/;

/** `fileDay`: that of the file's name. */
export function factsOf(root: Section, lines: readonly string[], fileDay: string | undefined): LogFacts {
  const days = lines.map((line) => findDate(line.slice(0, 200))?.day);
  const dated = days.find((day) => day?.startsWith('0000') === false);
  let above: string | undefined;
  const years = lines.map((text) => {
    above = YEAR_ALONE.exec(text)?.[1] ?? above;
    return above;
  });
  const shortDays = shortDaysOf(lines);
  const meant = new Map<string, DayFirst[]>();
  for (const date of dayFirstDates(lines.join('\n'))) meant.set(date.read, [...(meant.get(date.read) ?? []), date]);
  const asMeant = (day: string, line: number): string => {
    const forms = meant.get(day);
    if (!forms) return day;
    const own = lines[line - 1] ?? '';
    // A field below a heading may date it.
    const text = findDate(own, { inside: true }) ? own : lines.slice(line, line + FIELD_LINES).join('\n');
    return forms.find(({ written }) => text.includes(written))?.is ?? day;
  };
  const hasDates = fileDay !== undefined || isDated(root, shortDays);
  const sections = sectionsOf(root);
  const lists = sections.map(itemsOf);
  const items = lists.reduce((sum, list) => sum + list.length, 0);
  const names = new Map<string, number>();
  const known = isEnglishOrChinese(lines.join('\n').slice(0, KNOWN_CHARS));
  const keys = lists.flatMap((list) => [...new Set(list.flatMap((item) => keyOf(item) ?? []))]);
  const titles = sections.flatMap(({ text }) => {
    const date = findDate(text, { inside: true });
    return date ? `\0${nameOf(text.slice(0, date.index) + text.slice(date.end))}` : [];
  });
  // Without words to tell fields by, a name that items have under several headings is one.
  const headings = sections.flatMap(({ children }) => [
    ...new Set(children.flatMap((block) => (block.kind === 'section' ? nameOf(block.text) : []))),
  ]);
  for (const name of [...headings, ...(known ? [] : keys.map(nameOf)), ...titles, ...keys.map(fieldName)])
    names.set(name, (names.get(name) ?? 0) + 1);
  const isTwice = (name: string): boolean => (names.get(name) ?? 0) > 1;
  return {
    isOfAll: (title) => isTwice(`\0${nameOf(title)}`),
    isRepeated: (heading) => isTwice(nameOf(heading)),
    isFieldOfMany: (key) => isTwice(fieldName(key)),
    hasDates,
    year: (fileDay ?? dated)?.slice(0, 4),
    yearOver: (line) => years[line - 1],
    shortDays,
    asMeant,
    isKnown: known,
    share: lists.reduce((sum, list) => sum + countActs(list), 0) / Math.max(1, items),
  };
}

/** Lines behind the first that are read of the paragraph at the top. */
const HEAD_LINES = 5;
/** `**Son Güncelleme:** ` */
const FIELD_NAME = /^[^\p{L}]*[\p{L}\p{M} ]{3,30}[*_]*[:：]/u;

/** The day below a name such as `**Date**`. */
function namedDay(block: Block | undefined): string | undefined {
  const value = block?.kind === 'section' && DATE_NAME.test(block.text) ? block.children[0] : undefined;
  return value?.kind === 'paragraph' ? findDate(value.text)?.day : undefined;
}

/** The day of a field of its own in the first lines under a heading. */
export function fieldDay({ children }: Section, lines: readonly string[]): WrittenTime | undefined {
  const [first] = children;
  const isText = first?.kind === 'paragraph' || first?.kind === 'item';
  const head = isText ? lines.slice(first.line - 1, Math.min(first.end, first.line + 3)) : [];
  const line = head.find((text) => DATE_FIELD.test(text));
  const isAlone = isText && first.line === first.end && isBareDate(first.text);
  const day = isAlone ? findDate(first.text)?.day : line === undefined ? namedDay(first) : findDate(line)?.day;
  return day === undefined ? undefined : { day, clock: undefined, index: 0, end: 0 };
}

/** The day of a line such as `**Date**: 2026-02-03` above everything else, perhaps under a heading such as `Session info`. */
export function headDay(
  root: Section,
  title: Section | undefined,
  lines: readonly string[],
  isKnown: boolean,
): string | undefined {
  const blocks = [...root.children, ...(title?.children ?? [])].slice(0, 6);
  const info = blocks.find((block) => block.kind === 'section' && block !== title);
  const below = info?.kind === 'section' && info.says === 'state' ? info.children.slice(0, 6) : [];
  for (const block of [...blocks, ...below]) {
    // A field may stand among others.
    const heads =
      block.kind === 'paragraph'
        ? lines.slice(block.line - 1, Math.min(block.end, block.line + HEAD_LINES))
        : [block.kind === 'item' ? block.text : ''];
    for (const head of heads) {
      const date = findDate(head);
      // In a language without words here, any field that is a day and no more.
      const isField = date && !isKnown && isDateAlone(head.slice(0, date.index).replace(FIELD_NAME, ''));
      const isAll = isField && !head.includes('更新') && isDateAlone(head.slice(date.clock?.end ?? date.end));
      if (date && (DATE_FIELD.test(head) || isAll)) return date.day;
    }
    const day = namedDay(block);
    if (day !== undefined) return day;
  }
  return undefined;
}

/** The day that a text names above items that say a time of day alone. */
export function dayOverClocks({ children }: Section, lines: readonly string[]): string | undefined {
  const isClock = (block: Block): boolean => {
    const time = block.kind === 'item' ? timeAtHead(block.text) : undefined;
    return time?.clock !== undefined && time.day === undefined;
  };
  const first = children.findIndex(isClock);
  for (const [at, block] of children.entries()) {
    const below = block.kind === 'section' ? dayOverClocks(block, lines) : undefined;
    const isAbove = block.kind === 'paragraph' && at < first;
    const day = isAbove ? findDate(lines.slice(block.line - 1, block.end).join(' '), { inside: true })?.day : below;
    if (day !== undefined) return day;
  }
  return undefined;
}

/** The last year in which a day without one was not after the line was written, as far as `dates` tell. */
export function givenYear(dates: LineDates | undefined, day: string | undefined, line: number): string | undefined {
  const given = dates?.blame.get(line) ?? dates?.file;
  if (given === undefined || day === undefined) return undefined;
  return String(Number(given.slice(0, 4)) - (day.slice(4) > given.slice(4, 10) ? 1 : 0)).padStart(4, '0');
}
