/**
 * Pure derivations from a snapshot to what the section list shows. No status, cut or count is computed
 * here that the report does not already hold: only sums of shown rows, shares and words.
 */

import type { ReportSection } from '../src/core/model/report';
import type { Priority, Status } from '../src/core/model/section';
import type { Phrase } from '../src/core/text/phrase';
import {
  earnsNothing,
  formatThousands,
  type PanelCitation,
  type PanelPayload,
  PRIORITIES,
  type SectionSort,
  type ShowOnly,
  WARN_SHARE,
} from '../src/protocol/panel';
import { formatCount, formatEstimate, formatEstimatedTotal, formatShare } from './format';
import { locale, say } from './language';
import { GROUP_WORDS, SORT_WORDS, WORDS } from './words';

const NAMES = new Intl.Collator(locale(), { numeric: true, sensitivity: 'base' });

/** The 80% mark as written. */
export const WARN_MARK = formatShare(WARN_SHARE);

/** A section with an alarm of its own; one that was not run says nothing. */
export function isAlert(section: ReportSection): boolean {
  return section.status === 'ALERT' && !section.isNotRun;
}

/** Whether the numbers of a row are counted. */
export function isRowExact({ budget }: PanelPayload, section: ReportSection): boolean {
  return !section.isPending && !budget.isEstimate;
}

/** A payload's tokens as written, with `≈` while they are not exact. */
export function formatUsedTokens(payload: PanelPayload): string {
  const { tokens, isExact } = payload.budget;
  return isExact ? formatCount(tokens) : formatEstimatedTotal(tokens);
}

function isBlank(needles: readonly string[]): boolean {
  return needles.every((needle) => needle === '');
}

/** The filter's text for the section of that name or id alone. */
export function quoted(name: string): string {
  return `"${name}"`;
}

