/** Words about the usage log: relevance, a section's cycles, the history. */
import { t } from '../language';
import { citations, cycles } from './counts';

export const RELEVANCE_WORDS = {
  title: t('Relevance'),
  scoreTitle: t('Score'),
  score: (score: string, threshold: string) => t('{0} (one line if below {1})', score, threshold),
  noData: (score: string, why: string) => t('{0}, {1}', score, why),
  notEnough: t('not enough data'),
  weight: (weight: string, why: string) => t('weight {0}: {1}', weight, why),
  summary: (mode: string, threshold: string) => t('{0}, threshold {1}', mode, threshold),
  mode: t('Mode'),
  threshold: t('Threshold'),
  thresholdTitle: t('Sections that score less show one line in mode Automatic'),
  use: t('Use This Threshold'),
  inUse: t('✓ Applied'),
  useTitle: t('Write this threshold to the config'),
  otherMode: (mode: string) => t('Mode {0} ignores the threshold; this is what Automatic would do.', mode),
  inForce: t('Payloads use this threshold.'),
  otherThreshold: (threshold: string) => t('Payloads still use {0}.', threshold),
  missing: (recorded: number, needed: number) => t('not enough data: {0} of {1}', recorded, cycles(needed)),
  cost: (count: number, before: number, after: number, change: string) =>
    t('Last {0}: {1} → {2} tokens per cycle ({3})', cycles(count), before, after, change),
  kept: (kept: number, total: number) => t('{0} of {1} kept', kept, citations(total)),
  noCitations: t('no citation to lose'),
  lost: (names: string) => t('; lost: {0}', names),
  stubs: (names: string) => t('One line: {0}', names),
  noStubs: t('No section is reduced to one line'),
  more: (count: number) => t('{0} more', count),
  valueText: (threshold: string, after: number, kept: string) =>
    t('{0}: {1} tokens per cycle, {2}', threshold, after, kept),
} as const;

export const CYCLES_WORDS = {
  use: t('Use'),
  return: (roi: string, low: string, high: string) => t('{0} per 1,000 characters ({1} to {2})', roi, low, high),
  missing: (judged: number, needed: number) => t('not enough data: {0} of {1}', judged, cycles(needed)),
  returnTitle: (label: string, borders: string, rests: string) => t('{0}. {1}. {2}.', label, borders, rests),
  none: t('History starts with the first recorded cycle.'),
  lastCited: (cycle: number, ago: number) =>
    ago === 0
      ? t('Last cited in cycle {0}, the newest', cycle)
      : t('Last cited in cycle {0}, {1} ago', cycle, cycles(ago)),
  neverCited: (count: number) => t('Not cited in {0}', cycles(count)),
  chart: (name: string, count: number, lowest: number, highest: number, now: number, cited: number) =>
    t(
      'Characters of {0} in the last {1}: {2} to {3}, now {4}; cited in {5} of them',
      name,
      cycles(count),
      lowest,
      highest,
      now,
      cited,
    ),
} as const;

export const HISTORY_WORDS = {
  title: t('History'),
  range: (lowest: number, highest: number) =>
    lowest === highest ? t(lowest === 1 ? '{0} token' : '{0} tokens', lowest) : t('{0} to {1} tokens', lowest, highest),
  limit: (limit: number) => t('limit {0}', limit),
  cycle: t('cycle'),
  axis: (from: number, mark: string) => t('from {0}, dotted {1}', from, mark),
  axisTitle: (from: number, mark: string) =>
    t('The vertical axis starts at {0} tokens. The dotted line is {1} of the limit.', from, mark),
  chart: (first: number, last: number, lowest: number, highest: number, newest: number) =>
    t('Tokens per cycle, cycles {0} to {1}: lowest {2}, highest {3}, last {4}.', first, last, lowest, highest, newest),
  neverOver: (limit: number) => t('Never over the limit of {0}.', limit),
  over: (times: number, limit: number) => t('Over the limit of {0} in {1}.', limit, cycles(times)),
} as const;
