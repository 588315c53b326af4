/** Why a section is shown as it is (PANEL §8): a short reason for the row and a sentence that says what, why and how to get the rest. */

import type { LoadedByAgent } from '../../model/agent';
import type { SectionRelevance } from '../../model/relevance';
import type { Priority } from '../../model/section';
import { judgedCycles, MIN_CYCLES } from '../../model/usage';
import { bytesOf, charactersOf, tokensOf } from '../../text/counts';
import { NO_WORDS, type Phrase, phrase, sentences } from '../../text/phrase';
import type { Size } from '../../tokens/lines';
import { formatScore, formatThreshold } from '../score/trigger';
import type { MeasuredSection } from './measuredSection';
import { askFor, because, type VariantWords, wordsFileRows, wordsMap, wordsPart } from './partReasons';
import type { Cutter, SectionVariant } from './sectionForms';

/** What each priority of a payload got. */
export interface GrantFacts {
  /** Size that each priority with a section uses. */
  readonly used: ReadonlyMap<Priority, Size>;
  readonly caps: Size;
  /** Of the cap that binds. */
  readonly unit: keyof Size;
}

/** What the words of one section need to know of its payload. */
interface PayloadFacts extends GrantFacts {
  /** `P0` and `P1` alone exceed the caps. */
  readonly isOver: boolean;
  /** The budget leaves it one line, or nothing. */
  readonly isLeftOut: boolean;
  /** The section's next larger form, where the budget forbids it. */
  readonly next: Size | undefined;
  /** Its best files were granted with `P2`, for the task or the focus. */
  readonly isEarly: boolean;
}

/** The words of a variant. */
export function wordsOf(facts: MeasuredSection, variant: SectionVariant, payload: PayloadFacts): VariantWords {
  const words = variantWords(facts, variant, payload);
  const isGranted = variant.cutter?.kind === 'budget' && !payload.isOver;
  const isOneLine = payload.isLeftOut || variant.kind === 'sentence' || variant.kind === 'dropped';
  const { priority } = facts.section;
  return {
    reason: isGranted && !isOneLine ? withGrant(words.reason, priority, payload) : words.reason,
    explanation: sentences(
      isGranted && isOneLine ? phrase('{0} {1}.', words.explanation, grantOf(priority, payload)) : words.explanation,
      payload.isEarly ? phrase('Its files that fit the task or focus best are included with P2.') : NO_WORDS,
      isGranted ? nextWords(payload, variant) : NO_WORDS,
    ),
    dropped: words.dropped,
  };
}

function withGrant(shown: Phrase, priority: Priority, payload: PayloadFacts): Phrase {
  return phrase('{0}: {1}', shown, grantOf(priority, payload));
}

function grantOf(priority: Priority, { used, caps, unit }: PayloadFacts): Phrase {
  const got = used.get(priority)?.[unit] ?? 0;
  return unit === 'tokens'
    ? phrase('{0} got {1} of {2} tokens', priority, got, caps.tokens)
    : phrase('{0} got {1} of {2} characters', priority, got, caps.chars);
}

/** What would change it. */
function nextWords({ next, unit }: PayloadFacts, variant: SectionVariant): Phrase {
  if (!next) return NO_WORDS;
  return unit === 'tokens'
    ? phrase('The next longer version costs {0} instead of {1}.', tokensOf(next.tokens), variant.tokens)
    : phrase('The next longer version costs {0} instead of {1}.', charactersOf(next.chars), variant.chars);
}

function variantWords(facts: MeasuredSection, variant: SectionVariant, payload: PayloadFacts): VariantWords {
  const { kind, row, form = 0, cutter = CONFIG } = variant;
  if (payload.isLeftOut) return wordsLeftOut(facts, kind, payload.isOver);
  switch (kind) {
    case 'full':
      return row === undefined ? wordsFull(facts) : wordsRow(facts);
    case 'ownSentence':
      return wordsOwnSentence(facts, facts.full.tokens - variant.tokens);
    case 'part':
      if (variant.cutter) return wordsPart(facts, form, cutter);
      return row === undefined ? wordsFull(facts) : wordsRow(facts);
    case 'map':
      return wordsMap(facts, form, variant.cutter);
    case 'sentence':
      return wordsSentence(facts, cutter);
    case 'stub':
      return wordsStub(facts, cutter);
    case 'row':
      return variant.cutter ? wordsFileRows(facts, variant.rows ?? 0, variant.cutter) : wordsRow(facts);
    case 'dropped':
      return wordsDropped(facts, cutter);
    case 'absent':
      return wordsAbsent(facts);
  }
}

/** A content that says itself that it is not all has a rule of the config for it. */
const CONFIG: Cutter = { kind: 'config' };

