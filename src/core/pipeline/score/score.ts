/**
 * Scoring: gives each section its score and decides, by the mode, what follows from it before any budget: which sections
 * are stubs, which lists keep their newest entries, and whether the fit sees scores. The config's and the user's fixed
 * rules (excluded, on demand, newest N) hold in every mode. It does not decide what the budget takes away.
 *
 * `off`: no scores. `baseline`: scores are measured and shown, and change no byte of a payload. `static`: as baseline,
 * plus `scoring.static_rules`. `dynamic`: sections below the threshold are stubs, and what remains of a priority's
 * room goes to the best score first.
 */

import type { ScoringConfig, SectionRelevance } from '../../model/relevance';
import type { GivenDisclosures, ReportRequest } from '../../model/report';
import type { CollectedSection } from '../../model/section';
import { MIN_CYCLES, NO_USAGE, type SectionUsage } from '../../model/usage';
import { charactersOf, cyclesOf } from '../../text/counts';
import { type Phrase, phrase } from '../../text/phrase';
import type { ScoredSection, SectionRule, StubRule } from '../route/route';
import {
  type CitationFacts,
  citationFactor,
  evidenceOf,
  type FactorValues,
  hasEnoughData,
  NEUTRAL,
  NO_EVIDENCE,
  recencyFactor,
  scaleWeights,
  sizeFactor,
  weigh,
} from './factors';
import { rankFiles } from './rankFiles';
import { matchTrigger, STRONG_MATCH, type TriggerMatch, type TriggerSubject } from './trigger';
import { exemptionOf, verdictOf } from './usageTrace';

// The facts behind a factor's value, in words: for `budget --explain` and the panel.

/** Words of a match that are named; the others are counted. */
const MAX_WORDS = 4;

/** `cited in 12 of 50 cycles`, or how much history is missing. `loaded`: cycles that had it, with or without citations. */
function whyCitation(facts: CitationFacts, loaded: number): Phrase {
  if (hasEnoughData(facts)) {
    const { citedCycles, loaded: counted } = facts;
    // Cycles without any citation do not count, which must be said where there are some.
    return counted < loaded
      ? phrase('cited in {0} of {1} with citations', citedCycles, cyclesOf(counted))
      : phrase('cited in {0} of {1}', citedCycles, cyclesOf(counted));
  }
  const have = Math.min(facts.othersCited, MIN_CYCLES);
  return loaded > 0
    ? phrase('not enough data: {0} of {1} that cited other sections', have, cyclesOf(MIN_CYCLES))
    : phrase('not enough data: {0} of {1}', have, cyclesOf(MIN_CYCLES));
}

/** When it was cited last; `cycles`: in the window. */
function whyRecency(cycles: number, lastCitedCycle: number | undefined, cyclesSinceCited: number | undefined): Phrase {
  if (cyclesSinceCited === undefined)
    return cycles > 0 ? phrase('not cited in the last {0}', cyclesOf(cycles)) : phrase('no history yet');
  const age = cyclesSinceCited === 0 ? phrase('the newest') : phrase('{0} ago', cyclesOf(cyclesSinceCited));
  return lastCitedCycle === undefined
    ? phrase('last cited: {0}', age)
    : phrase('last cited in cycle {0}, {1}', String(lastCitedCycle), age);
}

/** What of the task was found. `said`: there is a task or trigger that sections were matched against. */
function whyTrigger(said: boolean, match: TriggerMatch | undefined): Phrase {
  if (!match) return said ? phrase('no section has words of the task') : phrase('no task to match');
  const { words } = match;
  if (words.length === 0) return phrase('no words of the task');
  const named = words.slice(0, MAX_WORDS).join(', ');
  const rest = words.length - MAX_WORDS;
  if (rest <= 0) return phrase('matches {0}', named);
  return phrase(rest === 1 ? 'matches {0} and {1} other word' : 'matches {0} and {1} other words', named, rest);
}

/** What it costs. */
function whySize(chars: number | undefined): Phrase {
  return chars === undefined ? phrase('has its own limit') : charactersOf(chars);
}

/** What scores are made of, besides the sections. Mode `off` without `scoring`. */
export type ScoreInputs = Pick<ReportRequest, 'scoring' | 'usage' | 'query' | 'trigger' | 'given'> &
  Partial<Pick<ReportRequest, 'focusPaths'>>;

/** What callers that record a use say for themselves: tells nothing of what the work is about. */
const OWN_TRIGGERS: ReadonlySet<string> = new Set(['copy', 'tool', 'cite', 'transcript']);

/** There is a text that a stub could stand for, and nothing forbids one. Of `P1` only the config's own rules make one. */
function mayBeStub({ section, status, content }: ScoredSection): boolean {
  const isThere = content.kind !== 'notRun' && content.kind !== 'pending' && !section.isExcluded && !section.loadedBy;
  return isThere && section.priority !== 'P0' && !section.isPinned && status === 'OK';
}

