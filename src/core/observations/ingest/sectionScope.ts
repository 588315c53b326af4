/** What one section of a log is, before its entries are read: its day, what holds under it, and whether it is an entry itself. */
import { isDateAlone } from '../../text/dates';
import { areDeeds, hasBlankName, keyOf, tellActs, tellsPast } from './acts';
import {
  hasSubject,
  hasSubjectBehindNumber,
  isGrouping,
  isOneAccount,
  isOneSubject,
  isSpent,
  isWhole,
  type Reading,
  readingOf,
  saysDone,
  saysState,
  tellsMany,
  tellsRemedy,
  tellsStory,
} from './entryLevel';
import { isBareDay, plainText, restOf } from './entryText';
import { clockAtEnd, DATE_NAME, isTimed, timeOfHeading, type WrittenTime } from './logEvent';
import { fieldDay, type LogFacts, type Scope } from './logFacts';
import { type Block, type Item, LABEL_LEVEL, type Section } from './outline';
import { belowOf, itemsOf } from './sectionBlocks';
import {
  bareHeading,
  DONE,
  type HeadingKind,
  hasName,
  IS_DONE,
  isChange,
  isCounted,
  isForm,
  isMarked,
  isNote,
  isOrdinal,
  isOut,
  isReportName,
  isSitting,
  isTaskDetails,
  isTimeless,
  kindOf,
  kindOfSubject,
  WHOLE_VERSION,
} from './sectionWords';

