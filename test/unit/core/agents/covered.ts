import type { AgentCoverage, CoveredFile } from '../../../../src/core/agents/agentCoverage';
import { readAgentFile } from '../../../../src/core/agents/agentFile';
import { AGENT_TABLE } from '../../../../src/core/agents/agentTable';
import { type CoverInput, coverAgent } from '../../../../src/core/agents/coverAgents';
import type { AgentId } from '../../../../src/core/model/agent';
import { inEnglish } from '../../../../src/core/text/phrase';

/** Coverage by every agent of the table, in its order. */
export function coverAgents(input: CoverInput): readonly AgentCoverage[] {
  return AGENT_TABLE.map((rules) => coverAgent(rules, input));
}

/** Coverage of a folder given as texts by path. */
export function coverFolder(
  folder: Readonly<Record<string, string | Uint8Array>>,
  activePath?: string,
  repositories?: ReadonlySet<string>,
): readonly AgentCoverage[] {
  const encode = (text: string | Uint8Array): Uint8Array =>
    typeof text === 'string' ? new TextEncoder().encode(text) : text;
  const files = new Map(Object.entries(folder).map(([path, text]) => [path, readAgentFile(path, encode(text))]));
  return coverAgents({ files, activePath, ...(repositories ? { repositories } : {}) });
}

/** One agent's coverage. */
export function coverOne(
  agent: AgentId,
  folder: Readonly<Record<string, string | Uint8Array>>,
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
