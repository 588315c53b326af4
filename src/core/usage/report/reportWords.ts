import type { ScoringMode } from '../../model/relevance';
import type { RoiClass } from '../../model/usage';
import { type Phrase, phrase } from '../../text/phrase';
import type { Target, TargetMetric, UsageReport } from './usageReport';

/** What a report says where there is no cycle (PANEL §8). */
export const NO_CYCLES = phrase(
  'No cycle recorded yet. A cycle is one use of a payload: copy one, or let an agent ask for one.',
);

/** What to do about the sections of a class. */
export const VERDICTS: Readonly<Record<RoiClass, Phrase>> = {
  WASTE: phrase('Leave out, or show on demand'),
  LOW: phrase('Shorten, or show a summary first'),
  'MED+': phrase('Keep as it is'),
  'no data': phrase('Wait: loaded in fewer than 10 cycles'),
};

/** The measures of a phase, as people call them. */
export const METRIC_WORDS: Readonly<Record<TargetMetric, Phrase>> = {
  chars_mean: phrase('Context size'),
  tokens_mean: phrase('Tokens per cycle'),
  observability_mean: phrase('Decision quality'),
  response_ms_mean: phrase('Response time'),
};

/** What a target asks for. */
export const TARGET_WORDS: Readonly<Record<TargetMetric, Phrase>> = {
  chars_mean: phrase('at least 35 % less'),
  tokens_mean: phrase('not more'),
  observability_mean: phrase('not lower'),
  response_ms_mean: phrase('not longer'),
};

/** Names of the scoring modes inside a sentence. */
export const MODE_WORDS: Readonly<Record<ScoringMode, Phrase>> = {
  baseline: phrase('baseline'),
  static: phrase('static'),
  dynamic: phrase('dynamic'),
  off: phrase('off'),
};

/** A measure with its unit; `not logged` where there is none. */
export function metricWords(metric: TargetMetric, value: number | null): Phrase {
  if (value === null) return phrase('not logged');
  switch (metric) {
    case 'chars_mean':
    case 'tokens_mean':
      return phrase('{0}', Math.round(value));
    case 'observability_mean':
      return phrase('{0}', value.toFixed(2));
    case 'response_ms_mean':
      return phrase('{0} ms', Math.round(value));
  }
}

/** By how much the measure changed against the baseline: `−36 %`; undefined where one of them is unknown. */
export function changeWords({ baseline, actual }: Target): Phrase | undefined {
  if (baseline === null || actual === null || baseline === 0) return undefined;
  const percent = Math.round((actual / baseline - 1) * 100);
  if (percent === 0) return phrase('±0 %');
  return phrase(percent > 0 ? '+{0} %' : '−{0} %', Math.abs(percent));
}

/** A return with two decimals; `no data` where there is none. */
export function roiWords(roi: number | null): Phrase {
  return roi === null ? phrase('no data') : phrase('{0}', roi.toFixed(2));
}

/** `720 cycles, 1 to 720`. */
export function cyclesWords({ cycles, firstCycle, lastCycle }: UsageReport): Phrase {
  if (firstCycle === undefined || lastCycle === undefined) return phrase('no cycles');
  if (firstCycle === lastCycle) return phrase('cycle {0}', firstCycle);
  return phrase('{0} cycles, {1} to {2}', cycles, firstCycle, lastCycle);
}

/** Whether a target was met, in a word. */
export function metWords({ met }: Target): Phrase {
  return met === null ? phrase('not measured') : phrase(met ? 'met' : 'not met');
}
