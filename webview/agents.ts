/** What the part *Truncated by Agents* shows of each agent's coverage. Pure. */
import type { AgentCoverage, CoveredFile, FileFate, UnreadImport } from '../src/core/agents/agentCoverage';
import type { AgentId } from '../src/core/model/agent';
import { listed, say, t } from './language';
import { AGENT_WORDS, type AgentState, IMPORT_WORDS } from './words/agents';

/** One file as one agent gets it. */
export interface AgentFileView {
  readonly key: string;
  readonly path: string;
  readonly state: FileFate;
  /** Where a click leads, 1-based. */
  readonly line: number;
  readonly linkTitle: string;
  /** Where it is cut, or how much there is. */
  readonly at: string;
  /** Share of the file that the agent gets; undefined unless it is cut. */
  readonly readShare: number | undefined;
  /** The rule that decided and what it costs; may be empty. */
  readonly rule: string;
  readonly isDoubtful: boolean;
}

/** An import whose text does not reach the agent. */
export interface AgentImportView {
  readonly path: string;
  /** 1-based. */
  readonly line: number;
  readonly linkTitle: string;
  /** What the file imports, and why that comes to nothing. */
  readonly words: string;
}

/** One agent: what it cuts first, the rest behind a link. */
export interface AgentView {
  readonly id: AgentId;
  readonly name: string;
  readonly state: AgentState;
  readonly shown: readonly AgentFileView[];
  readonly more: readonly AgentFileView[];
  /** Imports that come to nothing, the first few. */
  readonly imports: readonly AgentImportView[];
}

/** The whole part. */
export interface AgentsView {
  readonly summary: string;
  /** Agents with something to look at, what loses most first. */
  readonly agents: readonly AgentView[];
  /** Agents that get all there is, where there are several: one line says so, and opens to them. */
  readonly whole: readonly AgentView[];
  /** Names of the agents that find no file. */
  readonly without: readonly string[];
}

/** Fates from the worst to the best: the first that an agent's files have is the agent's own. */
const FATES: readonly FileFate[] = ['truncated', 'dropped', 'shadowed', 'loaded', 'onDemand'];

/** More of them say nothing new. */
const MOST_IMPORTS = 5;

const COUNTED = ['truncated', 'dropped', 'shadowed'] as const;

/** Not read, for the agent has the very text from another file, as with a `CLAUDE.md` that links to `AGENTS.md`. */
const isCopy = ({ fate, bytesLost }: CoveredFile): boolean => fate === 'shadowed' && bytesLost === 0;

const isLost = (file: CoveredFile): boolean => COUNTED.some((counted) => counted === file.fate) && !isCopy(file);

/** The coverage of *My Agents* and of the others; all are one's own as long as none is known. */
export function splitAgents(
  coverage: readonly AgentCoverage[],
  names: readonly string[],
): { readonly own: readonly AgentCoverage[]; readonly others: readonly AgentCoverage[] } {
  if (names.length === 0) return { own: coverage, others: [] };
  return {
    own: coverage.filter(({ name }) => names.includes(name)),
    others: coverage.filter(({ name }) => !names.includes(name)),
  };
}

/** Whether an agent of these does not get a file whole, or an import of it: else there is nothing to tell. */
export function hasCuts(coverage: readonly AgentCoverage[]): boolean {
  return coverage.some(({ files, unreadImports = [] }) => files.some(isLost) || unreadImports.length > 0);
}

function stateOf({ files }: AgentCoverage): AgentState {
  const telling = files.some((file) => !isCopy(file)) ? files.filter((file) => !isCopy(file)) : files;
  return FATES.find((fate) => telling.some((file) => file.fate === fate)) ?? 'none';
}

function placeOf({ fate, cutLine, lines, isUnread }: CoveredFile): string {
  const whole = isUnread ? '' : AGENT_WORDS.lines(lines);
  switch (fate) {
    case 'truncated':
      return cutLine === undefined ? whole : AGENT_WORDS.cutAt(cutLine, lines);
    case 'dropped':
    case 'shadowed':
      return AGENT_WORDS.notRead;
    case 'onDemand':
      return AGENT_WORDS.whenAsked;
    case 'loaded':
      return whole;
  }
}

