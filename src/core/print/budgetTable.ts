/**
 * The `budget` table: one payload of a report as rows for people (text, Markdown) and programs (JSON). It decides
 * how numbers are laid out; every number, status and reason is the report's own.
 */

import type { Exemption, Factor, SectionRelevance } from '../model/relevance';
import type { ContextReport, LeftOutSections, PayloadReport, ReportSection } from '../model/report';
import { type PayloadMode, PRIORITIES, type Priority } from '../model/section';
import { formatScore, formatThreshold } from '../pipeline/score/trigger';
import { toJsonPayload } from '../render/json';
import type { TableFormat } from '../render/renderPayload';
import { fitWidth } from '../text/displayWidth';
import { formatCount, plural } from '../text/numbers';
import { inEnglish } from '../text/phrase';
import {
  bar,
  markdownCell,
  markdownTable,
  percent,
  printable,
  type Sacrifices,
  TABLE_COLUMNS,
  textTable,
  withoutControls,
  wrap,
} from '../text/textTable';
import type { Citation } from '../usage/usageRecord';
import { type Column, left, partOf, right } from './renderUsageReport';

/** True for instructions, which are followed rather than cited: they are never said to be unused. */
export function isFollowed({ priority }: Pick<ReportSection, 'priority'>): boolean {
  return priority === 'P0' || priority === 'P1';
}

/**
 * A section that costs something and was never cited, with enough evidence to say so. What is left out anyway, is
 * followed rather than cited, or so new that nothing can be said, is no waste.
 */
export function earnsNothing(section: ReportSection): boolean {
  const { usage, disclosure, isPending } = section;
  if (!usage || isPending || disclosure === 'omitted' || isFollowed(section)) return false;
  return usage.return.roi === 0 && !usage.return.isUncertain;
}

/** The sections of which the budget shows a part, and their tokens that are not shown. */
export function cutSections(sections: readonly ReportSection[]): LeftOutSections {
  const cut = sections.filter(({ isCut }) => isCut);
  return { sections: cut.length, tokens: cut.reduce((sum, { tokens, tokensFull }) => sum + tokensFull - tokens, 0) };
}

/** The judged cycles that each of these sections was loaded in, at least: what *never used* rests on. */
export function leastJudged(sections: readonly ReportSection[]): number {
  return Math.min(...sections.map(({ usage }) => usage?.return.judged ?? 0));
}

const CITATION_COLUMNS: readonly Column<Citation>[] = [
  left('section', ({ id }) => id),
  left('evidence', ({ evidence }) => evidence),
  left('what', ({ what }) => what),
];

/** Citations as a table of text: section, evidence, what was seen. Empty when there are none. */
export function renderCitationTable(cited: readonly Citation[]): string {
  if (cited.length === 0) return '';
  const { columns, rows } = partOf(undefined, cited, CITATION_COLUMNS);
  return `${textTable(columns, rows).join('\n')}\n`;
}

// Scores factor by factor, for `budget --explain`: as lines, as a Markdown list, and as JSON. Every number is the report's own.

/** Keys as programs read them; `null` while scoring is off. */
function toJsonRelevance(relevance: SectionRelevance | undefined) {
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
  P0: 'P0 is always full',
  P1: 'P1 is always kept',
  pinned: 'it is pinned',
  alarm: 'its status is WARN or ALERT',
  cited: 'it was cited in the last 3 cycles',
  triggered: 'it matches the task',
};

const OFF = 'Scoring is off: set "scoring": { "mode": "baseline" } in the config to measure.';

/** `0.14 < 0.30: one line in mode dynamic`, and why it is kept where it is below the threshold. */
function verdictWords({ score, threshold, verdict, exemption, hasEnoughData }: SectionRelevance): string {
  const isBelow = score < threshold;
  const numbers = `${formatScore(score)} ${isBelow ? '<' : '≥'} ${formatThreshold(threshold)}`;
  if (verdict === 'stub') return `${numbers}: one line in mode dynamic`;
  if (!isBelow) return `${numbers}: kept`;
  if (exemption) return `${numbers}: kept, because ${EXEMPTIONS[exemption]}`;
  return `${numbers}: kept, ${hasEnoughData ? 'because there is no text to hide' : 'not enough data'}`;
}

function factorWords({ name, value, weight, why }: Factor): string {
  return `${name.padEnd(8)} ${formatScore(weight)} × ${formatScore(value)}  ${inEnglish(why)}`;
}

