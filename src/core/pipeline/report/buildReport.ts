/**
 * The pipeline: route → score → mask → fit → render, from what the host collected to the one snapshot that everything shows
 * (DESIGN §3). It decides the order of the stages and gathers their results; each stage decides for itself.
 */

import { agentName } from '../../agents/agentTable';
import { budgetStatus } from '../../config/profile';
import type { AgentId } from '../../model/agent';
import type { ObservationRow } from '../../model/observation';
import type { Problem } from '../../model/problem';
import type { Profile } from '../../model/profile';
import type {
  AgentShare,
  BudgetSummary,
  ContextReport,
  EntryCounts,
  PayloadReport,
  ReportRequest,
  ReportSection,
  SecretFinding,
} from '../../model/report';
import { type CollectedSection, type PayloadMode, PRIORITIES, WORST_FIRST } from '../../model/section';
import type { Tokenizer } from '../../ports/ports';
import { buildNotes, type OverFacts, renderNotes } from '../../render/notes';
import type { RankedMap } from '../../repomap/facts/types';
import { createEscape, INDEX_ELEMENT } from '../../text/elements';
import { inEnglish } from '../../text/phrase';
import { toSentence } from '../../text/sentence';
import { LineTokenCounter } from '../../tokens/lines';
import type { EntryTable } from '../fit/entryTable';
import { createExpandedUnit } from '../fit/expandedVariants';
import { type Fitted, type Frame, fitUnits, type NoteState } from '../fit/fit';
import { createIndexUnit } from '../fit/indexVariants';
import { type FactsContext, type MeasuredSection, measure, readFacts } from '../fit/measuredSection';
import { NO_SIZE, type SectionVariant, type Size, type VariantContent } from '../fit/sectionVariant';
import { isNotScanned } from '../mask/maskSections';
import { routeSection } from '../route/route';
import { type ScoredSection, scoreSections } from '../score/score';

const INDEX_OPEN = `<${INDEX_ELEMENT}>\n`;
const INDEX_CLOSE = `</${INDEX_ELEMENT}>\n`;

/** `P0` and `P1` against the cap they exceed, with the largest of them. */
function describeOver(
  forms: readonly SectionVariant[],
  facts: readonly MeasuredSection[],
  profile: Profile,
): OverFacts {
  const essential = facts.flatMap(({ scored: { section } }, index) => {
    const isEssential = section.priority === 'P0' || section.priority === 'P1';
    return isEssential ? [{ title: toSentence(section.title, 60), size: forms[index] ?? NO_SIZE }] : [];
  });
  const tokens = essential.reduce((sum, { size }) => sum + size.tokens, 0);
  const unit = tokens > profile.budgetTokens ? 'tokens' : 'characters';
  const largest = essential
    .map(({ title, size }) => ({ title, used: unit === 'tokens' ? size.tokens : size.chars }))
    .filter(({ used }) => used > 0)
    .sort((left, right) => right.used - left.used);
  const cap = unit === 'tokens' ? profile.budgetTokens : profile.hardCapChars;
  return { unit, used: largest.reduce((sum, { used }) => sum + used, 0), cap, largest };
}

/** The notes of a state; the frame measures exactly what is rendered in the end. */
function notesOf(
  state: NoteState,
  mode: PayloadMode,
  facts: readonly MeasuredSection[],
  profile: Profile,
): readonly string[] {
  return buildNotes({
    isIndexOnly: mode === 'index',
    hasObservations: facts.some(({ scored: { section } }) => section.body.kind === 'observations'),
    isPartial: state.isPartial,
    dropped: state.dropped.flatMap((index) => facts[index]?.id ?? []),
    notRun: facts.flatMap(({ id, scored: { content, rule } }) =>
      content.kind === 'notRun' && rule?.kind !== 'excluded' ? [{ id, reason: inEnglish(content.reason) }] : [],
    ),
    loadedByAgent: facts.flatMap(({ scored: { section, rule } }) =>
      section.loadedBy && rule?.kind === 'loadedByAgent'
        ? [{ title: toSentence(section.title, 60), agent: section.loadedBy.agent, cutLine: section.loadedBy.cut?.line }]
        : [],
    ),
    over: state.isOver ? describeOver(state.forms, facts, profile) : undefined,
  });
}

