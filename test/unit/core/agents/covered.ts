import type { AgentCoverage, CoveredFile } from '../../../../src/core/agents/agentCoverage';
import { type AgentFile, readAgentFile, unreadAgentFile } from '../../../../src/core/agents/agentFile';
import { AGENT_TABLE } from '../../../../src/core/agents/agentTable';
import { type CoverInput, coverAgent } from '../../../../src/core/agents/coverAgents';
import type { AgentId } from '../../../../src/core/model/agent';
import { inEnglish } from '../../../../src/core/text/phrase';

/** Coverage by every agent of the table, in its order. */
export function coverAgents(input: CoverInput): readonly AgentCoverage[] {
  return AGENT_TABLE.map((rules) => coverAgent(rules, input));
}

/** Files as texts by path; a number is the size of one that is too large to be read. */
type Folder = Readonly<Record<string, string | Uint8Array | number>>;

/** Coverage of a folder. */
export function coverFolder(
  folder: Folder,
  activePath?: string,
  repositories?: ReadonlySet<string>,
): readonly AgentCoverage[] {
  const fileOf = (path: string, text: Folder[string]): AgentFile => {
    if (typeof text === 'number') return unreadAgentFile(path, text);
    return readAgentFile(path, typeof text === 'string' ? new TextEncoder().encode(text) : text);
  };
  const files = new Map(Object.entries(folder).map(([path, text]) => [path, fileOf(path, text)]));
  return coverAgents({ files, activePath, ...(repositories ? { repositories } : {}) });
}

/** One agent's coverage. */
export function coverOne(
  agent: AgentId,
  folder: Folder,
  activePath?: string,
  repositories?: ReadonlySet<string>,
): AgentCoverage {
  const coverage = coverFolder(folder, activePath, repositories).find((each) => each.agent === agent);
  if (!coverage) throw new Error(`no coverage of ${agent}`);
  return coverage;
}

/** `fate path`, with what else there is to say, for each file. */
export function rowsOf({ files }: AgentCoverage): readonly string[] {
  return files.map(rowOf);
}

function rowOf({ path, fate, cutLine, bytesLost, importedBy, why, isDoubtful }: CoveredFile): string {
  const cut = cutLine === undefined ? '' : ` at line ${cutLine}`;
  const lost = bytesLost === 0 ? '' : ` -${bytesLost}`;
  const by = importedBy === undefined ? '' : ` from ${importedBy}`;
  const because = why === undefined ? '' : `: ${inEnglish(why)}`;
  return `${fate}${isDoubtful ? '?' : ''} ${path}${by}${cut}${lost}${because}`;
}
