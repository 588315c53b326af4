import type { ScoringMode } from '../../config/config';
import type { RoiClass } from '../../report/contextReport';
import { formatCount } from '../../report/words';
import type { Target, TargetMetric, UsageReport } from './usageReport';

/** What a report says where there is no cycle (PANEL §8). */
export const NO_CYCLES =
  'No cycle recorded yet. A cycle is one use of a payload: copy one, or let an agent ask for one.';

/** What to do about the sections of a class. */
export const VERDICTS: Readonly<Record<RoiClass, string>> = {
  WASTE: 'Leave out, or show on demand',
  LOW: 'Shorten, or show a summary first',
  'MED+': 'Keep as it is',
  'no data': 'Wait: loaded in fewer than 10 cycles',
};

/** The measures of a phase, as people call them. */
export const METRIC_WORDS: Readonly<Record<TargetMetric, string>> = {
  chars_mean: 'Context size',
  tokens_mean: 'Tokens per cycle',
  observability_mean: 'Decision quality',
  response_ms_mean: 'Response time',
};

/** What a target asks for. */
export const TARGET_WORDS: Readonly<Record<TargetMetric, string>> = {
  chars_mean: 'at least 35 % less',
  tokens_mean: 'not more',
  observability_mean: 'not lower',
  response_ms_mean: 'not longer',
};

export const MODE_WORDS: Readonly<Record<ScoringMode, string>> = {
  baseline: 'baseline',
  static: 'static',
  dynamic: 'dynamic',
  off: 'off',
};

/** A measure with its unit; `not logged` where there is none. */
export function formatMetric(metric: TargetMetric, value: number | null): string {
  if (value === null) return 'not logged';
  switch (metric) {
    case 'chars_mean':
    case 'tokens_mean':
      return formatCount(Math.round(value));
    case 'observability_mean':
      return value.toFixed(2);
    case 'response_ms_mean':
      return `${formatCount(Math.round(value))} ms`;
  }
}

/** By how much the measure changed against the baseline: `−36 %`. */
export function formatChange({ baseline, actual }: Target): string {
  if (baseline === null || actual === null || baseline === 0) return '';
  const percent = Math.round((actual / baseline - 1) * 100);
  if (percent === 0) return '±0 %';
  return `${percent > 0 ? '+' : '−'}${formatCount(Math.abs(percent))} %`;
}

export function formatRoi(roi: number | null): string {
  return roi === null ? 'no data' : roi.toFixed(2);
}

/** `720 cycles, 1 to 720`. */
export function cyclesText({ cycles, firstCycle, lastCycle }: UsageReport): string {
  if (firstCycle === undefined || lastCycle === undefined) return 'no cycles';
  const range = firstCycle === lastCycle ? `cycle ${formatCount(firstCycle)}` : '';
  return range || `${formatCount(cycles)} cycles, ${formatCount(firstCycle)} to ${formatCount(lastCycle)}`;
}

/** Whether a target was met, in a word. */
export function metWord({ met }: Target): string {
  return met === null ? 'not measured' : met ? 'met' : 'not met';
}
