/** From sums over a log to what they mean: returns, classes, phases, targets, and what is odd about its sections. */

import type { ScoringMode } from '../../model/relevance';
import type { Priority } from '../../model/section';
import { ROI_CLASSES, ROI_THRESHOLDS, type RoiThresholds, type SectionRoi } from '../../model/usage';
import { phrase } from '../../text/phrase';
import { type RoiBasis, roiOf, sectionRoi } from '../roi';
import { findOddSections, type SectionGroup } from './renames';
import type {
  Advice,
  ClassReturn,
  HistoryPoint,
  LogFinding,
  Phase,
  SectionReturn,
  Target,
  TargetMetric,
  UsageReport,
} from './usageReport';
import { type CycleRow, MODES, type PhaseSums, type SectionSums, type UsageTally } from './usageTally';

/** Targets of the study, in their own units (DESIGN §9): tokens, points of 6, milliseconds. */
const TARGETS = { tokens_mean: 5000, observability_mean: 3, response_ms_mean: 150_000 } as const;

/** Context size a phase should reach, of the baseline's: 35 % less (DESIGN §9, issue "What earns its place"). */
const CONTEXT_SHARE = 0.65;

/** Whether a mean cycle meets the first two targets: small against `charsBefore`, and few tokens. */
export function isSmallEnough(charsBefore: number, chars: number, tokens: number): boolean {
  return chars <= charsBefore * CONTEXT_SHARE && tokens < TARGETS.tokens_mean;
}

/** The phases that occur, from sums in the order of `MODES`. */
function phasesOf(sums: readonly PhaseSums[]): readonly Phase[] {
  const mean = (sum: number, cycles: number, unit: number): number | null =>
    cycles === 0 ? null : sum / cycles / unit;
  return MODES.flatMap((mode, index) => {
    const phase = sums[index];
    if (!phase || phase.cycles === 0) return [];
    const { cycles, chars, tokens, observability, observabilityCycles, responseMicros, responseCycles } = phase;
    return {
      mode,
      cycles,
      charsMean: chars / cycles,
      tokensMean: tokens / cycles,
      observabilityMean: mean(observability, observabilityCycles, 1e6),
      responseMsMean: mean(responseMicros, responseCycles, 1e3),
    };
  });
}

/** What scoring is to reach, in the study's units; of the size a share of the baseline's. `isMet` gets actual and target. */
const GOALS = [
  { metric: 'chars_mean', measure: 'charsMean', isMore: false, isMet: (is: number, target: number) => is <= target },
  { metric: 'tokens_mean', measure: 'tokensMean', isMore: false, isMet: (is: number, target: number) => is < target },
  {
    metric: 'observability_mean',
    measure: 'observabilityMean',
    isMore: true,
    isMet: (is: number, target: number) => is >= target,
  },
  {
    metric: 'response_ms_mean',
    measure: 'responseMsMean',
    isMore: false,
    isMet: (is: number, target: number) => is < target,
  },
] as const;

function targetOf(metric: TargetMetric, baseline: number | null): number | null {
  if (metric !== 'chars_mean') return TARGETS[metric];
  return baseline === null ? null : baseline * CONTEXT_SHARE;
}

/** What scoring was to reach, and whether it did: the dynamic phase, else the static one, against the baseline. */
function targetsOf(phases: readonly Phase[]): readonly Target[] {
  if (phases.length === 0) return [];
  const phaseOf = (wanted: ScoringMode) => phases.find(({ mode }) => mode === wanted);
  const base = phaseOf('baseline');
  const measured = phaseOf('dynamic') ?? phaseOf('static');
  return GOALS.map(({ metric, measure, isMore, isMet }) => {
    const baseline = base?.[measure] ?? null;
    const target = targetOf(metric, baseline);
    const actual = measured?.[measure] ?? null;
    const isBetter = baseline === null || actual === null ? null : isMore ? actual > baseline : actual < baseline;
    const met = target === null || actual === null ? null : isMet(actual, target);
    return { metric, baseline, target, actual, met, better: isBetter };
  });
}

