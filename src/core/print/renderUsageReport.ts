/**
 * The `report` of a usage log for people (text, Markdown) and programs (JSON as in DESIGN §9, XML). It decides how numbers
 * are laid out; every number and class is the report's own.
 */

import type { TableFormat } from '../render/renderPayload';
import { rounded, roundedOrNull } from '../text/counts';
import { formatCount } from '../text/numbers';
import { inEnglish } from '../text/phrase';
import {
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
  noAdviceWords,
  roiWords,
  TARGET_WORDS,
  verdictWords,
} from '../usage/report/reportWords';
import type { SectionReturn, Target, TargetMetric, UsageReport } from '../usage/report/usageReport';

/** The report as `report --json` prints it (DESIGN §9). */
function usageReportJson(report: UsageReport) {
  return {
    version: 'report.v1',
    cycles: report.cycles,
    sections: report.sections.map((section) => ({
      id: section.id,
      loaded: section.loaded,
      cited: section.cited,
      chars_mean: rounded(section.charsMean),
      tokens_mean: rounded(section.tokensMean),
      share: rounded(section.share),
      roi: roundedOrNull(section.roi),
      roi_class: section.roiClass,
      judged: section.judged,
      roi_interval: section.roiInterval?.map(rounded) ?? null,
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
    targets: report.targets.map(({ metric, baseline, target, actual, met, better }) => ({
      metric,
      baseline: roundedOrNull(baseline),
      target: roundedOrNull(target),
      actual: roundedOrNull(actual),
      met,
      better,
    })),
  };
}

/** A table of a page. */
interface Part {
  readonly title: string | undefined;
  readonly columns: readonly TableColumn[];
  readonly rows: readonly (readonly string[])[];
  readonly sacrifices: Sacrifices;
}

/** A column and what it says of an item. */
export interface Column<Item> extends TableColumn {
  readonly cell: (item: Item) => string;
}

export function left<Item>(head: string, cell: (item: Item) => string): Column<Item> {
  return { head, align: 'left', cell };
}

export function right<Item>(head: string, cell: (item: Item) => string): Column<Item> {
  return { head, align: 'right', cell };
}

/** The table of `items`, a row each. */
export function partOf<Item>(
  title: string | undefined,
  items: readonly Item[],
  columns: readonly Column<Item>[],
  sacrifices: Sacrifices = [],
): Part {
  const rows = items.map((item) => columns.map(({ cell }) => cell(item)));
  return { title, columns, rows, sacrifices };
}

/** Tables under a title, with a sentence above and remarks below them. */
interface Page {
  readonly title: string;
  readonly lead?: string | undefined;
  readonly parts: readonly Part[];
  readonly notes: readonly string[];
}

function textPage({ title, lead, parts, notes }: Page): readonly string[] {
  const headOf = (part: Part) => (part.title === undefined ? [] : [part.title]);
  const tables = parts.flatMap((part) => ['', ...headOf(part), ...textTable(part.columns, part.rows, part.sacrifices)]);
  const above = lead === undefined ? [] : wrap(lead, TABLE_COLUMNS);
  return [title, ...withGap(above), ...tables, ...withGap(notes.flatMap((note) => wrap(note, TABLE_COLUMNS)))];
}

function markdownPage({ title, lead, parts, notes }: Page): readonly string[] {
  const headOf = (part: Part) => (part.title === undefined ? [] : [`### ${part.title}`, '']);
  const tables = parts.flatMap((part) => ['', ...headOf(part), ...markdownTable(part.columns, part.rows)]);
  const below = notes.map((note) => `- ${markdownCell(note)}`);
  return [`## ${markdownCell(title)}`, ...(lead === undefined ? [] : ['', lead]), ...tables, ...withGap(below)];
}

/** Lines after a blank one; nothing when there are none. */
export function withGap(lines: readonly string[]): readonly string[] {
  return lines.length > 0 ? ['', ...lines] : [];
}

/** A page for people; text is at most `TABLE_COLUMNS` wide. */
export function renderPage(page: Page, format: 'text' | 'markdown'): string {
  return `${(format === 'text' ? textPage(page) : markdownPage(page)).join('\n')}\n`;
}

function roiCell({ roi }: { readonly roi: number | null }): string {
  return roi === null ? '' : inEnglish(roiWords(roi));
}

function intervalCell({ roiInterval: interval }: SectionReturn): string {
  return interval === null ? '' : `${interval[0].toFixed(2)}–${interval[1].toFixed(2)}`;
}

function sectionPart({ sections }: UsageReport): Part {
  return partOf(
    'Sections',
    sections,
    [
      left('Class', ({ roiClass }) => roiClass),
      { ...left('Section', ({ id }) => printable(id)), cut: 'middle' },
      right('Loaded', ({ loaded }) => formatCount(loaded)),
      right('Cited', ({ cited }) => formatCount(cited)),
      right('Chars', ({ charsMean }) => formatCount(Math.round(charsMean))),
      right('Share', ({ share }) => percent(share, 1)),
      right('Judged', ({ judged }) => formatCount(judged)),
      right('ROI', roiCell),
      right('80%', intervalCell),
      right('Last', ({ lastCitedCycle: last }) => (last === null ? 'never' : formatCount(last))),
      left('Trend', ({ trend }) => sparkline(trend)),
    ],
    [
      ['Section', 16],
      ['Trend', 10],
      ['Section', 12],
    ],
  );
}

function classPart({ classes }: UsageReport): Part {
  return partOf('Classes', classes, [
    left('Class', ({ roiClass }) => roiClass),
    right('Sections', ({ sections }) => formatCount(sections)),
    right('Chars', ({ chars }) => formatCount(Math.round(chars))),
    right('Share', ({ share }) => percent(share, 1)),
    right('Citations', ({ citations }) => formatCount(citations)),
    right('ROI', roiCell),
    left('Verdict', (each) => inEnglish(verdictWords(each))),
  ]);
}

function metric(name: TargetMetric, value: number | null): string {
  return inEnglish(metricWords(name, value));
}

function phasePart({ phases }: UsageReport): Part {
  return partOf('Phases, means per cycle', phases, [
    left('Mode', ({ mode }) => mode),
    right('Cycles', ({ cycles }) => formatCount(cycles)),
    right('Chars', ({ charsMean }) => metric('chars_mean', charsMean)),
    right('Tokens', ({ tokensMean }) => metric('tokens_mean', tokensMean)),
    right('Decision quality', ({ observabilityMean }) => metric('observability_mean', observabilityMean)),
    right('Response time', ({ responseMsMean }) => metric('response_ms_mean', responseMsMean)),
  ]);
}

function change(target: Target): string {
  const words = changeWords(target);
  return words ? inEnglish(words) : '';
}

function targetPart({ targets }: UsageReport): Part {
  return partOf('Targets against the baseline', targets, [
    left('Metric', (target) => inEnglish(METRIC_WORDS[target.metric])),
    left('Requirement', (target) => inEnglish(TARGET_WORDS[target.metric])),
    right('Baseline', (target) => metric(target.metric, target.baseline)),
    right('Target', (target) => metric(target.metric, target.target)),
    right('Actual', (target) => metric(target.metric, target.actual)),
    right('Change', change),
    left('Result', (target) => inEnglish(metWords(target))),
  ]);
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
  const followed = report.sections.filter(({ advice }) => advice === 'followed').map(({ id }) => id);
  const isFollowed =
    followed.length === 0 ? [] : [`No verdict on ${printable(followed.join(', '))}: P0 and P1 are followed, not cited`];
  const uncertain = report.sections.flatMap((section) => noAdviceWords(section) ?? []).map(inEnglish);
  return [
    ...noPhase,
    ...isFollowed,
    ...uncertain.map(printable),
    ...report.findings.map(({ words }) => printable(inEnglish(words))),
  ];
}

/** The report in one of the CLI's forms. */
export function renderUsageReport(report: UsageReport, format: TableFormat): string {
  if (format === 'json') return `${JSON.stringify(usageReportJson(report), null, 2)}\n`;
  const page = {
    title: `Usage report, ${inEnglish(cyclesWords(report))}`,
    lead: report.cycles === 0 ? inEnglish(NO_CYCLES) : undefined,
    parts: report.cycles === 0 && report.sections.length === 0 ? [] : partsOf(report),
    notes: notesOf(report).map((note) => `Note: ${note}.`),
  };
  return renderPage(page, format);
}
