/** The words of forms (PANEL §8): a short reason for the row and a sentence that says what, why and how to get the rest. */

import type { LoadedByAgent } from '../agents/markLoaded';
import { formatScore, formatThreshold } from '../relevance/scoreText';
import { formatCount, plural } from '../report/words';
import type { FormWords } from './form';
import { mapShare } from './mapTable';
import { keptReason, lastCited, whyKept } from './scoreWords';
import type { SectionFacts } from './sectionFacts';

/** Who made a section smaller; decides the "because" of its explanation. */
export type Cutter =
  | { readonly kind: 'config' }
  /** Mode `static`. */
  | { readonly kind: 'static' }
  /** Mode `dynamic`: the section scores too little. */
  | { readonly kind: 'score'; readonly score: number; readonly threshold: number }
  | { readonly kind: 'cap'; readonly tokens: number }
  | { readonly kind: 'budget' };

function because(cutter: Cutter): string {
  switch (cutter.kind) {
    case 'config':
      return 'the config';
    case 'static':
      return 'mode static';
    case 'score':
      return 'its score';
    case 'cap':
      return `max_per_source_tokens (${formatCount(cutter.tokens)})`;
    case 'budget':
      return 'the budget';
  }
}

function askFor(facts: SectionFacts): string {
  return `The agent can ask for ${facts.handle} (${plural(facts.full.tokens, 'token')}).`;
}

function hasSummary(facts: SectionFacts): boolean {
  return facts.scored.content.kind === 'summary';
}

/** What a section is on its own account, before any cut. */
function ownReason(facts: SectionFacts, fallback: string): string {
  const { section, content, status } = facts.scored;
  if (content.kind === 'failed' || content.kind === 'notRun') return content.reason;
  if (section.note !== undefined) return section.note;
  if (section.isPinned) return 'pinned';
  if (hasSummary(facts)) return `status ${status}`;
  return fallback;
}

function fullFallback(facts: SectionFacts): string {
  const { section, mode, relevance } = facts.scored;
  if (section.priority === 'P0') return 'never cut';
  const kept = mode === 'dynamic' ? keptReason(relevance, facts) : undefined;
  return kept ?? (section.priority === 'P1' ? 'never removed' : 'in full');
}

function whyFull(facts: SectionFacts): string {
  const { section, content, status } = facts.scored;
  if (content.kind === 'failed')
    return `${status}: ${content.sentence}${content.detail === '' ? '' : ` ${content.detail}`}`;
  if (content.kind === 'summary')
    return status === 'OK'
      ? 'In full, because the source says OK and nothing more.'
      : `In full, because the source says ${status}.`;
  const kept = facts.scored.mode === 'dynamic' ? whyKept(facts.scored.relevance, facts) : undefined;
  if (kept !== undefined) return kept;
  if (section.source.kind === 'builtin') return 'In full, as the built-in source gives it.';
  const source = section.source.kind === 'command' ? 'the command printed' : 'the file has';
  return `In full, because ${source} no SUMMARY line.`;
}

/** A section shown in full. */
export function wordsFull(facts: SectionFacts): FormWords {
  return { reason: ownReason(facts, fullFallback(facts)), explanation: whyFull(facts), dropped: '' };
}

/** An `OK` source's one sentence. */
export function wordsOwnSentence(facts: SectionFacts, missingTokens: number): FormWords {
  return {
    reason: ownReason(facts, fullFallback(facts)),
    explanation:
      `Summary, because the source says OK. ` +
      `The detail (${plural(missingTokens, 'token')}) stays one call away as ${facts.handle}.`,
    dropped: 'the detail',
  };
}

/** The newest (or first) `shown` entries of a list. */
export function wordsEntries(facts: SectionFacts, shown: number, cutter: Cutter): FormWords {
  const total = facts.entries?.total ?? shown;
  const missing = total - shown;
  const which = facts.entries?.isByAge === false ? 'first' : 'newest';
  const range = `${which} ${formatCount(shown)} of ${formatCount(total)}`;
  const tokens = plural(facts.entries?.missingTokens(shown) ?? 0, 'token');
  return {
    reason: range,
    explanation:
      `Summary, because ${because(cutter)} keeps the ${range} entries. ` +
      `The other ${formatCount(missing)} (${tokens}) ${missing === 1 ? 'stays' : 'stay'} one call away as ${facts.handle}.`,
    dropped: `${formatCount(missing)} of ${formatCount(total)} entries`,
  };
}

