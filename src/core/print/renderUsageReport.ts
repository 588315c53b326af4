/**
 * The `report` of a usage log for people (text, Markdown) and programs (JSON as in DESIGN §9, XML). It decides how numbers
 * are laid out; every number and class is the report's own.
 */

import type { ScoringMode } from '../model/relevance';
import type { RoiClass } from '../model/usage';
import type { TableFormat } from '../render/renderPayload';
import { rounded, roundedOrNull } from '../text/counts';
import { formatCount } from '../text/numbers';
import { inEnglish } from '../text/phrase';
import {
  bar,
  markdownCell,
  markdownTable,
  percent,
  printable,
  type Sacrifices,
  sparkline,
  TABLE_COLUMNS,
  type TableColumn,
  textTable,
  wrap,
} from '../text/textTable';
import {
  changeWords,
  cyclesWords,
  METRIC_WORDS,
  metricWords,
  metWords,
  NO_CYCLES,
  roiWords,
  TARGET_WORDS,
  VERDICTS,
} from '../usage/report/reportWords';
import type { Target, TargetMetric, UsageReport } from '../usage/report/usageReport';

/** DESIGN §9. */
interface JsonUsageReport {
  readonly cycles: number;
  readonly sections: readonly {
    readonly id: string;
    readonly loaded: number;
    readonly cited: number;
    readonly chars_mean: number;
    readonly share: number;
    readonly roi: number | null;
    readonly roi_class: RoiClass;
    readonly last_cited_cycle: number | null;
    readonly trend: readonly (number | null)[];
  }[];
  readonly classes: readonly {
    readonly class: RoiClass;
    readonly chars: number;
    readonly share: number;
    readonly citations: number;
    readonly roi: number | null;
  }[];
  readonly phases: readonly {
    readonly mode: ScoringMode;
    readonly cycles: number;
    readonly chars_mean: number;
    readonly tokens_mean: number;
    readonly observability_mean: number | null;
    readonly response_ms_mean: number | null;
  }[];
  readonly targets: readonly {
    readonly metric: TargetMetric;
    readonly baseline: number | null;
    readonly target: number | null;
    readonly actual: number | null;
    readonly met: boolean | null;
  }[];
}

/** The report as `report --json` prints it. */
function usageReportJson(report: UsageReport): JsonUsageReport {
  return {
    cycles: report.cycles,
    sections: report.sections.map((section) => ({
      id: section.id,
      loaded: section.loaded,
      cited: section.cited,
      chars_mean: rounded(section.charsMean),
      share: rounded(section.share),
      roi: roundedOrNull(section.roi),
      roi_class: section.roiClass,
      last_cited_cycle: section.lastCitedCycle,
      trend: section.trend.map(roundedOrNull),
    })),
    classes: report.classes.map(({ roiClass, chars, share, citations, roi }) => ({
      class: roiClass,
      chars: rounded(chars),
      share: rounded(share),
      citations,
      roi: roundedOrNull(roi),
    })),
    phases: report.phases.map((phase) => ({
      mode: phase.mode,
      cycles: phase.cycles,
      chars_mean: rounded(phase.charsMean),
      tokens_mean: rounded(phase.tokensMean),
      observability_mean: roundedOrNull(phase.observabilityMean),
      response_ms_mean: roundedOrNull(phase.responseMsMean),
    })),
    targets: report.targets.map(({ metric, baseline, target, actual, met }) => ({
      metric,
      baseline: roundedOrNull(baseline),
      target: roundedOrNull(target),
      actual: roundedOrNull(actual),
      met,
    })),
  };
}

/** One part of the report. */
interface Part {
  readonly title: string;
  readonly columns: readonly TableColumn[];
  readonly rows: readonly (readonly string[])[];
  readonly sacrifices?: Sacrifices;
}

const left = (head: string): TableColumn => ({ head, align: 'left' });
const right = (head: string): TableColumn => ({ head, align: 'right' });

function sectionPart({ sections }: UsageReport): Part {
  const largest = Math.max(0, ...sections.map(({ charsMean }) => charsMean));
  return {
    title: 'Sections',
    columns: [
      left('Class'),
      { ...left('Section'), cut: 'middle' },
      right('Loaded'),
      right('Cited'),
      right('Chars'),
      right('Share'),
      left('Size'),
      right('ROI'),
      right('Last'),
      left('Trend'),
    ],
    rows: sections.map(({ id, loaded, cited, charsMean, share, roi, roiClass, lastCitedCycle, trend }) => [
      roiClass,
      printable(id),
      formatCount(loaded),
      formatCount(cited),
      formatCount(Math.round(charsMean)),
      percent(share, 1),
      bar(charsMean, largest),
      roi === null ? '' : inEnglish(roiWords(roi)),
      lastCitedCycle === null ? 'never' : formatCount(lastCitedCycle),
      sparkline(trend),
    ]),
    sacrifices: [
      ['Section', 16],
      ['Trend', 10],
      ['Section', 12],
    ],
  };
}

