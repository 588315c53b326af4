import type { AgentId, LoadedByAgent } from '../model/agent';
import type { CollectedSection } from '../model/section';
import type { AgentCoverage, CoveredFile } from './agentCoverage';
import { AGENT_TABLE } from './agentTable';

/**
 * Marks the sections whose file `agent` loads by itself, so that a payload for it need not carry them. Only what is
 * certain counts: a text that comes twice costs tokens, one that never comes costs the work. So files stay in the payload
 * whose reading is doubtful, or depends on the folder in which the agent is started.
 */
export function markLoaded(
  sections: readonly CollectedSection[],
  agent: AgentId | undefined,
  coverage: readonly AgentCoverage[] | undefined,
): readonly CollectedSection[] {
  const own = agent && coverage?.find((each) => each.agent === agent);
  if (!own) return sections;
  const isFromRoot = AGENT_TABLE.some(
    (rules) => rules.agent === agent && rules.rules.some((rule) => rule.isReadAtStart),
  );
  const loaded = new Map(
    own.files
      .filter((file) => isCertain(file) && !(isFromRoot && file.path.includes('/')))
      .map((file) => [file.path, { agent: own.name, cut: cutOf(file) }] as const),
  );
  return sections.map((section) => {
    const loadedBy = section.source.kind === 'file' ? loaded.get(section.source.path) : undefined;
    return loadedBy ? { ...section, loadedBy } : section;
  });
}

function isCertain({ fate, isDoubtful, bytesLost }: CoveredFile): boolean {
  if (isDoubtful) return false;
  // A copy of what is read counts as read.
  return fate === 'loaded' || fate === 'truncated' || (fate === 'shadowed' && bytesLost === 0);
}

function cutOf({ cutLine, bytesLost }: CoveredFile): LoadedByAgent['cut'] {
  return cutLine === undefined ? undefined : { bytesLost, line: cutLine };
}

/**
 * The part of a section's text that the agent has. What is lost is taken off the end: the text is without its byte order
 * mark, which the agent's bytes begin with. Exact for UTF-8, whatever the line ends; a little off where a byte is none.
 */
export function loadedText(text: string, { cut }: LoadedByAgent): string {
  if (!cut) return text;
  const bytes = new TextEncoder().encode(text);
  return new TextDecoder().decode(bytes.subarray(0, Math.max(0, bytes.length - cut.bytesLost)));
}
