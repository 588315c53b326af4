/**
 * The layers of progressive disclosure over observations: which rows an index or a timeline shows so that its caps hold
 * on the final text. It does not search (`observationIndex.ts`) and does not write rows (`observationCodec.ts`).
 */

import type { ObservationRow } from '../model/observation';
import type { WordMatch } from '../model/repoMap';
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
  /** Number of all observations, found or not; only in an index. */
  readonly all?: number;
  /** Which words of its query observations have; absent without a query. */
  readonly match?: WordMatch;
  /** What gave way, such as `index: 23 of 40 rows`. */
  readonly downgradeApplied: readonly string[];
  /** What was masked, by the row's line. */
  readonly secrets: readonly SecretFinding[];
}

/** What rows are chosen from, and by what. */
export interface RowChoice {
  /** In the order of the layer. */
  readonly places: readonly number[];
  /** Makes the row at a place; rows are made only as far as they are looked at. */
  readonly makeRow: (place: number) => ObservationRow | undefined;
  readonly caps: LayerCaps;
  readonly tokenizer: Tokenizer;
}

/** Adds rows while they fit. */
class Fitting {
  #tokens = 0;
  #chars = 0;

  constructor(private readonly choice: RowChoice) {}

  /** Adds the row of the place at `at`; false where there is none or it does not fit. */
  take(at: number, into: ObservationRow[]): boolean {
    const { places, makeRow, caps, tokenizer } = this.choice;
    const place = places[at];
    const row = place === undefined ? undefined : makeRow(place);
    if (!row) return false;
    const tokens = this.#tokens + tokenizer.count(row.text);
    const chars = this.#chars + row.text.length;
    if (tokens > caps.tokens || chars > caps.chars) return false;
    this.#tokens = tokens;
    this.#chars = chars;
    into.push(row);
    return true;
  }

  answer(layer: string, rows: readonly ObservationRow[], wanted: number): LayerAnswer {
    const { places, tokenizer } = this.choice;
    const text = rows.map((row) => row.text).join('');
    const step = `${layer}: ${formatCount(rows.length)} of ${formatCount(wanted)} rows`;
    const downgradeApplied = rows.length < wanted ? [step] : [];
    return { rows, text, tokens: tokenizer.count(text), total: places.length, downgradeApplied, secrets: [] };
  }
}

/** The first rows that fit, at most `limit`: the newest, or the best. */
export function fitIndex(limit: number, choice: RowChoice): LayerAnswer {
  const fitting = new Fitting(choice);
  const rows: ObservationRow[] = [];
  const wanted = Math.min(limit, choice.places.length);
  while (rows.length < wanted && fitting.take(rows.length, rows));
  return fitting.answer('index', rows, wanted);
}

/**
 * At most `window` rows (in time order) around the one at `centre`, without a gap: as many after it as
 * before, more on one side where the other has none. The centre comes first, then its neighbours, nearest first.
 */
export function fitTimeline(centre: number, window: number, choice: RowChoice): LayerAnswer {
  const fitting = new Fitting(choice);
  const wanted = Math.min(window, choice.places.length);
  const before: ObservationRow[] = [];
  const after: ObservationRow[] = [];
  let [isOpenBefore, isOpenAfter] = [true, true];
  let [first, last] = [centre - 1, centre + 1];
  const hasCentre = wanted > 0 && fitting.take(centre, after);
  while (hasCentre && before.length + after.length < wanted && (isOpenBefore || isOpenAfter)) {
    if (isOpenBefore && (before.length <= after.length - 1 || !isOpenAfter))
      isOpenBefore = fitting.take(first--, before);
    else if (isOpenAfter) isOpenAfter = fitting.take(last++, after);
  }
  return fitting.answer('timeline', [...before.reverse(), ...after], wanted);
}