const BARE_CLOCK = /^[^\p{L}\p{N}]*\d{1,2}:\d\d(?::\d\d)?(?:\s?[ap]m)?[^\p{L}\p{N}]*$/iu;
export const VERSION_HEAD = /^[^\p{L}\p{N}]*v?\d+\.\d+(?:\.\d+)*[^\p{L}\p{N}]*/iu;
/** `2026-02-03 (parser and its tests)` */
const IN_PARENTHESES = /^[(（]([^()（）]{12,})[)）]$/;
/** `Done (version 1.1, `: what stands before the day in a remark. */
const OPEN_REMARK = /(?<=\S)\s*[(（][^()（）]*$/u;
/** `Session 4 (parser and its tests)` */
const SITTING_IN_PARENTHESES = /^(\P{N}{2,12}\d{1,4})[\s–—-]*[(（]([^()（）]{12,})[)）]$/u;
/** `[2026-02-XX] - Parser`: a day that is not filled in. */
const BARE_BLANK_DAY = /^\W*20\d\d-\d\d-XX\W*$/i;
const BLANK_DAY = /\b20\d\d-\d\d-XX\b/i;
/** `Handoff log`: its numbered headings are entries. */
const IS_LOG =
  /(?:\S\s|^)(?:build|dev|work|session|lab)?\s?(?:log|logbook|journal|diary|notebook)s?\s*$|(?:日[志誌记記]|일지|tagebuch|baubericht|bit[aá]cora|diario)(?![\p{L}])/iu;
/** Names of log files: `worklog.md`. */
const IS_LOG_FILE =
  /(?:^|[-_. ])(?:dev|work|session|build|lab)?[-_ ]?(?:log|logbook|journal|diary|notebook)s?\.\w+$|日[志誌记記]\.\w+$/iu;
/** `**上午**：`, `Morning:` above a list. */
const IS_PART_OF_DAY = /^\W*(?:morning|noon|afternoon|evening|night|[上中下]午|早[上晨]|晚上)\W*$/iu;
/** `Roadmap`, `开发计划`: a text that is one as a whole. */
const IS_PLAN = /\b(?:plan|roadmap|backlog)\s*$|(?:计划|規劃|规划|路线图)\s*$/iu;
/** `Overview`, `修复概览`: the rows of its tables come again below. */
const IS_OVERVIEW = /(?:总览|概览|一览|汇总)\s*$|^overview$/iu;
const hasTablesAlone = ({ children }: Section): boolean =>
  children.length > 0 &&
  children.every(
    (block) =>
      block.kind === 'table' || block.kind === 'paragraph' || (block.kind === 'section' && hasTablesAlone(block)),
  );
/** `Current state — 2026-02-03`: how things stood then. */
const CURRENT = /^(?:current stat|当前[状情]|目前状|现状)/iu;
/** Whether the counted parts of a plan tell nothing that was done. */
const isPlanOnly = ({ children }: Section): boolean => {
  const parts = children.filter((block) => block.kind === 'section');
  const isDone = (part: Section): boolean =>
    isMarked(part.text) ||
    saysDone(part) ||
    saysState(part) ||
    part.says === 'group' ||
    itemsOf(part).some(({ text }) => tellsPast(text)) ||
    part.children.some((block) => block.kind === 'section' || block.kind === 'paragraph');
  return parts.some(({ text }) => isCounted(text)) && !parts.some(isDone);
};
/** Whether several subjects stand under a heading, and nothing beside headings. */
const isOverSubjects = (section: Section): boolean => {
  const heads = belowOf(section);
  return heads.length === section.children.length && heads.filter(({ says }) => says === 'title').length > 1;
};
const isHeadingBlock = (block: Block): boolean => block.kind === 'section' && block.level < LABEL_LEVEL;

/** What is known of the whole log. */
export interface LogContext {
  readonly root: Section;
  readonly lines: readonly string[];
  /** Name of its file. */
  readonly name: string;
  readonly facts: LogFacts;
  /** Its first heading. */
  readonly title: Section | undefined;
  /** A day with its year, by the day above and the line; `undefined` where no year is known. */
  readonly dayOf: (day: string | undefined, above: string | undefined, line: number) => string | undefined;
}

interface Judged {
  readonly own: WrittenTime | undefined;
  /** What holds under it. */
  readonly scope: Scope;
  readonly reading: Reading;
  /** It has a subject of its own. */
  readonly isSubject: boolean;
  /** It is an entry where nothing under it is one. */
  readonly isNamed: boolean;
}

/** `# Day 1 – Setup` over all that was done on it. */
const isNamedSitting = (section: Section): boolean =>
  isSitting(section.text) && hasName(section.text) && !isGrouping(section) && hasSubjectBehindNumber(section.text);

/** Whether the first heading is that of the log and none of its days or releases. */
function isTitleOf(section: Section, isDay: boolean, { root }: LogContext): boolean {
  if (isNamedSitting(section)) return false;
  const isOneOf = isDay && root.children.some((block) => block.kind === 'section' && block !== section);
  return (
    !isOneOf &&
    !isSpent(section) &&
    section.children.some((block) => block.kind === 'section' || (block.kind === 'item' && isTimed(block.text)))
  );
}

/** The time that a heading says; a plan's time of day is none. */
export function timeOf(section: Section, { facts, title, lines }: LogContext): WrittenTime | undefined {
  const { text, level, says } = section;
  if (level === 0) return undefined;
  const own = timeOfHeading(text, facts.shortDays) ?? (isOut(says) ? undefined : clockAtEnd(text));
  return own ?? (section === title ? undefined : fieldDay(section, lines));
}

/** Whether most items tell by a past form what was done. */
const areTold = (items: readonly Item[]): boolean =>
  items.filter(({ text }) => tellsPast(text)).length * 2 > items.length;

/** Whether one of the fields under a heading is what was done: `- **完成内容**: …`. */
const saysWhatWasDone = (section: Section): boolean =>
  itemsOf(section).some((item) => kindOf(keyOf(item) ?? '') === 'group');

/** `Tests: done`, `Review: in progress`: some parts are open, and all say how far they are. */
const saysHowFar = (items: readonly Item[]): boolean =>
  items.length > 2 &&
  items.every((item) => keyOf(item) !== undefined) &&
  items.some(({ text }) =>
    /[:：][\s*]*(?:in progress|not started|pending|to ?do|open|ongoing|进行中|未完成|未开始|待(?:办|定|处理|完成|开始|测试|验证|确认)?)[\s*_.。]*(?:$|[(（])/iu.test(
      text,
    ),
  );

/** How things stand is no event, unless the heading's day or number or its list says otherwise. */
function isStateOf(section: Section, isOwn: boolean, isInLog: boolean, lines: readonly string[]): boolean {
  const tells = tellsStory(section, lines) || tellActs(itemsOf(section));
  const hasGroup = section.children.some((block) => block.kind === 'section' && block.says === 'group');
  if (isOwn || hasGroup || isCounted(section.text)) return false;
  if (saysHowFar(itemsOf(section))) return true;
  if (isInLog && isOrdinal(section.text) && (kindOfSubject(section.text) === 'title' || tells)) return false;
  // A numbered account of named fields, whatever its words.
  const items = itemsOf(section);
  if (isOrdinal(section.text) && items.length > 1 && items.every((item) => keyOf(item) !== undefined)) return false;
  // A task's note tells again what was done; a day's may be all that is told.
  return (section.level > 2 && isNote(section.text)) || !tellActs(itemsOf(section));
}

/** A section's heading, read with what stands above it. */
interface Head {
  readonly own: WrittenTime | undefined;
  /** What it says beside its day. */
  readonly title: string;
  readonly kind: HeadingKind;
  readonly isLabel: boolean;
  /** It is a day, or a day and what such reports are called, and no more. */
  readonly isBare: boolean;
  /** It is the log's own. */
  readonly isTitle: boolean;
  /** It names a day, or a time of one. */
  readonly isOwn: boolean;
  /** What stands under it was done, whatever it says. */
  readonly isTold: boolean;
  /** The log's title, or its file's name, says that it is a log. */
  readonly isInLog: boolean;
  readonly isOfLog: boolean;
}

/** What a heading says beside its day. */
function titleOf(text: string, own: WrittenTime | undefined): string {
  const isDay = own?.day !== undefined;
  const rest = plainText(isDay ? restOf(text, own) : text);
  const named = isSitting(rest) ? rest.replace(SITTING_IN_PARENTHESES, '$1: $2') : rest;
  return isDay ? (IN_PARENTHESES.exec(rest)?.[1] ?? named.replace(OPEN_REMARK, '')) : named;
}

function headOf(section: Section, above: Scope, context: LogContext): Head {
  const { text, level, line } = section;
  const own = timeOf(section, context);
  const isDay = own?.day !== undefined;
  const isLabel = level >= LABEL_LEVEL;
  const title = titleOf(text, own);
  const isBare = BARE_BLANK_DAY.test(text) || isBareDay(text, own) || (isDay && isReportName(title));
  const isInLog = IS_LOG.test(context.title?.text ?? '');
  const isOfLog = isInLog || IS_LOG_FILE.test(context.name);
  const isNumber =
    (isOrdinal(text) && (above.isDated || isOfLog)) || VERSION_HEAD.test(text) || WHOLE_VERSION.test(text);
  // A list of rules is one, whatever its heading has besides.
  const items = itemsOf(section);
  const mayBeSubject = !isLabel && (items.length === 0 || tellActs(items) || areTold(items));
  const ofSubject = mayBeSubject && (isDay || isNumber) ? kindOfSubject(title) : kindOf(title);
  const says = isBare ? 'title' : isDay || isNumber ? ofSubject : section.says;
  const isGroup =
    (isLabel && IS_PART_OF_DAY.test(text)) ||
    (above.isDated && /\p{L}/u.test(text) && isDateAlone(bareHeading(text))) ||
    (above.isRelease && isChange(text)) ||
    (above.isDated && isTaskDetails(text));
  const isTold =
    (isDay && !isLabel && (tellsStory(section, context.lines) || areTold(items))) ||
    (isSitting(title) && saysWhatWasDone(section));
  // A side of an account may say its day again.
  const isAgain = above.isAccount && own?.clock === undefined && context.dayOf(own?.day, above.day, line) === above.day;
  // Headings such as `22:17` are those of a log, with or without a day above.
  const isClockAlone = !isLabel && !above.isNoLog && !above.isState && BARE_CLOCK.test(text);
  const isClock = own?.clock !== undefined && (above.isDated || isClockAlone);
  return {
    ...{ own, title, isLabel, isBare, isTold, isInLog, isOfLog },
    kind: isGroup ? 'group' : says === 'plan' && isTold && isSitting(title) ? 'title' : says,
    isTitle: section === context.title && level === 1 && isTitleOf(section, own !== undefined, context),
    isOwn: (isDay && !isAgain) || isClock || (!isLabel && BLANK_DAY.test(text)),
  };
}

/** A day's plan that was made is told; a plan is only its list. */
function isPlan(
  section: Section,
  { own, kind, isTitle, isTold }: Head,
  above: Scope,
  { facts, lines }: LogContext,
): boolean {
  const { text } = section;
  const isWholeLog = isTitle && (isForm(text) || (IS_PLAN.test(text) && !facts.hasDates && isPlanOnly(section)));
  // `8. Upload not working` with its problem and its fix, or `4. Planning` under `Done`, is no plan.
  const isNumberedDeed = isOrdinal(text) && (above.isDone || tellsRemedy(section, lines));
  const isDeed = isTold || isNumberedDeed || areDeeds(text, itemsOf(section));
  const isPlanned = kind === 'plan' && !isTitle && !own?.clock && !isDeed;
  return (
    isTimeless(text) ||
    hasBlankName(text) ||
    isWholeLog ||
    isPlanned ||
    (!isTitle && !own && IS_OVERVIEW.test(text) && hasTablesAlone(section))
  );
}

/** `Current state (2026-02-03)`, or a state under which a field says the day, is of that day and no entry of it. */
function isAsOf({ text }: Section, { own, title }: Head): boolean {
  if (own === undefined) return false;
  const isRemark = /^[^:：]+[(（]\s?$/.test(text.slice(0, own.index)) && !isNote(text);
  return own.end === 0 || CURRENT.test(bareHeading(title)) || isRemark;
}

function isState(section: Section, head: Head, above: Scope, lines: readonly string[]): boolean {
  // What is done may be named by its side: `Configuration` under `Done`.
  const isSide = above.isDone && !isNote(section.text);
  if (head.isTitle || head.kind !== 'state' || isSide) return false;
  return isStateOf(section, head.isOwn && !head.isLabel && !isAsOf(section, head), head.isInLog, lines);
}

/** Whether what stands under a heading is one by what its fields, its number or its mark say. */
function isOneEntry(section: Section, head: Head, above: Scope, { facts, lines }: LogContext): boolean {
  if (isSpent(section) || saysDone(section) || saysState(section)) return true;
  const { text } = section;
  const { isOwn, isBare, isInLog, isOfLog } = head;
  // Among advice it is advice.
  const mayBeRepair = head.kind === 'title' && !head.isLabel && (above.isDone || above.isGroup || isOfLog);
  if (mayBeRepair && tellsRemedy(section, lines)) return true;
  if (section.says === 'state' && !isInLog && !isMarked(text)) return false;
  const isDated = isOwn || above.isDated;
  if (!isWhole(section, { isDated, isDay: isBare, isRepeated: facts.isRepeated })) return false;
  // Numbered chapters of a text without a day are none of a log, unless they tell an act.
  const isOfEntries = isDated || above.isGroup || above.isCounted || !facts.isKnown || isOfLog;
  return isOfEntries || isMarked(text) || isCounted(text) || tellsStory(section, lines) || tellActs(itemsOf(section));
}

/** What holds under a heading. */
function scopeUnder(section: Section, head: Head, isRemedy: boolean, above: Scope, context: LogContext): Scope {
  const { text, level } = section;
  const { own, title, kind, isLabel, isTitle, isOwn } = head;
  const { facts, lines } = context;
  const isGroup = kind === 'group';
  const isDone =
    isGroup && ((!facts.isKnown && !isTitle) || DONE.test(bareHeading(title)) || tellActs(itemsOf(section)));
  const isLogAgain = isOwn || isRemedy || isMarked(text) || (isGroup && IS_DONE.test(bareHeading(title)));
  const isDated = isOwn || above.isDated;
  return {
    day: own?.day === undefined ? above.day : context.dayOf(own.day, above.day, section.line),
    isDated,
    isUnderDay: (isOwn && !isTitle) || above.isUnderDay,
    actor: section.author ?? above.actor,
    phase: level === 0 || section === context.title || isOwn || !above.isDated ? '' : plainText(text),
    isNoLog: isPlan(section, head, above, context) || (above.isNoLog && !isLogAgain),
    isState: isState(section, head, above, lines) || (above.isState && !isOwn && !isDone && !isMarked(text)),
    isAccount: above.isAccount && !isOwn && (isLabel || above.isWhole || kind === 'part' || !tellsMany(section)),
    isWhole: above.isWhole && !isOwn,
    isDone: above.isDone || isDone,
    isGroup:
      (isGroup && !isTitle) ||
      isCounted(title) ||
      above.isRelease ||
      ((isLabel || (!above.isDated && kind !== 'title')) && above.isGroup),
    isOfSubjects: isGroup && !isLabel && !isTitle && isOverSubjects(section),
    isSitting: isSitting(title) || (isLabel && above.isSitting),
    isCounted: isCounted(title) || above.isCounted,
    isRelease: (VERSION_HEAD.test(title) && !hasName(title)) || (above.isRelease && !isOwn && kind !== 'plan'),
  };
}

/** Whether text stands right under a heading, as under a change of a release that is told and not listed. */
const isTextFirst = ({ children: [first] }: Section): boolean => first?.kind === 'paragraph';

export function judgeSection(section: Section, above: Scope, context: LogContext): Judged {
  const { lines, facts } = context;
  const { text, level, children } = section;
  const head = headOf(section, above, context);
  const { own, title, kind, isLabel, isBare, isOwn } = head;
  const isRemedy = !isLabel && above.isNoLog && kind === 'title' && tellsRemedy(section, lines);
  const isOne = isOneEntry(section, head, above, context);
  const scope = scopeUnder(section, head, isRemedy, above, context);
  const mayLabel = isOrdinal(text) || isMarked(text) || (own?.day !== undefined && !isBare && own.index < 3);
  const isOut = scope.isNoLog || scope.isState;
  const mayBe =
    level > 0 && !head.isTitle && !DATE_NAME.test(text) && !isOut && !scope.isAccount && (!isLabel || mayLabel);
  const isHeading =
    mayBe &&
    (scope.isDated ||
      isCounted(title) ||
      above.isSitting ||
      isOne ||
      (above.isRelease && kind === 'title' && isTextFirst(section))) &&
    (isOwn || isOne || kind !== 'part');
  const isAside =
    (isLabel || kind === 'part') && !isOwn && scope.isDated && !scope.isGroup && facts.isKnown && !tellsMany(section);
  const hasClock = own?.clock !== undefined;
  const known = {
    ...{ kind, title, isOwn, hasClock, share: facts.share, isDated: scope.isUnderDay },
    ...{
      isDay: isBare,
      isInGroup: above.isOfSubjects,
      isRepeated: facts.isRepeated,
      isFieldOfMany: facts.isFieldOfMany,
      isOfAll: facts.isOfAll,
      isLanguageKnown: facts.isKnown,
    },
    isBare:
      isBare ||
      (isSitting(title) && !hasName(title)) ||
      scope.isRelease ||
      (own?.day !== undefined && facts.isOfAll(title)),
    isInside: own !== undefined && !isMarked(text) && /[(（][^()（）]*\p{L}[^()（）]*$/u.test(text.slice(0, own.index)),
  };
  const reading: Reading = isHeading ? readingOf(section, known, lines) : isAside ? 'state' : 'list';
  const isSubject = isOne || (isBare && hasClock) || hasSubject(known) || isOneSubject(section, known);
  const isTitled =
    own !== undefined && isOwn && !isBare && !DATE_NAME.test(text) && (!above.isNoLog || own.clock !== undefined);
  const [first] = children;
  const isTextOfRelease = VERSION_HEAD.test(title) && first?.kind === 'paragraph';
  const isNoted =
    mayBe &&
    (isBare ? isOwn : isTextOfRelease) &&
    first !== undefined &&
    first.kind !== 'table' &&
    !isHeadingBlock(first);
  // Under what is done, a subject is done.
  const isSaid = mayBe && first !== undefined && (isSitting(title) || isRemedy || (above.isDone && kind === 'title'));
  return { own, scope, reading, isSubject, isNamed: !isOut && (isTitled || isNoted || isSaid) };
}

/** Of numbered headings, and of days with subjects, the few that do not look like an entry as most beside them do. */
export function alikeHeadings(blocks: readonly Block[], above: Scope, context: LogContext): ReadonlySet<Section> {
  const heads = blocks.filter((block) => block.kind === 'section').filter(({ level }) => level < LABEL_LEVEL);
  // One is no exception among fewer.
  if (heads.length < 3) return new Set();
  const judged = heads
    .map((head) => ({ head, ...judgeSection(head, above, context) }))
    .filter(({ scope }) => !scope.isNoLog && !scope.isState && !scope.isAccount);
  const numbered = judged.filter(({ head }) => isOrdinal(head.text));
  const dated = judged.filter(({ head, own }) => own?.day !== undefined && !isBareDay(head.text, own));
  const exceptions = (group: typeof judged): readonly Section[] => {
    const accounts = group.filter(({ reading }) => reading === 'account').length;
    if (accounts * 2 <= group.length) return [];
    const others = group.filter(({ reading }) => reading === 'list').map(({ head }) => head);
    return others.filter((head) => isOneAccount(head, context.facts.isRepeated));
  };
  // A list right below a day may be what was done on it.
  const isSplit = ({ children }: Section): boolean => children[0]?.kind === 'section';
  return new Set([...exceptions(numbered), ...exceptions(dated).filter(isSplit)]);
}
