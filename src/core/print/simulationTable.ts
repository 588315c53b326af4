/** What `simulate` prints: the results of a simulation for people and programs. Every number is the simulation's own. */
import type { ScoringMode } from '../model/relevance';
import type { SimulationResult } from '../pipeline/score/simulate';
import type { TableFormat } from '../render/renderPayload';
import { formatCount, listNames, plural } from '../text/numbers';
import { percent, printable, type Sacrifices } from '../text/textTable';
import { isSmallEnough } from '../usage/report/buildUsageReport';
import { type Column, left, partOf, renderPage, right } from './renderUsageReport';

/** What was simulated. */
export interface Simulation {
  readonly mode: ScoringMode;
  /** Whose caps held; undefined without any. */
  readonly profile: string | undefined;
  /** The config's own threshold, which is marked. */
  readonly threshold: number;
  /** At least one; several thresholds over the same cycles. */
  readonly results: readonly SimulationResult[];
}

/** Sections that are named in a row of text; the JSON form has them all. */
const MAX_NAMED = 3;

function perCycle(sum: number, cycles: number): string {
  return formatCount(Math.round(cycles === 0 ? 0 : sum / cycles));
}

function saved(before: number, after: number): string {
  if (before === 0) return '';
  const share = Math.round((1 - after / before) * 100);
  return share === 0 ? '±0%' : `${share > 0 ? '−' : '+'}${formatCount(Math.abs(share))}%`;
}

/** `heartbeat 50, topic-memory 48, 2 more`. */
function named(items: readonly (readonly [id: string, count: number])[]): string {
  const names = items.map(([id, count]) => `${printable(id)} ${formatCount(count)}`);
  return listNames(names, MAX_NAMED);
}

function columnsOf({ mode, threshold }: Simulation): readonly Column<SimulationResult>[] {
  const own = (result: SimulationResult) =>
    `${result.threshold === threshold ? '* ' : ''}${result.threshold.toFixed(2)}`;
  return [
    // Other modes do not look at scores.
    ...(mode === 'dynamic' ? [right('Threshold', own)] : []),
    right('Chars', ({ charsAfter, cycles }) => perCycle(charsAfter, cycles)),
    right('Change', ({ charsBefore, charsAfter }) => saved(charsBefore, charsAfter)),
    right('Tokens', ({ tokensAfter, cycles }) => perCycle(tokensAfter, cycles)),
    right('Change', ({ tokensBefore, tokensAfter }) => saved(tokensBefore, tokensAfter)),
    right('Kept', ({ citations, citationsKept }) => (citations === 0 ? '' : percent(citationsKept, citations))),
    left('Citations lost', ({ lost }) => named(lost.map((each) => [each.id, each.citations])) || 'none'),
    left('One line, in cycles', ({ stubbed }) => named(stubbed.map((each) => [each.id, each.cycles])) || 'none'),
  ];
}

/** What gives way while a row is too wide. */
const SACRIFICES: Sacrifices = [
  ['One line, in cycles', 18],
  ['Citations lost', 14],
  ['One line, in cycles', 8],
];

function headlineOf({ mode, profile, results }: Simulation): string {
  const [first] = results;
  const caps = profile === undefined ? '' : `, limits of profile ${printable(profile)}`;
  return `Simulation of mode ${mode} over ${plural(first?.cycles ?? 0, 'cycle')}${caps}`;
}

function meetsTargets({ cycles, charsBefore, charsAfter, tokensAfter }: SimulationResult): boolean {
  return cycles > 0 && isSmallEnough(charsBefore / cycles, charsAfter / cycles, tokensAfter / cycles);
}

/** The mildest of several thresholds that meets the targets, with what it would ask of the agent. */
function targetNote({ mode, results }: Simulation): readonly string[] {
  if (mode !== 'dynamic' || results.length < 2) return [];
  const targets = 'the targets (35% less, under 5,000 tokens)';
  const first = results.find(meetsTargets);
  if (!first) return [`No threshold meets ${targets}.`];
  const { threshold, citations, citationsKept } = first;
  const lost = citations - citationsKept;
  const cost = lost === 0 ? 'keeps every citation' : `turns ${lost} of ${plural(citations, 'citation')} into requests`;
  return [`${threshold.toFixed(2)} is the lowest threshold that meets ${targets}. It ${cost}.`];
}

function notesOf(simulation: Simulation): readonly string[] {
  const { mode, results, threshold } = simulation;
  const [first] = results;
  if (!first || first.cycles === 0) return ['No cycle recorded yet: there is nothing to simulate.'];
  const { cycles, charsBefore, tokensBefore, citations, judgedCycles } = first;
  const before =
    `As recorded: ${perCycle(charsBefore, cycles)} characters and ${perCycle(tokensBefore, cycles)} tokens per cycle, ` +
    `${plural(citations, 'citation')} in all.`;
  const unjudged = cycles - judgedCycles;
  const young =
    mode === 'dynamic' && unjudged > 0
      ? [`In ${plural(unjudged, 'cycle')} nothing is hidden: they have fewer than 10 cycles before them.`]
      : [];
  const star =
    mode === 'dynamic' && results.some((each) => each.threshold === threshold) ? ['* the threshold of the config'] : [];
  return [before, ...young, ...star, ...targetNote(simulation)];
}

function resultJson(result: SimulationResult) {
  return {
    threshold: result.threshold,
    meets_targets: meetsTargets(result),
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
  const facts = {
    version: 'simulate.v1',
    mode,
    profile: profile ?? null,
    threshold,
    cycles,
    judged_cycles: judgedCycles,
  };
  return `${JSON.stringify({ ...facts, results: results.map(resultJson) }, null, 2)}\n`;
}

/** The results in one of the CLI's forms; sizes are means of a cycle for people, sums for programs. */
export function renderSimulation(simulation: Simulation, format: TableFormat): string {
  if (format === 'json') return renderJson(simulation);
  const { results } = simulation;
  const hasRows = (results[0]?.cycles ?? 0) > 0;
  const parts = hasRows ? [partOf(undefined, results, columnsOf(simulation), SACRIFICES)] : [];
  return renderPage({ title: headlineOf(simulation), parts, notes: notesOf(simulation) }, format);
}
