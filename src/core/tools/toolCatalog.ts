import { CONTEXT_BUDGET } from './contextBudget';
import { CONTEXT_DETAIL } from './contextDetail';
import { CONTEXT_INDEX } from './contextIndex';
import { CONTEXT_SEARCH } from './contextSearch';
import { CONTEXT_TIMELINE } from './contextTimeline';
import { REPO_MAP } from './repoMap';
import type { ContextTool } from './tool';

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

/** What a list of tools says of each, in the words of the Model Context Protocol. */
export function listTools() {
  return CONTEXT_TOOLS.map(({ name, title, description, annotations, inputSchema, outputSchema }) => ({
    name,
    title,
    description,
    inputSchema: inputSchema(),
    outputSchema: outputSchema(),
    annotations,
  }));
}
