/**
 * The one thing to change first (PANEL §1): at most one recommendation, from what is known of the shown payload, the usage
 * log and the user's agents. It computes no size of its own; `CANDIDATES` has one function a kind.
 */
import type { AgentCoverage } from '../../agents/agentCoverage';
import type { ConfigChange } from '../../config/configEdit';
import type { AgentId } from '../../model/agent';
import type { Problem } from '../../model/problem';
import type { ScoringMode } from '../../model/relevance';
import type { PayloadReport, ReportSection } from '../../model/report';
import { MIN_CYCLES } from '../../model/usage';
import { tokensOf } from '../../text/counts';
import { formatThousands } from '../../text/numbers';
import { asGiven, type Phrase, phrase } from '../../text/phrase';
import { isEssential } from '../fit/grants';

export interface Finding {
  readonly kind: 'save' | 'mode' | 'leftOut' | 'large' | 'agentCut' | 'agents' | 'masked';
  /** Kind and subject; stable over reports. */
  readonly key: string;
  /** Tokens of one payload that the change frees or brings back; 0 where that is not what it is about. */
  readonly gain: number;
  readonly title: Phrase;
  readonly evidence: Phrase;
  readonly review:
    | { readonly show: 'leftOut' }
    | { readonly sectionIds: readonly string[] }
    | { readonly part: 'agents' }
    | undefined;
  /** Undefined where nothing can be done by one change. `change` is undefined where the user is to choose agents. */
  readonly action: { readonly label: Phrase; readonly change: ConfigChange | undefined } | undefined;
}

/** What a mode or threshold would have done to recorded cycles. Tokens are means of a cycle. */
interface SimulatedEffect {
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  readonly citationsTotal: number;
  readonly citationsKept: number;
  /** Ids of sections that would be stubs. */
  readonly stubbed: readonly string[];
}

interface Simulation {
  readonly cycles: number;
  /** A cycle's tokens in the present mode, where that is `static`. */
  readonly tokensNow?: number | undefined;
  readonly points: readonly (SimulatedEffect & { readonly threshold: number })[];
}

/** What is known. */
export interface FindingFacts {
  /** The one that is shown, exact. */
  readonly payload: Pick<PayloadReport, 'mode' | 'budget' | 'sections' | 'leftOut' | 'cuts' | 'secrets'>;
  readonly problems: readonly Problem[];
  readonly isTrusted: boolean;
  readonly scoring: { readonly mode: ScoringMode; readonly threshold: number };
  /** Mode `dynamic` over thresholds, ascending, the present one among them; undefined where too little is recorded. */
  readonly simulation: Simulation | undefined;
  /** The next scoring mode, against the present one; undefined where it is not due. */
  readonly offer:
    | { readonly mode: ScoringMode; readonly cycles: number; readonly effect: SimulatedEffect | undefined }
    | undefined;
  /** Undefined until the files were read. */
  readonly agents: readonly AgentCoverage[] | undefined;
  /** Agents that the user works with; empty where none is known. */
  readonly myAgents: readonly AgentId[];
}

/** Of a payload: what saves less is not worth a change. Of a file: a smaller cut is information. Of the limit. */
const [MIN_SHARE, MIN_CUT_SHARE, LARGE_SHARE] = [0.02, 0.01, 0.5];
/** Fewer citations in the log say nothing of what is never cited. */
const MIN_CITATIONS = 10;
/** Ten cycles to learn from, and ten that are judged by them. */
const MIN_SIMULATED_CYCLES = 2 * MIN_CYCLES;
/** Cycles that must have loaded a section before it counts as never used (PANEL, decision 4). */
const MIN_UNUSED_CYCLES = 50;
const BYTES_PER_TOKEN = 4;

/** In the order in which equal gains are taken. */
const CANDIDATES: readonly ((facts: FindingFacts) => Finding | undefined)[] = [
  ...[unusedSections, otherThreshold, nextMode, leftOutSections],
  ...[largeSection, agentCut, unknownAgents, maskedKeys],
];

/**
 * The recommendation with the largest gain; of equal ones the first of `CANDIDATES`. Undefined where nothing is gained,
 * and beside a message: a config error, a payload over its limit, command sections that Restricted Mode keeps from
 * running. In Restricted Mode no finding has a change.
 */
export function findingOf(facts: FindingFacts): Finding | undefined {
  if (hasMessage(facts)) return undefined;
  const [first] = CANDIDATES.flatMap((candidate) => candidate(facts) ?? []).sort((a, b) => b.gain - a.gain);
  return first?.action?.change && !facts.isTrusted ? { ...first, action: undefined } : first;
}

function hasMessage({ payload, problems, isTrusted }: FindingFacts): boolean {
  const { tokens, budgetTokens, chars, hardCapChars } = payload.budget;
  return (
    tokens > budgetTokens ||
    chars > hardCapChars ||
    problems.some(({ kind, severity }) => kind === 'config' && severity === 'error') ||
    (!isTrusted && payload.sections.some(({ isNotRun }) => isNotRun))
  );
}