/** `Last cited in cycle 512.`, as far as the window knows. Numbers of cycles are not grouped here. */
function lastCited({ usage }: MeasuredSection): Phrase {
  const cycle = usage?.lastCitedCycle;
  if (cycle !== undefined) return phrase('Last cited in cycle {0}.', String(cycle));
  const cycles = usage ? judgedCycles(usage) : 0;
  return cycles > 0 ? phrase('Not cited in the last {0} cycles.', String(cycles)) : phrase('Not cited yet.');
}

function isBelow({ score, threshold }: SectionRelevance): boolean {
  return score < threshold;
}

/** A row's reason for a section that mode `dynamic` shows; undefined where the score has no say. */
function keptReason({ mode, relevance, usage }: MeasuredSection): Phrase | undefined {
  if (mode !== 'dynamic' || !relevance?.hasEnoughData) return undefined;
  if (!isBelow(relevance)) return phrase('score {0}', formatScore(relevance.score));
  switch (relevance.exemption) {
    case 'cited':
      return phrase('cited in cycle {0}', String(usage?.lastCitedCycle ?? 0));
    case 'triggered':
      return phrase('matches the task');
    default:
      return undefined;
  }
}

/** A sentence on why mode `dynamic` shows a section; undefined where the score has no say. */
function whyKept({ mode, relevance, usage }: MeasuredSection): Phrase | undefined {
  if (mode !== 'dynamic' || !relevance) return undefined;
  const { exemption } = relevance;
  if (exemption === 'P0' || exemption === 'P1') return undefined;
  const [score, threshold] = [formatScore(relevance.score), formatThreshold(relevance.threshold)];
  if (!isBelow(relevance)) return phrase('Full text: its score of {0} reaches the threshold of {1}.', score, threshold);
  const below = phrase('its score of {0} is below the threshold of {1}', score, threshold);
  if (exemption === 'pinned') return phrase('Full text because it is pinned, although {0}.', below);
  if (exemption === 'cited') {
    const cycle = String(usage?.lastCitedCycle ?? 0);
    return phrase('Full text because it was cited in cycle {1}, although {0}.', below, cycle);
  }
  if (exemption === 'triggered') return phrase('Full text because it matches the task, although {0}.', below);
  if (!relevance.hasEnoughData)
    return phrase('Full text although {0}, because it has fewer than {1} cycles of data.', below, MIN_CYCLES);
  return undefined;
}

/** What a section is on its own account, before any cut. */
function ownReason(facts: MeasuredSection, fallback: Phrase): Phrase {
  const { section, content, status } = facts;
  if (content.kind === 'failed' || content.kind === 'notRun') return content.reason;
  if (section.note !== undefined) return section.note;
  if (section.isPinned) return phrase('pinned');
  if (content.kind === 'summary') return phrase('status {0}', status);
  return fallback;
}

function fullFallback(facts: MeasuredSection): Phrase {
  const { section } = facts;
  if (section.priority === 'P0') return phrase('always full');
  return keptReason(facts) ?? (section.priority === 'P1' ? phrase('always kept') : phrase('in full'));
}

function whyFull(facts: MeasuredSection): Phrase {
  const { section, content, status } = facts;
  if (content.kind === 'failed') return phrase('{0}: {1}', status, content.words);
  if (content.kind === 'folder') return phrase('Full text of every file that was read.');
  if (content.kind === 'summary')
    return status === 'OK'
      ? phrase('Full text: the source says only OK.')
      : phrase('Full text, because the source says {0}.', status);
  const kept = whyKept(facts);
  if (kept !== undefined) return kept;
  if (section.priority === 'P0') return phrase('Always full, because it is P0.');
  if (section.isPinned) return phrase('Always included, because it is pinned.');
  if (section.source.kind === 'builtin') return phrase('Full text.');
  return section.source.kind === 'command'
    ? phrase('Full text. The command printed no SUMMARY line.')
    : phrase('Full text. Add a SUMMARY line, or show it on demand.');
}

/** A section shown in full. */
function wordsFull(facts: MeasuredSection): VariantWords {
  return { reason: ownReason(facts, fullFallback(facts)), explanation: whyFull(facts), dropped: NO_WORDS };
}

/** An `OK` source's one sentence. */
function wordsOwnSentence(facts: MeasuredSection, missingTokens: number): VariantWords {
  return {
    reason: ownReason(facts, fullFallback(facts)),
    explanation: phrase(
      'Shown as one sentence: its source reports OK. {0} more: the agent can ask for {1}.',
      tokensOf(missingTokens),
      facts.handle,
    ),
    dropped: phrase('the detail'),
  };
}

