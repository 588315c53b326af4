/** A check for people (text, Markdown for a pull request's comment) and programs (`check.v1`). No number is made here. */
import { formatCount, plural } from '../text/numbers';
import { markdownCell, markdownTable, printable, TABLE_COLUMNS, type TableColumn, textTable } from '../text/textTable';
import type { CheckedSection, CheckFinding, CheckReport } from './finding';

const column = (head: string, align: TableColumn['align'] = 'right'): TableColumn => ({ head, align });

/** Place of the column of tokens. */
const TOKENS = 1;

/** `+610`, `-40`, `0`. */
function signed(count: number): string {
  return `${count > 0 ? '+' : ''}${formatCount(count)}`;
}

function changeCells(change: CheckedSection['change']): readonly [before: string, now: string, change: string] {
  if (!change) return ['', '', ''];
  return [formatCount(change.before), formatCount(change.now), signed(change.now - change.before)];
}

/**
 * The table of sections: what has tokens, a limit or a change; then the total. Columns without a cell are left out, and
 * `Compared` where it says the same as `Tokens`.
 */
function sectionTable(report: CheckReport): { readonly columns: TableColumn[]; readonly rows: string[][] } {
  const { sections, tokens, notesTokens, totalLimit, comparison } = report;
  const shown = sections.filter((each) => each.tokens > 0 || each.limit !== undefined || each.change);
  const limitOf = (limit: number | undefined): string => (limit === undefined ? '' : formatCount(limit));
  const rows = shown.map(({ id, tokens: own, limit, change }) => [
    id,
    formatCount(own),
    limitOf(limit),
    ...changeCells(change),
  ]);
  const change = comparison && { before: comparison.before.tokens, now: comparison.now.tokens };
  if (notesTokens > 0) rows.push(['notes', formatCount(notesTokens), '', '', '', '']);
  rows.push(['total', formatCount(tokens), limitOf(totalLimit), ...changeCells(change)]);
  const columns = [
    { ...column('Section', 'left'), cut: 'middle' as const },
    column('Tokens'),
    column('Limit'),
    column('Baseline'),
    column('Compared'),
    column('Change'),
  ];
  const used = columns.map(({ head }, at) =>
    rows.some(({ [at]: cell = '', [TOKENS]: tokens }) => cell !== '' && (head !== 'Compared' || cell !== tokens)),
  );
  const keep = <T>(cells: readonly T[]): T[] => cells.filter((_, at) => used[at]);
  return { columns: keep(columns), rows: rows.map(keep) };
}

/** `AGENTS.md:4`; empty where there is no file. */
function placeOf({ path, line }: CheckFinding): string {
  if (path === undefined) return '';
  return line === undefined ? printable(path) : `${printable(path)}:${line}`;
}

/** What has no figure is at no level (DESIGN §5.6): it has a result of its own. */
function isLack({ rule }: CheckFinding): boolean {
  return rule === 'unmeasured';
}

/** `fail: 1 error, 2 notes, 3 suppressed`. */
function summary({ result, findings, suppressed }: CheckReport): string {
  const count = (level: CheckFinding['level']): number =>
    findings.filter((each) => each.level === level && !isLack(each)).length;
  const lacks = findings.filter(isLack).length;
  const parts = (['error', 'warning', 'note'] as const).flatMap((level) =>
    count(level) > 0 ? [plural(count(level), level)] : [],
  );
  if (lacks > 0) parts.push(`${formatCount(lacks)} unmeasured`);
  if (suppressed > 0) parts.push(`${formatCount(suppressed)} suppressed`);
  return `${result}: ${parts.length > 0 ? parts.join(', ') : 'no findings'}`;
}

/** How the total was compared: against what, and why its figures may differ from the payload's. */
function comparedWith({ comparison }: CheckReport): readonly string[] {
  if (!comparison) return [];
  const { ref, before, now } = comparison;
  return [
    `Compared with ${printable(ref)}, without sections that depend on the machine: ` +
      `${formatCount(before.tokens)} to ${plural(now.tokens, 'token')} (${signed(now.tokens - before.tokens)})`,
  ];
}

/** A line a finding, as compilers write it. */
function findingLine(finding: CheckFinding): string {
  const place = placeOf(finding);
  const what = isLack(finding) ? finding.rule : `${finding.level} ${finding.rule}`;
  return `${place === '' ? '' : `${place}: `}${what}: ${printable(finding.message)}`;
}

function renderText(report: CheckReport): string {
  const { columns, rows } = sectionTable(report);
  const lines = [
    `Context check, profile ${printable(report.profile)}`,
    '',
    ...textTable(columns, rows, [['Section', 20]]).map((line) => line.slice(0, TABLE_COLUMNS).trimEnd()),
    ...comparedWith(report).flatMap((line) => ['', line]),
    '',
    ...report.findings.map(findingLine),
    ...(report.findings.length > 0 ? [''] : []),
    summary(report),
  ];
  return `${lines.join('\n')}\n`;
}

const FINDING_COLUMNS = [
  column('Level', 'left'),
  column('Rule', 'left'),
  column('Place', 'left'),
  column('Finding', 'left'),
];

function renderMarkdown(report: CheckReport): string {
  const { columns, rows } = sectionTable(report);
  const findings = report.findings.map((finding) => [
    isLack(finding) ? '' : finding.level,
    finding.rule,
    markdownCell(placeOf(finding)),
    markdownCell(printable(finding.message)),
  ]);
  const lines = [
    `## Context check: ${summary(report)}`,
    '',
    ...markdownTable(
      columns,
      rows.map(([id = '', ...cells]) => [markdownCell(id), ...cells]),
    ),
    ...comparedWith(report).flatMap((line) => ['', markdownCell(line)]),
    ...(findings.length > 0 ? ['', ...markdownTable(FINDING_COLUMNS, findings)] : []),
  ];
  return `${lines.join('\n')}\n`;
}

/** `check.v1` (DESIGN §5.6). */
function toJson({ result, profile, tokens, chars, comparison, sections, findings, suppressed }: CheckReport): object {
  return {
    version: 'check.v1',
    result,
    profile,
    tokens,
    chars,
    ...(comparison
      ? { baseline: { ref: comparison.ref, tokens: comparison.before.tokens, compared: comparison.now.tokens } }
      : {}),
    sections: sections.map(({ id, tokens: own, tokensFull, limit, change }) => ({
      id,
      tokens: own,
      tokens_full: tokensFull,
      ...(limit === undefined ? {} : { limit }),
      ...(change ? { baseline: change.before, compared: change.now } : {}),
    })),
    findings,
    suppressed,
  };
}

/** The check as text of at most `TABLE_COLUMNS` but for findings, as Markdown, or as JSON. */
export function renderCheck(report: CheckReport, format: 'text' | 'markdown' | 'json'): string {
  if (format === 'json') return `${JSON.stringify(toJson(report), null, 2)}\n`;
  return format === 'text' ? renderText(report) : renderMarkdown(report);
}
