/**
 * The pipeline: route → score → mask → fit → render, from what the host collected to the one snapshot that everything shows
 * (DESIGN §3). It decides the order of the stages and gathers their results; each stage decides for itself.
 */

import { agentName } from '../../agents/agentTable';
import { budgetStatus } from '../../config/profile';
import type { AgentId } from '../../model/agent';
import type { ObservationRow } from '../../model/observation';
import type { Profile } from '../../model/profile';
import type {
  AgentShare,
  ContextReport,
  EntryCounts,
  PayloadReport,
  ReportRequest,
  ReportSection,
  SecretFinding,
} from '../../model/report';
import { type PayloadMode, WORST_FIRST } from '../../model/section';
import type { Tokenizer } from '../../ports/ports';
import { buildNotes, type OverFacts, renderNotes } from '../../render/notes';
import type { RankedMap } from '../../repomap/facts/types';
import { createEscape, INDEX_ELEMENT } from '../../text/elements';
import { inEnglish } from '../../text/phrase';
import { toSentence } from '../../text/sentence';
import { LineTokenCounter, NO_SIZE, type Size } from '../../tokens/lines';
import { byPriorityThenId } from '../collect/discover';
import { expandedVariants } from '../fit/expandedVariants';
import { type ChosenSection, type Frame, fitSections, type NoteState } from '../fit/fit';
import { indexVariants } from '../fit/indexVariants';
import { type FitContext, type MeasuredSection, measureSection } from '../fit/measuredSection';
import { isNotScanned } from '../mask/maskSections';
import { defaultPriorities } from '../route/defaultPriorities';
import { routeSection, type ScoredSection } from '../route/route';
import { scoreSections } from '../score/score';

const INDEX_OPEN = `<${INDEX_ELEMENT}>\n`;
const INDEX_CLOSE = `</${INDEX_ELEMENT}>\n`;

/** `P0` and `P1` against the cap they exceed, with the largest of them. */
function describeOver(
  variants: readonly Size[],
  sections: readonly MeasuredSection[],
  { budgetTokens, hardCapChars }: Profile,
): OverFacts {
  const essential = sections.flatMap(({ section: { priority, title } }, at) =>
    priority === 'P0' || priority === 'P1' ? [{ title: toSentence(title, 60), size: variants[at] ?? NO_SIZE }] : [],
  );
  const isTokens = essential.reduce((sum, { size }) => sum + size.tokens, 0) > budgetTokens;
  const largest = essential
    .map(({ title, size }) => ({ title, used: isTokens ? size.tokens : size.chars }))
    .filter(({ used }) => used > 0)
    .sort((left, right) => right.used - left.used);
  return {
    unit: isTokens ? 'tokens' : 'characters',
    used: largest.reduce((sum, { used }) => sum + used, 0),
    cap: isTokens ? budgetTokens : hardCapChars,
    largest,
  };
}

/** The notes of a state; the frame measures exactly what is rendered in the end. */
function notesOf(
  { isPartial, isOver, variants }: NoteState,
  mode: PayloadMode,
  sections: readonly MeasuredSection[],
  { profile, uncollected }: ReportRequest,
): readonly string[] {
  return buildNotes({
    leftOut: uncollected,
    isIndexOnly: mode === 'index',
    hasObservations: sections.some(({ section }) => section.body.kind === 'observations'),
    isPartial,
    dropped: sections.filter((_, at) => variants[at]?.kind === 'dropped').map(({ id }) => id),
    notRun: sections.flatMap(({ id, content, rule }) =>
      content.kind === 'notRun' && rule?.kind !== 'excluded' ? [{ id, reason: inEnglish(content.reason) }] : [],
    ),
    loadedByAgent: sections.flatMap(({ section: { title, loadedBy }, rule }) =>
      loadedBy && rule?.kind === 'loadedByAgent'
        ? [{ title: toSentence(title, 60), agent: loadedBy.agent, cutLine: loadedBy.cut?.line }]
        : [],
    ),
    over: isOver ? describeOver(variants, sections, profile) : undefined,
  });
}

/** The text form: elements in payload order; rows come first in the index, alarms before the rest. */
function renderText(sections: readonly ChosenSection[], notes: string): string {
  const elements = sections.map(({ element }) => element).join('');
  const rows = WORST_FIRST.flatMap((status) =>
    sections.filter(({ measured, row }) => row !== '' && measured.status === status).map(({ row }) => row),
  );
  const index = rows.length === 0 ? '' : INDEX_OPEN + rows.join('') + INDEX_CLOSE;
  return index + elements + notes;
}

function entryCounts({ entries, isPending }: MeasuredSection, shown: number): EntryCounts | undefined {
  if (!entries || isPending) return undefined;
  const { total, heads } = entries;
  return { shown, total, ...(heads && shown > 0 ? { heads: heads.slice(-shown) } : {}) };
}

function toSection({ measured, variant, words: { reason, explanation }, text }: ChosenSection): ReportSection {
  const { id, section, status, content, usage, relevance, summary, handle, full, byAgent, isPending } = measured;
  const { title, priority, source, path, isPinned, isExcluded } = section;
  const { disclosure, chars, tokens } = variant;
  return {
    id,
    title,
    priority,
    status,
    summary,
    disclosure,
    reason: inEnglish(reason),
    explanation: inEnglish(explanation),
    words: { reason, explanation },
    chars,
    tokens,
    charsFull: full.chars,
    tokensFull: full.tokens,
    ...(byAgent ? { agentTokens: byAgent.tokens } : {}),
    handle,
    text,
    source,
    path,
    entries: entryCounts(measured, variant.itemsShown ?? 0),
    isPinned,
    isExcluded,
    isNotRun: content.kind === 'notRun',
    ...(isNotScanned(section) ? { isNotScanned: true } : {}),
    isPending,
    citations: usage?.citations ?? 0,
    roi: usage?.roi ?? null,
    roiClass: usage?.roiClass ?? 'no data',
    score: relevance?.score ?? null,
    relevance,
    usage,
  };
}