function classPart({ classes }: UsageReport): Part {
  return {
    title: 'Classes',
    columns: [
      left('Class'),
      right('Sections'),
      right('Chars'),
      right('Share'),
      right('Citations'),
      right('ROI'),
      left('Verdict'),
    ],
    rows: classes.map(({ roiClass, sections, chars, share, citations, roi }) => [
      roiClass,
      formatCount(sections),
      formatCount(Math.round(chars)),
      percent(share, 1),
      formatCount(citations),
      roi === null ? '' : inEnglish(roiWords(roi)),
      sections === 0 ? 'None' : inEnglish(VERDICTS[roiClass]),
    ]),
  };
}

function phasePart({ phases }: UsageReport): Part {
  return {
    title: 'Phases, means per cycle',
    columns: [
      left('Mode'),
      right('Cycles'),
      right('Chars'),
      right('Tokens'),
      right('Decision quality'),
      right('Response time'),
    ],
    rows: phases.map(({ mode, cycles, charsMean, tokensMean, observabilityMean, responseMsMean }) => [
      mode,
      formatCount(cycles),
      inEnglish(metricWords('chars_mean', charsMean)),
      inEnglish(metricWords('tokens_mean', tokensMean)),
      inEnglish(metricWords('observability_mean', observabilityMean)),
      inEnglish(metricWords('response_ms_mean', responseMsMean)),
    ]),
  };
}

function change(target: Target): string {
  const words = changeWords(target);
  return words ? inEnglish(words) : '';
}

function targetPart({ targets }: UsageReport): Part {
  return {
    title: 'Targets against the baseline',
    columns: [
      left('Measure'),
      left('Asked for'),
      right('Baseline'),
      right('Target'),
      right('Actual'),
      right('Change'),
      left('Result'),
    ],
    rows: targets.map((target) => [
      inEnglish(METRIC_WORDS[target.metric]),
      inEnglish(TARGET_WORDS[target.metric]),
      inEnglish(metricWords(target.metric, target.baseline)),
      inEnglish(metricWords(target.metric, target.target)),
      inEnglish(metricWords(target.metric, target.actual)),
      change(target),
      inEnglish(metWords(target)),
    ]),
  };
}

function partsOf(report: UsageReport): readonly Part[] {
  return [sectionPart(report), classPart(report), phasePart(report), targetPart(report)].filter(
    ({ rows }) => rows.length > 0,
  );
}

/** What there is to say besides the numbers. */
function notesOf(report: UsageReport): readonly string[] {
  const hasPhase = report.phases.some(({ mode }) => mode === 'static' || mode === 'dynamic');
  const noPhase =
    report.phases.length > 0 && !hasPhase ? ['Targets are measured once the scoring mode is static or dynamic'] : [];
  return [...noPhase, ...report.findings.map(({ words }) => printable(inEnglish(words)))];
}

function renderText(report: UsageReport): string {
  const title = `Usage report, ${inEnglish(cyclesWords(report))}`;
  const empty = report.cycles === 0 ? ['', ...wrap(inEnglish(NO_CYCLES), TABLE_COLUMNS)] : [];
  const parts = report.cycles === 0 && report.sections.length === 0 ? [] : partsOf(report);
  const tables = parts.flatMap((part) => ['', part.title, ...textTable(part.columns, part.rows, part.sacrifices)]);
  const notes = notesOf(report).flatMap((note) => wrap(`Note: ${note}.`, TABLE_COLUMNS));
  return `${[title, ...empty, ...tables, ...(notes.length > 0 ? ['', ...notes] : [])].join('\n')}\n`;
}

function renderMarkdown(report: UsageReport): string {
  const empty = report.cycles === 0 ? ['', inEnglish(NO_CYCLES)] : [];
  const parts = report.cycles === 0 && report.sections.length === 0 ? [] : partsOf(report);
  const tables = parts.flatMap((part) => ['', `### ${part.title}`, '', ...markdownTable(part.columns, part.rows)]);
  const notes = notesOf(report).map((note) => `- Note: ${markdownCell(note)}.`);
  const lines = [
    `## Usage report, ${inEnglish(cyclesWords(report))}`,
    ...empty,
    ...tables,
    ...(notes.length > 0 ? ['', ...notes] : []),
  ];
  return `${lines.join('\n')}\n`;
}

/** The report in one of the CLI's forms; text is at most `TABLE_COLUMNS` wide. */
export function renderUsageReport(report: UsageReport, format: TableFormat): string {
  switch (format) {
    case 'text':
      return renderText(report);
    case 'markdown':
      return renderMarkdown(report);
    case 'json':
      return `${JSON.stringify(usageReportJson(report), null, 2)}\n`;
  }
}
