/** What is known of a whole Markdown log before its entries are read. */
import { findDate } from '../../text/dates';
import { countActs } from './acts';
import { itemsOf, tellsStory } from './entryLevel';
import { hasShortDays, timeAtHead, timeOfHeading } from './logEvent';
import { type Block, LABEL_LEVEL, type Section } from './outline';
import { readTableEvents } from './tableEvents';

export interface LogFacts {
  /** A heading, an entry or the file's name names a day. */
  readonly hasDates: boolean;
  /** Of the first day with one. */
  readonly year: string | undefined;
  /** Days without a year and without marks stand as headings. */
  readonly hasShortDays: boolean;
  /** Share of items that tell an act. */
  readonly share: number;
  /** Headings without a day tell one thing each, in the text under them. */
  readonly isStory: boolean;
}

/** Fewer headings than this are the chapters of an essay. */
const MIN_STORIES = 3;
/** A field that dates the whole file. */
const FILE_DAY = /^\W*(?:session )?(?:date|day|日期|时间|時間)\W*[:：]/iu;

const sectionsOf = (section: Section): readonly Section[] => [
  section,
  ...section.children.flatMap((block) => (block.kind === 'section' ? sectionsOf(block) : [])),
];

function isDated(block: Block, isShort: boolean): boolean {
  if (block.kind === 'table')
    return readTableEvents(block.table, { day: undefined, year: '2000', mode: 'timed' }) !== undefined;
  if (block.kind === 'section') {
    const isOwn = block.level > 0 && timeOfHeading(block.text, isShort) !== undefined;
    return isOwn || block.children.some((child) => isDated(child, isShort));
  }
  return timeAtHead(block.text)?.day !== undefined || (block.kind === 'paragraph' && FILE_DAY.test(block.text));
}

/** Whether most headings of a log without dates have a subject and text under them that tells an act. */
function isStory(sections: readonly Section[], lines: readonly string[]): boolean {
  const titles = sections.filter(({ level, says }) => level > 0 && level < LABEL_LEVEL && says === 'title');
  const told = titles.filter((section) => tellsStory(section, lines));
  return told.length >= MIN_STORIES && told.length * 2 > titles.length;
}

/** `fileDay`: that of the file's name. */
export function factsOf(root: Section, lines: readonly string[], fileDay: string | undefined): LogFacts {
  const days = lines.map((line) => findDate(line.slice(0, 200))?.day);
  const dated = days.find((day) => day?.startsWith('0000') === false);
  const isShort = hasShortDays(lines);
  const hasDates = fileDay !== undefined || isDated(root, isShort);
  const sections = sectionsOf(root);
  const lists = sections.map(itemsOf);
  const items = lists.reduce((sum, list) => sum + list.length, 0);
  return {
    hasDates,
    year: (fileDay ?? dated)?.slice(0, 4),
    hasShortDays: isShort,
    share: lists.reduce((sum, list) => sum + countActs(list), 0) / Math.max(1, items),
    isStory: !hasDates && isStory(sections, lines),
  };
}

/** The day of a line such as `**Date**: 2026-02-03` above everything else. */
export function headDay(root: Section, title: Section | undefined): string | undefined {
  for (const block of [...root.children, ...(title?.children ?? [])].slice(0, 6)) {
    const head = block.kind === 'paragraph' || block.kind === 'item' ? block.text : '';
    if (FILE_DAY.test(head)) return findDate(head)?.day;
  }
  return undefined;
}