/** One sentence and the handle. */
function wordsSentence(facts: MeasuredSection, cutter: Cutter): VariantWords {
  const why = phrase('One sentence, because {0} has no room for the rest.', because(cutter));
  return {
    reason: phrase('{0}; one line kept', ownReason(facts, phrase('status {0}', facts.status))),
    explanation: sentences(why, askFor(facts)),
    dropped: phrase('all but one sentence'),
  };
}

function whyStub(facts: MeasuredSection, cutter: Cutter): Phrase {
  switch (cutter.kind) {
    case 'config':
      return phrase('One line, because the config shows it on demand.');
    case 'static':
      return phrase('One line, because mode Rules shows {0} on demand.', facts.section.priority);
    case 'score':
      return phrase(
        'One line, because its score of {0} is below the threshold of {1}.',
        formatScore(cutter.score),
        formatThreshold(cutter.threshold),
      );
    case 'cap':
    case 'rows':
    case 'share':
    case 'budget':
      return phrase('One line, because {0} has no room for the text.', because(cutter));
  }
}

function stubReason(cutter: Cutter): Phrase {
  if (cutter.kind === 'cap') return phrase('limit of {0} tokens', cutter.tokens);
  if (cutter.kind === 'score')
    return phrase('score {0} < {1}', formatScore(cutter.score), formatThreshold(cutter.threshold));
  return phrase('on demand');
}

/** A one-line stub. */
function wordsStub(facts: MeasuredSection, cutter: Cutter): VariantWords {
  const cited = cutter.kind === 'score' ? lastCited(facts) : NO_WORDS;
  return {
    reason: stubReason(cutter),
    explanation: sentences(whyStub(facts, cutter), cited, askFor(facts)),
    dropped: phrase('the text'),
  };
}

/** The budget leaves one line of it (`kind`), or nothing. `isOver`: `P0` and `P1` alone exceed the caps. */
function wordsLeftOut(facts: MeasuredSection, kind: SectionVariant['kind'], isOver: boolean): VariantWords {
  const why = isOver
    ? phrase('Left out: P0 and P1 alone use the whole limit.')
    : phrase('Left out: the limit is used up.');
  return {
    reason: phrase('left out, over budget'),
    explanation: sentences(why, askFor(facts)),
    dropped: kind === 'dropped' ? phrase('the whole section') : phrase('the text'),
  };
}

/** A section whose one line had no room, though a rule or its source's cap left it no more. */
function wordsDropped(facts: MeasuredSection, cutter: Cutter): VariantWords {
  const ask = phrase('The agent can still ask for {0} ({1}).', facts.handle, tokensOf(facts.full.tokens));
  return {
    reason: phrase('left out'),
    explanation: sentences(phrase('Left out: not even one line fits {0}.', because(cutter)), ask),
    dropped: phrase('the whole section'),
  };
}

/** A row of the index-only payload. */
function wordsRow(facts: MeasuredSection): VariantWords {
  return {
    reason: ownReason(facts, phrase('index line')),
    explanation: sentences(phrase('One line, because this is the index payload.'), askFor(facts)),
    dropped: phrase('the text'),
  };
}

function wordsLoadedByAgent(facts: MeasuredSection, { agent, cut }: LoadedByAgent): VariantWords {
  const why = phrase(
    'Left out of the payload, because {0} loads it itself ({1}).',
    agent,
    tokensOf(facts.byAgent?.tokens ?? 0),
  );
  const lost = cut ? phrase('It stops at line {0}: {1} are never read.', cut.line, bytesOf(cut.bytesLost)) : NO_WORDS;
  return {
    reason: phrase('loaded by {0}', agent),
    explanation: sentences(why, lost, cut ? askFor(facts) : NO_WORDS),
    dropped: NO_WORDS,
  };
}

/** A section that is absent without being cut: excluded, loaded by the agent, not run, empty, not counted yet. */
function wordsAbsent(facts: MeasuredSection): VariantWords {
  const { section, content } = facts;
  if (section.isExcluded)
    return {
      reason: phrase('excluded'),
      explanation: phrase('Left out of every payload, because you excluded it.'),
      dropped: phrase('the whole section'),
    };
  if (section.loadedBy && !facts.isPending) return wordsLoadedByAgent(facts, section.loadedBy);
  const dropped = NO_WORDS;
  if (facts.isPending) {
    const explanation = phrase('Not counted yet.');
    return { reason: phrase('counting'), explanation, dropped };
  }
  if (content.kind === 'notRun') return { reason: content.reason, explanation: content.words, dropped };
  return { reason: phrase('empty'), explanation: phrase('Left out, because it is empty.'), dropped };
}