/** The text form: elements in payload order; rows come first in the index, alarms before the rest. */
function renderText(
  mode: PayloadMode,
  contents: readonly VariantContent[],
  facts: readonly MeasuredSection[],
  notes: string,
) {
  const elements = contents.map(({ element }) => element).join('');
  if (mode === 'expanded') return elements + notes;
  const rows = WORST_FIRST.flatMap((status) =>
    contents.filter(({ row }, index) => row !== '' && facts[index]?.scored.status === status).map(({ row }) => row),
  );
  const index = rows.length === 0 ? '' : INDEX_OPEN + rows.join('') + INDEX_CLOSE;
  return index + elements + notes;
}

function entryCounts({ total, heads }: EntryTable, shown: number): EntryCounts {
  return { shown, total, ...(heads && shown > 0 ? { heads: heads.slice(-shown) } : {}) };
}

function toSection(
  facts: MeasuredSection,
  form: SectionVariant,
  content: VariantContent,
  isOver: boolean,
): ReportSection {
  const { section, status, usage } = facts.scored;
  const { reason, explanation } = form.words(isOver);
  return {
    id: facts.id,
    title: section.title,
    priority: section.priority,
    status,
    summary: facts.summary,
    disclosure: form.disclosure,
    reason: inEnglish(reason),
    explanation: inEnglish(explanation),
    words: { reason, explanation },
    chars: form.chars,
    tokens: form.tokens,
    charsFull: facts.full.chars,
    tokensFull: facts.full.tokens,
    ...(facts.byAgent ? { agentTokens: facts.byAgent.tokens } : {}),
    handle: facts.handle,
    text: content.text,
    source: section.source,
    path: section.path,
    entries: facts.entries && !facts.isPending ? entryCounts(facts.entries, form.itemsShown ?? 0) : undefined,
    isPinned: section.isPinned,
    isExcluded: section.isExcluded,
    isNotRun: facts.scored.content.kind === 'notRun',
    ...(isNotScanned(section) ? { isNotScanned: true } : {}),
    isPending: facts.isPending,
    citations: usage?.citations ?? 0,
    roi: usage?.roi ?? null,
    roiClass: usage?.roiClass ?? 'no data',
    score: facts.scored.score,
    relevance: facts.scored.relevance,
    usage,
  };
}

function summarizeBudget(
  fitted: Fitted,
  size: Size,
  facts: readonly MeasuredSection[],
  profile: Profile,
  context: FactsContext,
): BudgetSummary {
  return {
    budgetTokens: profile.budgetTokens,
    tokens: size.tokens,
    tokenizer: context.counter.name,
    hardCapChars: profile.hardCapChars,
    chars: size.chars,
    status: budgetStatus(size, profile),
    truncated: false,
    downgradeApplied: fitted.downgradeApplied,
    isExact:
      !context.isEstimate && !facts.some(({ isPending, scored }) => isPending && scored.rule?.kind !== 'excluded'),
    ...(profile.agent ? { agent: agentShare(profile.agent, facts) } : {}),
  };
}

function agentShare(agent: AgentId, facts: readonly MeasuredSection[]): AgentShare {
  const loaded = facts.flatMap(({ byAgent }) => (byAgent ? [byAgent.tokens] : []));
  return {
    name: agentName(agent),
    tokens: loaded.reduce((sum, tokens) => sum + tokens, 0),
    sections: loaded.length,
  };
}

/** Fits and renders one of the two payloads. */
function buildPayload(
  mode: PayloadMode,
  facts: readonly MeasuredSection[],
  profile: Profile,
  context: FactsContext,
): PayloadReport {
  const createUnit = mode === 'index' ? createIndexUnit : createExpandedUnit;
  const units = facts.map((each) => createUnit(each, profile, context.counter));
  const notesAt = (state: NoteState): readonly string[] => notesOf(state, mode, facts, profile);
  const frame: Frame = {
    wrapper: mode === 'index' ? measureWrapper(context) : NO_SIZE,
    measureNotes: (state) => measure(context.counter, renderNotes(notesAt(state), context.escapeTags)),
  };
  const fitted = fitUnits(units, profile, frame);
  const notes = fitted.notes ? notesAt(fitted.notes) : [];
  const contents = fitted.forms.map((form) => form.content());
  const text = renderText(mode, contents, facts, renderNotes(notes, context.escapeTags));
  const size = measure(context.counter, text);
  const sections = facts.flatMap((each, index) => {
    const [form, content] = [fitted.forms[index], contents[index]];
    return form && content ? [toSection(each, form, content, fitted.isOver)] : [];
  });
  return {
    mode,
    budget: summarizeBudget(fitted, size, facts, profile, context),
    overheadTokens: size.tokens - sections.reduce((sum, { tokens }) => sum + tokens, 0),
    sections,
    repoMap: fitted.forms.find((form) => form.view)?.view?.(),
    observations: shownObservations(facts, fitted.forms),
    notes,
    cuts: fitted.cuts,
    secrets: shownSecrets(facts, contents),
    text,
  };
}