/** Sections of conversations, by their names: `recent_conversations`, `memory/chats/*.md`. */
const CONVERSATIONS = /(?<![a-z])(?:conversations?|chats?|dialogs?|dialogues?|transcripts?)(?![a-z])/i;

function isConversations({ id, source }: CollectedSection): boolean {
  const place = source.kind === 'file' ? source.path : source.kind === 'files' ? source.pattern : '';
  return CONVERSATIONS.test(id) || CONVERSATIONS.test(place);
}

function ruleOf(
  routed: ScoredSection,
  scoring: ScoringConfig | undefined,
  usage: SectionUsage | undefined,
): SectionRule | undefined {
  const { section, content } = routed;
  if (section.isExcluded) return { kind: 'excluded' };
  if (section.loadedBy) return { kind: 'loadedByAgent' };
  if (content.kind === 'notRun' || content.kind === 'pending') return undefined;
  // What was cited is worth its place, however old it is.
  const cited =
    scoring?.mode === 'static' && usage && usage.citedEntries.length > 0 ? { cited: usage.citedEntries } : {};
  if (section.keepRecent !== undefined) return { kind: 'keepNewest', count: section.keepRecent, ...cited };
  if (scoring?.mode !== 'static' || !mayBeStub(routed)) return undefined;
  const { keepRecent, conversations } = scoring.staticRules;
  return { kind: 'keepNewestByAge', count: isConversations(section) ? conversations : keepRecent, ...cited };
}

function stubOf(
  routed: ScoredSection,
  scoring: ScoringConfig | undefined,
  relevance: SectionRelevance | undefined,
): StubRule | undefined {
  if (!mayBeStub(routed)) return undefined;
  const { section } = routed;
  if (section.onDemand) return { kind: 'config' };
  if (section.priority === 'P1') return undefined;
  if (scoring?.mode === 'static' && scoring.staticRules.onDemand.includes(section.priority)) return { kind: 'static' };
  return scoring?.mode === 'dynamic' && relevance?.verdict === 'stub'
    ? { kind: 'score', score: relevance.score, threshold: relevance.threshold }
    : undefined;
}

/** The score as it was acted on when the payload was given: the cycle itself has changed the history since. */
function asGiven(
  routed: ScoredSection,
  relevance: SectionRelevance | undefined,
  given: GivenDisclosures | undefined,
): SectionRelevance | undefined {
  const { id } = routed.section;
  if (!relevance || !given) return relevance;
  if (given.shown.includes(id)) return { ...relevance, verdict: 'kept' };
  return given.stubs.includes(id) && mayBeStub(routed) ? { ...relevance, verdict: 'stub' } : relevance;
}

/** Whether the scoring mode shows less of the section than the config's own rules do. */
export function isThinned({ rule, stub }: ScoredSection): boolean {
  return rule?.kind === 'keepNewestByAge' || stub?.kind === 'static' || stub?.kind === 'score';
}

/** The section with its score, and nothing hidden by the mode: only the config's own rules hold. */
export function unthinned(scored: ScoredSection): ScoredSection {
  const { rule, stub } = scored;
  return {
    ...scored,
    rule: rule?.kind === 'keepNewestByAge' ? undefined : rule,
    stub: stub?.kind === 'config' ? stub : undefined,
  };
}

/** Characters that the content brings into a payload; undefined where that is not known before the budget. */
function shownChars({ section: { body }, content, status }: ScoredSection): number | undefined {
  const { kind, sentence, detail } = content;
  if (body.kind === 'folder') return body.files.reduce((sum, { text }) => sum + text.length, 0);
  if (kind === 'repoMap' || kind === 'pending') return undefined;
  return sentence.length + (kind === 'legacy' || status !== 'OK' ? detail.length : 0);
}

function subjectOf({ section, content: { kind, sentence, detail } }: ScoredSection): TriggerSubject {
  const spoken = kind === 'notRun' ? '' : `${sentence}\n${detail}`;
  const { id, title, path, keywords, body } = section;
  // A folder is about what its files are about.
  const files = body.kind === 'folder' ? body.files.map((file) => `${file.title} ${file.keywords.join(' ')}`) : [];
  return { id, title, path, keywords, text: kind === 'legacy' ? detail : `${spoken}${files.join('\n')}` };
}

/** What the log says of a section. */
interface History {
  readonly usage: SectionUsage | undefined;
  readonly evidence: CitationFacts;
  /** In the window. */
  readonly cycles: number;
}

