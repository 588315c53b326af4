/** Findings about the payload as it is, and about what agents read beside it. */
import { loadedFiles } from '../../agents/agentFile';
import { agentName } from '../../agents/agentTable';
import type { PayloadReport, ReportSection } from '../../model/report';
import { tokensOf } from '../../text/counts';
import { formatThousands } from '../../text/numbers';
import { asGiven, type Phrase, phrase } from '../../text/phrase';
import { isEssential } from '../fit/grants';
import { type Finding, type FindingFacts, isWorthwhile, mayBeOnDemand, onDemand, percent } from './findingFacts';

/** Of a file: a smaller cut is information. Of the limit. Of a folder: what shows less is hardly there. */
const [MIN_CUT_SHARE, LARGE_SHARE, HIDDEN_SHARE] = [0.01, 0.5, 0.1];
const BYTES_PER_TOKEN = 4;

/**
 * Files of the payload that the one agent in use loads by itself, whole and for certain: the profile can be for that agent.
 * What several agents get cannot be told from a payload, and what an agent cuts is no gain to leave out.
 */
export function agentLoads({ payload, agents, myAgents, profile }: FindingFacts): Finding | undefined {
  const [agent, ...others] = myAgents;
  const { mode, sections, budget } = payload;
  if (mode !== 'expanded' || !agent || others.length > 0 || budget.agent) return undefined;
  const loaded = loadedFiles(agent, agents);
  const own = sections.filter(({ source, tokens }) => source.kind === 'file' && tokens > 0 && loaded.has(source.path));
  const gain = own.reduce((sum, { tokens }) => sum + tokens, 0);
  if (own.some(({ path = '' }) => loaded.get(path)?.cut) || !isWorthwhile(gain, budget.tokens)) return undefined;
  return {
    kind: 'agentLoads',
    key: `agentLoads:${agent}`,
    gain,
    title: phrase('{0} loads {1} of these tokens itself', agentName(agent), gain),
    evidence: asGiven(own.map((section) => nameOf(section, sections)).join(', ')),
    review: { sectionIds: own.map(({ id }) => id) },
    action: { label: phrase('Leave Out'), change: { kind: 'profile', name: profile, agent } },
  };
}

/**
 * What has no room: sections that are left out, or folders that show next to nothing, whichever are more; and what takes most
 * of the limit. At most the largest section's tokens can be won back.
 */
export function leftOutSections(facts: FindingFacts): Finding | undefined {
  const { leftOut, sections, budget } = facts.payload;
  const [largest] = sections.toSorted((a, b) => b.tokens - a.tokens || (a.id < b.id ? -1 : 1));
  if (!largest) return undefined;
  const evidence = takesWords(largest, sections, budget.budgetTokens);
  const gain = (tokens: number): number => Math.min(tokens, largest.tokens);
  const folders = hiddenFolders(facts);
  const hidden = folders.reduce((sum, { tokens, tokensFull }) => sum + tokensFull - tokens, 0);
  if (hidden > leftOut.tokens && isWorthwhile(hidden, budget.budgetTokens))
    return {
      kind: 'leftOut',
      key: 'leftOut:folders',
      gain: gain(hidden),
      title: hiddenWords(hidden, folders),
      evidence: facts.hasTask ? evidence : phrase('files that match a task come first'),
      review: { sectionIds: folders.map(({ id }) => id) },
      action: facts.hasTask ? undefined : { label: phrase('Describe Your Task'), change: undefined, isTask: true },
    };
  // What takes half of the limit is their cause, and what to change.
  if (leftOut.sections === 0 || largeSection(facts)?.action) return undefined;
  return {
    kind: 'leftOut',
    key: 'leftOut',
    gain: gain(leftOut.tokens),
    title: leftOutWords(leftOut),
    evidence,
    review: { show: 'leftOut' },
    action: undefined,
  };
}

function leftOutWords({ sections, tokens }: PayloadReport['leftOut']): Phrase {
  return sections === 1
    ? phrase('1 section left out: {0} tokens', formatThousands(tokens))
    : phrase('{0} sections left out: {1} tokens', sections, formatThousands(tokens));
}

/** Folders of which the budget shows under a tenth. Beside a section over half of the limit they are its consequence. */
function hiddenFolders(facts: FindingFacts): readonly ReportSection[] {
  if (largeSection(facts)) return [];
  return facts.payload.sections.filter(
    ({ files, isCut, tokens, tokensFull }) => files !== undefined && isCut && tokens < tokensFull * HIDDEN_SHARE,
  );
}