/** What stands for a section in the filter's text: its title, where that is no other section's and has no comma; else its id. */
export function filterName(id: string, sections: readonly ReportSection[]): string {
  const title = sections.find((section) => section.id === id)?.title ?? '';
  const isPlain = title !== '' && !/[",]/.test(title) && title === title.trim();
  return isPlain && sections.filter((section) => section.title === title).length === 1 ? title : id;
}

/**
 * A section matches when it is of a chosen kind (any, if several are chosen) and its name or reason holds the text, or one
 * of several texts with commas between them. A text in double quotes is a whole name.
 */
export function matchesFilter(section: ReportSection, text: string, show: readonly ShowOnly[]): boolean {
  const isKind =
    show.length === 0 ||
    (show.includes('alerts') && isAlert(section)) ||
    (show.includes('warnings') && section.status === 'WARN' && !section.isNotRun) ||
    (show.includes('neverUsed') && earnsNothing(section)) ||
    (show.includes('leftOut') && section.isLeftOut) ||
    (show.includes('cut') && section.isCut === true);
  if (!isKind) return false;
  const needles = text
    .toLowerCase()
    .split(',')
    .map((each) => each.trim());
  const fields = [section.title, section.id, section.reason].map((field) => field.toLowerCase());
  const isNamed = (needle: string): boolean => fields.slice(0, 2).some((field) => needle === quoted(field));
  return (
    isBlank(needles) ||
    needles.some((needle) => needle !== '' && (isNamed(needle) || fields.some((field) => field.includes(needle))))
  );
}

export interface SectionGroupView {
  /** Undefined for all sections in one order. */
  readonly priority: Priority | undefined;
  /** What the fit does to them; empty where it does nothing of the kind. */
  readonly label: string;
  readonly subtotal: string;
  /** What the priority was offered; undefined where nothing had to be cut. */
  readonly offered: string | undefined;
  readonly sections: readonly ReportSection[];
}

/** `P0` and `P1` are whole, whatever they were offered. */
function offeredTo({ budget }: PanelPayload, priority: Priority | undefined): string | undefined {
  const isGranted = priority !== 'P0' && priority !== 'P1' && budget.downgradeApplied.length > 0;
  const grant = isGranted ? budget.grants?.find((each) => each.priority === priority) : undefined;
  return grant && formatCount(grant.offered);
}

function groupOf(
  payload: PanelPayload,
  sections: readonly ReportSection[],
  priority: Priority | undefined,
  label: string,
): readonly SectionGroupView[] {
  if (sections.length === 0) return [];
  const total = sumTokens(sections);
  const isExact = sections.every((section) => isRowExact(payload, section));
  const subtotal = isExact ? formatCount(total) : formatEstimate(total);
  return [{ priority, label, subtotal, offered: offeredTo(payload, priority), sections }];
}

/**
 * The shown sections in the chosen order: by priority, within it largest first (among equals, the one that is largest in
 * full) or as in the payload; or all in one group, by use (what returns least first, what is not known last) or by name.
 */
export function groupSections(
  payload: PanelPayload,
  sections: readonly ReportSection[],
  sort: SectionSort,
): readonly SectionGroupView[] {
  if (sort === 'return') return groupOf(payload, byReturn(sections), undefined, SORT_WORDS.return.group);
  if (sort === 'name') return groupOf(payload, byName(sections), undefined, SORT_WORDS.name.group);
  // An index has a line of each section: nothing there is full, and little is cut.
  const label = (priority: Priority): string => (payload.mode === 'index' ? '' : GROUP_WORDS[priority]);
  return PRIORITIES.flatMap((priority) => {
    const own = sections.filter((section) => section.priority === priority);
    return groupOf(payload, sort === 'size' ? bySize(own) : own, priority, label(priority));
  });
}

/** What stands beside a row's name, or below it where it is abnormal. */
export interface RowNote {
  /** `plain`: nothing is wrong. `leftOut`: only its line is shown, for want of room. */
  readonly kind: 'plain' | 'warn' | 'alert' | 'notRun' | 'leftOut';
  readonly text: string;
  /** The same for a narrow panel. */
  readonly short: string;
}

const STATUS_KINDS: Readonly<Record<Status, RowNote['kind']>> = { OK: 'plain', WARN: 'warn', ALERT: 'alert' };

/** Reasons that repeat the group, an icon or what *Details* say. */
const REPEATED: ReadonlySet<string> = new Set([
  'always full',
  'always kept',
  'in full',
  'index line',
  'pinned',
  'counting',
  'status {0}',
  'score {0}',
]);

const isPhrase = (value: Phrase['args'][number] | undefined): value is Phrase => typeof value === 'object';

const sameText = (text: string): Pick<RowNote, 'text' | 'short'> => ({ text, short: text });

/** `12 of 41 entries`, `38 of 1,545 files`; undefined for other reasons. */
function shareOf({ message, args }: Phrase): Pick<RowNote, 'text' | 'short'> | undefined {
  const [shown, all] = args;
  const isList = message === 'newest {0} of {1}' || message === 'first {0} of {1}';
  const isFiles = message === '{0} of {1}' || message === 'one line for {0} of {1}';
  const total = isFiles && isPhrase(all) && /^\{0\} files?$/.test(all.message) ? all.args[0] : isList ? all : undefined;
  if (typeof shown !== 'number' || typeof total !== 'number') return undefined;
  const { share, entries, files } = WORDS.row;
  return { text: (isList ? entries : files)(shown, total), short: share(shown, total) };
}

/** A reason as far as it adds something: neither what its priority got, which the group says, nor its source's cap. */
function reasonNote(reason: Phrase): Pick<RowNote, 'text' | 'short'> | undefined {
  const { message, args } = reason;
  const [first, second] = args;
  const isGrant = message === '{0}: {1}' && isPhrase(second) && second.message.startsWith('{0} got {1} of');
  if (isPhrase(first) && (isGrant || message === '{0}: no task' || message === '{0}: limit of {1} tokens'))
    return reasonNote(first);
  if (isPhrase(first) && message === '{0}; one line kept') {
    const inner = reasonNote(first);
    return sameText(inner ? WORDS.row.oneLineKept(inner.text) : WORDS.row.oneLine);
  }
  if (REPEATED.has(message)) return undefined;
  if (message === 'score {0} < {1}') return sameText(WORDS.row.oneLine);
  if (message === 'dropped') return sameText(WORDS.row.dropped);
  const text = say(reason);
  return shareOf(reason) ?? (text === '' ? undefined : sameText(text));
}

function notRunNote({ message }: Phrase, reason: string): RowNote {
  const text = WORDS.row.notRun(message === 'not trusted' ? WORDS.row.notTrusted : reason);
  return { kind: 'notRun', text, short: text };
}

function leftOutNote({ tokens, tokensFull }: ReportSection): RowNote {
  const [shown, full] = [formatCount(tokens), formatThousands(tokensFull)];
  return { kind: 'leftOut', text: WORDS.row.leftOut(shown, full), short: WORDS.row.leftOutShort(shown, full) };
}

/** Share of the payload below which an unused section is not marked as never used. */
const WORTH_TELLING = 0.02;

/** Whether a row says that its section is never used: only one that costs something is worth an action. */
export function isToldUnused({ budget }: PanelPayload, section: ReportSection): boolean {
  return earnsNothing(section) && section.tokens > WORTH_TELLING * budget.tokens;
}

/** What a row says besides its name and tokens; undefined where that is all there is to say. */
export function rowNote(section: ReportSection, isUnused: boolean): RowNote | undefined {
  const { words, reason, summary, isExcluded, isNotRun, isLeftOut, status } = section;
  if (isNotRun && !isExcluded) return notRunNote(words.reason, reason);
  if (isLeftOut) return leftOutNote(section);
  const told = reasonNote(words.reason);
  // The tokens of a cut section say what is missing: a share of entries beside them would be read as the same.
  const note = section.isCut && told?.short !== told?.text ? undefined : told;
  const kind = isExcluded ? 'plain' : STATUS_KINDS[status];
  if (kind !== 'plain') return { kind, ...(note ?? sameText(summary)) };
  if (isUnused) return { kind, ...sameText(WORDS.row.neverUsed) };
  return note && { kind, ...note };
}

/** By what a reply had a section: `path src/a.ts`; undefined where it had not. */
export function citedBy(citation: PanelCitation | undefined): string | undefined {
  return citation && WORDS.evidence[citation.evidence](citation.what);
}

/** A row's tokens as written; a pending section without an estimate has none, and neither has a command that was not run. */
export function formatRowTokens(section: ReportSection, isExact: boolean): string {
  if (section.isNotRun && !section.isExcluded) return '–';
  if (isExact) return formatCount(section.tokens);
  return section.tokens > 0 ? formatEstimate(section.tokens) : '…';
}

/** The start of a long text, cut at a line's end if there is one near, so that opening a row stays fast. */
export function previewText(text: string, limitChars: number): string {
  if (text.length <= limitChars) return text;
  const lineEnd = text.lastIndexOf('\n', limitChars);
  if (lineEnd > limitChars / 2) return text.slice(0, lineEnd);
  const splitsPair = /[\uD800-\uDBFF]/.test(text.charAt(limitChars - 1));
  return text.slice(0, splitsPair ? limitChars - 1 : limitChars);
}

/** Largest first; equal ones as they came. */
export function bySize(sections: readonly ReportSection[]): readonly ReportSection[] {
  return [...sections].sort((a, b) => b.tokens - a.tokens || b.tokensFull - a.tokensFull || (a.id < b.id ? -1 : 1));
}

function byReturn(sections: readonly ReportSection[]): readonly ReportSection[] {
  const rank = ({ roi, disclosure }: ReportSection): number =>
    roi === null || disclosure === 'omitted' ? Number.MAX_VALUE : roi;
  return [...bySize(sections)].sort((a, b) => rank(a) - rank(b));
}

function byName(sections: readonly ReportSection[]): readonly ReportSection[] {
  return [...sections].sort((a, b) => NAMES.compare(a.title, b.title) || (a.id < b.id ? -1 : 1));
}

/** What the sections cost together. */
export function sumTokens(sections: readonly ReportSection[]): number {
  return sections.reduce((total, section) => total + section.tokens, 0);
}