function relevanceOf(
  routed: ScoredSection,
  scoring: ScoringConfig,
  { usage, evidence, cycles }: History,
  match: TriggerMatch | undefined,
  hasSaid: boolean,
): SectionRelevance {
  const { section, status, content } = routed;
  const isEnough = hasEnoughData(evidence);
  const cyclesSinceCited = usage?.cyclesSinceCited;
  const chars = shownChars(routed);
  const values: FactorValues = {
    citation: citationFactor(evidence),
    trigger: match?.value ?? NEUTRAL,
    recency: recencyFactor(cyclesSinceCited, isEnough),
    size: sizeFactor(chars),
  };
  const weights = scaleWeights(scoring.weights);
  const why = {
    citation: whyCitation(evidence, usage?.loaded ?? 0),
    trigger: content.kind === 'repoMap' ? phrase('already ranked for the task') : whyTrigger(hasSaid, match),
    recency: whyRecency(cycles, usage?.lastCitedCycle, cyclesSinceCited),
    size: whySize(chars),
  };
  const isTriggered = match !== undefined && match.value >= STRONG_MATCH;
  const { priority, isPinned } = section;
  const judged = {
    score: weigh(values, weights),
    threshold: scoring.threshold,
    hasEnoughData: isEnough,
    exemption: exemptionOf({ priority, isPinned, status, cyclesSinceCited, isTriggered }),
  };
  const factors = (['citation', 'trigger', 'recency', 'size'] as const).map((name) => {
    return { name, value: values[name], weight: weights[name], why: why[name] };
  });
  const verdict = mayBeStub(routed) ? verdictOf(judged) : 'kept';
  return { ...judged, factors, verdict };
}

/** What was said, without what callers say for themselves. */
function saidBy({ query = '', trigger = '' }: ScoreInputs): string {
  return [query, OWN_TRIGGERS.has(trigger.trim()) ? '' : trigger].filter((text) => text.trim() !== '').join('\n');
}

/** Matches the sections that have a text; `undefined` for the others, and where nothing was said that any of them has. */
function matchesOf(routed: readonly ScoredSection[], said: string): ReadonlyMap<ScoredSection, TriggerMatch> {
  const readable = routed.filter(({ content }) => content.kind !== 'repoMap' && content.kind !== 'pending');
  const matches = said === '' ? undefined : matchTrigger(said, readable.map(subjectOf));
  return new Map(
    readable.flatMap((each, at) => {
      const match = matches?.[at];
      return match ? [[each, match] as const] : [];
    }),
  );
}

/** Folders with their files in order, ranked together, so that the best three files of all of them are known. */
function rankFolders(routed: readonly ScoredSection[], said: string, focusPaths: readonly string[]) {
  const isOpen = ({ section: { isExcluded, onDemand } }: ScoredSection): boolean => !isExcluded && !onDemand;
  const filesOf = (sections: readonly ScoredSection[]) =>
    new Set(sections.flatMap(({ section: { body } }) => (body.kind === 'folder' ? body.files : [])));
  const open = filesOf(routed.filter(isOpen));
  const others = [...filesOf(routed)].filter((file) => !open.has(file));
  const query = { task: said, focusPaths };
  const { files, early } = rankFiles([...open], query);
  const ranked = [...files, ...rankFiles(others, query).files];
  const places = new Map(ranked.map((file, place) => [file, place]));
  return routed.map((each) => {
    const { body } = each.section;
    if (body.kind !== 'folder') return each;
    const own = body.files.toSorted((a, b) => (places.get(a) ?? 0) - (places.get(b) ?? 0));
    const first = own.filter((file) => (places.get(file) ?? early) < early).length;
    const section = { ...each.section, body: { ...body, files: own } };
    const ownPlaces = own.map((file) => places.get(file) ?? 0);
    return { ...each, section, places: ownPlaces, ...(first > 0 && isOpen(each) ? { early: first } : {}) };
  });
}

/**
 * Adds scores, history, rules and the order of folders' files; keeps order and number of sections. Without `inputs.scoring` nothing is scored. Deterministic;
 * cost: the words of what was said times the sections' texts.
 */
export function scoreSections(unranked: readonly ScoredSection[], inputs: ScoreInputs): readonly ScoredSection[] {
  const { usage = NO_USAGE, focusPaths = [], given } = inputs;
  const scoring = inputs.scoring && given ? { ...inputs.scoring, mode: given.mode } : inputs.scoring;
  const mode = scoring?.mode ?? 'off';
  const evidence = evidenceOf(usage);
  const cycles = usage.cycles.length;
  const histories = new Map(usage.sections.map((each) => [each.id, each]));
  const said = saidBy(inputs);
  const routed = rankFolders(unranked, said, focusPaths);
  const matches: ReadonlyMap<ScoredSection, TriggerMatch> = mode === 'off' ? new Map() : matchesOf(routed, said);
  return routed.map((each) => {
    const { id } = each.section;
    const history = histories.get(id);
    const known = { usage: history, evidence: evidence.get(id) ?? NO_EVIDENCE, cycles };
    const judged =
      scoring && mode !== 'off' ? relevanceOf(each, scoring, known, matches.get(each), said !== '') : undefined;
    const relevance = asGiven(each, judged, given);
    return {
      ...each,
      mode,
      relevance,
      usage: history,
      rule: ruleOf(each, scoring, history),
      stub: stubOf(each, scoring, relevance),
    };
  });
}
