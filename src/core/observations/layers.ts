/**
 * The layers of progressive disclosure over observations: which rows an index or a timeline shows so that its caps hold
 * on the final text. It does not search (`observationIndex.ts`) and does not write rows (`observationCodec.ts`).
 */

import type { ObservationRow } from '../model/observation';
import type { SecretFinding } from '../model/report';
import type { Tokenizer } from '../ports/ports';
import { formatCount } from '../text/numbers';

/** What a layer may cost. Both hold at once. */
export interface LayerCaps {
  readonly tokens: number;
  /** UTF-16 code units. */
  readonly chars: number;
}

/** An index or a timeline within its caps. */
export interface LayerAnswer {
  readonly rows: readonly ObservationRow[];
  /** The text form: one line a row. */
  readonly text: string;
  readonly tokens: number;
  /** Observations that the request was about, shown or not. */
  readonly total: number;
  /** Ladder steps taken, such as `index: 23 of 40 rows`. */
  readonly downgradeApplied: readonly string[];
  /** What was masked, by the row's line. */
  readonly secrets: readonly SecretFinding[];
}

/** Makes the row at a place; rows are made only as far as they are looked at. */
export type MakeRow = (place: number) => ObservationRow | undefined;

/** Adds rows while they fit. */
class Fitting {
  tokens = 0;
  chars = 0;
  constructor(
    private readonly caps: LayerCaps,
    private readonly tokenizer: Tokenizer,
  ) {}

  add({ text }: ObservationRow): boolean {
    const tokens = this.tokens + this.tokenizer.count(text);
    const chars = this.chars + text.length;
    if (tokens > this.caps.tokens || chars > this.caps.chars) return false;
    this.tokens = tokens;
    this.chars = chars;
    return true;
  }
}

function answer(
  layer: string,
  rows: readonly ObservationRow[],
  wanted: number,
  total: number,
  tokenizer: Tokenizer,
): LayerAnswer {
  const text = rows.map((row) => row.text).join('');
  const isCut = rows.length < wanted;
  const step = `${layer}: ${formatCount(rows.length)} of ${formatCount(wanted)} rows`;
  return { rows, text, tokens: tokenizer.count(text), total, downgradeApplied: isCut ? [step] : [], secrets: [] };
}

/** The first rows of `places` that fit, at most `limit`: the newest, or the best. */
export function fitIndex(
  places: readonly number[],
  limit: number,
  makeRow: MakeRow,
  caps: LayerCaps,
  tokenizer: Tokenizer,
): LayerAnswer {
  const fitting = new Fitting(caps, tokenizer);
  const rows: ObservationRow[] = [];
  const wanted = Math.min(limit, places.length);
  for (const place of places.slice(0, wanted)) {
    const row = makeRow(place);
    if (!row || !fitting.add(row)) break;
    rows.push(row);
  }
  return answer('index', rows, wanted, places.length, tokenizer);
}

/**
 * At most `window` rows of `places` (in time order) around the one at `centre`, without a gap: as many after it as
 * before, more on one side where the other has none. The centre comes first, then its neighbours, nearest first.
 */
export function fitTimeline(
  places: readonly number[],
  centre: number,
  window: number,
  makeRow: MakeRow,
  caps: LayerCaps,
  tokenizer: Tokenizer,
): LayerAnswer {
  const fitting = new Fitting(caps, tokenizer);
  const wanted = Math.min(window, places.length);
  const before: ObservationRow[] = [];
  const after: ObservationRow[] = [];
  const take = (at: number, into: ObservationRow[]): boolean => {
    const place = places[at];
    const row = place === undefined ? undefined : makeRow(place);
    if (!row || !fitting.add(row)) return false;
    into.push(row);
    return true;
  };
  let [isOpenBefore, isOpenAfter] = [true, true];
  let [first, last] = [centre - 1, centre + 1];
  const hasCentre = wanted > 0 && take(centre, after);
  while (hasCentre && before.length + after.length < wanted && (isOpenBefore || isOpenAfter)) {
    if (isOpenBefore && (before.length <= after.length - 1 || !isOpenAfter)) isOpenBefore = take(first--, before);
    else if (isOpenAfter) isOpenAfter = take(last++, after);
  }
  return answer('timeline', [...before.reverse(), ...after], wanted, places.length, tokenizer);
}