function hiddenWords(hidden: number, folders: readonly ReportSection[]): Phrase {
  const tokens = formatThousands(hidden);
  const [first, ...others] = folders;
  if (first && others.length === 0) return phrase('{0} tokens of {1} are not shown', tokens, first.title);
  const isMemory = folders.every(({ source }) => source.kind === 'files' && source.pattern.startsWith('memory/'));
  return isMemory
    ? phrase('{0} tokens of memories are not shown', tokens)
    : phrase('{0} tokens of {1} folders are not shown', tokens, folders.length);
}

/** One section, or one file of which the budget shows a part, over half of the limit. A folder or a map only fills the room. */
export function largeSection({ payload }: FindingFacts): Finding | undefined {
  const { mode, sections, budget, leftOut } = payload;
  const half = budget.budgetTokens * LARGE_SHARE;
  const large = sections.find(
    ({ tokens, disclosure, priority, source }) =>
      tokens > half && (disclosure === 'full' || isEssential(priority) || source.kind === 'file'),
  );
  if (mode !== 'expanded' || !large) return undefined;
  const isFree = mayBeOnDemand(large);
  const { id, tokens, tokensStub } = large;
  const gain = isFree ? tokens - tokensStub : Math.ceil(tokens - half);
  return {
    kind: 'large',
    key: `large:${id}`,
    gain,
    title: takesWords(large, sections, budget.budgetTokens),
    evidence: isFree && leftOut.sections === 0 ? freesWords(gain) : largeEvidence(large, leftOut),
    review: { sectionIds: [id] },
    action: isFree ? { label: phrase('On Demand'), change: onDemand(id), frees: gain } : undefined,
  };
}

/** What one line in place of a section frees at most: sections that were cut may take some of it. */
export function freesWords(tokens: number): Phrase {
  return phrase(tokens === 1 ? 'frees up to {0} token' : 'frees up to {0} tokens', tokens);
}

function largeEvidence({ tokens, tokensFull }: ReportSection, leftOut: PayloadReport['leftOut']): Phrase {
  if (leftOut.sections > 0) return leftOutWords(leftOut);
  return tokens < tokensFull ? phrase('{0} of {1} tokens are shown', tokens, tokensFull) : tokensOf(tokens);
}

/** Where one of the user's agents stops reading, for certain. */
export function agentCut({ agents = [], myAgents = [] }: FindingFacts): Finding | undefined {
  const [cut] = agents
    .filter(({ agent }) => myAgents.includes(agent))
    .flatMap(({ agent, name, files }) => files.map((file) => ({ ...file, agent, name })))
    .filter(({ fate, isDoubtful, cutLine, bytes, bytesLost }) => {
      return fate === 'truncated' && !isDoubtful && cutLine !== undefined && bytesLost >= bytes * MIN_CUT_SHARE;
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

/** Of a server: what takes less is not worth a change, unless nothing ever used it. Tokens. */
const [MIN_SERVER, MIN_UNUSED_SERVER] = [5_000, 1_000];

/** The largest MCP server that every request carries. To disable one is only offered where sessions show that none used it. */
export function largeServer({ servers = [] }: FindingFacts): Finding | undefined {
  const [server] = servers
    .filter(({ tokens, isUnused }) => tokens >= (isUnused ? MIN_UNUSED_SERVER : MIN_SERVER))
    .toSorted((a, b) => b.tokens - a.tokens || (a.key < b.key ? -1 : 1));
  if (!server) return undefined;
  const { name, key, tokens, isUnused, actions } = server;
  const action = actions.includes('onDemand')
    ? ('onDemand' as const)
    : isUnused && actions.includes('disable')
      ? ('disable' as const)
      : undefined;
  return {
    kind: 'server',
    key: `server:${key}`,
    gain: tokens,
    title: phrase('MCP server {0}: {1} tokens', name, formatThousands(tokens)),
    evidence: isUnused ? phrase('in every request, never used') : phrase('in every request'),
    review: { part: 'window' },
    action: action && {
      label: action === 'onDemand' ? phrase('Load on Demand') : phrase('Disable'),
      change: undefined,
      row: { key, action },
    },
  };
}

/** What an agent loads by itself is known only of an agent that was chosen. */
export function unknownAgents({ myAgents }: FindingFacts): Finding | undefined {
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
export function maskedKeys({ payload: { secrets, sections } }: FindingFacts): Finding | undefined {
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