/** Lines of the text form: each section, its verdict, and below it each factor as `weight × value` with its reason. */
function explainLines({ sections }: PayloadReport): readonly string[] {
  const lines = sections.flatMap(({ title, relevance }) => {
    if (!relevance) return [];
    return [`${title}: ${verdictWords(relevance)}`, ...relevance.factors.map((factor) => `  ${factorWords(factor)}`)];
  });
  return lines.length > 0 ? lines : [OFF];
}

/** What the fit does to each priority (PANEL §8). */
const GROUP_WORDS: Readonly<Record<Priority, string>> = {
  P0: 'always full',
  P1: 'always kept',
  P2: 'cut last',
  P3: 'cut second',
  P4: 'cut first',
};

function badge(section: ReportSection): string {
  if (section.isNotRun) return 'not run';
  return section.isPending ? 'counting' : section.status;
}

function roi({ roi: value, roiClass }: ReportSection): string {
  return value === null ? 'no data' : `${value.toFixed(2)} ${roiClass}`;
}

function count(tokens: number, isExact: boolean): string {
  return isExact ? formatCount(tokens) : `≈${formatCount(tokens)}`;
}

/** `+` before what the agent loads by itself: it is no part of the payload's sum. */
function tokensCell({ tokens, agentTokens }: ReportSection, isExact: boolean): string {
  return agentTokens === undefined ? count(tokens, isExact) : `+${count(agentTokens, isExact)}`;
}

/** The columns, in order. */
function columnsOf({ budget, sections }: PayloadReport): readonly Column<ReportSection>[] {
  const largest = Math.max(0, ...sections.map((section) => section.tokens));
  return [
    left('Status', badge),
    { ...left('Section', ({ title }) => printable(title)), cut: 'middle' },
    right('Tokens', (section) => tokensCell(section, budget.isExact)),
    right('Share', ({ tokens }) => percent(tokens, budget.tokens)),
    left('Size', ({ tokens }) => bar(tokens, largest)),
    left('ROI', roi),
    left('Shown', ({ disclosure, isLeftOut, isCut }) => (isLeftOut ? 'left out' : isCut ? 'cut' : disclosure)),
    left('Reason', ({ reason }) => printable(reason)),
  ];
}

/** What gives way, in this order, while a row is too wide: the column and the narrowest it may become. */
const SACRIFICES: Sacrifices = [
  ['Section', 20],
  ['Reason', 12],
  ['Section', 12],
];

function tokensOf(sections: readonly ReportSection[]): number {
  return sections.reduce((sum, section) => sum + section.tokens, 0);
}

/** `6,120 of 7,500 tokens, 82%`, and by how much it is over. */
function against(used: number, cap: number, unit: string, isExact: boolean): string {
  const over = used > cap ? `, ${formatCount(used - cap)} over` : '';
  return `${count(used, isExact)} of ${formatCount(cap)} ${unit}, ${percent(used, cap)}${over}`;
}

function headline({ budget, sections, leftOut }: PayloadReport): string {
  const alerts = sections.filter((section) => section.status === 'ALERT').length;
  const idle = sections.filter(earnsNothing);
  const cut = cutSections(sections);
  const of = (tokens: number, what = ''): string =>
    `(${count(tokens, budget.isExact)} ${tokens === 1 ? 'token' : 'tokens'}${what})`;
  const evidence = `0 of ${idle.length > 1 ? 'at least ' : ''}${plural(leastJudged(idle), 'cycle')}`;
  return [
    `Status ${budget.status}`,
    ...(leftOut.sections > 0 ? [`${plural(leftOut.sections, 'section')} left out ${of(leftOut.tokens)}`] : []),
    ...(cut.sections > 0 ? [`${plural(cut.sections, 'section')} cut ${of(cut.tokens, ' not shown')}`] : []),
    ...(alerts > 0 ? [plural(alerts, 'alert')] : []),
    ...(idle.length > 0 ? [`${plural(idle.length, 'section')} never used (${evidence})`] : []),
  ].join(' · ');
}

function agentLine({ agent, tokens, isExact }: PayloadReport['budget']): readonly string[] {
  if (!agent) return [];
  const all = `${count(tokens + agent.tokens, isExact)} in all`;
  return [`+${count(agent.tokens, isExact)} tokens that ${agent.name} loads itself, ${all}`];
}

function suggestionLine({ suggestedTokens: tokens, chars, hardCapChars }: PayloadReport['budget']): readonly string[] {
  if (tokens === undefined) return [];
  const share = percent(chars, hardCapChars);
  return [`Tokens run out at ${share} of the characters: budget_tokens ${formatCount(tokens)} would use both limits`];
}