function agentShare(agent: AgentId, sections: readonly MeasuredSection[]): AgentShare {
  const loaded = sections.flatMap(({ byAgent }) => (byAgent ? [byAgent.tokens] : []));
  return {
    name: agentName(agent),
    tokens: loaded.reduce((sum, tokens) => sum + tokens, 0),
    sections: loaded.length,
  };
}

/** Fits and renders one of the two payloads. */
function buildPayload(
  mode: PayloadMode,
  sections: readonly MeasuredSection[],
  request: ReportRequest,
  { counter, escapeTags, isEstimate }: FitContext,
): PayloadReport {
  const { profile } = request;
  const notesAt = (state: NoteState): readonly string[] => notesOf(state, mode, sections, request);
  const frame: Frame = {
    wrapper: mode === 'index' ? counter.measure(INDEX_OPEN + INDEX_CLOSE) : NO_SIZE,
    measureNotes: (state) => counter.measure(renderNotes(notesAt(state), escapeTags)),
  };
  const fitted = fitSections(sections, mode === 'index' ? indexVariants : expandedVariants, profile, frame);
  const notes = fitted.notes ? notesAt(fitted.notes) : [];
  const text = renderText(fitted.sections, renderNotes(notes, escapeTags));
  const size = counter.measure(text);
  const map = fitted.sections.find(({ variant }) => variant.kind === 'map');
  return {
    mode,
    budget: {
      budgetTokens: profile.budgetTokens,
      tokens: size.tokens,
      tokenizer: counter.name,
      hardCapChars: profile.hardCapChars,
      chars: size.chars,
      status: budgetStatus(size, profile),
      truncated: false,
      downgradeApplied: fitted.downgradeApplied,
      isExact: !isEstimate && !sections.some(({ isPending, rule }) => isPending && rule?.kind !== 'excluded'),
      ...(profile.agent ? { agent: agentShare(profile.agent, sections) } : {}),
    },
    overheadTokens: size.tokens - fitted.sections.reduce((sum, { variant }) => sum + variant.tokens, 0),
    sections: fitted.sections.map(toSection),
    repoMap: map?.measured.map?.render(map.variant.itemsShown ?? 0).view,
    observations: shownObservations(fitted.sections),
    notes,
    cuts: fitted.cuts,
    secrets: fitted.sections.flatMap(shownSecrets),
    text,
  };
}

/** Of what was masked, that whose mask is shown: in an element, or in a row of the index. */
function shownSecrets({ measured: { secrets = [] }, element, row }: ChosenSection): readonly SecretFinding[] {
  return secrets.flatMap(({ mask, ...finding }) => (element.includes(mask) || row.includes(mask) ? [finding] : []));
}

/** The newest rows, as many as are shown. */
function shownObservations(sections: readonly ChosenSection[]): readonly ObservationRow[] | undefined {
  for (const { measured, variant } of sections) {
    const { body } = measured.section;
    if (body.kind !== 'observations') continue;
    const { disclosure, itemsShown = disclosure === 'full' ? body.rows.length : 0 } = variant;
    return disclosure === 'omitted' ? [] : body.rows.slice(0, itemsShown);
  }
  return undefined;
}

/** Routes and scores what was collected; in the order of the payload. */
export function scoreReport(request: ReportRequest, tokenizer: Tokenizer): readonly ScoredSection[] {
  const sections = defaultPriorities(request, LineTokenCounter.over(tokenizer));
  return scoreSections([...sections].sort(byPriorityThenId).map(routeSection), request);
}

/**
 * Fits and renders both payloads of sections that are masked, or are not to be. `map` is the ranked map within the
 * profile's `mapTokens`; while it is undefined or the index is not ready, map sections are pending. Pass the same
 * `LineTokenCounter` again and again: then only changed lines are counted. Deterministic; linear in the sections' text.
 */
export function fitReport(
  request: ReportRequest,
  scored: readonly ScoredSection[],
  map: RankedMap | undefined,
  tokenizer: Tokenizer,
): ContextReport {
  const { profile, isIndexReady, isEstimate = false } = request;
  const context: FitContext = {
    counter: LineTokenCounter.over(tokenizer),
    escapeTags: createEscape(scored.map(({ section }) => section.id)),
    map: isIndexReady ? map : undefined,
    mapTokens: profile.mapTokens,
    isEstimate,
  };
  const sections = scored.map((each) => context.counter.watching(each.section.id, () => measureSection(each, context)));
  return {
    profile: profile.name,
    payloads: {
      index: buildPayload('index', sections, request, context),
      expanded: buildPayload('expanded', sections, request, context),
    },
    problems: [...request.problems, ...scored.flatMap(({ problem }) => problem ?? [])],
  };
}

/** The snapshot of what is not masked: for texts that have no secrets, and for who asked for them. */
export function buildReport(request: ReportRequest, map: RankedMap | undefined, tokenizer: Tokenizer): ContextReport {
  return fitReport(request, scoreReport(request, tokenizer), map, tokenizer);
}
