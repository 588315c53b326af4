/** What `simulate` prints: the results of a simulation for people and programs. Every number is the simulation's own. */
import type { ScoringMode } from '../model/relevance';
import type { SimulationResult } from '../pipeline/score/simulate';
import type { TableFormat } from '../render/renderPayload';
import { formatCount, plural } from '../text/numbers';
import {
  markdownCell,
  markdownTable,
  percent,
  printable,
  TABLE_COLUMNS,
  type TableColumn,
  textTable,
  wrap,
} from '../text/textTable';

/** What was simulated. */
export interface Simulation {
  readonly mode: ScoringMode;
  /** Whose caps held; undefined without any. */
  readonly profile: string | undefined;
  /** The config's own threshold: marked among several. */
  readonly threshold: number;
  /** At least one; several thresholds over the same cycles. */
  readonly results: readonly SimulationResult[];
}

/** Sections that are named in a row of text; the JSON form has them all. */
const MAX_NAMED = 3;

const left = (head: string): TableColumn => ({ head, align: 'left' });
const right = (head: string): TableColumn => ({ head, align: 'right' });

function perCycle(sum: number, cycles: number): string {
  return formatCount(Math.round(cycles === 0 ? 0 : sum / cycles));
}

function saved(before: number, after: number): string {
  if (before === 0) return '';
  const share = Math.round((1 - after / before) * 100);
  return share === 0 ? '±0 %' : `${share > 0 ? '−' : '+'}${formatCount(Math.abs(share))} %`;
}

/** `heartbeat 50, topic-memory 48, 2 more`. */
function named(items: readonly (readonly [id: string, count: number])[]): string {
  const shown = items.slice(0, MAX_NAMED).map(([id, count]) => `${printable(id)} ${formatCount(count)}`);
  const more = items.length - shown.length;
  return [...shown, ...(more > 0 ? [`${formatCount(more)} more`] : [])].join(', ');
}

function columnsOf({ mode }: Simulation): readonly TableColumn[] {
  return [
    // Other modes do not look at scores.
    ...(mode === 'dynamic' ? [right('Threshold')] : []),
    right('Chars'),
    right('Change'),
    right('Tokens'),
    right('Change'),
    right('Kept'),
    left('Citations lost'),
    left('Stubs, in how many cycles'),
  ];
}

function rowOf(result: SimulationResult, { mode, threshold }: Simulation): readonly string[] {
  const { cycles, citations, citationsKept, lost, stubbed } = result;
  const own = result.threshold === threshold ? '* ' : '';
  return [
    ...(mode === 'dynamic' ? [`${own}${result.threshold.toFixed(2)}`] : []),
    perCycle(result.charsAfter, cycles),
    saved(result.charsBefore, result.charsAfter),
    perCycle(result.tokensAfter, cycles),
    saved(result.tokensBefore, result.tokensAfter),
    citations === 0 ? '' : percent(citationsKept, citations),
    named(lost.map((each) => [each.id, each.citations])) || 'none',
    named(stubbed.map((each) => [each.id, each.cycles])) || 'none',
  ];
}

function headlineOf({ mode, profile, results }: Simulation): string {
  const [first] = results;
  const caps = profile === undefined ? '' : `, caps of profile ${printable(profile)}`;
  return `Simulation of mode ${mode} over ${plural(first?.cycles ?? 0, 'cycle')}${caps}`;
}

function notesOf({ mode, results }: Simulation): readonly string[] {
  const [first] = results;
  if (!first || first.cycles === 0) return ['No cycle recorded yet: there is nothing to simulate.'];
  const { cycles, charsBefore, tokensBefore, citations, judgedCycles } = first;
  const before =
    `As recorded: ${perCycle(charsBefore, cycles)} characters and ${perCycle(tokensBefore, cycles)} tokens a cycle, ` +
    `${plural(citations, 'citation')} in all.`;
  const unjudged = cycles - judgedCycles;
  const young =
    mode === 'dynamic' && unjudged > 0
      ? [`In ${plural(unjudged, 'cycle')} nothing is hidden: they have fewer than 10 cycles before them.`]
      : [];
  const star = mode === 'dynamic' && results.length > 1 ? ['* the threshold of the config'] : [];
  return [before, ...young, ...star];
}

function hasRows({ results }: Simulation): boolean {
  return (results[0]?.cycles ?? 0) > 0;
}

function renderText(simulation: Simulation): string {
  const rows = simulation.results.map((result) => rowOf(result, simulation));
  const sacrifices = [
    ['Stubs, in how many cycles', 18],
    ['Citations lost', 14],
    ['Stubs, in how many cycles', 8],
  ] as const;
  const table = hasRows(simulation) ? ['', ...textTable(columnsOf(simulation), rows, sacrifices)] : [];
  const notes = notesOf(simulation).flatMap((note) => wrap(note, TABLE_COLUMNS));
  return `${[headlineOf(simulation), ...table, '', ...notes].join('\n')}\n`;
}

function renderMarkdown(simulation: Simulation): string {
  const rows = simulation.results.map((result) => rowOf(result, simulation));
  const table = hasRows(simulation) ? ['', ...markdownTable(columnsOf(simulation), rows)] : [];
  const notes = notesOf(simulation).map((note) => `- ${markdownCell(note)}`);
  return `${[`## ${markdownCell(headlineOf(simulation))}`, ...table, '', ...notes].join('\n')}\n`;
}

function resultJson(result: SimulationResult) {
  return {
    threshold: result.threshold,
    chars_before: result.charsBefore,
    chars_after: result.charsAfter,
    tokens_before: result.tokensBefore,
    tokens_after: result.tokensAfter,
    citations: result.citations,
    citations_kept: result.citationsKept,
    lost: result.lost,
    stubbed: result.stubbed,
  };
}

function renderJson({ mode, profile, threshold, results }: Simulation): string {
  const { cycles = 0, judgedCycles = 0 } = results[0] ?? {};
  const facts = { mode, profile: profile ?? null, threshold, cycles, judged_cycles: judgedCycles };
  return `${JSON.stringify({ ...facts, results: results.map(resultJson) }, null, 2)}\n`;
}

/** The results in one of the CLI's forms; sizes are means of a cycle for people, sums for programs. */
export function renderSimulation(simulation: Simulation, format: TableFormat): string {
  switch (format) {
    case 'text':
      return renderText(simulation);
    case 'markdown':
      return renderMarkdown(simulation);
    case 'json':
      return renderJson(simulation);
  }
}
