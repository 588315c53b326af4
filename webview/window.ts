/** What the window bar and the part *Before the First Word* show. Pure. */
import type { BudgetSummary } from '../src/core/model/report';
import type { WindowKind } from '../src/core/window/loaded/windowReport';
import { categoryKey, formatThousands, type PanelWindow, type PanelWindowItem } from '../src/protocol/panel';
import type { WindowAction } from '../src/protocol/panelAction';
import { formatCount, formatEstimatedTotal, formatTokens } from './format';
import { listed } from './language';
import { OWN_TEXT_WORDS, WINDOW_FATE_WORDS, WINDOW_KIND_WORDS, WINDOW_WORDS } from './words/window';

/** A piece of the bar. */
interface WindowPiece {
  readonly kind: WindowKind | 'payload';
  /** Of the bar, 0…1. */
  readonly share: number;
  readonly title: string;
}

export interface WindowBarView {
  readonly label: string;
  readonly note: string;
  readonly pieces: readonly WindowPiece[];
  /** What the pieces say, for those who do not see them. */
  readonly spoken: string;
}

/** One row of the part. */
export interface WindowRow {
  readonly key: string;
  readonly name: string;
  readonly note: string | undefined;
  /** Something is not known or does not reach the agent. */
  readonly isWarning: boolean;
  /** Its size as written; `–` where it is not known. */
  readonly tokens: string;
  /** Of the largest category, 0…1. */
  readonly share: number;
  readonly isMuted: boolean;
  /** The file that a click opens. */
  readonly path: string | undefined;
  /** What else can be done with it. */
  readonly actions: readonly WindowAction[];
  readonly rows: readonly WindowRow[];
}

export interface WindowPartView {
  readonly summary: string;
  readonly rows: readonly WindowRow[];
}

/** `38k`, `≈38k`; a short text, for its place is narrow. */
function short(tokens: number, isExact: boolean): string {
  return `${isExact ? '' : '≈'}${formatThousands(tokens)}`;
}

const ofUnmeasured = (items: readonly PanelWindowItem[]): number =>
  items.filter(({ fate }) => fate === 'unmeasured').length;

function unmeasuredIn({ categories }: PanelWindow): number {
  return categories.reduce((sum, { items }) => sum + ofUnmeasured(items), 0);
}

/** Agent, model and window in a line, what is taken in another, and the pieces, of which the payload is the last. */
export function windowBarView(
  window: PanelWindow,
  payload: Pick<BudgetSummary, 'tokens' | 'isExact'> = { tokens: 0, isExact: true },
): WindowBarView {
  const { name, model, windowTokens, tokens, isExact, categories } = window;
  const whole = Math.max(windowTokens ?? 0, tokens + payload.tokens, 1);
  const loaded = categories.map((each) => ({ ...each, name: WINDOW_KIND_WORDS[each.kind](name) }));
  const taken = [
    ...loaded.filter((each) => each.tokens > 0),
    { kind: 'payload' as const, name: WINDOW_WORDS.payload, ...payload },
  ];
  const size = (count: number, exact: boolean): string => (exact ? formatCount(count) : formatEstimatedTotal(count));
  return {
    // Its vendor goes without saying.
    label: [name, model?.replace(/^claude-/, '') ?? null, windowTokens === null ? null : formatTokens(windowTokens)]
      .filter((part) => part !== null)
      .join(' · '),
    note: WINDOW_WORDS.note(
      windowTokens === null
        ? short(tokens, isExact)
        : WINDOW_WORDS.shareOf(short(tokens, isExact), `${Math.round((tokens / windowTokens) * 100)}%`),
      short(payload.tokens, payload.isExact),
    ),
    pieces: taken
      .filter((each) => each.tokens > 0)
      .map((each) => ({
        kind: each.kind,
        share: each.tokens / whole,
        title: WINDOW_WORDS.piece(each.name, size(each.tokens, each.isExact)),
      })),
    spoken: WINDOW_WORDS.spoken(
      listed([
        ...taken.map((each) =>
          each.isExact ? `${each.name} ${formatCount(each.tokens)}` : WINDOW_WORDS.about(each.name, each.tokens),
        ),
        ...(windowTokens === null ? [] : [WINDOW_WORDS.of(windowTokens)]),
      ]),
    ),
  };
}

