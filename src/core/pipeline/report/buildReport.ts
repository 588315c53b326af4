/**
 * The pipeline: route → score → mask → fit → render, from what the host collected to the one snapshot that everything shows
 * (DESIGN §3). It decides the order of the stages and gathers their results; each stage decides for itself.
 */

import { agentName } from '../../agents/agentTable';
import { budgetStatus, measuredTokenCap } from '../../config/profile';
import type { AgentId } from '../../model/agent';
import type { ObservationRow } from '../../model/observation';
import type { Profile } from '../../model/profile';
import type {
  AgentShare,
  ContextReport,
  LeftOutSections,
  PayloadReport,
  ReportRequest,
  ReportSection,
  SecretFinding,
} from '../../model/report';
import { type CollectedSection, type PayloadMode, WORST_FIRST } from '../../model/section';
import type { Tokenizer } from '../../ports/ports';
import { renderElement } from '../../render/element';
import { buildNotes, type OverFacts, renderNotes } from '../../render/notes';
import type { RankedMap } from '../../repomap/facts/types';
import { createEscape, INDEX_ELEMENT } from '../../text/elements';
import { hashText } from '../../text/hash';
import { plural } from '../../text/numbers';
import { inEnglish } from '../../text/phrase';
import { toSentence } from '../../text/sentence';
import { addSizes, LineTokenCounter, NO_SIZE, type Size } from '../../tokens/lines';
import { byPriorityThenId } from '../collect/discover';
import type { NoteState } from '../fit/choose';
import { createCutter } from '../fit/cuts';
import { type ChosenSection, downgradesOf, type Fitted, fitSections } from '../fit/fit';
import { type FitContext, type MeasuredSection, measureSection } from '../fit/measuredSection';
import { fileCount } from '../fit/partReasons';
import {
  capOf,
  expandedForms,
  indexForms,
  rowLimits,
  type SectionForms,
  type SectionVariant,
  shownOf,
} from '../fit/sectionForms';
import { isNotScanned } from '../mask/maskSections';
import { defaultPriorities } from '../route/defaultPriorities';
import { routeSection, type ScoredSection } from '../route/route';
import { isThinned, scoreSections, unthinned } from '../score/score';

const INDEX_OPEN = `<${INDEX_ELEMENT}>\n`;
const INDEX_CLOSE = `</${INDEX_ELEMENT}>\n`;

