import { AGENT_TABLE } from '../../../../../src/core/agents/agentTable';
import { AGENT_WINDOWS } from '../../../../../src/core/agents/agentWindows';
import type { AgentId } from '../../../../../src/core/model/agent';
import { buildWindow } from '../../../../../src/core/window/loaded/buildWindow';
import { WindowFiles } from '../../../../../src/core/window/loaded/homeFiles';
import { configuredServers } from '../../../../../src/core/window/loaded/mcpServers';
import type { WindowItem } from '../../../../../src/core/window/loaded/windowReport';
import { MemoryFiles } from '../../../../support/memoryFiles';
import { coverOne } from '../../agents/covered';

export const ROOT = '/home/jo/app';

/** One tool of every server. */
export const TOOL = { name: 'find', description: 'Finds it.', inputSchema: { type: 'object' } };

/** The window of files below the workspace, and below `~/` those of the home folder; a number is a size. Tokens are characters. */
export async function windowOf(
  agent: AgentId,
  texts: Readonly<Record<string, string | number>>,
  { model, instructions = '' }: { readonly model?: string; readonly instructions?: string } = {},
): Promise<readonly WindowItem[]> {
  const of = (isHome: boolean) =>
    Object.fromEntries(
      Object.entries(texts)
        .filter(([path]) => path.startsWith('~/') === isHome)
        .map(([path, text]) => [path.replace('~/', ''), text]),
    );
  const source = (isHome: boolean) =>
    new MemoryFiles(
      Object.fromEntries(
        Object.entries(of(isHome)).map(([path, text]) => [path, typeof text === 'number' ? { sizeBytes: text } : text]),
      ),
    );
  const files = new WindowFiles(source(false), source(true));
  const rules = AGENT_WINDOWS[agent]!;
  const request = {
    agent: AGENT_TABLE.find((row) => row.agent === agent)!,
    ...{ rules, files, root: ROOT, home: '/home/jo', model, coverage: coverOne(agent, of(false)) },
    servers: await configuredServers(rules, ROOT, files),
    stateOf: ({ commandHash }: { readonly commandHash: string }) => ({
      kind: 'measured' as const,
      measurement: { commandHash, server: 'db 1', instructions, tools: [TOOL] },
    }),
    count: async (all: readonly string[]) => all.map((text) => text.length),
  };
  return (await buildWindow(request)).window.items;
}