function noteOf(kind: WindowKind, items: readonly PanelWindowItem[]): string | undefined {
  const unmeasured = ofUnmeasured(items);
  if (unmeasured > 0) return WINDOW_WORDS.unmeasuredOf(unmeasured, items.length);
  if (kind === 'agent') return undefined;
  if (kind === 'instructions' || kind === 'user') return WINDOW_WORDS.files(items.length);
  const lost = items.filter(({ fate }) => fate === 'cut' || fate === 'dropped').length;
  return lost > 0 ? WINDOW_WORDS.shortened(items.length, lost) : formatCount(items.length);
}

function itemName(kind: WindowKind, { key, name }: PanelWindowItem): string {
  if (kind === 'agent') return OWN_TEXT_WORDS[name] ?? name;
  return name === 'instructions' && key.includes('#instructions ') ? WINDOW_WORDS.serverText : name;
}

function itemNote({ fate, why, isCertain, items }: PanelWindowItem, kind: WindowKind): string | undefined {
  // Tools of which the names alone are in the window.
  const isOnDemand = items.length > 0 && (fate === 'listed' || fate === 'deferred');
  const parts = [
    why ?? WINDOW_FATE_WORDS[isOnDemand ? 'deferred' : fate],
    items.length > 0
      ? WINDOW_WORDS.tools(items.filter(({ key }) => !key.includes('#instructions ')).length)
      : undefined,
    isCertain || kind === 'agent' ? undefined : WINDOW_WORDS.unsure,
  ].filter((part) => part !== undefined);
  return parts.length > 0 ? listed(parts) : undefined;
}

function itemRow(kind: WindowKind, item: PanelWindowItem, largest: number): WindowRow {
  const { key, fate, tokens, isExact, path, items } = item;
  const opens = items.length === 0 && item.actions.includes('open');
  return {
    key,
    name: itemName(kind, item),
    note: itemNote(item, kind),
    isWarning: fate === 'unmeasured',
    tokens: fate === 'unmeasured' ? '–' : short(tokens, isExact),
    share: tokens / largest,
    isMuted: fate === 'disabled' || fate === 'shadowed' || fate === 'dropped',
    path: opens ? path : undefined,
    actions: item.actions.filter((action) => action !== 'open' || !opens),
    rows: items.map((each) => itemRow(kind, each, largest)),
  };
}

/** Categories, largest first, each with what is in it, largest first. */
export function windowPartView(window: PanelWindow): WindowPartView {
  const { name, tokens, isExact, categories } = window;
  const largest = Math.max(1, ...categories.map((category) => category.tokens));
  const unmeasured = unmeasuredIn(window);
  const bySize = (a: { readonly tokens: number }, b: { readonly tokens: number }): number => b.tokens - a.tokens;
  return {
    summary: unmeasured > 0 ? WINDOW_WORDS.unmeasured(unmeasured) : short(tokens, isExact),
    rows: [...categories].sort(bySize).map(({ kind, tokens: sum, isExact: exact, items, actions }) => {
      const isUnknown = items.length > 0 && ofUnmeasured(items) === items.length;
      return {
        key: categoryKey(kind),
        name: WINDOW_KIND_WORDS[kind](name),
        note: noteOf(kind, items),
        isWarning: ofUnmeasured(items) > 0,
        tokens: isUnknown ? '–' : short(sum, exact),
        share: sum / largest,
        isMuted: false,
        path: undefined,
        actions,
        rows: [...items].sort(bySize).map((item) => itemRow(kind, item, largest)),
      };
    }),
  };
}
