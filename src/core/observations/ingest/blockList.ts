/** What the blocks under one heading are together, before their entries are read: a form, a checklist, a list of deeds. */
import { hasAct, PLACEHOLDER, recordKey, tellActs, tellsAct, tellsPast } from './acts';
import { areActs, tellsStory } from './entryLevel';
import { timeAtHead } from './logEvent';
import type { Scope } from './logFacts';
import { type Block, drawnBox, LABEL_LEVEL, type Section } from './outline';
import { itemsOf } from './sectionBlocks';
import { alikeHeadings, type LogContext, timeOf } from './sectionScope';

/** `**Parser**: ✅ 95% done` */
const SHARE_DONE = /^[^:：]{2,40}[:：]\**\s*(?:\p{Extended_Pictographic}\uFE0F?\s*)?\d{1,3}\s?%/u;
/** `[Coding] …`, `[2026-02-03]: …`: a paragraph that says its kind or day first; so many of them that tell an act make a log. */
export const TAG = /^\[[^\]\n]{1,30}\]:?\s+(?=\S)/;
const MIN_TAGGED = 3;

/** Blocks under one heading, judged together. */
export interface BlockList {
  /** What holds for each of them. */
  readonly scope: Scope;
  /** An item begins with a day. */
  readonly isDatedList: boolean;
  /** Paragraphs with a tag are entries. */
  readonly areTagged: boolean;
  /** Beside a checklist, a list that tells no acts explains. */
  readonly isNote: boolean;
  /** Items are deeds. */
  readonly isGroup: boolean;
  /** Headings that are entries each. */
  readonly alike: ReadonlySet<Section>;
  /** Name of the field that each record of the list begins with. */
  readonly record: string | undefined;
  /** True for a heading without a day that is a part of the log. */
  readonly isOfLog: (section: Section) => boolean;
}

/** Judges the blocks under a heading with what holds under it. */
export function judgeBlocks(blocks: readonly Block[], given: Scope, context: LogContext): BlockList {
  const { facts } = context;
  const items = blocks.filter((block) => block.kind === 'item');
  const blank = items.filter(({ text }) => PLACEHOLDER.test(text)).length;
  const isForm = blank > 1 || (blank > 0 && blank === items.length);
  // How far each part is says how things stand.
  const areShares = items.filter(({ text }) => SHARE_DONE.test(text)).length * 2 > Math.max(3, items.length);
  const scope = isForm || areShares ? { ...given, isNoLog: true, isAccount: true } : given;
  const isDatedList = items.some(({ text }) => timeAtHead(text)?.day !== undefined);
  const tagged = blocks.filter((block) => block.kind === 'paragraph' && TAG.test(block.text));
  const plain = items.filter(({ box }) => box === undefined);
  const hasBoxes = items.some((item) => item.box !== undefined && !drawnBox(item.text));
  // Without days, names in bold are no deeds.
  const tells = facts.hasDates || items.some(tellsAct);
  return {
    ...{ scope, isDatedList },
    areTagged: tagged.filter((block) => 'text' in block && hasAct(block.text)).length >= MIN_TAGGED,
    isNote: !isDatedList && hasBoxes && facts.isKnown && !tellActs(plain),
    isGroup: scope.isGroup || (facts.isKnown && tells && areActs(items, facts.share)),
    alike: alikeHeadings(blocks, scope, context),
    record: recordKey(items),
    isOfLog: headsOfLog(blocks, context),
  };
}

/** Among headings with days one without is a part of the log where it tells what was done; among such headings all are. */
function headsOfLog(blocks: readonly Block[], context: LogContext): (section: Section) => boolean {
  const { facts, lines } = context;
  const heads = blocks.filter((block) => block.kind === 'section').filter(({ level }) => level < LABEL_LEVEL);
  const dated = heads.filter((head) => timeOf(head, context)?.day !== undefined);
  const isMost = (some: readonly Section[]): boolean => some.length > 1 && some.length * 2 >= heads.length;
  if (isMost(dated)) {
    const levels = new Set(dated.map(({ level }) => level));
    return (head) =>
      head.says === 'title' && levels.has(head.level) && tellActs(itemsOf(head)) && !dated.includes(head);
  }
  const told = heads.filter((head) => tellsPast(head.text) && tellsStory(head, lines));
  return (head) => !facts.hasDates && isMost(told) && told.includes(head);
}
