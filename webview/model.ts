/**
 * Pure derivations from a snapshot to what the summary and the section list show. No status, cut or count is computed
 * here that the report does not already hold: only sums of shown rows, shares and words.
 */

import type { ReportSection } from '../src/core/model/report';
import type { Priority } from '../src/core/model/section';
import {
  earnsNothing,
  type PanelPayload,
  type PanelSnapshot,
  PRIORITIES,
  type SectionSort,
  STATUSES,
  WARN_SHARE,
} from '../src/protocol/panel';
import { formatCount, formatEstimate, formatEstimatedTotal, formatShare } from './format';
import { locale } from './language';
import { GROUP_WORDS, SORT_WORDS, WORDS } from './words';

const NAMES = new Intl.Collator(locale(), { numeric: true, sensitivity: 'base' });

/** Which kinds of section the filter's toggles let through. */
export type ShowOnly = 'alerts' | 'warnings' | 'earnNothing' | 'omitted';

export const SHOW_ONLY: readonly ShowOnly[] = ['alerts', 'warnings', 'earnNothing', 'omitted'];

/** The 80 % mark as written. */
export const WARN_MARK = formatShare(WARN_SHARE);

/** A section with an alarm of its own; one that was not run says nothing. */
export function isAlert(section: ReportSection): boolean {
  return section.status === 'ALERT' && !section.isNotRun;
}

/**
 * Whether the numbers of a row are exact. While a payload is inexact, the sections still pending are the estimates; if
 * none is pending, any number may be one.
 */
export function isRowExact(payload: PanelPayload, section: ReportSection): boolean {
  if (section.isPending) return false;
  return payload.budget.isExact || payload.sections.some((other) => other.isPending);
}

/** A payload's tokens as written, with `≈` while they are not exact. */
export function formatUsedTokens(payload: PanelPayload): string {
  const { tokens, isExact } = payload.budget;
  return isExact ? formatCount(tokens) : formatEstimatedTotal(tokens);
}

/** The parts of the headline; parts that say nothing are undefined. */
interface HeadlineView {
  readonly total: string | undefined;
  readonly over: string | undefined;
  readonly alerts: string | undefined;
  readonly earnNothing: string | undefined;
  readonly counting: string | undefined;
  /** The same for narrow panels, so that the headline keeps to two lines. */
  readonly countingShort: string | undefined;
}

function countingWords(progress: PanelSnapshot['progress']): Pick<HeadlineView, 'counting' | 'countingShort'> {
  const words = WORDS.headline;
  if (!progress) return { counting: words.counting, countingShort: words.counting };
  const { done, total } = progress;
  return { counting: words.countingProgress(done, total), countingShort: words.countingShort(done, total) };
}

export function headlineView(snapshot: PanelSnapshot): HeadlineView {
  const { payload, progress } = snapshot;
  const isExact = payload?.budget.isExact ?? false;
  const counting = isExact ? { counting: undefined, countingShort: undefined } : countingWords(progress);
  if (!payload) return { total: undefined, over: undefined, alerts: undefined, earnNothing: undefined, ...counting };
  const overBy = payload.budget.tokens - payload.budget.budgetTokens;
  const alerts = payload.sections.filter(isAlert).length;
  const idle = payload.sections.filter(earnsNothing).length;
  return {
    total: WORDS.headline.total(formatUsedTokens(payload), payload.budget.budgetTokens),
    over: isExact && overBy > 0 ? WORDS.headline.over(overBy) : undefined,
    alerts: alerts > 0 ? WORDS.headline.alerts(alerts) : undefined,
    earnNothing: isExact && idle > 0 ? WORDS.headline.earnNothing(idle) : undefined,
    ...counting,
  };
}

/** A section matches when it is of a chosen kind (any, if several are chosen) and its name or reason holds the text. */
export function matchesFilter(section: ReportSection, text: string, show: readonly ShowOnly[]): boolean {
  const isKind =
    show.length === 0 ||
    (show.includes('alerts') && isAlert(section)) ||
    (show.includes('warnings') && section.status === 'WARN' && !section.isNotRun) ||
    (show.includes('earnNothing') && earnsNothing(section)) ||
    (show.includes('omitted') && section.disclosure === 'omitted');
  if (!isKind) return false;
  const needle = text.trim().toLowerCase();
  return [section.title, section.id, section.reason].some((field) => field.toLowerCase().includes(needle));
}

export interface SectionGroupView {
  /** Undefined for all sections in one order. */
  readonly priority: Priority | undefined;
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
 * full) or as in the payload; or all in one group, by status (worst first), by return (what earns least first, what is not known last) or by name.
 */
export function groupSections(
  payload: PanelPayload,
  sections: readonly ReportSection[],
  sort: SectionSort,
): readonly SectionGroupView[] {
  if (sort === 'status') return groupOf(payload, byStatus(sections), undefined, SORT_WORDS.status.group);
  if (sort === 'return') return groupOf(payload, byReturn(sections), undefined, SORT_WORDS.return.group);
  if (sort === 'name') return groupOf(payload, byName(sections), undefined, SORT_WORDS.name.group);
  return PRIORITIES.flatMap((priority) => {
    const own = sections.filter((section) => section.priority === priority);
    return groupOf(payload, sort === 'size' ? bySize(own) : own, priority, GROUP_WORDS[priority]);
  });
}

/** A row's tokens as written; a pending section without an estimate has none. */
export function formatRowTokens(section: ReportSection, isExact: boolean): string {
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

/** What was not run, or is not counted yet, says nothing. */
function byStatus(sections: readonly ReportSection[]): readonly ReportSection[] {
  const rank = ({ status, isNotRun, isPending }: ReportSection): number =>
    isNotRun || isPending ? 0 : STATUSES.indexOf(status);
  return [...bySize(sections)].sort((a, b) => rank(b) - rank(a));
}

function byName(sections: readonly ReportSection[]): readonly ReportSection[] {
  return [...sections].sort((a, b) => NAMES.compare(a.title, b.title) || (a.id < b.id ? -1 : 1));
}

/** What the sections cost together. */
export function sumTokens(sections: readonly ReportSection[]): number {
  return sections.reduce((total, section) => total + section.tokens, 0);
}
