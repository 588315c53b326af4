/** The tools that agents are offered, and what a list of them says. */
import { CONTEXT_BUDGET } from './contextBudget';
import { CONTEXT_DETAIL } from './contextDetail';
import { CONTEXT_INDEX } from './contextIndex';
import { CONTEXT_SEARCH } from './contextSearch';
import { CONTEXT_TIMELINE } from './contextTimeline';
import { REPO_MAP } from './repoMap';
import { unknownName } from './rows';
import type { ContextTool } from './tool';

/** What the list of tools costs an agent that is given all of it, in o200k_base tokens of its JSON; a test counts it. */
export const TOOL_LIST_TOKENS = 599;

/** All tools, in the order in which agents use them. */
export const CONTEXT_TOOLS: readonly ContextTool[] = [
  CONTEXT_INDEX,
  CONTEXT_TIMELINE,
  CONTEXT_DETAIL,
  REPO_MAP,
  CONTEXT_SEARCH,
  CONTEXT_BUDGET,
];

/** The tool of that name. */
export function findTool(name: string): ContextTool | undefined {
  return CONTEXT_TOOLS.find((tool) => tool.name === name);
}

/** That no tool has a name. */
export function unknownTool(name: unknown): string {
  return unknownName(
    'tool',
    name,
    CONTEXT_TOOLS.map((tool) => tool.name),
  );
}

/**
 * What Claude Code should have from the start where it loads tools on demand: it then looks at the code by map before it
 * greps. Other clients ignore the key; its own list of tools does not hold `_meta` (recorded 2026-11, version 2.1).
 */
const FIRST_TOOLS: readonly ContextTool[] = [REPO_MAP, CONTEXT_DETAIL];

/** What a list of tools says of each, in the words of the Model Context Protocol. */
export function listTools() {
  return CONTEXT_TOOLS.map((tool) => ({
    name: tool.name,
    description: tool.description,
    inputSchema: tool.inputSchema(),
    annotations: tool.annotations,
    ...(FIRST_TOOLS.includes(tool) ? { _meta: { 'anthropic/alwaysLoad': true } } : {}),
  }));
}
