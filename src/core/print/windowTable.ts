/** The `window` table: what agents load before the first word, for people. English, since agents read it too. */
import type { TableFormat } from '../render/renderPayload';
import { formatCount, plural } from '../text/numbers';
import {
  bar,
  markdownCell,
  markdownTable,
  percent,
  printable,
  TABLE_COLUMNS,
  textTable,
  wrap,
} from '../text/textTable';
import {
  type AgentWindow,
  categoriesOf,
  isExact,
  loadedTokens,
  onDemandTokens,
  type WindowItem,
  type WindowReport,
  windowJson,
} from '../window/loaded/windowReport';
import { type Column, left, partOf, right, withGap } from './renderUsageReport';

const COLUMNS: readonly Column<WindowItem>[] = [
  left('Fate', ({ fate, certain }) => `${fate}${certain ? '' : ' ?'}`),
  { ...left('Item', ({ id }) => printable(id)), cut: 'middle' },
  right('Tokens', ({ tokens, exact, fate }) =>
    fate === 'unmeasured' ? '?' : `${exact ? '' : '≈'}${formatCount(tokens)}`,
  ),
  right('Of', ({ tokens, tokensFull }) => (tokensFull === tokens ? '' : formatCount(tokensFull))),
  left('Why', ({ reason }) => printable(reason)),
];

const DOUBT = "? = unconfirmed by the agent's documentation, or not measured; ≈ = an estimate";

function approximate(tokens: number, exact: boolean): string {
  return `${exact ? '' : '≈'}${formatCount(tokens)}`;
}

/** Of a category; `?` where nothing is known to be in the window, but something may be. */
function sumOf(tokens: number, exact: boolean, items: readonly WindowItem[]): string {
  const isUnknown = tokens === 0 && items.some(({ fate }) => fate === 'unmeasured');
  return isUnknown ? '?' : approximate(tokens, exact);
}

function heading({ name, items, windowTokens, model }: AgentWindow): string {
  const loaded = loadedTokens(items);
  const of = windowTokens === null ? '' : ` of ${formatCount(windowTokens)} (${percent(loaded, windowTokens)})`;
  const on = model === null ? '' : ` with ${printable(model)}`;
  const later = onDemandTokens(items);
  const rest = later === 0 ? '' : `; ${formatCount(later)} on demand`;
  return `${name}${on}: ${approximate(loaded, isExact(items))}${of} tokens before the first word${rest}`;
}

/** One line a category, the largest with the longest bar. */
function meterLines({ items }: AgentWindow): readonly string[] {
  const categories = categoriesOf(items);
  const largest = Math.max(0, ...categories.map(({ tokens }) => tokens));
  return categories.map(({ kind, tokens, exact, items: own }) =>
    `  ${kind.padEnd(12)} ${sumOf(tokens, exact, own).padStart(9)}  ${bar(tokens, largest).padEnd(8)}  ${plural(own.length, 'item')}`.trimEnd(),
  );
}

function remarks({ agents, duplicates, problems }: WindowReport): readonly string[] {
  const shown = agents.flatMap(({ items }) => items);
  const factors = new Map(
    agents.flatMap(({ model, factor }) => (model !== null && factor ? [[model, factor] as const] : [])),
  );
  return [
    ...duplicates.map(
      ({ agent, tokens, places }) =>
        `${agent} loads ${formatCount(tokens)} tokens ${places.length} times: ${places.map(printable).join(', ')}`,
    ),
    ...[...factors].map(
      ([model, { value, low, high, source }]) => `${printable(model)}: o200k × ${value} (${low} to ${high}; ${source})`,
    ),
    ...agents.flatMap(({ name, notRead }) =>
      notRead.length > 0 ? [`${name}: not included here: ${notRead.join(', ')}`] : [],
    ),
    ...problems.map((problem) => `Problem: ${printable(problem)}`),
    ...(shown.some(({ certain, exact, fate }) => !certain || !exact || fate === 'unmeasured') ? [DOUBT] : []),
  ];
}

function renderText(report: WindowReport): string {
  const [head = '', ...rows] = (() => {
    const { columns, rows: cells } = partOf(
      undefined,
      report.agents.flatMap(({ items }) => items),
      COLUMNS,
    );
    return textTable(columns, cells, [
      ['Item', 30],
      ['Why', 20],
    ]);
  })();
  const lines = ['What agents load before the first word'];
  let at = 0;
  for (const agent of report.agents) {
    lines.push('', ...wrap(heading(agent), TABLE_COLUMNS), ...meterLines(agent), '');
    if (agent.items.length > 0) lines.push(head, ...rows.slice(at, at + agent.items.length));
    else lines.push('Nothing found.');
    at += agent.items.length;
  }
  const below = remarks(report).flatMap((line) => wrap(line, TABLE_COLUMNS));
  return `${[...lines, ...withGap(below)].join('\n')}\n`;
}

function renderMarkdown(report: WindowReport): string {
  const parts = report.agents.flatMap((agent) => {
    const { columns, rows } = partOf(undefined, agent.items, COLUMNS);
    return [
      '',
      `### ${markdownCell(heading(agent))}`,
      '',
      ...(rows.length > 0 ? markdownTable(columns, rows) : ['Nothing found.']),
    ];
  });
  const below = remarks(report).map((line) => `- ${markdownCell(line)}`);
  return `${['## What agents load before the first word', ...parts, ...withGap(below)].join('\n')}\n`;
}

/** The report as a table or as `window.v1`. Text is at most `TABLE_COLUMNS` wide. */
export function renderWindow(report: WindowReport, format: TableFormat): string {
  if (format === 'json') return `${JSON.stringify(windowJson(report), null, 2)}\n`;
  return format === 'text' ? renderText(report) : renderMarkdown(report);
}
