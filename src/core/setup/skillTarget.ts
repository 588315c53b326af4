/** Where the shipped skill is, and where agents look for skills. It does not decide what the skill says. */

import { OFFERED_AGENTS } from '../agents/agentTable';

/** In the product's own folder. VS Code wants the folder to have the skill's name. */
export const SKILL_FILE = 'media/skills/context-budget/SKILL.md';

/** A place of a folder in which agents look for skills. */
interface SkillTarget {
  /** Workspace-relative. */
  readonly path: string;
  /** Who looks there; names of products are not translated. */
  readonly agents: string;
}

/**
 * Places of the open form for agents' skills (agentskills.io): code.visualstudio.com/docs/agent-customization/agent-skills,
 * code.claude.com/docs/en/skills, developers.openai.com/codex/skills; read 2026-11-22. Of the table of agents.
 */
export const SKILL_TARGETS: readonly SkillTarget[] = [
  ...new Set(OFFERED_AGENTS.flatMap(({ skills }) => skills ?? [])),
].map((folder) => {
  const readers = OFFERED_AGENTS.filter(({ skills }) => skills?.includes(folder));
  return {
    path: `${folder}/context-budget/SKILL.md`,
    agents: readers.map(({ name, product }) => product ?? name).join(', '),
  };
});
