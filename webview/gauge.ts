/** How much of its limits a payload uses: the headline, the token gauge with its pieces, the characters. Pure. */
import type { Priority } from '../src/core/model/section';
import {
  cutSections,
  formatThousands,
  type PanelPayload,
  type PanelSnapshot,
  PRIORITIES,
  type ShowOnly,
  shareStatus,
  WARN_SHARE,
} from '../src/protocol/panel';
import { formatCount, formatEstimatedTotal, formatShare } from './format';
import { bySize, formatUsedTokens, isAlert, sumTokens, WARN_MARK } from './model';
import { WORDS } from './words';

/** Something abnormal of some sections; a toggle that shows them alone. */
export interface HeadlineFlag {
  readonly kind: ShowOnly;
  readonly tone: 'plain' | 'warn' | 'alert';
  readonly text: string;
  /** The same for a narrow panel. */
  readonly short: string;
  readonly title: string;
}

/** How far counting is. */
interface CountingWords {
  readonly text: string;
  /** The same for a narrow panel, where the headline keeps to one line. */
  readonly short: string;
  readonly title: string;
}

/** The headline: what the context costs, and what is abnormal. Parts that say nothing are undefined. */
interface HeadlineView {
  /** The number, and what the sentence has before and behind it. */
  readonly total: { readonly before: string; readonly used: string; readonly after: string } | undefined;
  readonly over: string | undefined;
  readonly counting: CountingWords | undefined;
  readonly flags: readonly HeadlineFlag[];
}

/** Stands for the number in the sentence, so that it can be told from the rest in every language. */
const NUMBER = '\u0000';

function totalWords(payload: PanelPayload): HeadlineView['total'] {
  const [before = '', after = ''] = WORDS.headline.total(NUMBER, payload.budget.budgetTokens).split(NUMBER);
  return { before, used: formatUsedTokens(payload), after };
}

function countingWords(progress: PanelSnapshot['progress']): CountingWords {
  const words = WORDS.headline;
  if (!progress) return { text: words.counting, short: '', title: words.counting };
  const { done, total } = progress;
  return {
    text: words.countingProgress(done, total),
    short: words.countingShort(done, total),
    title: words.countingTitle(done, total),
  };
}

function flagsOf({ leftOut, sections, budget }: PanelPayload): readonly HeadlineFlag[] {
  const words = WORDS.headline;
  const flags: HeadlineFlag[] = [];
  if (budget.isExact && leftOut.sections > 0) {
    const missing = [leftOut.sections, formatThousands(leftOut.tokens)] as const;
    const [text, short] = [words.leftOut(...missing), words.leftOutShort(...missing)];
    flags.push({ kind: 'leftOut', tone: 'warn', text, short, title: words.leftOutTitle(leftOut.tokens) });
  }
  const cut = cutSections(sections);
  if (budget.isExact && cut.sections > 0) {
    const missing = [cut.sections, formatThousands(cut.tokens)] as const;
    const [text, short] = [words.cut(...missing), words.cutShort(...missing)];
    flags.push({ kind: 'cut', tone: 'plain', text, short, title: words.cutTitle(cut.tokens) });
  }
  const alerts = sections.filter(isAlert).length;
  if (alerts > 0) {
    const text = words.alerts(alerts);
    flags.push({ kind: 'alerts', tone: 'alert', text, short: text, title: words.alertsTitle });
  }
  return flags;
}

export function headlineView({ payload, progress }: PanelSnapshot): HeadlineView {
  const isExact = payload?.budget.isExact ?? false;
  const counting = isExact ? undefined : countingWords(progress);
  if (!payload) return { total: undefined, over: undefined, counting, flags: [] };
  const overBy = payload.budget.tokens - payload.budget.budgetTokens;
  return {
    total: totalWords(payload),
    over: isExact && overBy > 0 ? WORDS.headline.over(overBy) : undefined,
    counting,
    flags: flagsOf(payload),
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
  /** Where the limit stands inside the gauge; undefined while it is the right end. */
  readonly limitAt: number | undefined;
  readonly used: string;
  /** What the gauge does not draw: the characters, as an estimate while they are one. */
  readonly title: string;
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
        : WORDS.gauge.segment(slice.name, slice.tokens, share);
    const base = { priority: slice.priority, title, sectionId: slice.sectionId };
    if (inside > 0) segments.push({ ...base, key: slice.key, share: inside / scale, isBeyond: false });
    if (beyond > 0) segments.push({ ...base, key: `${slice.key} beyond`, share: beyond / scale, isBeyond: true });
    start += slice.tokens;
  }
  return segments;
}

/** The token gauge: 0…limit, or 0…used once the limit is exceeded. An estimate is one piece without a split. */
export function gaugeView(payload: PanelPayload): GaugeView {
  const { tokens, budgetTokens, chars, hardCapChars, isExact } = payload.budget;
  const scale = Math.max(1, tokens, budgetTokens);
  const status = shareStatus(tokens / budgetTokens);
  const level =
    status === 'ALERT'
      ? WORDS.gauge.over(tokens - budgetTokens)
      : status === 'WARN'
        ? WORDS.gauge.pastMark(WARN_MARK)
        : WORDS.gauge.underMark(WARN_MARK);
  const percent = formatShare(tokens / Math.max(1, budgetTokens));
  // A bound is none that could be taken for exact.
  const shareText = isExact || percent.startsWith('<') ? percent : `≈${percent}`;
  const characters = usedCharacters(payload);
  const charactersShare = formatShare(chars / Math.max(1, hardCapChars));
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
    limitAt: tokens > budgetTokens ? budgetTokens / scale : undefined,
    used: WORDS.gauge.used(shareText),
    title: WORDS.gauge.charactersShare(characters, charactersShare),
    valueNow: Math.min(tokens, budgetTokens),
    valueMax: budgetTokens,
    valueText: WORDS.gauge.text(formatUsedTokens(payload), budgetTokens, shareText, level, characters, charactersShare),
  };
}

function usedCharacters({ budget }: PanelPayload): string {
  const { chars, hardCapChars, isExact } = budget;
  return WORDS.gauge.characters(isExact ? formatCount(chars) : formatEstimatedTotal(chars), hardCapChars);
}

/**
 * The line about the characters where they bind: they are over their limit, or past the mark and nearer to it than the
 * tokens are to theirs. Undefined elsewhere, and while counting.
 */
export function bindingCharacters(
  payload: PanelPayload,
): { readonly text: string; readonly isOver: boolean } | undefined {
  const { chars, hardCapChars, tokens, budgetTokens, isExact } = payload.budget;
  if (!isExact) return undefined;
  const status = shareStatus(chars / hardCapChars);
  if (status === 'ALERT') {
    return { text: WORDS.gauge.charactersOver(usedCharacters(payload), chars - hardCapChars), isOver: true };
  }
  const share = chars / hardCapChars;
  const isNearer = share > tokens / Math.max(1, budgetTokens);
  if (status !== 'WARN' || !isNearer) return undefined;
  return { text: WORDS.gauge.charactersShare(usedCharacters(payload), formatShare(share)), isOver: false };
}
