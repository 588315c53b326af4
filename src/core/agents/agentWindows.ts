/** What each agent loads before the first word: its row, and the places of the home folder that it names. */
import type { AgentId } from '../model/agent';
import { EDITOR_WINDOWS } from './editorWindows';
import { TERMINAL_WINDOWS } from './terminalWindows';
import type { WindowRules } from './windowRules';

/** By agent; an agent without a row loads nothing of this kind that is known. */
export const AGENT_WINDOWS: Readonly<Partial<Record<AgentId, WindowRules>>> = {
  ...TERMINAL_WINDOWS,
  ...EDITOR_WINDOWS,
};

/** Files and folders of the home folder that these agents may have read for them, each once, below `~/`. */
export function homePlaces(agents: readonly AgentId[]): readonly string[] {
  const places = agents.flatMap((id) => {
    const { user = [], mcp, skills, subagents, commands } = AGENT_WINDOWS[id] ?? {};
    const files = [...(mcp?.files ?? []), ...(mcp?.switches ?? [])].map(({ path }) => path);
    const folders = [skills, subagents, commands].flatMap((list) => list?.folders ?? []);
    const rules = user.flatMap(({ patterns }) =>
      patterns.map((pattern) => (typeof pattern === 'string' ? `~/${pattern}` : `~/${pattern.folder}/`)),
    );
    return [...rules, ...files, ...folders.map((folder) => `${folder}/`)];
  });
  return [...new Set(places.filter((place) => place.startsWith('~/')))];
}