/** Totals and remarks below the rows, one line each. */
function footer(payload: PayloadReport): readonly string[] {
  const { budget } = payload;
  return [
    against(budget.tokens, budget.budgetTokens, 'tokens', budget.isExact),
    against(budget.chars, budget.hardCapChars, 'characters', true),
    ...suggestionLine(budget),
    ...agentLine(budget),
    headline(payload),
  ];
}

function groupsOf({ sections }: PayloadReport): readonly (readonly [Priority, readonly ReportSection[]])[] {
  return PRIORITIES.map(
    (priority) => [priority, sections.filter((section) => section.priority === priority)] as const,
  ).filter(([, members]) => members.length > 0);
}

/** The cells of a row that sums up: a group, or the notes. */
function sumCells(first: string, label: string, tokens: number, { budget }: PayloadReport): readonly string[] {
  return [first, label, count(tokens, budget.isExact), percent(tokens, budget.tokens)];
}

function textRows(payload: PayloadReport): readonly string[] {
  const columns = columnsOf(payload);
  const lines: (readonly string[])[] = [];
  for (const [priority, members] of groupsOf(payload)) {
    lines.push(sumCells(priority, GROUP_WORDS[priority], tokensOf(members), payload));
    lines.push(...members.map((member) => columns.map(({ cell }) => cell(member))));
  }
  if (payload.overheadTokens > 0) lines.push(sumCells('', 'notes', payload.overheadTokens, payload));
  return textTable(columns, lines, SACRIFICES);
}

/** What stands below the table when the scores are explained. */
function explanation(payload: PayloadReport): readonly string[] {
  return explainLines(payload).map((line) => fitWidth(withoutControls(line), TABLE_COLUMNS, 'end'));
}

function renderText(report: ContextReport, payload: PayloadReport, isExplained: boolean): string {
  const title = `Context budget, profile ${printable(report.profile)}, ${payload.mode} payload`;
  const notes = payload.notes.flatMap((note) => wrap(`Note: ${printable(note)}`, TABLE_COLUMNS));
  const scores = isExplained ? ['', 'Relevance', ...explanation(payload)] : [];
  const table = [fitWidth(title, TABLE_COLUMNS, 'end'), '', ...textRows(payload), '', ...footer(payload), ...notes];
  const lines = [...table, ...scores];
  return `${lines.join('\n')}\n`;
}

/** A title cannot end the block that it stands in. */
function unfenced(line: string): string {
  return line.replace(/^~~~/, ' ~ ~ ~');
}

function renderMarkdown(report: ContextReport, payload: PayloadReport, isExplained: boolean): string {
  const columns = [left('Priority', ({ priority }: ReportSection) => priority), ...columnsOf(payload)];
  const notes = ['', ...sumCells('', 'notes', payload.overheadTokens, payload)];
  return `${[
    `## Context budget, profile ${markdownCell(printable(report.profile))}, ${payload.mode} payload`,
    '',
    ...markdownTable(columns, [
      ...payload.sections.map((section) => columns.map(({ cell }) => cell(section))),
      ...(payload.overheadTokens > 0 ? [notes] : []),
    ]),
    '',
    ...footer(payload).map((line) => `- ${markdownCell(line)}`),
    ...payload.notes.map((note) => `- Note: ${markdownCell(printable(note))}`),
    ...(isExplained ? ['', '### Relevance', '', '~~~text', ...explanation(payload).map(unfenced), '~~~'] : []),
  ].join('\n')}\n`;
}

function renderJson(report: ContextReport, mode: PayloadMode, isExplained: boolean): string {
  const payload = toJsonPayload(report, mode);
  const sections = payload.sections.map(({ text: _, ...numbers }, at) => {
    const { relevance } = report.payloads[mode].sections[at] ?? {};
    return isExplained ? { ...numbers, relevance: toJsonRelevance(relevance) } : numbers;
  });
  return `${JSON.stringify({ ...payload, sections }, null, 2)}\n`;
}

/**
 * The `budget` table of one payload. Text is at most `TABLE_COLUMNS` wide; JSON is the payload's own object
 * (`context_payload.v2`) without the sections' texts. `isExplained` adds each section's score factor by factor: below the
 * table, as `relevance` of a section in JSON.
 */
export function renderBudgetTable(
  report: ContextReport,
  mode: PayloadMode,
  format: TableFormat,
  isExplained = false,
): string {
  if (format === 'json') return renderJson(report, mode, isExplained);
  const render = format === 'text' ? renderText : renderMarkdown;
  return render(report, report.payloads[mode], isExplained);
}
