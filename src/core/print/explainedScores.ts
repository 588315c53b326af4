/** Scores factor by factor, for `budget --explain`: as lines, as a Markdown list, and as JSON. Every number is the report's own. */

import type { Exemption, Factor, SectionRelevance } from '../model/relevance';
import type { PayloadReport, ReportSection } from '../model/report';
import { formatScore, formatThreshold } from '../pipeline/score/scoreText';
import { inEnglish } from '../text/phrase';

/** A factor in JSON. */
export interface JsonFactor {
  readonly name: Factor['name'];
  readonly value: number;
  readonly weight: number;
  readonly why: string;
}

/** A section's relevance in JSON; in `budget --json --explain` only. */
export interface JsonRelevance {
  readonly score: number;
  readonly threshold: number;
  readonly has_enough_data: boolean;
  readonly exemption: Exemption | null;
  readonly verdict: SectionRelevance['verdict'];
  readonly factors: readonly JsonFactor[];
}

/** Keys as programs read them; `null` while scoring is off. */
export function toJsonRelevance(relevance: SectionRelevance | undefined): JsonRelevance | null {
  if (!relevance) return null;
  const { score, threshold, hasEnoughData, exemption, verdict, factors } = relevance;
  return {
    score,
    threshold,
    has_enough_data: hasEnoughData,
    exemption: exemption ?? null,
    verdict,
    factors: factors.map(({ name, value, weight, why }) => ({ name, value, weight, why: inEnglish(why) })),
  };
}

const EXEMPTIONS: Readonly<Record<Exemption, string>> = {
  P0: 'P0 is never a stub',
  pinned: 'it is pinned',
  alarm: 'it says WARN or ALERT',
  cited: 'it was cited in the last 3 cycles',
  triggered: 'it matches the task',
};

const OFF = 'Scoring is off: set "scoring": { "mode": "baseline" } in the config to measure.';

/** `0.14 < 0.30: stub`, and why it is kept where it is below the threshold. */
function verdictWords({ score, threshold, verdict, exemption, hasEnoughData }: SectionRelevance): string {
  const isBelow = score < threshold;
  const numbers = `${formatScore(score)} ${isBelow ? '<' : '≥'} ${formatThreshold(threshold)}`;
  if (verdict === 'stub') return `${numbers}: stub in mode dynamic`;
  if (!isBelow) return `${numbers}: kept`;
  if (exemption) return `${numbers}: kept, because ${EXEMPTIONS[exemption]}`;
  return `${numbers}: kept, ${hasEnoughData ? 'because there is no text to hide' : 'not enough data'}`;
}

function factorWords({ name, value, weight, why }: Factor): string {
  return `${name.padEnd(8)} ${formatScore(weight)} × ${formatScore(value)}  ${inEnglish(why)}`;
}

interface ExplainedSection {
  readonly title: string;
  readonly verdict: string;
  readonly factors: readonly string[];
}

function explain(section: ReportSection): readonly ExplainedSection[] {
  const { relevance, title } = section;
  if (!relevance) return [];
  return [{ title, verdict: verdictWords(relevance), factors: relevance.factors.map(factorWords) }];
}

/** Lines of the text form: each section, its verdict, and below it each factor as `weight × value` with its reason. */
export function explainLines({ sections }: PayloadReport): readonly string[] {
  const explained = sections.flatMap(explain);
  if (explained.length === 0) return [OFF];
  return explained.flatMap(({ title, verdict, factors }) => [
    `${title}: ${verdict}`,
    ...factors.map((factor) => `  ${factor}`),
  ]);
}