/** Sections that no cycle cited become one line. Instructions (`P0`, `P1`) are followed, not cited. */
function unusedSections({ payload }: FindingFacts): Finding | undefined {
  const { mode, sections, budget } = payload;
  const citations = sections.reduce((sum, { usage }) => sum + (usage?.citations ?? 0), 0);
  if (mode !== 'expanded' || citations < MIN_CITATIONS) return undefined;
  const unused = sections.filter((section) => {
    const { loaded = 0, citations: own } = section.usage ?? {};
    const isUnused = own === 0 && loaded >= MIN_UNUSED_CYCLES && section.tokens > budget.tokens * MIN_SHARE;
    return isUnused && mayBeOnDemand(section);
  });
  const ids = unused.map(({ id }) => id);
  return saving(payload, {
    key: 'save:unused',
    gain: unused.reduce((sum, { tokens, tokensStub }) => sum + tokens - tokensStub, 0),
    tokens: budget.tokens,
    evidence: keptWords(citations, citations),
    review: { sectionIds: ids },
    change: { kind: 'all', changes: ids.map(onDemand) },
  });
}

/** Scores with the lowest threshold that loses no citation and saves, within a trifle, most. Not where scoring is off. */
function otherThreshold({ payload, scoring, simulation }: FindingFacts): Finding | undefined {
  const { points = [], cycles = 0, tokensNow } = simulation ?? {};
  const isDynamic = scoring.mode === 'dynamic';
  const now = points.find(({ threshold }) => threshold === scoring.threshold);
  if (scoring.mode === 'off' || cycles < MIN_SIMULATED_CYCLES || !now) return undefined;
  const tokens = tokensNow ?? (isDynamic ? now.tokensAfter : now.tokensBefore);
  const kept = points.filter(losesNothing);
  const least = Math.min(...kept.map(({ tokensAfter }) => tokensAfter)) + tokens * MIN_SHARE;
  const best = kept.find(({ tokensAfter }) => tokensAfter <= least);
  if (!best) return undefined;
  const { threshold, stubbed } = best;
  return saving(payload, {
    key: 'save:threshold',
    gain: tokens - best.tokensAfter,
    tokens,
    evidence: keptWords(best.citationsKept, best.citationsTotal),
    review: { sectionIds: isDynamic ? stubbed.filter((id) => !now.stubbed.includes(id)) : stubbed },
    change: {
      kind: 'scoring',
      ...(isDynamic ? {} : { mode: 'dynamic' }),
      ...(threshold === scoring.threshold ? {} : { threshold }),
    },
  });
}

/** `tokens`: of a payload as it is. */
type Saving = Pick<Finding, 'key' | 'gain' | 'evidence' | 'review'> & { tokens: number; change: ConfigChange };

/** Where the budget cut something, what is saved goes to other sections: the payload stays as large. */
function saving({ cuts }: FindingFacts['payload'], { change, tokens, ...saved }: Saving): Finding | undefined {
  const { gain } = saved;
  if (!isWorthwhile(gain, tokens)) return undefined;
  const title = cuts.some(({ by }) => by === 'budget')
    ? phrase('Free {0} tokens for other sections', gain)
    : phrase('Save {0} tokens (−{1}%)', gain, percent(gain, tokens));
  return { kind: 'save', ...saved, title, action: { label: phrase('Apply'), change } };
}

/** The next scoring mode, where it loses no citation. */
function nextMode({ payload, offer }: FindingFacts): Finding | undefined {
  if (!offer?.effect || !losesNothing(offer.effect)) return undefined;
  const { mode, cycles, effect } = offer;
  const gain = effect.tokensBefore - effect.tokensAfter;
  if (!isWorthwhile(gain, payload.budget.tokens)) return undefined;
  const label = mode === 'static' ? phrase('Switch to Rules') : phrase('Switch to Automatic');
  return {
    kind: 'mode',
    key: `mode:${mode}`,
    gain,
    title: phrase('{0}: save {1} tokens', label, gain),
    evidence: phrase('tested on {0} cycles', cycles),
    review: { sectionIds: effect.stubbed },
    action: { label, change: { kind: 'scoring', mode } },
  };
}

/** What has no room, and the section that takes most of the limit. At most that section's tokens can be won back. */
function leftOutSections({ payload }: FindingFacts): Finding | undefined {
  const { leftOut, sections, budget } = payload;
  const [largest] = sections.toSorted((a, b) => b.tokens - a.tokens || (a.id < b.id ? -1 : 1));
  if (leftOut.sections === 0 || !largest) return undefined;
  const tokens = formatThousands(leftOut.tokens);
  return {
    kind: 'leftOut',
    key: 'leftOut',
    gain: Math.min(leftOut.tokens, largest.tokens),
    title:
      leftOut.sections === 1
        ? phrase('1 section left out: {0} tokens', tokens)
        : phrase('{0} sections left out: {1} tokens', leftOut.sections, tokens),
    evidence: takesWords(largest, sections, budget.budgetTokens),
    review: { show: 'leftOut' },
    action: undefined,
  };
}

