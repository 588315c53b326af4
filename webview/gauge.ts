/** How much of the caps a payload uses: the token gauge with its pieces, and the rail of the characters. Pure. */
import type { Priority } from '../src/core/model/section';
import { type PanelPayload, PRIORITIES, shareStatus, WARN_SHARE } from '../src/protocol/panel';
import { formatCount, formatEstimatedTotal, formatShare } from './format';
import { listed } from './language';
import { bySize, formatUsedTokens, sumTokens, WARN_MARK } from './model';
import { WORDS } from './words';

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
  const status = shareStatus(tokens / budgetTokens);
  const level =
    status === 'ALERT'
      ? WORDS.gauge.over(tokens - budgetTokens)
      : status === 'WARN'
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

interface CharactersView {
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
  const status = shareStatus(chars / hardCapChars);
  const isOver = isExact && status === 'ALERT';
  const share = chars / Math.max(1, hardCapChars);
  const isNear = isExact && status === 'WARN';
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