/** The best-ranked `shown` items of the map; `cutter` is undefined for the map's own budget. */
export function wordsMap(facts: SectionFacts, shown: number, cutter: Cutter | undefined): FormWords {
  const view = facts.map?.render(shown).view;
  const share = view ? mapShare(view) : '';
  const isWhole = view !== undefined && view.filesShown === view.filesTotal && cutter === undefined;
  const why = cutter === undefined ? 'the map has a budget of its own' : `${because(cutter)} has no room for more`;
  const fullView = facts.map?.render(facts.map.size).view;
  const lost = (fullView?.filesShown ?? 0) - (view?.filesShown ?? 0);
  return {
    reason: share,
    explanation: isWhole
      ? `In full: the map shows every one of ${plural(view.filesTotal, 'file')}.`
      : `Summary, because ${why}: the best-ranked ${share}. Each symbol's handle gives its source.`,
    dropped:
      lost > 0 ? `${formatCount(lost)} of ${plural(fullView?.filesShown ?? 0, 'file')}` : 'the lowest-ranked symbols',
  };
}

/** One sentence and the handle. */
export function wordsSentence(facts: SectionFacts, cutter: Cutter): FormWords {
  return {
    reason: 'one sentence',
    explanation: `One sentence, because ${because(cutter)} has no room for the rest. ${askFor(facts)}`,
    dropped: 'all but one sentence',
  };
}

function whyStub(facts: SectionFacts, cutter: Cutter): string {
  switch (cutter.kind) {
    case 'config':
      return 'the config shows it on demand';
    case 'static':
      return `mode static shows ${facts.scored.section.priority} on demand`;
    case 'score':
      return `its score of ${formatScore(cutter.score)} is below the threshold of ${formatThreshold(cutter.threshold)}`;
    case 'cap':
    case 'budget':
      return `${because(cutter)} has no room for the text`;
  }
}

function stubReason(cutter: Cutter): string {
  if (cutter.kind === 'cap') return `cap ${formatCount(cutter.tokens)} tokens`;
  if (cutter.kind === 'score') return `score ${formatScore(cutter.score)} < ${formatThreshold(cutter.threshold)}`;
  return 'on demand';
}

/** A one-line stub. */
export function wordsStub(facts: SectionFacts, cutter: Cutter): FormWords {
  const cited = cutter.kind === 'score' ? `${lastCited(facts)} ` : '';
  return {
    reason: stubReason(cutter),
    explanation: `Stub, because ${whyStub(facts, cutter)}. ${cited}${askFor(facts)}`,
    dropped: 'the text',
  };
}

const TURN: Readonly<Record<string, string>> = { P4: 'P4 is cut first', P3: 'P3 is cut second', P2: 'P2 is cut last' };

/** A section the ladder took away. `isOver`: `P0` and `P1` alone exceed the caps. */
export function wordsDropped(facts: SectionFacts, cutter: Cutter, isOver: boolean): FormWords {
  const turn = TURN[facts.scored.section.priority] ?? '';
  const why =
    cutter.kind === 'cap'
      ? `not even one line fits ${because(cutter)}`
      : isOver
        ? 'P0 and P1 alone use the whole budget'
        : `the budget is used up and ${turn}`;
  return {
    reason: 'dropped',
    explanation: `Dropped, because ${why}. The agent can still ask for ${facts.handle} (${plural(facts.full.tokens, 'token')}).`,
    dropped: 'the whole section',
  };
}

/** A row of the index-only payload. */
export function wordsRow(facts: SectionFacts): FormWords {
  return {
    reason: ownReason(facts, 'one row'),
    explanation: `One row, because the payload is index-only. ${askFor(facts)}`,
    dropped: 'the text',
  };
}

function wordsLoadedByAgent(facts: SectionFacts, { agent, cut }: LoadedByAgent): FormWords {
  const tokens = plural(facts.byAgent?.tokens ?? 0, 'token');
  const lost = cut
    ? ` It reads no further than line ${formatCount(cut.line)}: ${plural(cut.bytesLost, 'byte')} are lost, here too. ${askFor(facts)}`
    : '';
  return {
    reason: `loaded by ${agent}`,
    explanation: `Left out of the payload, because ${agent} loads it by itself (${tokens}).${lost}`,
    dropped: '',
  };
}

/** A section that is absent without being cut: excluded, loaded by the agent, not run, empty, not counted yet. */
export function wordsAbsent(facts: SectionFacts): FormWords {
  const { section, content } = facts.scored;
  if (section.isExcluded)
    return {
      reason: 'excluded',
      explanation: 'Left out of every payload, because you excluded it.',
      dropped: 'the whole section',
    };
  if (section.loadedBy && !facts.isPending) return wordsLoadedByAgent(facts, section.loadedBy);
  if (facts.isPending)
    return { reason: 'counting', explanation: 'Not counted yet; it appears as soon as it is.', dropped: '' };
  if (content.kind === 'notRun') return { reason: content.reason, explanation: content.sentence, dropped: '' };
  return { reason: 'empty', explanation: 'Left out, because there is nothing in it.', dropped: '' };
}
