import type { ScoringMode } from '../../model/relevance';
import { ENOUGH_EVIDENCE, type RoiClass } from '../../model/usage';
import { cyclesOf } from '../../text/counts';
import { type Phrase, phrase } from '../../text/phrase';
import type { ClassReturn, SectionReturn, Target, TargetMetric, UsageReport } from './usageReport';

/** What a report says where there is no cycle (PANEL §8). */
export const NO_CYCLES = phrase(
  'No cycle recorded yet. A cycle is one use of a payload: copy one, or let an agent ask for one.',
);

/** What to do about the sections of a class. */
const VERDICTS: Readonly<Record<RoiClass, Phrase>> = {
  WASTE: phrase('Leave out, or show on demand'),
  LOW: phrase('Shorten, or show a summary first'),
  'MED+': phrase('Keep as it is'),
  'no data': phrase('Wait for {0} judged cycles or {1} citations', ENOUGH_EVIDENCE.cycles, ENOUGH_EVIDENCE.citations),
};

/** What a class says of its sections: its verdict, unless it is for none of them. */
export function verdictWords({ roiClass, sections, advised }: ClassReturn): Phrase {
  if (sections === 0) return phrase('None');
  return advised > 0 || roiClass === 'no data' ? VERDICTS[roiClass] : phrase('No advice');
}

/** Why the verdict of its class is not for a section; undefined where it is. */
export function noAdviceWords({ id, advice, judged, judgedCitations }: SectionReturn): Phrase | undefined {
  if (advice !== 'uncertain') return undefined;
  return phrase('{0}: {1}, not enough for advice', id, evidenceWords(judgedCitations, judged));
}

/** `12 citations in 212 cycles`. */
export function evidenceWords(citations: number, judged: number): Phrase {
  return phrase(citations === 1 ? '{0} citation in {1}' : '{0} citations in {1}', citations, cyclesOf(judged));
}

/** The measures of a phase, as people call them. */
export const METRIC_WORDS: Readonly<Record<TargetMetric, Phrase>> = {
  chars_mean: phrase('Context size'),
  tokens_mean: phrase('Tokens per cycle'),
  observability_mean: phrase('Decision quality'),
  response_ms_mean: phrase('Response time'),
};

/** What a target asks for. */
export const TARGET_WORDS: Readonly<Record<TargetMetric, Phrase>> = {
  chars_mean: phrase('at least 35% less'),
  tokens_mean: phrase('under 5,000'),
  observability_mean: phrase('at least 3.0 of 6'),
  response_ms_mean: phrase('under 150 s'),
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

/** By how much the measure changed against the baseline: `−36%, better`; undefined where one of them is unknown. */
export function changeWords({ baseline, actual, better }: Target): Phrase | undefined {
  if (baseline === null || actual === null || baseline === 0) return undefined;
  const percent = Math.round((actual / baseline - 1) * 100);
  if (actual === baseline) return phrase('±0%');
  if (percent === 0) return better ? phrase('±0%, better') : phrase('±0%, worse');
  if (percent > 0) return better ? phrase('+{0}%, better', percent) : phrase('+{0}%, worse', percent);
  return better ? phrase('−{0}%, better', -percent) : phrase('−{0}%, worse', -percent);
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