/** `P0` and `P1` against the cap they exceed, with the largest of them. */
function describeOver(
  sections: readonly MeasuredSection[],
  forms: readonly SectionForms[],
  { budgetTokens, hardCapChars }: Profile,
): OverFacts {
  const essential = sections.flatMap(({ section: { priority, title } }, at) =>
    priority === 'P0' || priority === 'P1'
      ? [{ title: toSentence(title, 60), size: forms[at]?.size(0) ?? NO_SIZE }]
      : [],
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

function leftOutOf(sections: readonly MeasuredSection[]): LeftOutSections {
  return { sections: sections.length, tokens: sections.reduce((sum, { full }) => sum + full.tokens, 0) };
}

/** What a payload is made of, whatever is granted. */
interface PayloadParts {
  readonly profile: Profile;
  readonly uncollected: ReportRequest['uncollected'] | undefined;
  readonly mode: PayloadMode;
  readonly sections: readonly MeasuredSection[];
  readonly forms: readonly SectionForms[];
  readonly map: RankedMap | undefined;
}

/** The notes of a state; the frame measures exactly what is rendered in the end. */
function notesOf(
  { notes, isPartial, isOver, gone, leftOut }: NoteState,
  { mode, sections, forms, profile, uncollected, map }: PayloadParts,
): readonly string[] {
  if (notes === 'none') return [];
  const away = sections.filter((_, at) => gone.has(at));
  const alarms = away.flatMap(({ id, status }) => (status === 'OK' ? [] : [id]));
  if (notes === 'alarms') return [plural(alarms.length, 'more alarm')];
  const hasMap = sections.some((section, at) => section.map !== undefined && !gone.has(at));
  return buildNotes({
    uncollected,
    unmatched: map?.isGeneral && hasMap ? [...(map.match?.known ?? []), ...(map.match?.unknown ?? [])] : undefined,
    leftOut: leftOutOf([...leftOut].flatMap((at) => sections[at] ?? [])),
    isIndexOnly: mode === 'index',
    hasObservations: sections.some(({ section }) => section.body.kind === 'observations'),
    isPartial,
    alarms,
    dropped: away.flatMap(({ id, status }) => (status === 'OK' ? [id] : [])),
    notRun: sections.flatMap(({ id, content, rule }) =>
      content.kind === 'notRun' && rule?.kind !== 'excluded' ? [{ id, reason: inEnglish(content.reason) }] : [],
    ),
    loadedByAgent: sections.flatMap(({ section: { title, loadedBy }, rule }) =>
      loadedBy && rule?.kind === 'loadedByAgent'
        ? [{ title: toSentence(title, 60), agent: loadedBy.agent, cutLine: loadedBy.cut?.line }]
        : [],
    ),
    over: isOver ? describeOver(sections, forms, profile) : undefined,
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

/** Of a folder its files: those that its element or its rows show. */
function entriesShown(measured: MeasuredSection, variant: SectionVariant): Pick<ReportSection, 'entries' | 'files'> {
  const { forms, section } = measured;
  const shown = shownOf(measured, variant);
  const { files = [] } = shown ?? {};
  if (section.body.kind === 'folder') return { entries: { shown: files.length, total: fileCount(measured) }, files };
  const total = forms?.shown(forms.count - 1).entries?.total;
  return { entries: total === undefined ? undefined : { shown: shown?.entries?.shown ?? 0, total } };
}

/** An untrusted repository that git does not read is no lack: its section says nothing of the context files. */
function isUnread({ body }: CollectedSection): boolean {
  return body.kind === 'failed' && body.failure.kind !== 'gitNotTrusted';
}

function toSection(
  { measured, variant, isLeftOut, words: { reason, explanation }, text }: ChosenSection,
  mode: PayloadMode,
): ReportSection {
  const { id, section, status, content, usage, relevance, summary, handle, full, byAgent, isPending } = measured;
  const stub = measured.counter.measure(renderElement(id, measured.stubLine));
  const { title, priority, source, path, isPinned, isExcluded } = section;
  const { disclosure, chars, tokens, cutter } = variant;
  const isPart = mode === 'expanded' && cutter?.kind === 'budget' && !isLeftOut && tokens < full.tokens;
  // A map is a choice of the best-ranked files, as many as there is room for.
  const isCut = isPart && measured.map === undefined;
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
    tokensStub: stub.tokens,
    ...(byAgent ? { agentTokens: byAgent.tokens } : {}),
    handle,
    text,
    source,
    path,
    ...entriesShown(measured, variant),
    isPinned,
    isExcluded,
    isNotRun: content.kind === 'notRun',
    ...(isNotScanned(section) ? { isNotScanned: true } : {}),
    ...(isUnread(section) ? { isUnread: true } : {}),
    isLeftOut,
    ...(isCut ? { isCut } : {}),
    isPending,
    citations: usage?.citations ?? 0,
    roi: usage?.return.roi ?? null,
    roiClass: usage?.return.roiClass ?? 'no data',
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

/** Without a task, a map takes at most this share of an index payload, or so many tokens where that is more. */
const MAP_SHARE = 1 / 3;
const MAP_SHARE_TOKENS = 500;

/** Fits sections into the index; without a task so that the map keeps to its share of what comes out. */
function fitIndex(
  sections: readonly MeasuredSection[],
  { hasTask }: FitContext,
  profile: Profile,
  fitForms: (sections: readonly MeasuredSection[], forms: readonly SectionForms[], plain: Fitted | undefined) => Fitted,
  plain: Fitted | undefined,
): Fitted {
  const limits = rowLimits(sections, profile.indexTokens);
  const fitWith = (map: number | undefined): Fitted =>
    fitForms(
      sections,
      sections.map((each, at) => indexForms(each, capOf(each, profile), { rows: limits[at] ?? 0, map })),
      plain,
    );
  let fitted = fitWith(undefined);
  // What the map gives up others may take: the share is of what they come to, and grows no more.
  while (!hasTask) {
    const all = fitted.sections.reduce((sum, { variant }) => sum + variant.tokens, 0);
    const map = fitted.sections.reduce((sum, { measured, variant }) => sum + (measured.map ? variant.tokens : 0), 0);
    const share = Math.max(MAP_SHARE_TOKENS, Math.floor((all - map) * (MAP_SHARE / (1 - MAP_SHARE))));
    if (map <= share) break;
    fitted = fitWith(share);
  }
  return fitted;
}

/** Fits and renders one of the two payloads. `plain`: the sections with nothing hidden by the scoring mode, where it hides something. */
function buildPayload(
  mode: PayloadMode,
  sections: readonly MeasuredSection[],
  plain: readonly MeasuredSection[] | undefined,
  request: ReportRequest,
  context: FitContext,
): PayloadReport {
  const { profile, uncollected } = request;
  const { counter, escapeTags, isEstimate, map: rankedMap } = context;
  const whole = { mode, profile, uncollected, map: rankedMap };
  const wrapper = mode === 'index' ? counter.measure(INDEX_OPEN + INDEX_CLOSE) : NO_SIZE;
  const fitForms = (
    given: readonly MeasuredSection[],
    forms: readonly SectionForms[],
    bounds: Fitted | undefined,
  ): Fitted => {
    const parts = { ...whole, sections: given, forms };
    const measureFrame = (state: NoteState): Size => {
      const notes = renderNotes(notesOf(state, parts), escapeTags);
      return addSizes(counter.measure(notes), state.isEmpty ? NO_SIZE : wrapper);
    };
    return fitSections(given, forms, profile, measureFrame, bounds);
  };
  const fitBoth = (given: readonly MeasuredSection[], bounds?: Fitted): Fitted => {
    if (mode === 'index') return fitIndex(given, context, profile, fitForms, bounds);
    const forms = given.map((each) => expandedForms(each, capOf(each, profile)));
    return fitForms(given, forms, bounds);
  };
  const fitted = fitBoth(sections, plain && fitBoth(plain));
  const notes = notesOf(fitted.state, { ...whole, sections, forms: fitted.forms });
  const text = renderText(fitted.sections, renderNotes(notes, escapeTags));
  const size = counter.measure(text);
  const map = fitted.sections.find(({ variant }) => variant.kind === 'map');
  const isExact = !isEstimate && !sections.some(({ isPending, rule }) => isPending && rule?.kind !== 'excluded');
  const suggestedTokens = isExact ? measuredTokenCap(size, profile, fitted.cuts) : undefined;
  return {
    mode,
    budget: {
      budgetTokens: profile.budgetTokens,
      tokens: size.tokens,
      tokenizer: counter.name,
      hardCapChars: profile.hardCapChars,
      chars: size.chars,
      status: budgetStatus(size, profile),
      downgradeApplied: downgradesOf(fitted.cuts),
      grants: fitted.grants,
      ...(suggestedTokens === undefined ? {} : { suggestedTokens }),
      isExact,
      ...(isEstimate ? { isEstimate } : {}),
      ...(profile.agent ? { agent: agentShare(profile.agent, sections) } : {}),
    },
    overheadTokens: size.tokens - fitted.sections.reduce((sum, { variant }) => sum + variant.tokens, 0),
    sections: fitted.sections.map((section) => toSection(section, mode)),
    leftOut: leftOutOf(fitted.sections.flatMap(({ isLeftOut, measured }) => (isLeftOut ? [measured] : []))),
    repoMap: map?.measured.map?.view(map.variant.form ?? 0),
    match: rankedMap?.match,
    observations: shownObservations(fitted.sections),
    notes,
    cuts: fitted.cuts,
    secrets: fitted.sections.flatMap(shownSecrets),
    text,
  };
}

/** Findings of secrets whose mask is shown, in an element or in a row of the index. */
function shownSecrets({ measured: { secrets = [] }, element, row }: ChosenSection): readonly SecretFinding[] {
  return secrets.flatMap(({ mask, ...finding }) => (element.includes(mask) || row.includes(mask) ? [finding] : []));
}

/** The newest rows, as many as are shown. */
function shownObservations(sections: readonly ChosenSection[]): readonly ObservationRow[] | undefined {
  for (const { measured, variant } of sections) {
    const { body } = measured.section;
    if (body.kind !== 'observations') continue;
    const { form } = variant;
    const shown = form === undefined ? undefined : measured.forms?.shown(form);
    // A single row is no list.
    return body.rows.slice(0, shown ? (shown.entries?.shown ?? body.rows.length) : 0);
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
  const query = (request.query ?? '').trim();
  const context: FitContext = {
    counter: LineTokenCounter.over(tokenizer),
    escapeTags: createEscape(scored.map(({ section }) => section.id)),
    cutText: createCutter(),
    map: isIndexReady ? map : undefined,
    mapTokens: profile.mapTokens,
    hasTask: query !== '' || map?.isOfChanges === true,
    rowLimit: profile.topK.index,
    caps: { tokens: profile.budgetTokens, chars: profile.hardCapChars },
    isEstimate,
  };
  const measure = (all: readonly ScoredSection[]): readonly MeasuredSection[] =>
    all.map((each) => context.counter.watching(each.section.id, () => measureSection(each, context)));
  const sections = measure(scored);
  const plain = scored.some(isThinned) ? measure(scored.map(unthinned)) : undefined;
  return {
    profile: profile.name,
    ...(query === '' ? {} : { queryHash: hashText(query) }),
    payloads: {
      index: buildPayload('index', sections, plain, request, context),
      expanded: buildPayload('expanded', sections, plain, request, context),
    },
    problems: [...request.problems, ...scored.flatMap(({ problem }) => problem ?? [])],
  };
}

/** The snapshot of what is not masked: for texts that have no secrets, and for who asked for them. */
export function buildReport(request: ReportRequest, map: RankedMap | undefined, tokenizer: Tokenizer): ContextReport {
  return fitReport(request, scoreReport(request, tokenizer), map, tokenizer);
}