/** Neighbouring stretches that are shown as one. */
interface Column {
  readonly stretches: readonly number[];
  readonly cycles: number;
  readonly firstCycle: number;
}

/** One section with its earlier names. */
interface WholeSection {
  readonly names: readonly SectionSums[];
  readonly id: string;
  readonly loaded: number;
  readonly charsMean: number;
  readonly tokensMean: number;
  readonly citations: number;
  readonly lastCited: number;
  readonly priority: Priority | undefined;
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}

/**
 * Stretches in order. One with less than half as many cycles as its width (the first or last of a log, one with a gap)
 * joins its neighbour: few cycles say little, and would look like a rise or a fall.
 */
function columnsOf(tally: UsageTally): readonly Column[] {
  const least = tally.stretchWidth / 2;
  const columns: Column[] = [];
  for (const stretch of tally.stretches) {
    const cycles = tally.stretchCycles.get(stretch) ?? 0;
    const last = columns.at(-1);
    if (last && (last.cycles < least || cycles < least)) {
      const joined = { ...last, stretches: [...last.stretches, stretch], cycles: last.cycles + cycles };
      columns[columns.length - 1] = joined;
    } else columns.push({ stretches: [stretch], cycles, firstCycle: stretch * tally.stretchWidth + 1 });
  }
  return columns;
}

/** Sum of one kind of sums over some stretches. */
function at(sums: ReadonlyMap<number, number>, stretches: readonly number[]): number {
  return sumOf(stretches.map((stretch) => sums.get(stretch) ?? 0));
}

function trendOf({ names }: WholeSection, columns: readonly Column[]): readonly (number | null)[] {
  return columns.map(({ stretches }) => {
    const sum = (kind: 'chars' | 'loaded' | 'citations'): number =>
      sumOf(names.map((name) => at(name[kind], stretches)));
    return roiOf({ cycles: sum('loaded'), citations: sum('citations'), chars: sum('chars') });
  });
}

/** Sums of the newest judged cycles, by section. What a cycle cites without having loaded it does not count. */
function judgedSums(groups: readonly SectionGroup[], rows: readonly CycleRow[]): readonly RoiBasis[] {
  const sums = groups.map(() => ({ cycles: 0, citations: 0, chars: 0 }));
  const groupOf = new Map(groups.flatMap(({ spans }, at) => spans.map((span) => [span, at] as const)));
  for (const { loaded, chars, cited } of rows) {
    const there = new Set<number>();
    for (const [index, section] of loaded.entries()) {
      const at = groupOf.get(section) ?? -1;
      const sum = sums[at];
      if (!sum) continue;
      if (!there.has(at)) sum.cycles++;
      there.add(at);
      sum.chars += chars[index] ?? 0;
    }
    for (const section of cited) {
      const at = groupOf.get(section) ?? -1;
      const sum = sums[at];
      if (sum && there.has(at)) sum.citations++;
    }
  }
  return sums;
}

function adviceOf(priority: Priority | undefined, { roi, isUncertain }: SectionRoi): Advice {
  if (priority === 'P0' || priority === 'P1') return 'followed';
  if (roi === null) return 'noData';
  return isUncertain ? 'uncertain' : 'given';
}

function wholeSection({ id, spans: names }: SectionGroup): WholeSection {
  const sum = (kind: 'chars' | 'loaded' | 'citations'): number =>
    sumOf(names.flatMap((name) => [...name[kind].values()]));
  const loaded = sum('loaded');
  return {
    names,
    id,
    loaded,
    charsMean: loaded === 0 ? 0 : sum('chars') / loaded,
    tokensMean: loaded === 0 ? 0 : sumOf(names.map(({ tokens }) => tokens)) / loaded,
    citations: sum('citations'),
    lastCited: Math.max(...names.map(({ lastCited }) => lastCited)),
    priority: names[0]?.priority,
  };
}

function bySizeThenId(left: WholeSection, right: WholeSection): number {
  return right.charsMean - left.charsMean || (left.id < right.id ? -1 : 1);
}