function ruleOf({ fate, why, bytesLost, importedBy }: CoveredFile): string {
  return [
    why && say(why),
    fate === 'truncated' && bytesLost > 0 ? AGENT_WORDS.bytesLost(bytesLost) : undefined,
    importedBy === undefined ? undefined : AGENT_WORDS.importedBy(importedBy),
  ]
    .filter((text) => text !== undefined && text !== '')
    .join(t('; '));
}

function fileView(file: CoveredFile, index: number): AgentFileView {
  const { path, fate, bytes, bytesLost, cutLine, isDoubtful } = file;
  const isCut = fate === 'truncated';
  return {
    // A file that several others import stands there several times.
    key: `${index} ${path}`,
    path,
    state: fate,
    line: cutLine ?? 1,
    linkTitle: isCut ? AGENT_WORDS.openAtCut(path) : AGENT_WORDS.open(path),
    at: placeOf(file),
    readShare: isCut ? 1 - bytesLost / Math.max(1, bytes) : undefined,
    rule: ruleOf(file),
    isDoubtful,
  };
}

function importView({ path, line, target, reason }: UnreadImport): AgentImportView {
  return { path, line, linkTitle: AGENT_WORDS.openAtLine(path, line), words: IMPORT_WORDS[reason](target) };
}

function agentView(coverage: AgentCoverage): AgentView {
  const files = coverage.files.map((file, index) => ({ file, view: fileView(file, index) }));
  const lost = files.filter(({ file }) => isLost(file));
  // Where nothing is lost, the first file that is read stands for all.
  const first = files.find(({ file }) => !isCopy(file)) ?? files[0];
  const shown = lost.length > 0 || !first ? lost : [first];
  return {
    id: coverage.agent,
    name: coverage.name,
    state: stateOf(coverage),
    shown: shown.map(({ view }) => view),
    imports: (coverage.unreadImports ?? []).slice(0, MOST_IMPORTS).map(importView),
    more: files.filter((file) => !shown.includes(file)).map(({ view }) => view),
  };
}

function summaryOf(agents: readonly AgentView[]): string {
  const parts = COUNTED.flatMap((fate) => {
    const count = agents.filter(({ state }) => state === fate).length;
    return count > 0 ? [AGENT_WORDS[fate](count)] : [];
  });
  return parts.length > 0 ? listed(parts) : AGENT_WORDS.nothing;
}

function isWhole({ state, imports }: AgentView): boolean {
  return (state === 'loaded' || state === 'onDemand') && imports.length === 0;
}

/** The part's content: agents that cut something first, in the order of their fates, then as they came. */
export function agentsView(coverage: readonly AgentCoverage[]): AgentsView {
  const all = coverage.map(agentView);
  const ordered = FATES.flatMap((fate) => all.filter(({ state }) => state === fate));
  const whole = ordered.filter(isWhole);
  const without = all.filter(({ state }) => state === 'none').map(({ name }) => name);
  const summary = summaryOf(ordered);
  // One agent takes no more room than the line would.
  if (whole.length < 2) return { summary, agents: ordered, whole: [], without };
  return { summary, agents: ordered.filter((agent) => !isWhole(agent)), whole, without };
}

/** What a person should look at: each file that an agent does not get whole, where that is certain. */
export function agentAlarms(coverage: readonly AgentCoverage[]): readonly string[] {
  return coverage.flatMap(({ agent, files }) =>
    files.filter((file) => isLost(file) && !file.isDoubtful).map(({ path, fate }) => `${agent} ${fate} ${path}`),
  );
}

/** What a screen reader is told when an agent begins to cut a file. */
export function agentSentence(
  before: readonly AgentCoverage[] | undefined,
  after: readonly AgentCoverage[] | undefined,
): string | undefined {
  if (!before || !after || before === after) return undefined;
  const cutsOf = ({ agent, name, files }: AgentCoverage): readonly (readonly [string, string])[] =>
    files
      .filter(({ fate, isDoubtful }) => fate === 'truncated' && !isDoubtful)
      .map(({ path }) => [`${agent} ${path}`, AGENT_WORDS.live(name, path)]);
  const known = new Set(before.flatMap(cutsOf).map(([key]) => key));
  return after.flatMap(cutsOf).find(([key]) => !known.has(key))?.[1];
}
