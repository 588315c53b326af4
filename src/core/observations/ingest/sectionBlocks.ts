/** What stands under a heading of a log: its items, boxes and the headings below, and what these are to it. */
import { findDate } from '../../text/dates';
import type { Stamp } from './lineHeads';
import { type Block, drawnBox, type Item, LABEL_LEVEL, type Section } from './outline';
import { bareHeading, isOut } from './sectionWords';

export const itemsOf = ({ children }: Section): readonly Item[] => children.filter((block) => block.kind === 'item');
/** The headings right below. */
export const belowOf = ({ children }: Section): readonly Section[] =>
  children.filter((block) => block.kind === 'section').filter(({ level }) => level < LABEL_LEVEL);
export const hasBox = ({ box, children }: Item): boolean => box !== undefined || children.some(hasBox);

/** Blocks under a heading and its labels, to the first heading below. A label that groups what was done is no part of it. */
export function* leadOf({ children }: Section): Generator<Exclude<Block, Section>> {
  for (const block of children) {
    if (block.kind !== 'section') yield block;
    else if (block.level < LABEL_LEVEL) return;
    else if (!isOut(block.says) && !findDate(block.text)) yield* leadOf(block);
  }
}

/** Whether more than one paragraph begins with such a stamp. */
const haveStamp =
  (stamp: Stamp) =>
  (lead: readonly Exclude<Block, Section>[]): boolean =>
    lead.filter((block) => block.kind === 'paragraph' && block.stamp === stamp).length > 1;
/** Whether lines begin or end with a state each. */
export const hasStates = haveStamp('state');
/** Whether paragraphs begin with a sentence in bold each. */
export const hasLeads = haveStamp('lead');

/** Whether something is true of an item anywhere under a heading. */
export const hasItem = ({ children }: Section, is: (item: Item) => boolean): boolean =>
  children.some((block) => (block.kind === 'item' ? is(block) : block.kind === 'section' && hasItem(block, is)));
export const hasBoxes = (section: Section): boolean => hasItem(section, hasBox);

/** `[x]`, and no drawn mark, which says how a side went. */
export const hasWrittenBox = ({ text, box, children }: Item): boolean =>
  (box !== undefined && drawnBox(text) === undefined) || children.some(hasWrittenBox);

/** Whether headings are sides of one account: most come again under others, and they neither sort changes nor hold boxes. */
export const areSides = (sides: readonly Section[], isRepeated: (heading: string) => boolean): boolean =>
  sides.length > 1 &&
  sides.filter(({ text }) => isRepeated(text)).length * 3 >= sides.length * 2 &&
  sides.filter(({ text }) => SORTS_CHANGES.test(bareHeading(text))).length * 2 < sides.length &&
  !sides.some((side) => hasItem(side, hasWrittenBox));
/** Whether headings sort changes, perhaps with one of another kind behind them. */
export function sortChanges(sides: readonly Section[]): boolean {
  const others = sides.filter(({ text }) => !SORTS_CHANGES.test(bareHeading(text)));
  return others.length === 0 ? sides.length > 0 : others.length === 1 && sides.length > 3;
}
/** `Added`: of a release each change is told. */
export const SORTS_CHANGES =
  /^(?:(?:added|changed|fixed|removed|deprecated|security|(?:new )?features|bug fixes|(?:major|minor|patch) changes)(?!\p{L})|(?:fixes|(?:新增|功能)?(?:新增|功能|优化|改进)|(?:bug ?|问题|缺陷)?修[复復]|[变修]更|修改|改动|更新|删除|移除|技术优化)$)/iu;