function classesOf(sections: readonly SectionReturn[]): readonly ClassReturn[] {
  const total = sumOf(sections.map(({ charsMean }) => charsMean));
  return ROI_CLASSES.flatMap((roiClass) => {
    const members = sections.filter((section) => section.roiClass === roiClass);
    if (roiClass === 'no data' && members.length === 0) return [];
    const chars = sumOf(members.map(({ charsMean }) => charsMean));
    const citations = sumOf(members.map(({ cited }) => cited));
    const share = total === 0 ? 0 : chars / total;
    const weighed = sumOf(members.map(({ roi, charsMean }) => (roi ?? 0) * charsMean));
    const roi = roiClass === 'no data' || chars === 0 ? null : weighed / chars;
    const advised = members.filter(({ advice }) => advice === 'given').length;
    return [{ roiClass, sections: members.length, advised, chars, share, citations, roi }];
  });
}

function historyOf(columns: readonly Column[], tally: UsageTally): readonly HistoryPoint[] {
  return columns.flatMap(({ stretches, cycles, firstCycle }, index) => {
    if (cycles === 0) return [];
    const mean = (sums: ReadonlyMap<number, number>): number => at(sums, stretches) / cycles;
    const next = columns[index + 1]?.firstCycle ?? tally.lastCycle + 1;
    return {
      firstCycle: Math.max(firstCycle, tally.firstCycle),
      lastCycle: Math.min(next - 1, tally.lastCycle),
      cycles,
      charsMean: mean(tally.stretchChars),
      tokensMean: mean(tally.stretchTokens),
    };
  });
}

function orphans({ amended, cycles }: UsageTally): readonly LogFinding[] {
  const count = [...amended].filter((cycle) => !cycles.has(cycle)).length;
  if (count === 0) return [];
  const words = phrase(
    count === 1
      ? 'One cycle has citations but no sections in the log; its citations count'
      : '{0} cycles have citations but no sections in the log; their citations count',
    String(count),
  );
  return [{ kind: 'orphaned', count, line: undefined, words }];
}

/** The report of a tally. */
export function buildUsageReport(
  tally: UsageTally,
  lineFindings: readonly LogFinding[],
  thresholds: RoiThresholds = ROI_THRESHOLDS,
): UsageReport {
  // A section that was only ever omitted is in no payload.
  const spans = [...tally.sections.values()].filter(({ lastLoaded, lastCited }) => lastLoaded > 0 || lastCited > 0);
  const { groups, findings } = findOddSections(spans, tally.lastCycle);
  const columns = columnsOf(tally);
  const cycles = tally.cycles.size;
  const bases = judgedSums(groups, tally.judged);
  const nothing: RoiBasis = { cycles: 0, citations: 0, chars: 0 };
  const sums = groups.map((group, at) => ({ ...wholeSection(group), basis: bases[at] ?? nothing })).sort(bySizeThenId);
  const totalChars = sumOf(sums.map(({ charsMean }) => charsMean));
  const sections = sums.map((section): SectionReturn => {
    const { id, loaded, citations, charsMean, tokensMean, lastCited, priority, basis } = section;
    const figures = sectionRoi(basis, thresholds);
    return {
      id,
      loaded,
      cited: citations,
      charsMean,
      tokensMean,
      share: totalChars === 0 ? 0 : charsMean / totalChars,
      judged: figures.judged,
      judgedCitations: figures.citations,
      roi: figures.roi,
      roiInterval: figures.interval,
      roiClass: figures.roiClass,
      advice: adviceOf(priority, figures),
      lastCitedCycle: lastCited > 0 ? lastCited : null,
      trend: trendOf(section, columns),
    };
  });
  const phases = phasesOf(tally.phases);
  return {
    cycles,
    firstCycle: cycles === 0 ? undefined : tally.firstCycle,
    lastCycle: cycles === 0 ? undefined : tally.lastCycle,
    firstTime: tally.firstTime,
    sections,
    classes: classesOf(sections),
    phases,
    targets: targetsOf(phases),
    history: historyOf(columns, tally),
    findings: [...lineFindings, ...orphans(tally), ...findings],
  };
}
