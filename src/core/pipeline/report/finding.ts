/**
 * The one thing to change first (PANEL §1): at most one recommendation, from what is known of the shown payload, the usage
 * log and the user's agents. It computes no size of its own; `CANDIDATES` has one function a kind.
 */
import type { Finding, FindingFacts } from './findingFacts';
import {
  agentCut,
  agentLoads,
  largeSection,
  largeServer,
  leftOutSections,
  maskedKeys,
  unknownAgents,
} from './payloadFindings';
import { nextMode, otherThreshold, unusedSections } from './usageFindings';

export type { Finding, FindingFacts, WindowServer } from './findingFacts';

/** In the order in which equal gains are taken. */
const CANDIDATES: readonly ((facts: FindingFacts) => Finding | undefined)[] = [
  ...[unusedSections, otherThreshold, nextMode, agentLoads, leftOutSections],
  ...[largeSection, largeServer, agentCut, unknownAgents, maskedKeys],
];

/**
 * The recommendation with the largest gain; of equal ones the first of `CANDIDATES`. Undefined where nothing is gained,
 * and beside a message: a config error, a payload over its limit, command sections that Restricted Mode keeps from
 * running. In Restricted Mode no finding has a change.
 */
export function findingOf(facts: FindingFacts): Finding | undefined {
  if (hasMessage(facts)) return undefined;
  const [first] = CANDIDATES.flatMap((candidate) => candidate(facts) ?? []).sort((a, b) => b.gain - a.gain);
  const changes = first?.action?.change ?? first?.action?.row;
  return first && changes && !facts.isTrusted ? { ...first, action: undefined } : first;
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
