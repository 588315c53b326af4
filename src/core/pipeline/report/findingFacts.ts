/**
 * What the one finding is made from and of (PANEL §1): its facts, its shape, and what several of its kinds ask. `finding.ts`
 * chooses; `usageFindings.ts` and `payloadFindings.ts` have the kinds.
 */
import type { AgentCoverage } from '../../agents/agentCoverage';
import type { ConfigChange } from '../../config/configEdit';
import type { AgentId } from '../../model/agent';
import type { Problem } from '../../model/problem';
import type { ScoringMode } from '../../model/relevance';
import type { PayloadReport, ReportSection } from '../../model/report';
import type { Phrase } from '../../text/phrase';
import { isEssential } from '../fit/grants';

export interface Finding {
  readonly kind: 'save' | 'mode' | 'agentLoads' | 'leftOut' | 'large' | 'agentCut' | 'server' | 'agents' | 'masked';
  /** Kind and subject; stable over reports. */
  readonly key: string;
  /** Tokens of one payload that the change frees or brings back; 0 where that is not what it is about. */
  readonly gain: number;
  readonly title: Phrase;
  readonly evidence: Phrase;
  readonly review:
    | { readonly show: 'leftOut' }
    | { readonly sectionIds: readonly string[] }
    | { readonly part: 'agents' | 'window' }
    | undefined;
  /**
   * Undefined where nothing can be done by one change. Without `change` the user is to choose agents, or to give a task;
   * or, with `row`, what a row of *Before the First Word* offers is done.
   */
  readonly action:
    | {
        readonly label: Phrase;
        readonly change: ConfigChange | undefined;
        readonly isTask?: true;
        /** Tokens that it frees at most, where the title does not say it. */
        readonly frees?: number;
        readonly row?: { readonly key: string; readonly action: 'onDemand' | 'disable' };
      }
    | undefined;
}

/** A measured MCP server in the window of the shown agent. */
export interface WindowServer {
  readonly name: string;
  /** The key of its row. */
  readonly key: string;
  /** In every request. */
  readonly tokens: number;
  /** Enough sessions had its tools, and none called one. False where that is not known. */
  readonly isUnused: boolean;
  /** What the agent's settings can do about it. */
  readonly actions: readonly ('onDemand' | 'disable')[];
}

/** What a mode or threshold would have done to recorded cycles. Tokens are means of a cycle. */
export interface SimulatedEffect {
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
  /** Of the window that is shown; empty where it was not read. */
  readonly servers?: readonly WindowServer[];
  /** The profile in use. */
  readonly profile: string;
  /** It says what the work is about. */
  readonly hasTask: boolean;
}

/** Of a payload: what saves less is not worth a change. */
export const MIN_SHARE = 0.02;

/** What the config's `on_demand` would make one line of, without hiding an alarm, an instruction or a pinned section. */
export function mayBeOnDemand({
  priority,
  status,
  isPinned,
  disclosure,
  isLeftOut,
  isPending,
}: ReportSection): boolean {
  const isShown = disclosure !== 'stub' && disclosure !== 'omitted' && !isLeftOut && !isPending;
  return isShown && !isEssential(priority) && status === 'OK' && !isPinned;
}

export function onDemand(sectionId: string): ConfigChange {
  return { kind: 'list', list: 'on_demand', sectionId, isListed: true };
}

/** Whether tokens are at least 2% of so many. */
export function isWorthwhile(gain: number, tokens: number): boolean {
  return gain > 0 && gain >= tokens * MIN_SHARE;
}

/** Of a part, 1 to 99. */
export function percent(part: number, whole: number): number {
  return Math.min(99, Math.max(1, Math.round((part / Math.max(1, whole)) * 100)));
}