/** Of what was masked, that whose mask is shown: in an element, or in a row of the index. */
function shownSecrets(
  facts: readonly MeasuredSection[],
  contents: readonly VariantContent[],
): readonly SecretFinding[] {
  return facts.flatMap(({ scored: { secrets = [] } }, index) => {
    const { element = '', row = '' } = contents[index] ?? {};
    return secrets.flatMap(({ mask, ...finding }) => (element.includes(mask) || row.includes(mask) ? [finding] : []));
  });
}

/** The newest rows, as many as the chosen form shows. */
function shownObservations(
  facts: readonly MeasuredSection[],
  forms: readonly SectionVariant[],
): readonly ObservationRow[] | undefined {
  const at = facts.findIndex(({ scored: { section } }) => section.body.kind === 'observations');
  const body = facts[at]?.scored.section.body;
  const form = forms[at];
  if (body?.kind !== 'observations' || !form) return undefined;
  const count = form.itemsShown ?? (form.disclosure === 'full' ? body.rows.length : 0);
  return form.disclosure === 'omitted' ? [] : body.rows.slice(0, count);
}

function measureWrapper({ counter }: FactsContext): Size {
  return measure(counter, INDEX_OPEN + INDEX_CLOSE);
}

/** Payload order: priority, then id by code units, so that stable sections come first. */
function byPriorityThenId(left: CollectedSection, right: CollectedSection): number {
  const priority = PRIORITIES.indexOf(left.priority) - PRIORITIES.indexOf(right.priority);
  return priority || (left.id < right.id ? -1 : left.id > right.id ? 1 : 0);
}

/** What is known of the sections before any of it is measured. */
interface ScoredReport {
  /** In the order of the payload. */
  readonly sections: readonly ScoredSection[];
  readonly problems: readonly Problem[];
}

/** Routes and scores what was collected. */
export function scoreReport(request: ReportRequest): ScoredReport {
  const routes = [...request.sections].sort(byPriorityThenId).map(routeSection);
  return {
    sections: scoreSections(
      routes.map(({ routed }) => routed),
      request,
    ),
    problems: [...request.problems, ...routes.flatMap(({ problem }) => (problem ? [problem] : []))],
  };
}

/**
 * Fits and renders both payloads of sections that are masked, or are not to be. `map` is the ranked map within the
 * profile's `mapTokens`; while it is undefined or the index is not ready, map sections are pending. Pass the same
 * `LineTokenCounter` again and again: then only changed lines are counted. Deterministic; linear in the sections' text.
 */
export function fitReport(
  request: ReportRequest,
  { sections, problems }: ScoredReport,
  map: RankedMap | undefined,
  tokenizer: Tokenizer,
): ContextReport {
  const context: FactsContext = {
    counter: LineTokenCounter.over(tokenizer),
    escapeTags: createEscape(sections.map(({ section }) => section.id)),
    map: request.isIndexReady ? map : undefined,
    mapTokens: request.profile.mapTokens,
    isEstimate: request.isEstimate ?? false,
  };
  const facts: readonly MeasuredSection[] = sections.map((scored) => readFacts(scored, context));
  return {
    profile: request.profile.name,
    payloads: {
      index: buildPayload('index', facts, request.profile, context),
      expanded: buildPayload('expanded', facts, request.profile, context),
    },
    problems,
  };
}

/** The snapshot of what is not masked: for texts that have no secrets, and for who asked for them. */
export function buildReport(request: ReportRequest, map: RankedMap | undefined, tokenizer: Tokenizer): ContextReport {
  return fitReport(request, scoreReport(request), map, tokenizer);
}