/** One whole section over half of the limit. One that is shown in part only fills the room that is there. */
function largeSection({ payload }: FindingFacts): Finding | undefined {
  const { mode, sections, budget } = payload;
  const half = budget.budgetTokens * LARGE_SHARE;
  const large = sections.find(
    ({ tokens, disclosure, priority }) => tokens > half && (disclosure === 'full' || isEssential(priority)),
  );
  if (mode !== 'expanded' || !large) return undefined;
  const isFree = mayBeOnDemand(large);
  return {
    kind: 'large',
    key: `large:${large.id}`,
    gain: isFree ? large.tokens - large.tokensStub : Math.ceil(large.tokens - half),
    title: takesWords(large, sections, budget.budgetTokens),
    evidence: tokensOf(large.tokens),
    review: { sectionIds: [large.id] },
    action: isFree ? { label: phrase('On Demand'), change: onDemand(large.id) } : undefined,
  };
}

/** Where one of the user's agents stops reading, for certain. */
function agentCut({ agents = [], myAgents = [] }: FindingFacts): Finding | undefined {
  const [cut] = agents
    .filter(({ agent }) => myAgents.includes(agent))
    .flatMap(({ agent, name, files }) => files.map((file) => ({ ...file, agent, name })))
    .filter(({ fate, isDoubtful, bytes, bytesLost }) => {
      return fate === 'truncated' && !isDoubtful && bytesLost >= bytes * MIN_CUT_SHARE;
    })
    .sort((a, b) => b.bytesLost - a.bytesLost || (a.path < b.path ? -1 : 1));
  if (!cut) return undefined;
  const { agent, name, path, bytesLost, cutLine = 1, lines } = cut;
  const lost = Math.max(1, lines - cutLine + 1);
  return {
    kind: 'agentCut',
    key: `agentCut:${agent}:${path}`,
    gain: Math.ceil(bytesLost / BYTES_PER_TOKEN),
    title: phrase('{0} stops at line {1} of {2}', name, cutLine, path),
    evidence: lost === 1 ? phrase('1 line is never read') : phrase('{0} lines are never read', lost),
    review: { part: 'agents' },
    action: undefined,
  };
}

/** What an agent loads by itself is known only of an agent that was chosen. */
function unknownAgents({ myAgents }: FindingFacts): Finding | undefined {
  if (myAgents.length > 0) return undefined;
  return {
    kind: 'agents',
    key: 'agents',
    gain: 0,
    title: phrase('See what your agent loads first'),
    evidence: phrase('files, MCP servers, skills'),
    review: undefined,
    action: { label: phrase('Choose Agents…'), change: undefined },
  };
}

/** Masked all the same: of use only where nothing else is to say. */
function maskedKeys({ payload: { secrets, sections } }: FindingFacts): Finding | undefined {
  if (secrets.length === 0) return undefined;
  const found = sections.filter(({ id }) => secrets.some(({ sectionId }) => sectionId === id));
  const names = found.map((section) => nameOf(section, sections));
  return {
    kind: 'masked',
    key: 'masked',
    gain: 0,
    title: phrase(secrets.length === 1 ? '{0} key masked' : '{0} keys masked', secrets.length),
    evidence: asGiven(names.join(', ')),
    review: { sectionIds: found.map(({ id }) => id) },
    action: undefined,
  };
}

/** What the config's `on_demand` would make one line of, without hiding an alarm, an instruction or a pinned section. */
function mayBeOnDemand({ priority, status, isPinned, disclosure, isLeftOut, isPending }: ReportSection): boolean {
  const isShown = disclosure !== 'stub' && disclosure !== 'omitted' && !isLeftOut && !isPending;
  return isShown && !isEssential(priority) && status === 'OK' && !isPinned;
}

function onDemand(sectionId: string): ConfigChange {
  return { kind: 'list', list: 'on_demand', sectionId, isListed: true };
}

function losesNothing({ citationsKept, citationsTotal }: SimulatedEffect): boolean {
  return citationsTotal >= MIN_CITATIONS && citationsKept === citationsTotal;
}

function isWorthwhile(gain: number, tokens: number): boolean {
  return gain > 0 && gain >= tokens * MIN_SHARE;
}

/** Of a part, 1 to 99. */
function percent(part: number, whole: number): number {
  return Math.min(99, Math.max(1, Math.round((part / Math.max(1, whole)) * 100)));
}

function keptWords(kept: number, total: number): Phrase {
  return phrase('{0} of {1} citations kept', kept, total);
}

function takesWords(section: ReportSection, sections: readonly ReportSection[], limit: number): Phrase {
  return phrase('{0} takes {1}% of the limit', nameOf(section, sections), percent(section.tokens, limit));
}

/** Its file's name, where no other section has one of that name; else its title. */
function nameOf({ path, title }: ReportSection, sections: readonly ReportSection[]): string {
  const fileName = path?.slice(path.lastIndexOf('/') + 1);
  if (fileName === undefined) return title;
  const named = sections.filter((other) => `/${other.path}`.endsWith(`/${fileName}`));
  return named.length === 1 ? fileName : title;
}
