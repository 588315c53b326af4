/**
 * Pure derivations from a snapshot to what the summary and the section list show. No status, cut or count is computed
 * here that the report does not already hold: only sums of shown rows, shares and words.
 */
import type { ReportSection, Status } from '../src/core/report/contextReport';
import type { Priority } from '../src/core/sections/section';
import {
  earnsNothing,
  type PanelPayload,
  type PanelSnapshot,
  PRIORITIES,
  type SectionSort,
  WARN_SHARE,
} from '../src/protocol/panel';
import { formatCount, formatEstimate, formatEstimatedTotal, formatShare } from './format';
import { listed, locale } from './language';
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
export interface HeadlineView {
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

/** One piece of the gauge. `share` is of the gauge's whole length. */
export interface GaugeSegment {
  readonly key: string;
  /** Undefined for the payload's own notes. */
  readonly priority: Priority | undefined;
  readonly share: number;
  readonly isBeyond: boolean;
  readonly title: string;
  /** The section that the piece is; undefined for several of them, the notes and an estimate. */
  readonly sectionId: string | undefined;
}

export interface GaugeView {
  readonly segments: readonly GaugeSegment[];
  readonly isEstimate: boolean;
  readonly warnAt: number;
  /** Where the cap stands inside the gauge; undefined while it is the right end. */
  readonly capAt: number | undefined;
  readonly used: string;
  readonly valueNow: number;
  readonly valueMax: number;
  readonly valueText: string;
}

/** Pieces below this share of the gauge are drawn as one: at 248 px they would be thinner than a pixel. */
const SMALLEST_SHARE = 0.004;

interface Slice {
  readonly key: string;
  readonly name: string;
  readonly priority: Priority | undefined;
  readonly tokens: number;
  readonly sectionId?: string;
}

function slicesOf(payload: PanelPayload, scale: number): readonly Slice[] {
  const slices: Slice[] = [];
  for (const priority of PRIORITIES) {
    const group = payload.sections.filter((section) => section.priority === priority && section.tokens > 0);
    const small = group.filter((section) => section.tokens / scale < SMALLEST_SHARE);
    const merged = small.length > 1 ? small : [];
    for (const section of bySize(group)) {
      if (merged.includes(section)) continue;
      slices.push({ key: section.id, name: section.title, priority, tokens: section.tokens, sectionId: section.id });
    }
    if (merged.length > 0) {
      const name = WORDS.gauge.smaller(merged.length);
      slices.push({ key: `small ${priority}`, name, priority, tokens: sumTokens(merged) });
    }
  }
  if (payload.overheadTokens > 0) {
    slices.push({ key: 'notes', name: '', priority: undefined, tokens: payload.overheadTokens });
  }
  return slices;
}

function segmentsOf(payload: PanelPayload, scale: number): readonly GaugeSegment[] {
  const { tokens, budgetTokens } = payload.budget;
  const segments: GaugeSegment[] = [];
  let start = 0;
  for (const slice of slicesOf(payload, scale)) {
    const inside = Math.max(0, Math.min(start + slice.tokens, budgetTokens) - start);
    const beyond = slice.tokens - inside;
    const share = formatShare(slice.tokens / Math.max(1, tokens));
    const title =
      slice.priority === undefined
        ? WORDS.gauge.overhead(slice.tokens, share)
        : WORDS.gauge.segment(slice.name, slice.priority, slice.tokens, share);
    const base = { priority: slice.priority, title, sectionId: slice.sectionId };
    if (inside > 0) segments.push({ ...base, key: slice.key, share: inside / scale, isBeyond: false });
    if (beyond > 0) segments.push({ ...base, key: `${slice.key} beyond`, share: beyond / scale, isBeyond: true });
    start += slice.tokens;
  }
  return segments;
}

/** The token gauge: 0…cap, or 0…used once the cap is exceeded. An estimate is one piece without a split. */
export function gaugeView(payload: PanelPayload): GaugeView {
  const { tokens, budgetTokens, isExact } = payload.budget;
  const scale = Math.max(1, tokens, budgetTokens);
  const share = tokens / Math.max(1, budgetTokens);
  const level =
    tokens > budgetTokens
      ? WORDS.gauge.over(tokens - budgetTokens)
      : share >= WARN_SHARE
        ? WORDS.gauge.pastMark(WARN_MARK)
        : WORDS.gauge.underMark(WARN_MARK);
  const shareText = `${isExact ? '' : '≈'}${formatShare(share)}`;
  const estimate: GaugeSegment = {
    key: 'estimate',
    priority: undefined,
    share: tokens / scale,
    isBeyond: false,
    title: WORDS.gauge.estimate,
    sectionId: undefined,
  };
  return {
    segments: isExact ? segmentsOf(payload, scale) : [estimate],
    isEstimate: !isExact,
    warnAt: (budgetTokens * WARN_SHARE) / scale,
    capAt: tokens > budgetTokens ? budgetTokens / scale : undefined,
    used: WORDS.gauge.used(shareText),
    valueNow: Math.min(tokens, budgetTokens),
    valueMax: budgetTokens,
    valueText: WORDS.gauge.text(formatUsedTokens(payload), budgetTokens, shareText, level),
  };
}

export interface CharactersView {
  readonly label: string;
  readonly share: number;
  /** Where the cap stands on the rail; 1 while it is the right end. */
  readonly capAt: number;
  readonly isOver: boolean;
  /** Past the warning mark, but within the cap. */
  readonly isNear: boolean;
  readonly valueNow: number;
  readonly valueMax: number;
  readonly valueText: string;
}

/** The character cap's thin meter. */
export function charactersView(payload: PanelPayload): CharactersView {
  const { chars, hardCapChars, isExact } = payload.budget;
  const scale = Math.max(1, chars, hardCapChars);
  const used = WORDS.characters.used(isExact ? formatCount(chars) : formatEstimatedTotal(chars), hardCapChars);
  const isOver = isExact && chars > hardCapChars;
  const share = chars / Math.max(1, hardCapChars);
  const isNear = isExact && !isOver && share >= WARN_SHARE;
  const level = isNear ? [WORDS.gauge.pastMark(WARN_MARK)] : [];
  return {
    label: isOver
      ? `${used}${WORDS.characters.over(chars - hardCapChars)}`
      : isNear
        ? listed([used, formatShare(share)])
        : used,
    share: chars / scale,
    capAt: hardCapChars / scale,
    isOver,
    isNear,
    valueNow: Math.min(chars, hardCapChars),
    valueMax: hardCapChars,
    valueText: listed([used, formatShare(share), ...level]),
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
  readonly sections: readonly ReportSection[];
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
  return [{ priority, label, subtotal: isExact ? formatCount(total) : formatEstimate(total), sections }];
}

/**
 * The shown sections in the chosen order: by priority, within it largest first (among equals, the one that is largest in
 * full) or as in the payload; or all in one group, by status (worst first), by return (what earns least first, what nobody knows last) or by name.
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

function bySize(sections: readonly ReportSection[]): readonly ReportSection[] {
  return [...sections].sort((a, b) => b.tokens - a.tokens || b.tokensFull - a.tokensFull || (a.id < b.id ? -1 : 1));
}

function byReturn(sections: readonly ReportSection[]): readonly ReportSection[] {
  const rank = ({ roi, disclosure }: ReportSection): number =>
    roi === null || disclosure === 'omitted' ? Number.MAX_VALUE : roi;
  return [...bySize(sections)].sort((a, b) => rank(a) - rank(b));
}

const STATUS_RANKS: Readonly<Record<Status, number>> = { ALERT: 0, WARN: 1, OK: 2 };

/** What was not run, or is not counted yet, says nothing. */
function byStatus(sections: readonly ReportSection[]): readonly ReportSection[] {
  const rank = ({ status, isNotRun, isPending }: ReportSection): number =>
    isNotRun || isPending ? STATUS_RANKS.OK : STATUS_RANKS[status];
  return [...bySize(sections)].sort((a, b) => rank(a) - rank(b));
}

function byName(sections: readonly ReportSection[]): readonly ReportSection[] {
  return [...sections].sort((a, b) => NAMES.compare(a.title, b.title) || (a.id < b.id ? -1 : 1));
}

function sumTokens(sections: readonly ReportSection[]): number {
  return sections.reduce((total, section) => total + section.tokens, 0);
}
